import type { AccountMode } from '../../../src/accounts/config/account-config.ts';
import type { Edit } from '../../../src/service/emulator/edit.ts';
import type { CommitLoss } from '../cluster/database.ts';
import type { ReceiverFault } from '../cluster/receiver.ts';
import type { Misbehavior } from '../cluster/service.ts';

/** An account of a simulated cluster. Its hosts have the ids from 1 on. */
export interface SimulatedAccount {
  readonly name: string;
  readonly mode: AccountMode;
  readonly hosts: number;
  /** How many people must approve a plan. */
  readonly required: number;
  readonly notAuthor: boolean;
  /** How many renames a plan may have before someone must approve their number. */
  readonly mostRenames: number;
  /** How long an install takes until a list shows it, in milliseconds. */
  readonly installTakesMs?: number;
}

/** What the desired state asks of one host. */
export interface DesiredHost {
  readonly id: string;
  readonly name?: string;
  readonly group?: string;
  readonly isAbsent?: boolean;
  readonly hasAntivirus?: boolean;
}

export type Act =
  /** Someone changes the fleet in the console of the service. */
  | { readonly kind: 'edit'; readonly account: string; readonly edit: Edit }
  /** Someone commits what these hosts should be. */
  | {
      readonly kind: 'commit';
      readonly account: string;
      readonly author: string;
      readonly hosts: readonly DesiredHost[];
    }
  /** Someone looks at the plan of an account, thinks for a while, and decides. */
  | {
      readonly kind: 'decide';
      readonly account: string;
      readonly person: string;
      readonly decision: 'approved' | 'rejected';
      readonly afterMs: number;
    }
  | { readonly kind: 'pause'; readonly account: string; readonly forMs: number }
  | { readonly kind: 'resume'; readonly account: string }
  /** Someone stops the run of an account. */
  | { readonly kind: 'stop'; readonly account: string }
  /** Someone requests a new plan, whatever was rejected, stopped or failed. */
  | { readonly kind: 'plan-again'; readonly account: string }
  | { readonly kind: 'check'; readonly account: string }
  /** Someone lets the run of an account begin or go on though changes are frozen. */
  | { readonly kind: 'override'; readonly account: string }
  /** Someone plans the reversal of the last run of an account. */
  | { readonly kind: 'undo'; readonly account: string }
  /** Someone ignores a difference of an account for a while. */
  | { readonly kind: 'ignore'; readonly account: string; readonly forMs: number }
  /** Someone approves the plans that wait, and applies them in waves, the first of this account alone. */
  | { readonly kind: 'start-rollout'; readonly person: string; readonly canary: string }
  | { readonly kind: 'end-rollouts'; readonly how: 'stop' | 'abort' }
  /** The Git remote can't be reached. */
  | { readonly kind: 'lose-source'; readonly forMs: number }
  /** Whoever gets the notices can't be reached, refuses them, or takes them and its reply is lost. */
  | { readonly kind: 'lose-receiver'; readonly how: ReceiverFault; readonly forMs: number }
  /** The process of a machine dies; another one starts later. */
  | { readonly kind: 'kill'; readonly machine: number; readonly forMs: number }
  | { readonly kind: 'freeze'; readonly machine: number; readonly forMs: number }
  | { readonly kind: 'jump'; readonly machine: number; readonly ms: number }
  | { readonly kind: 'fail-over'; readonly loss: CommitLoss; readonly forMs: number }
  | { readonly kind: 'misbehave'; readonly how: Misbehavior; readonly forMs: number };

export interface TimedAct {
  /** Since the beginning, in milliseconds. */
  readonly at: number;
  readonly act: Act;
}

/** All that a simulation depends on. The same script always leads to the same history. */
export interface Script {
  readonly seed: number;
  readonly accounts: readonly SimulatedAccount[];
  readonly machines: number;
  readonly cadenceMs: number;
  readonly tickMs: number;
  /**
   * The longest time that a request within the cluster takes in each direction, in milliseconds; mostly it takes none.
   */
  readonly latencyMs: number;
  /** When changes of all accounts are frozen, in milliseconds since the beginning. */
  readonly freeze?: { readonly from: number; readonly until: number };
  readonly acts: readonly TimedAct[];
  /** When the acts are over, in milliseconds. */
  readonly endsAt: number;
}
