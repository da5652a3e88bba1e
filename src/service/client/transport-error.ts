import { certificateErrors, handshakeErrors } from '../../core/lib/tls-errors.ts';
import { TransportError } from '../contract/message.ts';

/** How far and through which proxy a request was sent. */
export interface Way {
  /** Whether its first byte was written. This is certain, never a guess. */
  readonly begun: boolean;
  /** The address of its proxy, without a user; null if there is none. */
  readonly proxy: string | null;
}

/** Describes a connection error in our own words: a library may change its messages, and they may quote the request. */
export function toTransportError(error: unknown, { begun, proxy }: Way): TransportError {
  if (error instanceof TransportError) return error;
  const { words, code, ...details } = explain(error, proxy);
  const message = code === undefined ? words : `${words} (${code})`;
  return new TransportError(message, begun ? 'reply-lost' : 'not-sent', details);
}

interface Explained {
  readonly words: string;
  readonly code: string | undefined;
  readonly timedOut?: boolean;
  /** The same request would fail in the same way. */
  readonly permanent?: boolean;
  readonly hint?: string;
}

function explain(error: unknown, proxy: string | null): Explained {
  const code = codeOf(error);
  const refusal = proxyRefusal(error);
  if (proxy !== null && refusal !== undefined) return refused(proxy, refusal);
  if (code !== undefined && certificateErrors.test(code)) {
    return {
      words: "the server's certificate was not accepted",
      code,
      permanent: true,
      hint: certificateHints[code] ?? certificateHint,
    };
  }
  if (code !== undefined && handshakeErrors.test(code)) {
    const hint =
      'check that RAMPART_BASE_URL has the port of the service, and that no proxy changes the connection';
    return { words: 'the TLS handshake failed', code, permanent: true, hint };
  }
  if (error instanceof Error && error.name === 'HTTPParserError') {
    const hint = 'check that RAMPART_BASE_URL is the address of the service';
    return {
      words: `${proxy === null ? 'the server' : `the proxy ${proxy} or the server`} does not speak HTTP`,
      code,
      permanent: true,
      hint,
    };
  }
  const known = code === undefined ? undefined : sentences[code];
  if (known === undefined) return { words: 'the connection failed', code };
  const { to = 'server', words, ...details } = known;
  return proxy === null || to !== 'peer'
    ? { words: words.replace('PEER', 'the server'), code, ...details }
    : { words: words.replace('PEER', `the proxy ${proxy}`), code, ...details, hint: proxyHint };
}

const proxyHint = 'check HTTPS_PROXY, and list addresses that need no proxy in NO_PROXY';
const certificateHint =
  'if your organization or a proxy signs certificates, set NODE_EXTRA_CA_CERTS to its CA file; otherwise check RAMPART_BASE_URL';
const certificateHints: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'check the clock of this machine; otherwise the service must renew its certificate',
  CERT_NOT_YET_VALID: 'check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate is for another name: check RAMPART_BASE_URL; if a proxy signs certificates, set NODE_EXTRA_CA_CERTS to its CA file',
};
interface Sentence {
  readonly words: string;
  /** The error concerns the first host of the connection: the proxy, if there is one. */
  readonly to?: 'peer';
  readonly timedOut?: true;
  readonly permanent?: true;
}

const sentences: Readonly<Record<string, Sentence>> = {
  EAI_AGAIN: { words: "the name of PEER can't be resolved at the moment", to: 'peer' },
  ECONNREFUSED: { words: 'PEER refused the connection', to: 'peer' },
  ECONNRESET: { words: 'the connection was reset' },
  EHOSTUNREACH: { words: 'PEER is unreachable', to: 'peer' },
  ENETUNREACH: { words: 'the network is down' },
  ENOTFOUND: { words: 'the name of PEER is unknown', to: 'peer', permanent: true },
  EPIPE: { words: 'the connection was closed' },
  ETIMEDOUT: { words: 'the connection to PEER timed out', to: 'peer', timedOut: true },
  UND_ERR_BODY_TIMEOUT: { words: 'the response ended early', timedOut: true },
  UND_ERR_CLOSED: { words: 'the connection was closed' },
  UND_ERR_CONNECT_TIMEOUT: { words: 'the connection to PEER timed out', to: 'peer', timedOut: true },
  UND_ERR_DESTROYED: { words: 'the connection was closed' },
  UND_ERR_HEADERS_TIMEOUT: { words: 'the response timed out', timedOut: true },
  UND_ERR_INVALID_ARG: { words: 'the request is not valid HTTP', permanent: true },
  UND_ERR_PRX_CONN: { words: 'PEER broke the connection', to: 'peer' },
  UND_ERR_PRX_TLS: { words: 'PEER broke the connection', to: 'peer' },
  UND_ERR_SOCKET: { words: 'the connection broke' },
};

/** The status with which a proxy refused to open a tunnel; it is only in the library's message. */
function proxyRefusal(error: unknown): number | undefined {
  const status = error instanceof Error ? /^Proxy response \((\d{3})\)/.exec(error.message)?.[1] : undefined;
  return status === undefined ? undefined : Number(status);
}

function refused(proxy: string, status: number): Explained {
  const words =
    status === 407
      ? `the proxy ${proxy} asks for a user and a password`
      : `the proxy ${proxy} blocks the call`;
  const hint =
    status === 407
      ? 'add them to the address in HTTPS_PROXY: http://user:password@proxy.example.com:3128'
      : proxyHint;
  return { words, code: String(status), permanent: status < 500, hint };
}

/** The errors of a proxy contain the actual cause. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  const inner = wrappers.has(String(code)) ? codeOf(error.cause) : undefined;
  const found = inner !== undefined && certificateErrors.test(inner) ? inner : code;
  return typeof found === 'string' && /^[A-Z][A-Z0-9_]*$/.test(found) ? found : undefined;
}

const wrappers: ReadonlySet<string> = new Set(['UND_ERR_PRX_TLS', 'UND_ERR_PRX_CONN']);
