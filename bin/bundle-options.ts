import { join } from 'node:path';

/** Small code for the Node that Rampart needs. */
export const compact = {
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // Text of one byte a character is read faster.
  charset: 'ascii',
} as const;

/** A bundle of our sources, and what it is made of. */
export const bundled = {
  ...compact,
  absWorkingDir: join(import.meta.dirname, '..'),
  bundle: true,
  format: 'esm',
  metafile: true,
  logLevel: 'warning',
} as const;
