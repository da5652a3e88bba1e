import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { isLoopback } from '../../core/lib/loopback.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { TransportError } from '../contract/message.ts';
import { type AllowedAddress, mayConnect, mayConnectToAll } from './address-rules.ts';
import { proxiesFor } from './proxy.ts';
import { toTransportError } from './transport-error.ts';

export interface GuardOptions {
  /** Hosts and networks that are not public and may be reached nevertheless. */
  readonly allowed: readonly AllowedAddress[];
  /** The environment with HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  readonly env: Environment;
  /** The time limit of one whole request, in milliseconds; 10 seconds if absent. */
  readonly timeoutMs?: number;
  /** The maximum size of a response; 1 MiB if absent. */
  readonly maxBytes?: number;
}

export interface GuardedRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | null;
  readonly signal?: AbortSignal | undefined;
}

export interface GuardedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Requests to addresses that a setting names, and that are not the service. */
export interface GuardedHttp {
  /** Never rejects. A redirect is returned as it is. No problem quotes more of the address than its scheme and host. */
  send(url: string, request?: GuardedRequest): Promise<Result<GuardedReply>>;
  /** The same in the form of `fetch`, for libraries; rejects with the words of the problem. */
  fetch(url: string, request?: FetchRequest): Promise<Response>;
  close(): Promise<void>;
}

interface FetchRequest {
  readonly method?: string;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

const usualTimeoutMs = 10_000;
const usualMaxBytes = 1024 * 1024;

/**
 * HTTP that a setting can't aim at this machine, a private network or the metadata service of a cloud unless the operator
 * allows it. The address is checked when the connection is made, so a name that resolves differently later changes
 * nothing. Through a proxy, the proxy resolves names, and Rampart checks only addresses that are written as numbers.
 */
export function createGuardedHttp(options: GuardOptions): GuardedHttp {
  const { allowed, env } = options;
  let opened: ReturnType<typeof openAgents> | undefined;

  const send: GuardedHttp['send'] = async (text, request = {}) => {
    const url = checkAddress(text, allowed);
    if (!url.ok) return url;
    const proxies = proxiesFor(url.value, env);
    if (!proxies.ok) return proxies;
    const agents = await (opened ??= openAgents(allowed));
    const dispatcher = proxies.value === null ? agents.direct : agents.proxied(proxies.value);
    return exchange(url.value, request, dispatcher, options);
  };

  return {
    send,
    fetch: async (url, { method, headers, body = null, signal } = {}) => {
      const reply = await send(url, {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        body: body === null ? null : textOf(body),
        signal: signal ?? undefined,
      });
      if (!reply.ok) throw new Error(reply.problems.map(({ message }) => message).join('; '));
      const { status, headers: answered, body: bytes } = reply.value;
      const isEmpty = status === 204 || status === 205 || status === 304;
      return new Response(isEmpty ? null : Buffer.from(bytes), { status, headers: answered });
    },
    close: async () => (await opened)?.close(),
  };
}

/** Libraries send forms as URLSearchParams. */
function textOf(body: unknown): string | Uint8Array {
  return body instanceof Uint8Array ? body : String(body);
}

/** The addresses of a host if all of them may be reached, for programs that connect by themselves. */
export async function resolveAllowed(
  host: string,
  allowed: readonly AllowedAddress[],
): Promise<Result<readonly string[]>> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve) => {
    lookupAllowed(bare, {}, allowed, (error, addresses) => {
      if (error === null) return resolve(ok(addresses.map(({ address }) => address)));
      if (error instanceof RefusedAddress) return resolve(failed(refused(host)));
      resolve(
        failed(problem('network', `${host} can't be resolved`, { hint: 'check the name and the DNS' })),
      );
    });
  });
}

/** Whether requests may go to an address, as far as its text shows. */
export function checkAddress(text: string, allowed: readonly AllowedAddress[]): Result<URL> {
  const url = URL.parse(text);
  if (url === null || url.hostname === '' || url.username !== '' || url.password !== '') {
    return failed(
      problem('configuration', 'the address is not a URL without a user name', {
        hint: 'write an address such as https://chat.example.com/hook',
      }),
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    return failed(
      problem('insecure-url', `${url.protocol}//${url.host} is refused: it is not encrypted`, {
        hint: 'use https; plain http is allowed only for this machine (127.0.0.1, [::1], localhost)',
      }),
    );
  }
  const bare = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0 && !mayConnect(url.hostname, bare, allowed)) return failed(refused(url.hostname));
  return ok(url);
}

function refused(host: string): Problem {
  return problem(
    'unpinned-origin',
    `${host} is refused: it is on this machine, in a private network or reserved`,
    { hint: 'if the server should reach it, list the host or its network under "allow" of "server"' },
  );
}

class RefusedAddress extends Error {}

function lookupAllowed(
  host: string,
  options: LookupOptions,
  allowed: readonly AllowedAddress[],
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    const all = addresses.map(({ address }) => address);
    if (mayConnectToAll(host, all, allowed)) callback(null, addresses);
    else callback(new RefusedAddress('refused'), []);
  });
}

async function openAgents(allowed: readonly AllowedAddress[]) {
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  const tls = { rejectUnauthorized: true, allowH2: false };
  // With this setting, sockets resolve all addresses of a name.
  const autoSelectFamily = true;
  const guardedLookup: LookupFunction = (host, lookupOptions, callback) =>
    lookupAllowed(host, lookupOptions, allowed, callback);
  const options = { allowH2: false, connect: { ...tls, autoSelectFamily, lookup: guardedLookup } };
  const direct = new Agent(options);
  let proxied: Dispatcher | undefined;
  return {
    direct,
    proxied(proxies: { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: string }) {
      return (proxied ??= new EnvHttpProxyAgent({
        ...proxies,
        ...options,
        requestTls: tls,
        proxyTls: tls,
      }));
    },
    async close() {
      await direct.destroy();
      await proxied?.destroy();
    },
  };
}

async function exchange(
  url: URL,
  { method = 'GET', headers = {}, body = null, signal }: GuardedRequest,
  dispatcher: Dispatcher,
  { timeoutMs = usualTimeoutMs, maxBytes = usualMaxBytes }: GuardOptions,
): Promise<Result<GuardedReply>> {
  const { request } = await import('undici');
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const reply = await request(url, {
      method,
      headers: { ...headers },
      body,
      dispatcher,
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) {
        return failed(
          problem('malformed-response', `${url.host} sent more than ${maxBytes} bytes`, {
            hint: 'check the address',
          }),
        );
      }
      chunks.push(chunk);
    }
    const received = new Headers();
    for (const [name, value] of Object.entries(reply.headers)) {
      for (const each of [value ?? []].flat()) received.append(name, each);
    }
    return ok({ status: reply.statusCode, headers: received, body: Buffer.concat(chunks) });
  } catch (error) {
    return failed(asProblem(error, { url, isLate: limit.aborted, isCancelled: signal?.aborted === true }));
  }
}

function asProblem(
  error: unknown,
  {
    url,
    isLate,
    isCancelled,
  }: { readonly url: URL; readonly isLate: boolean; readonly isCancelled: boolean },
): Problem {
  if (error instanceof RefusedAddress) return refused(url.hostname);
  if (isCancelled) return problem('cancelled', `the request to ${url.host} was cancelled`);
  if (isLate) {
    return problem('timed-out', `${url.host} did not answer in time`, {
      hint: 'check the address, or try later',
    });
  }
  const described: TransportError = toTransportError(error, { begun: false, proxy: null });
  return problem('network', `${url.host} can't be reached: ${described.message}`, {
    hint: 'check the address and the network',
  });
}
