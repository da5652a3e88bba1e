import { issueWords } from '../../core/lib/issue-words.ts';
import { type Action, api } from '../contract/api.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { ResponseMessage } from '../contract/message.ts';
import { type Aliases, renameFields } from './aliases.ts';
import type { BodyReader, CallFailure } from './client.ts';
import { readErrorAnswer } from './error-answer.ts';
import { malformed, statusFailure } from './failures.ts';
import { jsonOf, parseJsonBody } from './json-body.ts';
import { retryAfterMs } from './retry-after.ts';
import type { HoldsSecret } from './secret-guard.ts';

/** A response in the terms of the contract. */
export type AnswerReading =
  | { readonly ok: true; readonly value: unknown; readonly waitMs?: undefined }
  | {
      readonly ok: false;
      readonly failure: CallFailure;
      /** The wait that the service requests, in milliseconds, if any. */
      readonly waitMs?: number;
    };

export interface AnswerOptions {
  readonly aliases: Aliases;
  readonly holdsSecret: HoldsSecret;
  /** Our clock, in milliseconds since the epoch. */
  readonly now: number;
  /** Reads the body for the caller; if absent, the result is the body itself. */
  readonly reader?: BodyReader<never, unknown> | undefined;
}

export function readAnswer(action: Action, response: ResponseMessage, options: AnswerOptions): AnswerReading {
  const { status, body } = response;
  const { responses }: Endpoint = api[action];
  if (status >= 200 && status < 300) {
    const contract = responses[status];
    if (contract !== undefined) {
      return contract.body === null
        ? { ok: true, value: null }
        : readBody(action, contract.body, response, options);
    }
    if (status === 200 && responses[204] !== undefined) return { ok: true, value: null };
  }
  const error = readErrorAnswer(body, options.holdsSecret);
  const waits = [retryAfterMs(response.headers, options.now), error.retryDelayMs].filter(
    (ms) => ms !== undefined,
  );
  return {
    ok: false,
    failure: statusFailure(action, response, error, options.holdsSecret),
    ...(waits.length === 0 ? {} : { waitMs: Math.max(...waits) }),
  };
}

function readBody(
  action: Action,
  schema: NonNullable<Endpoint['responses'][number]['body']>,
  { status, body }: ResponseMessage,
  { aliases, holdsSecret, reader }: AnswerOptions,
): AnswerReading {
  const fast = reader?.fast(jsonOf(body));
  if (fast !== undefined) return { ok: true, value: fast };
  const parsed = parseJsonBody(body);
  if (parsed === undefined)
    return { ok: false, failure: malformed(action, status, 'it is not JSON', holdsSecret) };
  const json = renameFields(action, parsed.value, aliases);
  const checked = schema().safeParse(json);
  if (checked.success) {
    const value = checked.data;
    return { ok: true, value: reader === undefined ? value : reader.full(value as never) };
  }
  const salvaged = reader?.salvage?.(json);
  if (salvaged !== undefined && 'value' in salvaged) return { ok: true, value: salvaged.value };
  if (salvaged !== undefined)
    return { ok: false, failure: malformed(action, status, salvaged.tooLittle, holdsSecret) };
  const [issue] = checked.error.issues;
  // The message cuts a long path, and a part of a secret is harder to recognize than the whole.
  const names = issue?.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys] : (issue?.path ?? []);
  const isSafeToShow = issue !== undefined && !holdsSecret(names.join('.'));
  const detail = isSafeToShow ? issueWords(issue) : 'it does not match the contract';
  return { ok: false, failure: malformed(action, status, detail, holdsSecret) };
}
