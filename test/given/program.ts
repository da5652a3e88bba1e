import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The command line as a program of its sources. */
export const program = join(root, 'src/cli/main.ts');

/** What a process of the program needs from this one. It keeps what it compiled: that is half of the time of its start. */
export const programEnvironment = {
  PATH: process.env['PATH'],
  NO_COLOR: '1',
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/rampart-compiled'),
};
