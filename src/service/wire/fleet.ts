import type { GroupId, HostId, Observed } from '../../core/model/observed.ts';
import type { Problem, Result } from '../../core/problem/problem.ts';
import type { CallFailure } from '../client/client.ts';

export interface ReadOptions {
  /** Also read the anti-virus list, because an entry or rule needs it. */
  readonly antivirus: boolean;
  readonly signal?: AbortSignal;
}

/** The client type for planning: it has no method that changes anything. */
export interface FleetReader {
  /** Reads every list or none: a failed or partial read is a failure, never an absence. */
  read(options: ReadOptions): Promise<Result<Observed>>;
  /** Reads only ids and names, from the list that has its own limit; a name is null if the service has none. */
  readNames(options?: { readonly signal?: AbortSignal }): Promise<Result<ReadonlyMap<HostId, string | null>>>;
}

export type WriteResult<T = null> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: CallFailure };

/** The service's response to an install request; a number that the service may add later is kept as a number. */
export type InstallAnswer =
  | 'accepted'
  | 'pending'
  | 'quota-reached'
  | 'unavailable'
  | { readonly unknown: number };

export interface WriteOptions {
  /** Ends the wait for a turn. A request in flight is still awaited. */
  readonly stop?: AbortSignal;
  /** Among waiting calls, the one with the highest value goes first; 0 if absent. */
  readonly priority?: number;
  /** The plan's step of the call, for the events of its requests. */
  readonly step?: string;
  /**
   * Called when the call's turn has come. If it returns a problem, the call is not sent and fails with this problem.
   */
  readonly precondition?: () => Problem | undefined;
}

/**
 * The calls of a plan: the four that change the fleet, and the refresh. Each is one call: no batching, and no retry
 * beyond the client's own.
 */
export interface FleetWriter {
  rename(host: HostId, name: string, options?: WriteOptions): Promise<WriteResult>;
  move(group: GroupId, hosts: readonly HostId[], options?: WriteOptions): Promise<WriteResult>;
  remove(hosts: readonly HostId[], options?: WriteOptions): Promise<WriteResult>;
  installAntivirus(hosts: readonly HostId[], options?: WriteOptions): Promise<WriteResult<InstallAnswer>>;
  /**
   * Refreshes hosts, and returns whether each received the command. A host that is missing from the response is missing
   * here too.
   */
  refreshAntivirus(
    hosts: readonly HostId[],
    options?: WriteOptions,
  ): Promise<WriteResult<ReadonlyMap<HostId, boolean>>>;
}
