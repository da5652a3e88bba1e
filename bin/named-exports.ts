import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Parts of their own have no named exports of packages in CommonJS, unless something names them. */
export const namedExports: Plugin = {
  name: 'named-exports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: 'named-exports' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'named-exports' }, () => ({
      contents: "export { EnvHttpProxyAgent, Pool } from 'undici';",
      resolveDir: join(import.meta.dirname, '..'),
    }));
  },
};
