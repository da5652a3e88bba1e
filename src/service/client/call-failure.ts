import type { Problem } from '../../core/problem/problem.ts';

/** Why a call has no result, in the terms that callers decide by. */
export interface CallFailure {
  readonly problem: Problem;
  /** The response's status; absent if there was none. */
  readonly status?: number;
  /**
   * `refused`: the service responded and did not carry it out. `not-sent`: the service can't have received it.
   * `unknown`: it may have been carried out (no response, or a 5xx response to a write).
   */
  readonly outcome: 'refused' | 'not-sent' | 'unknown';
  /** The same call would fail in the same way, so it is not repeated. */
  readonly permanent?: true;
  /** The ids in an error body, as decimal strings; empty if there are none. */
  readonly hostIds: readonly string[];
}

export type CallResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: CallFailure };
