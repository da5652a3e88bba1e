import type { Clock } from '../core/lib/clock.ts';
import { ok, type Result } from '../core/problem/result.ts';
import type { Exchange, RequestMessage } from '../service/contract/message.ts';
import { callForge, type ForgeReply } from './forge-call.ts';

export interface ForgeClientOptions {
  /** Below the address of the forge's API. */
  readonly exchange: Exchange;
  /** With the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

export interface ForgeRequest {
  /** A description of the failure as part of a sentence: `the notes can't be read`. */
  readonly failure: string;
  readonly method: RequestMessage['method'];
  readonly path: string;
  readonly body?: object;
  /** `application/json` if absent. */
  readonly type?: string;
  /** May it be sent again if its outcome is unknown? Everything but a POST if absent. */
  readonly repeatable?: boolean;
}

/** Requests and answers in JSON, for the forges without a library of their own. */
export interface ForgeClient {
  call(request: ForgeRequest): Promise<Result<ForgeReply>>;
  /** The same, without the answer. */
  write(request: ForgeRequest): Promise<Result<null>>;
}

export function createForgeClient({ exchange, headers, clock }: ForgeClientOptions): ForgeClient {
  const call = ({
    failure,
    method,
    path,
    body,
    type = 'application/json',
    repeatable = method !== 'POST',
  }: ForgeRequest) => {
    const accepting = { ...headers, accept: 'application/json' };
    const request =
      body === undefined
        ? { method, path, headers: accepting, body: null }
        : { method, path, headers: { ...accepting, 'content-type': type }, body: JSON.stringify(body) };
    const send = async () => {
      const reply = await exchange(request);
      return { status: reply.status, headers: reply.headers, body: parsed(reply.body) };
    };
    return callForge({ failure, send, repeatable }, clock);
  };
  return {
    call,
    async write(request) {
      const done = await call(request);
      return done.ok ? ok(null) : done;
    },
  };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
