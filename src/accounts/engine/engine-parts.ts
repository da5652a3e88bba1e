import type { Clock, SecretReader } from '../../core/lib/surroundings.ts';
import type { RunEvent } from '../../core/model/run-event.ts';
import type { Result } from '../../core/problem/problem.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { RequestBound } from '../../service/client/request-bound.ts';
import type { Exchanges } from './exchanges.ts';

/** The client's events, with path templates. */
export type ClientRunEvent = Extract<RunEvent, { readonly type: 'call' | 'waiting' | 'retry' }>;

/** The events of a run, and its beginning and end. */
export type EngineEvent =
  | RunEvent
  | { readonly type: 'run_start'; readonly runId: string; readonly steps: number; readonly calls: number }
  | { readonly type: 'run_end'; readonly runId: string; readonly exitCode: number; readonly ms: number };

/** A place that a file of the configuration would send a secret to. */
export interface SecretTarget {
  readonly baseUrl: string;
  /** The location of the secret: `variable BERLIN_PSK`. */
  readonly key: string;
}

/** May the secret be sent there? */
export type MaySend = (target: SecretTarget) => Promise<Result<null>>;

/** Everything that the work on one account needs from the process around it. */
export interface EngineParts extends SecretReader {
  readonly clock: Clock;
  readonly state: State;
  readonly exchanges: Exchanges;
  readonly onEvent?: (event: EngineEvent) => void;
  /** Stops the work: no new call starts, and those in flight get a few seconds to finish. */
  readonly signal?: AbortSignal;
  /** Only origins that the environment pins, if absent. */
  readonly maySend?: MaySend;
  /** How long a call may wait for a rate limit, in milliseconds. */
  readonly maxWaitMs?: number;
  readonly bound?: RequestBound;
}
