import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceDigest } from '../../bin/console/source-digest.ts';
import { builtOnce } from './built-once.ts';
import { compiledFolder } from './compiled-folder.ts';

const root = join(import.meta.dirname, '../..');

/** Names the folder with the bundle of the program that test files of one run share. */
const bundleVariable = 'RAMPART_TEST_PROGRAM';

/** The command line as a program of its sources. */
const sourceProgram = join(root, 'src/cli/main.ts');

/** The folder of the published program, if it was built for this run. Tests that change it copy it first. */
export const programFolder = process.env[bundleVariable];

/** The same as its users get it. It starts in a fraction of the time, because it loads few files. */
export const program = programFolder === undefined ? sourceProgram : join(programFolder, 'main.cjs');

/** The program for a process that loads a file before it. Some change a module, which the bundle does not load as such. */
export function programFor(preloaded = ''): string {
  return /stop-after-begin|newer-program/.test(preloaded) ? sourceProgram : program;
}

/** Builds the program for all test files. */
export async function prepareProgram(): Promise<void> {
  // Vitest calls it for each project.
  if (programFolder !== undefined) return;
  const madeOf = sourceDigest([
    'src',
    'bin/cli',
    'bin/build-sandbox.ts',
    'bin/lean-undici.ts',
    'bin/licenses-of.ts',
    'package-lock.json',
  ]);
  const built = await builtOnce('program', madeOf, async (folder) => {
    const { buildCli } = await import('../../bin/cli/build-cli.ts');
    const { buildServer } = await import('../../bin/cli/build-server.ts');
    await buildCli(join(folder, 'cli'));
    await buildServer(join(folder, 'server'));
  });
  process.env[bundleVariable] = join(built, 'cli');
}

/**
 * The environment that a process of the program needs from this one. It keeps compiled code, which halves its start.
 */
export const programEnvironment = {
  PATH: process.env['PATH'],
  NO_COLOR: '1',
  NODE_COMPILE_CACHE: compiledFolder,
};

/** Writes the program to a folder as the command `rampart`, as a machine has it on its path. */
export function commandIn(folder: string): string {
  const command = join(folder, 'rampart');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(command, 0o755);
  return command;
}
