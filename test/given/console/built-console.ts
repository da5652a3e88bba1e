import { consoleDigest } from '../../../bin/console/source-digest.ts';
import { builtOnce } from '../built-once.ts';

/** The folder of the console, built from the sources as they are. */
export function builtConsole(): Promise<string> {
  return builtOnce('console', consoleDigest(), async (folder) => {
    const { buildConsole } = await import('../../../bin/console/build-console.ts');
    await buildConsole(folder);
  });
}
