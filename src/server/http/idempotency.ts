import type { Subject } from '../../api/access/grants.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { problem } from '../../core/problem/problem.ts';
import type { Store } from '../store/open-store.ts';
import { problemAnswer } from './problem-answer.ts';

/** One write with the header `Idempotency-Key`. */
export interface KeyedRequest {
  readonly subject: Subject;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** The response contains a secret, so it is not stored: a repetition is refused instead. */
  readonly isSecret: boolean;
}

/**
 * Does the work of a request at most once for each key. A repetition gets the first response, even a refusal; after a
 * failure of the server the key is free again.
 */
export async function onceForKey(
  { idempotency }: Pick<Store, 'idempotency'>,
  { subject, key, method, path, body, isSecret }: KeyedRequest,
  work: () => Promise<Response>,
): Promise<Response> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) return problemAnswer([badKey], { status: 400 });
  const owner = `${subject.kind} ${subject.id}`;
  const claim = await idempotency.claim(owner, key, sha256Hex(JSON.stringify([method, path, body])));
  switch (claim.kind) {
    case 'busy':
      return problemAnswer([busy], { headers: { 'retry-after': '1' } });
    case 'other-request':
      return problemAnswer([otherRequest], { status: 422 });
    case 'answered':
      return isSecret && claim.status < 400 ? problemAnswer([shownOnce]) : repeated(claim);
    case 'new':
      break;
  }
  let answer: Response;
  try {
    answer = await work();
  } catch (fault) {
    await idempotency.release(owner, key);
    throw fault;
  }
  // Nothing was decided: the same request may succeed later.
  if (answer.status >= 500 || answer.status === 429) {
    await idempotency.release(owner, key);
    return answer;
  }
  const text = answer.body === null ? null : await answer.text();
  const kept = isSecret && answer.status < 400 ? null : text;
  await idempotency.answer(owner, key, answer.status, kept);
  return new Response(text, { status: answer.status, headers: answer.headers });
}

function repeated({ status, response }: { readonly status: number; readonly response: unknown }): Response {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  return new Response(typeof response === 'string' ? response : null, {
    status,
    headers: {
      'cache-control': 'no-store',
      'idempotency-replayed': 'true',
      ...(typeof response === 'string' ? { 'content-type': type } : {}),
    },
  });
}

const badKey = problem('bad-request', 'The header Idempotency-Key must be 1 to 255 visible ASCII characters');
const busy = problem('conflict', 'A request with this idempotency key is in progress', {
  hint: 'send it again in a moment to get its response',
});
const otherRequest = problem('invalid-value', 'This idempotency key was used for another request', {
  hint: 'use a new key for each new request',
});
const shownOnce = problem('conflict', 'This request succeeded before, and its secret is shown only once', {
  hint: 'revoke what it created, and create another one with a new key',
});
