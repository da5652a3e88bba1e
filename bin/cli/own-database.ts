import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/**
 * In the package, an extension of the embedded database is in the folder above its module; in the bundle, it is in the
 * same folder.
 */
export const ownDatabase: Plugin = {
  name: 'own-database',
  setup({ onLoad }) {
    onLoad({ filter: /pglite[\\/]dist[\\/]contrib[\\/]pg_trgm\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('"../pg_trgm.tar.gz"', '"./pg_trgm.tar.gz"'),
      loader: 'js',
    }));
  },
};
