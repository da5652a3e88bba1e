import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const kept = join(root, 'node_modules/.cache/rampart-console');
/** All that the bundle is made of. Of other folders, the console imports only types. */
const sources = [
  'src/doors/console',
  'src/output/page',
  'src/control/access',
  'src/core/lib',
  'bin/console',
  'bin/licenses-of.ts',
  'package-lock.json',
];

/**
 * The folder of the console, built from the sources as they are. The first caller builds it; later ones, also in other
 * processes, get the same folder, which none of them may change.
 */
export async function builtConsole(): Promise<string> {
  const folder = join(kept, digest());
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

function digest(): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    const names = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted()
      : [''];
    for (const name of names) {
      const file = join(path, name);
      if (statSync(file).isFile()) hash.update(`${source}/${name}\0`).update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex').slice(0, 16);
}
