import type { Account } from '../../model/account.ts';
import type { Desired } from '../../model/desired.ts';
import type { Facts } from '../../model/facts.ts';
import type { HostId } from '../../model/host-id.ts';
import type { InstallRecall } from '../../model/install-request.ts';
import type { Observed } from '../../model/observed.ts';
import type { Acks } from './constraints.ts';
import type { Pace } from './forecast.ts';

export interface PlanInputs {
  readonly desired: Desired;
  readonly observed: Observed;
  /** What rules and policies read beside the lists; nothing when absent. */
  readonly facts?: Facts;
  readonly account: Account;
  /** RFC 3339; decides which deletions are due, and dates the plan. */
  readonly now: string;
  readonly acks?: Acks;
  /** Delete before renaming, which saves temporary renames of hosts that are to be deleted. */
  readonly deleteFirst?: boolean;
  /** Plan everything but the rename components that a name conflict blocks, and the hosts for which a rule has no answer. */
  readonly skipBlocked?: boolean;
  /** Entries that match no host are errors. */
  readonly strict?: boolean;
  /** Hosts in one batch at most; 1,000 when absent. */
  readonly batchSize?: number;
  /** Installs that earlier runs requested (from the journal). */
  readonly installs?: InstallRecall;
  /** How many hosts the fleet had when the last run ended (from the journal). */
  readonly lastFleetSize?: number;
  /** An empty list is taken for an account without hosts, although entries pin ids. */
  readonly allowEmptyFleet?: boolean;
  /** Only these hosts, with all whose renames depend on theirs; the plan is marked as partial. */
  readonly target?: ReadonlySet<HostId>;
  /** All but these hosts, and all whose renames depend on theirs. */
  readonly exclude?: ReadonlySet<HostId>;
  /** The service's pace, for the forecasts and for `fast`. */
  readonly pace?: Pace;
  /** Cut long chains of renames: at most 2 % more calls, for less time. Needs a pace. */
  readonly fast?: boolean;
}
