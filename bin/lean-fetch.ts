import type { Plugin } from 'esbuild';

/** The default time for a request, in milliseconds. */
const usualTimeout = 10_000;

/**
 * @sigstore/sign sends its few requests with make-fetch-happen, whose cache and proxies are eight times as large as the
 * rest of the signing code. In a bundle, Node's own fetch sends them, with the proxy of NODE_USE_ENV_PROXY.
 */
export const leanFetch: Plugin = {
  name: 'lean-fetch',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^make-fetch-happen$/ }, ({ path }) => ({ path, namespace: 'lean-fetch' }));
    onLoad({ filter: /.*/, namespace: 'lean-fetch' }, () => ({
      contents: `export default (url, { method, headers, body, timeout = ${usualTimeout} }) =>
  fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeout) });`,
    }));
  },
};
