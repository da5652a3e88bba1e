import { removeOldCompiled } from './compiled-folder.ts';
import { prepareProgram } from './program.ts';

/** Builds the program once for all test files. Mutants are in the sources, so their tests run those. */
export async function setup(): Promise<void> {
  removeOldCompiled();
  await prepareProgram();
}
