import { certificateErrors, handshakeErrors } from '../../core/lib/tls-errors.ts';

/** Why a server did not respond, and what to do. */
export interface ConnectionFailure {
  readonly detail: string;
  readonly hint: string;
}

/** Describes an error of `fetch` in our own words: its messages may quote what was sent. */
export function connectionFailure(error: unknown, url: URL): ConnectionFailure {
  const { code, text } = causeOf(error);
  const { origin, hostname } = url;
  if (certificateErrors.test(code))
    return {
      detail: `The TLS certificate of ${origin} is not accepted (${code})`,
      hint: 'check the name in the address, or set NODE_EXTRA_CA_CERTS to the file of your certificate authority',
    };
  if (handshakeErrors.test(code))
    return {
      detail: `${origin} does not answer with TLS (${code})`,
      hint: 'check the port in the address of the server',
    };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      detail: `The name ${hostname} can't be resolved`,
      hint: 'check the address of the server, and the DNS',
    };
  if (code === 'ECONNREFUSED')
    return {
      detail: `Nothing answers at ${origin}`,
      hint: 'check the port in the address, and that the server is running',
    };
  const [, refusal] = /Proxy response \((\d{3})\)/.exec(text) ?? [];
  if (refusal !== undefined)
    return {
      detail: `The proxy refuses to connect to ${origin} (${refusal})`,
      hint: 'check HTTPS_PROXY, or add the host to NO_PROXY',
    };
  if (/redirect/i.test(text))
    return {
      detail: `${origin} responds with a redirect, which Rampart does not follow`,
      hint: 'write the address that the server has now',
    };
  return {
    detail: `${origin} can't be reached`,
    hint: 'check the address, the network and the proxy, then try again',
  };
}

/** `fetch` wraps the error of the connection, and that of several addresses in another one. */
function causeOf(error: unknown): { readonly code: string; readonly text: string } {
  let code = '';
  let text = '';
  let next = error;
  for (let depth = 0; depth < 5 && next instanceof Error; depth += 1) {
    if ('code' in next && typeof next.code === 'string') code = next.code;
    text += ` ${next.message}`;
    next = next instanceof AggregateError ? next.errors[0] : next.cause;
  }
  return { code, text };
}
