import { join } from 'node:path';
import type { InlineConfig } from 'vite';

const root = join(import.meta.dirname, '../../src/console');

/** How Vite builds and serves the console. The policy of the server allows no inline script, style or image. */
export const consoleConfig: InlineConfig = {
  root,
  configFile: false,
  envDir: false,
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    emptyOutDir: true,
    manifest: 'manifest.json',
    reportCompressedSize: false,
  },
};
