import type { Account } from '../../model/account.ts';
import type { TableRecord } from '../../model/asset-table.ts';
import type { Desired } from '../../model/desired.ts';
import type { Facts } from '../../model/facts.ts';
import type { InstallRecall } from '../../model/install-request.ts';
import type { NumberRecord } from '../../model/numbered-name.ts';
import type { HostId, Observed } from '../../model/observed.ts';
import type { Pace } from './forecast.ts';
import type { Acks } from './plan.ts';

/** The most hosts in one batch, unless the inputs limit it. */
export const defaultBatchSize = 1000;

export interface PlanInputs {
  readonly desired: Desired;
  readonly observed: Observed;
  /** The facts that rules and policies read in addition to the lists. Required if they read any. */
  readonly facts?: Facts;
  readonly account: Account;
  /** RFC 3339. Decides which deletions are due, and dates the plan. */
  readonly now: string;
  readonly acks?: Acks;
  /** Delete before renaming, which saves temporary renames of hosts to be deleted. */
  readonly deleteFirst?: boolean;
  /**
   * Plan everything except the rename components that a name conflict blocks, and the hosts for which a rule has no
   * result.
   */
  readonly skipBlocked?: boolean;
  /** Report entries that match no host as errors. */
  readonly strict?: boolean;
  /** The most hosts in one batch; `defaultBatchSize` if absent. */
  readonly batchSize?: number;
  /** Installs that earlier runs requested (from the journal). */
  readonly installs?: InstallRecall;
  /** How many hosts the fleet had when the last run ended (from the journal). */
  readonly lastFleetSize?: number;
  /** The tables as the last run used them (from the journal); absent if no run is recorded. */
  readonly lastTables?: ReadonlyMap<string, TableRecord>;
  /** The numbers that `next` gave in earlier runs (from the journal); absent if no run is recorded. */
  readonly lastNumbers?: readonly NumberRecord[];
  /** The number of the change ticket that the plan is for. */
  readonly ticket?: string;
  /** Accept an empty list as an account without hosts, although entries pin ids. */
  readonly allowEmptyFleet?: boolean;
  /** Only these hosts, and all whose renames depend on theirs; the plan is marked as partial. */
  readonly target?: ReadonlySet<HostId>;
  /** All but these hosts, and all whose renames depend on theirs. */
  readonly exclude?: ReadonlySet<HostId>;
  /** The service's pace, for the forecast. */
  readonly pace?: Pace | undefined;
}
