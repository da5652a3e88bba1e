import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const kept = join(import.meta.dirname, '../../node_modules/.cache/rampart-built');

/**
 * A folder that `build` fills, for a name and its inputs. The first caller builds it; later ones, even in other
 * processes and later runs, get the same folder, which none of them may change.
 */
export async function builtOnce(
  name: string,
  madeOf: string,
  build: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = join(kept, name, madeOf);
  if (existsSync(folder)) return folder;
  const unfinished = join(kept, randomUUID());
  mkdirSync(unfinished, { recursive: true });
  await build(unfinished);
  mkdirSync(join(kept, name), { recursive: true });
  // What was made of earlier sources is not needed again.
  for (const earlier of readdirSync(join(kept, name)))
    if (earlier !== madeOf) rmSync(join(kept, name, earlier), { recursive: true, force: true });
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another process was faster.
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
