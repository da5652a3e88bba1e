import type { ProblemCode } from '../../core/problem/problem-code.ts';
import type { Action } from '../contract/api.ts';

/** The events of the client. They contain no text from the service. */
export type ClientEvent =
  /** The service limits the action. Its next call is sent in this many milliseconds. */
  | { readonly type: 'waiting'; readonly action: Action; readonly ms: number }
  /** One request and its duration in milliseconds. The status is null if no response came. */
  | {
      readonly type: 'call';
      readonly action: Action;
      readonly status: number | null;
      readonly ms: number;
      /** The number of this request within its call, from 1. */
      readonly attempt: number;
      /** How long it waited for its turn, in milliseconds. */
      readonly waitedMs: number;
      /** The purpose that the caller gave. */
      readonly step?: string;
    }
  /** The call failed in a way that may be temporary, and is sent again after this many milliseconds. */
  | { readonly type: 'retry'; readonly action: Action; readonly code: ProblemCode; readonly ms: number };
