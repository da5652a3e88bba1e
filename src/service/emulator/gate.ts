import type { RequestMessage } from '../contract/message.ts';
import { type EmulatedAnswer, refusal, success } from './answer.ts';
import { type Caller, type EmulatorCredentials, identify } from './credentials.ts';
import type { EmulatedAction } from './emulated-action.ts';
import { parseBody, requestBodies } from './request-body.ts';
import type { Router } from './router.ts';
import type { Switches } from './switches.ts';

/** The checks that every call must pass before its action (specification sections 5 and 7), in this order. */

export type Passed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly answer: EmulatedAnswer };

const stop = (answer: EmulatedAnswer): { readonly ok: false; readonly answer: EmulatedAnswer } => ({
  ok: false,
  answer,
});

/** HEAD is not a method of the contract, but every HTTP server supports it wherever there is a GET. */
export function isHeadRequest({ method }: RequestMessage): boolean {
  return (method as string) === 'HEAD';
}

export interface Routed {
  readonly action: EmulatedAction;
  readonly parameters: Readonly<Record<string, string>>;
}

export function routeRequest(request: RequestMessage, router: Router, switches: Switches): Passed<Routed> {
  const routing = router(isHeadRequest(request) ? 'GET' : request.method, request.path);
  switch (routing.kind) {
    case 'action':
      return { ok: true, value: routing };
    case 'unknown-path':
      return stop(refusal(404, 'The requested object was not found.'));
    case 'wrong-method':
      return routing.path === 'connection' || switches.wrongMethod === '405'
        ? stop(refusal(405, 'Method not allowed.', { headers: { allow: routing.allowed.join(', ') } }))
        : stop(refusal(404, 'The requested object was not found.'));
  }
}

const customFieldActions: ReadonlySet<EmulatedAction> = new Set([
  'listCustomFieldCategories',
  'listCustomFields',
] as const);

/** Returns the profile. */
export function authenticate(
  request: RequestMessage,
  action: EmulatedAction,
  credentials: EmulatorCredentials,
  switches: Switches,
): Passed<string> {
  const caller: Caller = identify(request.headers['authorization'], credentials);
  if (caller.kind === 'known') return { ok: true, value: caller.profile };
  if (action === 'checkAuthentication' && switches.authenticationCheck === 'success-false') {
    return stop(success('{"success":false}'));
  }
  const forbids = customFieldActions.has(action) && switches.customFieldsWithoutCredentials === '403';
  if (caller.kind === 'absent' && forbids) return stop(refusal(403, 'Forbidden'));
  return stop(refusal(401, 'Not authenticated.', { contentType: 'application/JSON' }));
}

export function checkHeaders(request: RequestMessage, switches: Switches): EmulatedAnswer | undefined {
  if (request.method !== 'GET' && !isHeadRequest(request) && !isJsonType(request.headers['content-type'])) {
    return refusal(415, 'The request was not in JSON format.');
  }
  if (switches.accept === 'enforced' && !isJsonType(request.headers['accept'])) {
    return refusal(400, 'Invalid parameter: Accept.');
  }
  return undefined;
}

/** Letter case and quotation marks around the charset do not matter (RFC 9110, section 8.3). */
function isJsonType(value: string | undefined): boolean {
  return /^application\/json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?\s*;?$/i.test(value?.trim() ?? '');
}

/** Returns the body, with ids as decimal strings; undefined for an action without a body. */
export function readCheckedBody(
  request: RequestMessage,
  action: EmulatedAction,
  switches: Switches,
): Passed<unknown> {
  if (!(action in requestBodies)) return { ok: true, value: undefined };
  let json: unknown;
  try {
    json = parseBody(request.body ?? '');
  } catch {
    return stop(refusal(Number(switches.malformedBody), 'The request was not in JSON format.'));
  }
  const read = requestBodies[action as keyof typeof requestBodies].safeParse(json);
  if (read.success) return { ok: true, value: read.data };
  const where = read.error.issues[0]?.path[0];
  return stop(
    refusal(400, where === undefined ? 'Invalid parameter.' : `Invalid parameter: ${String(where)}.`),
  );
}
