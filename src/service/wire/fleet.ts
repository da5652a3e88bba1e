import type { GroupId } from '../../core/model/group.ts';
import type { HostId } from '../../core/model/host-id.ts';
import type { Observed } from '../../core/model/observed.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { Result } from '../../core/problem/result.ts';
import type { CallFailure } from '../client/call-failure.ts';

export interface ReadOptions {
  /** Also read the anti-virus list, because some entry asks for an install. */
  readonly antivirus: boolean;
  readonly signal?: AbortSignal;
}

/** All that planning may do: it has no method that changes anything. */
export interface FleetReader {
  /** Every list or none: a failed or partial read is a failure, never an absence. */
  read(options: ReadOptions): Promise<Result<Observed>>;
  /** Ids and names only, from the list with a limit of its own; null names where the service has none. */
  readNames(options?: { readonly signal?: AbortSignal }): Promise<Result<ReadonlyMap<HostId, string | null>>>;
}

export type WriteResult<T = null> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: CallFailure };

/** What the service said of an install request; a number it may learn later stays a number. */
export type InstallAnswer =
  | 'accepted'
  | 'pending'
  | 'quota-reached'
  | 'unavailable'
  | { readonly unknown: number };

export interface WriteOptions {
  /** Ends the wait for a turn; a request that is on its way is awaited all the same. */
  readonly stop?: AbortSignal;
  /** Of calls that wait for their turn, the one with the highest goes first; 0 when absent. */
  readonly priority?: number;
  /** The plan's step of the call, for the events of its requests. */
  readonly step?: string;
  /** Asked when the call's turn has come: a problem keeps it from being sent, and is what it fails with. */
  readonly objection?: () => Problem | undefined;
}

/** The calls of a plan: the four that change the fleet, and the refresh. One call each: no batching, no retry beyond the client's own. */
export interface FleetWriter {
  rename(host: HostId, name: string, options?: WriteOptions): Promise<WriteResult>;
  move(group: GroupId, hosts: readonly HostId[], options?: WriteOptions): Promise<WriteResult>;
  remove(hosts: readonly HostId[], options?: WriteOptions): Promise<WriteResult>;
  installAntivirus(hosts: readonly HostId[], options?: WriteOptions): Promise<WriteResult<InstallAnswer>>;
  /** Asks hosts to report: whether each got the command. A host that the answer leaves out is not in it. */
  refreshAntivirus(
    hosts: readonly HostId[],
    options?: WriteOptions,
  ): Promise<WriteResult<ReadonlyMap<HostId, boolean>>>;
}
