import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

// As undici's own index.js does it: the methods of a dispatcher, such as the CONNECT of a proxy, are put there.
const parts = `
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import methods from 'undici/lib/api/index.js';
Object.assign(Dispatcher.prototype, methods);
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
`;

/**
 * If undici is loaded on first use, its index.js would load fetch, web sockets, caches and HTTP/2 with it, which takes
 * four times as long as the pool and the proxies that we use. Fails if the structure of undici has changed.
 */
export const leanUndici: Plugin = {
  name: 'lean-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: 'lean-undici' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'lean-undici' }, () => {
      checkParts();
      return { contents: parts, resolveDir: import.meta.dirname };
    });
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ }, ({ path }) => ({
      contents: withLazyHttp2(readFileSync(path, 'utf8')),
    }));
  },
};

function checkParts(): void {
  const whole = require('undici');
  const isWhole =
    require('undici/lib/dispatcher/env-http-proxy-agent.js') === whole.EnvHttpProxyAgent &&
    require('undici/lib/dispatcher/pool.js') === whole.Pool &&
    require('undici/lib/dispatcher/dispatcher.js') === whole.Dispatcher &&
    Object.entries(require('undici/lib/api/index.js')).every(
      ([name, method]) => whole.Dispatcher.prototype[name] === method,
    );
  if (!isWhole) throw new Error('the parts of undici are no longer what its index.js exports');
}

/** We use only HTTP/1.1, and loading HTTP/2 takes as long as the rest of undici that we use. */
export function withLazyHttp2(client: string): string {
  const eager = "const connectH2 = require('./client-h2.js')\n";
  if (client.split(eager).length !== 2) throw new Error('client.js of undici loads HTTP/2 in another way');
  return client.replace(eager, "const connectH2 = (...args) => require('./client-h2.js')(...args)\n");
}
