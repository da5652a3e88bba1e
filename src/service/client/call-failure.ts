import type { Problem } from '../../core/problem/problem.ts';

/** Why a call gave no value, in the terms that a caller decides by. */
export interface CallFailure {
  readonly problem: Problem;
  /** The response's status; absent when none came. */
  readonly status?: number;
  /**
   * `refused`: the service answered and did not do it. `not-sent`: it can't have seen it.
   * `unknown`: it may have been carried out (no reply, or a 5xx to a write).
   */
  readonly outcome: 'refused' | 'not-sent' | 'unknown';
  /** The same call would fail in the same way, so it is not repeated. */
  readonly permanent?: true;
  /** The ids that an error body names, as decimal strings; empty when it names none. */
  readonly hostIds: readonly string[];
}

export type CallResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: CallFailure };
