import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { consoleDigest } from '../../../bin/console/source-digest.ts';

const root = join(import.meta.dirname, '../../..');
const kept = join(root, 'node_modules/.cache/rampart-console');
/**
 * The folder of the console, built from the sources as they are. The first caller builds it; later ones, also in other
 * processes, get the same folder, which none of them may change.
 */
export async function builtConsole(): Promise<string> {
  const folder = join(kept, consoleDigest());
  if (existsSync(folder)) return folder;
  const unfinished = join(kept, randomUUID());
  mkdirSync(unfinished, { recursive: true });
  const { buildConsole } = await import('../../../bin/console/build-console.ts');
  await buildConsole(unfinished);
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another process was faster.
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
