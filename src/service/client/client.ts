import type { Problem } from '../../core/problem/problem.ts';
import type { Action, PathParameters, RequestBody, ResponseBody } from '../contract/api.ts';
import type { CallResult } from './call-failure.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Ends the wait for a turn; a request that is on its way is awaited all the same. */
  readonly stop?: AbortSignal;
  /** Of calls of one action that wait for their turn, the one with the highest goes first; 0 when absent. */
  readonly priority?: number;
  /** Give up waiting for a rate limit after this many milliseconds; the client's own bound when absent. */
  readonly maxWaitMs?: number;
  /** The purpose of the call, for the events of its requests. */
  readonly step?: string;
  /** Asked when the call's turn has come: a problem keeps it from being sent, and is what it fails with. */
  readonly objection?: () => Problem | undefined;
}

/** What a caller makes of a successful body. */
export interface BodyReader<Body, T> {
  /** The fast reader of the form that services write; undefined for a body of any other form, which the full reader reads. */
  fast(json: Uint8Array): T | undefined;
  /** The full reader: makes the same of the body that the contract has checked. */
  full(body: Body): T;
  /** Of JSON that breaks the contract; undefined if nothing sound is in it. Absent: such a body is a failure. */
  salvage?(json: unknown): T | undefined;
}

export interface CallInput<A extends Action> {
  /** Values for the path's parameters; leave out if there are none. */
  readonly path?: PathParameters<A>;
  /** Leave out where the action sends no body. */
  readonly body?: RequestBody<A>;
}

/** Calls of the whole service, paced, retried as their repetition class allows, and validated both ways. */
export interface Client {
  call<A extends Action>(
    action: A,
    input?: CallInput<A>,
    options?: CallOptions,
  ): Promise<CallResult<ResponseBody<A>>>;
  /** The same with the body read by another reader. */
  callFor<A extends Action, T>(
    action: A,
    reader: BodyReader<ResponseBody<A>, T>,
    options?: CallOptions,
  ): Promise<CallResult<T>>;
  /** How many requests were sent so far, by action, refused ones included. */
  readonly sent: ReadonlyMap<Action, number>;
  /** How far the service's clock is ahead of ours in milliseconds, by its latest `Date`; absent before the first. */
  readonly clockSkewMs?: number | undefined;
  close(): Promise<void>;
}
