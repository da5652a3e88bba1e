import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildCli } from '../../bin/cli/build-cli.ts';

const root = join(import.meta.dirname, '../..');

/** Builds the command line into this folder as it is published; gives the path of the program. */
export async function buildPublished(folder: string): Promise<string> {
  const program = join(folder, 'bin/rampart.js');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const file of ['package.json', 'bin/rampart.js', 'bin/own-cache-folder.mjs'])
    cpSync(join(root, file), join(folder, file));
  await buildCli(join(folder, 'dist/cli'));
  return program;
}
