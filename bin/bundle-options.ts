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

/**
 * CommonJS packages load built-in modules in their own way. Our sources and other packages import `createRequire` too.
 */
export const requireInModules = {
  js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
} as const;

/** A bundle of our sources, and its inputs. */
export const bundled = {
  ...compact,
  absWorkingDir: join(import.meta.dirname, '..'),
  bundle: true,
  format: 'esm',
  metafile: true,
  logLevel: 'warning',
} as const;
