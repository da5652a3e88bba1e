import type { ProblemCode } from '../../core/problem/problem-code.ts';
import type { Action } from '../contract/api.ts';

/** The events of the client. They contain no text from the service. */
export type ClientEvent =
  /** The service limits the action: when its next call goes out, in milliseconds from now. */
  | { readonly type: 'waiting'; readonly action: Action; readonly ms: number }
  /** One request and how long it took, in milliseconds; the status is null when no response came. */
  | {
      readonly type: 'call';
      readonly action: Action;
      readonly status: number | null;
      readonly ms: number;
      /** Which request of its call it is, from 1. */
      readonly attempt: number;
      /** How long it waited for its turn before, in milliseconds. */
      readonly waitedMs: number;
      /** What the caller said that it is for. */
      readonly step?: string;
    }
  /** The call failed in a way that may pass, and goes out again after this many milliseconds. */
  | { readonly type: 'retry'; readonly action: Action; readonly code: ProblemCode; readonly ms: number };
