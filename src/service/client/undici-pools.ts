import type { Dispatcher } from 'undici';
import type { Proxies } from './proxy.ts';

export interface PoolOptions {
  /** The maximum number of connections to one origin; 64 if absent. */
  readonly connections?: number;
  /**
   * How long to wait for a connection, then for the head of a response, then for each further part of its body, in
   * milliseconds; 60 seconds if absent, 10 for a connection.
   */
  readonly timeoutMs?: number;
}

/** Connections to any number of origins: one pool for each. */
export interface UndiciPools {
  /** The pool of an origin, which is opened on first use. */
  of(origin: string, proxies: Proxies | null): Promise<Dispatcher>;
  /** Closes all connections; calls in flight are lost. */
  close(): Promise<void>;
}

const defaultConnections = 64;
const defaultTimeoutMs = 60_000;
const longestConnectMs = 10_000;

export function createUndiciPools(options: PoolOptions = {}): UndiciPools {
  const pools = new Map<string, Promise<Dispatcher>>();
  return {
    of(origin, proxies) {
      const key = JSON.stringify([origin, proxies]);
      const pool = pools.get(key) ?? openPool(origin, proxies, options);
      pools.set(key, pool);
      return pool;
    },
    async close() {
      const opened = [...pools.values()];
      pools.clear();
      await Promise.all(opened.map(async (pool) => (await pool).destroy()));
    },
  };
}

async function openPool(
  origin: string,
  proxies: Proxies | null,
  { connections = defaultConnections, timeoutMs = defaultTimeoutMs }: PoolOptions,
): Promise<Dispatcher> {
  const { EnvHttpProxyAgent, Pool } = await import('undici');
  const tls = { rejectUnauthorized: true, allowH2: false };
  const shared = {
    allowH2: false,
    connections,
    connectTimeout: Math.min(timeoutMs, longestConnectMs),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  };
  return proxies === null
    ? new Pool(origin, { ...shared, connect: tls })
    : new EnvHttpProxyAgent({ ...shared, ...proxies, connect: tls, requestTls: tls, proxyTls: tls });
}
