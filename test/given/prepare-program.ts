import { prepareProgram } from './program.ts';

/** Builds the program once for all test files. Mutants are in the sources, so their tests run those. */
export const setup = prepareProgram;
