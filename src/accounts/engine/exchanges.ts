import type { Environment } from '../../core/lib/surroundings.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { RequestBound } from '../../service/client/request-bound.ts';
import { createUndiciExchange } from '../../service/client/undici-exchange.ts';
import { createUndiciPools } from '../../service/client/undici-pools.ts';
import type { Exchange } from '../../service/contract/message.ts';

/** The connections to all services. Accounts at the same origin share one pool. */
export interface Exchanges {
  /** Sends nothing yet. Fails with `insecure-url` or `configuration`. */
  to(baseUrl: string, bound?: RequestBound): Result<Exchange>;
  /** Closes all connections; calls in flight are lost. */
  close(): Promise<void>;
}

/** With the proxies of an environment. */
export function createExchanges(env: Environment): Exchanges {
  const pools = createUndiciPools();
  return {
    to(baseUrl, bound) {
      const http = createUndiciExchange({ baseUrl, env, pools, ...(bound === undefined ? {} : { bound }) });
      return http.ok ? ok(http.value.exchange, http.problems) : http;
    },
    close: () => pools.close(),
  };
}
