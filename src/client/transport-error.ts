import { TransportError } from '../contract/message.ts';

/** An error of the connection in our terms. Whether the request was begun is known for certain, never guessed. */
export function toTransportError(error: unknown, begun: boolean): TransportError {
  if (error instanceof TransportError) return error;
  const code = codeOf(error);
  return new TransportError(describe(error, code), begun ? 'reply-lost' : 'not-sent', {
    timedOut: code !== undefined && timeouts.has(code),
  });
}

const timeouts: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const sentences: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'the server’s name can’t be looked up at present',
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'there is no way to the server',
  ENETUNREACH: 'there is no network',
  ENOTFOUND: 'the server’s name is unknown',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_BODY_TIMEOUT: 'the response stopped coming',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no response in time',
  UND_ERR_SOCKET: 'the connection broke',
};

const certificate = /CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE/;

function describe(error: unknown, code: string | undefined): string {
  const sentence = code === undefined ? undefined : sentences[code];
  if (sentence !== undefined) return `${sentence} (${code})`;
  if (code !== undefined && certificate.test(code))
    return `the server’s certificate was not accepted (${code})`;
  const message = error instanceof Error ? error.message : String(error);
  return code === undefined ? message : `${message} (${code})`;
}

/** The errors of a proxy carry inside what really happened. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  const inner = wrappers.has(String(code)) ? codeOf(error.cause) : undefined;
  return inner ?? (typeof code === 'string' ? code : undefined);
}

const wrappers: ReadonlySet<string> = new Set(['UND_ERR_PRX_TLS', 'UND_ERR_PRX_CONN']);
