import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/**
 * Two readings of our sources that only bundles need: `beside`, the address of a file in the folder that modules find
 * files beside, and `z` as the namespace that it is, of which esbuild then leaves out what nobody asks for, two thirds of
 * the package.
 */
export function ownSources(beside: string): Plugin {
  return {
    name: 'own-sources',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8')
          .replaceAll('import.meta.url', beside)
          .replaceAll('import.meta.dirname', '__dirname')
          .replace("import { z } from 'zod'", "import * as z from 'zod'"),
        loader: 'ts',
      }));
    },
  };
}
