import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

// CommonJS has no such name; what a module finds beside itself are the modules of the bundle.
const ownAddress = "process.getBuiltinModule('node:url').pathToFileURL(__dirname + '/bundle.js').href";

/**
 * Two readings of our sources that only this bundle needs: where a module stands, and `z` as the namespace that it
 * is, of which esbuild then leaves out what nobody asks for, two thirds of the package.
 */
export const ownSources: Plugin = {
  name: 'own-sources',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', ownAddress)
        .replaceAll('import.meta.dirname', '__dirname')
        .replace("import { z } from 'zod'", "import * as z from 'zod'"),
      loader: 'ts',
    }));
  },
};
