import type { Problem } from '../../core/problem/problem.ts';
import type { Action, PathParameters, RequestBody, ResponseBody } from '../contract/api.ts';

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

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Ends the wait for a turn. A request in flight is still awaited. */
  readonly stop?: AbortSignal;
  /** Among waiting calls of one action, the one with the highest value goes first; 0 if absent. */
  readonly priority?: number;
  /** Stop waiting for a rate limit after this many milliseconds; the client's own limit if absent. */
  readonly maxWaitMs?: number;
  /** The purpose of the call, for the events of its requests. */
  readonly step?: string;
  /**
   * Called when the call's turn has come. If it returns a problem, the call is not sent and fails with this problem.
   */
  readonly precondition?: () => Problem | undefined;
}

/** Reads a successful body for the caller. */
export interface BodyReader<Body, T> {
  /** The fast reader of the form that services write; undefined for any other form, which the full reader reads. */
  fast(json: Uint8Array): T | undefined;
  /** The full reader: returns the same for the body that the contract has checked. */
  full(body: Body): T;
  /**
   * Reads JSON that breaks the contract. Undefined if no part of it is valid; a text if too little of it is, with the
   * reason. If absent, such a body is a failure.
   */
  salvage?(json: unknown): Salvaged<T>;
}

export type Salvaged<T> = { readonly value: T } | { readonly tooLittle: string } | undefined;

export interface CallInput<A extends Action> {
  /** Values for the path's parameters; omit if there are none. */
  readonly path?: PathParameters<A>;
  /** Omit if the action sends no body. */
  readonly body?: RequestBody<A>;
}

/**
 * Sends calls of the whole service: paced, retried as their repetition class allows, and validated in both directions.
 */
export interface Client {
  call<A extends Action>(
    action: A,
    input?: CallInput<A>,
    options?: CallOptions,
  ): Promise<CallResult<ResponseBody<A>>>;
  /** The same with another reader for the body. */
  callFor<A extends Action, T>(
    action: A,
    reader: BodyReader<ResponseBody<A>, T>,
    options?: CallOptions,
  ): Promise<CallResult<T>>;
  /** The number of requests sent so far, by action, including refused ones. */
  readonly sent: ReadonlyMap<Action, number>;
  /**
   * How far the service's clock is ahead of ours in milliseconds, from its latest `Date` header; absent before the
   * first.
   */
  readonly clockSkewMs?: number | undefined;
  close(): Promise<void>;
}
