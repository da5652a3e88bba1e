import { memberAt } from '../../core/lib/json-object.ts';
import type { SecretReader } from '../../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { keyOf } from '../../service/client/account-key.ts';
import { requestBound } from '../../service/client/request-bound.ts';
import { createUndiciExchange } from '../../service/client/undici-exchange.ts';
import { type Exchange, TransportError } from '../../service/contract/message.ts';
import type { VaultLogin, VaultSecret } from './account-config.ts';
import { readLoginToken } from './read-token.ts';

export interface VaultPlace extends SecretReader {
  /** The time limit of one request in milliseconds; 10 seconds if absent. */
  readonly timeoutMs?: number;
}

const mostBytes = 1024 * 1024;
const usualTimeoutMs = 10_000;

/** Reads the field of a secret over the HTTP API. No problem contains the token, the key or a message of the server. */
export async function readVaultSecret(secret: VaultSecret, place: VaultPlace): Promise<Result<string>> {
  const { login, mount, path, field } = secret;
  const { env, hide, timeoutMs = usualTimeoutMs } = place;
  const own = readLoginToken(login, place);
  if (!own.ok) return own;
  hide([own.value]);
  const http = createUndiciExchange({
    baseUrl: secret.address,
    env,
    connections: 1,
    timeoutMs,
    bound: requestBound({ requestTimeoutMs: timeoutMs }),
    maxResponseBytes: mostBytes,
  });
  if (!http.ok)
    return failed(...http.problems.map((each) => ({ ...each, message: `Vault: ${each.message}` })));
  const { exchange, close } = http.value;
  try {
    const token = login.kind === 'jwt' ? await logIn(exchange, secret, login, own.value) : ok(own.value);
    if (!token.ok) return token;
    hide([token.value]);
    const read = await send(exchange, secret, {
      method: 'GET',
      path: `/v1/${segments(mount)}/data/${segments(path)}`,
      token: token.value,
    });
    if (!read.ok) return read;
    const value = memberAt(read.value, ['data', 'data', field]);
    if (typeof value !== 'string' || value === '') {
      return failed(unusable(secret, `the secret ${mount}/${path} has no text in the field "${field}"`));
    }
    hide([value, value.trim()]);
    const key = keyOf(value, `the field "${field}" of ${mount}/${path} in Vault`);
    return key.ok ? ok(key.value, own.problems) : key;
  } finally {
    await close();
  }
}

async function logIn(
  exchange: Exchange,
  secret: VaultSecret,
  { mount, role }: Extract<VaultLogin, { kind: 'jwt' }>,
  jwt: string,
): Promise<Result<string>> {
  const answer = await send(exchange, secret, {
    method: 'POST',
    path: `/v1/auth/${segments(mount)}/login`,
    body: JSON.stringify({ role, jwt }),
  });
  if (!answer.ok) return answer;
  const token = memberAt(answer.value, ['auth', 'client_token']);
  return typeof token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(token)
    ? ok(token)
    : failed(unusable(secret, 'the login returned no token'));
}

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: string;
}

async function send(
  exchange: Exchange,
  secret: VaultSecret,
  { method, path, token, body }: Call,
): Promise<Result<unknown>> {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    return failed(unusable(secret, 'the token is not printable ASCII'));
  }
  try {
    const reply = await exchange({
      method,
      path,
      headers: {
        'x-vault-request': 'true',
        accept: 'application/json',
        ...(token === undefined ? {} : { 'x-vault-token': token }),
        ...(secret.namespace === undefined ? {} : { 'x-vault-namespace': secret.namespace }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body ?? null,
    });
    if (reply.status !== 200) return failed(refusal(secret, reply.status, method));
    return ok(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(reply.body)));
  } catch (error) {
    if (error instanceof TransportError) {
      return failed(
        problem('network', `Vault at ${secret.address} can't be reached: ${error.message}`, {
          hint: error.hint ?? 'check the address and the network',
        }),
      );
    }
    return failed(unusable(secret, 'the response is not JSON'));
  }
}

function refusal(secret: VaultSecret, status: number, method: Call['method']) {
  const { address, mount, path } = secret;
  const at = `Vault at ${address}`;
  if (status === 403 || (status === 400 && method === 'POST')) {
    return problem(
      'forbidden',
      method === 'POST'
        ? `${at} refuses the login (${status})`
        : `${at} refuses to read ${mount}/${path} (403)`,
      { hint: 'check the token, the role, the namespace and the policy of the token' },
    );
  }
  if (status === 404) {
    return problem('configuration', `${at} has no secret ${mount}/${path} (404)`, {
      hint: 'check the mount and the path: the mount must be a KV version 2 engine',
    });
  }
  if (status === 503) {
    return problem('server-error', `${at} is sealed or in maintenance (503)`, {
      hint: 'unseal the server, or try again later',
    });
  }
  return problem('unexpected-status', `${at} answered ${status}`, { hint: 'check the address' });
}

function unusable({ address }: VaultSecret, why: string) {
  return problem('malformed-response', `Vault at ${address}: ${why}`, {
    hint: 'check mount, path and field under "vault"',
  });
}

function segments(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
