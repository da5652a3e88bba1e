import type { AccountAck } from '../../accounts/rollouts/spread-acks.ts';
import { defined } from '../../core/lib/defined.ts';
import type { Limit } from '../../core/model/policy.ts';
import type { PlanningFlags } from '../planning/planning.ts';
import type { CarryOutFlags } from '../running/carry-out.ts';
import type { SignatureFlag } from '../trust/plan-signatures.ts';

/** How a rollout goes through its accounts. Each flag overrides a key of `rollout:` in the configuration. */
export interface WaveFlags {
  /** Names of accounts, or a CEL expression over labels. */
  readonly canaryAccounts?: string;
  readonly waves?: readonly number[];
  readonly waveLabel?: string;
  readonly maxFailed?: Limit;
  /** Milliseconds. */
  readonly wavePause?: number;
  readonly parallel?: number;
  readonly accountAcks?: readonly AccountAck[];
}

/** The flags for the run of each account. They are not stored with the rollout. */
export type AccountRunFlags = Pick<
  CarryOutFlags,
  'lockTimeout' | 'skipStale' | 'maxReadAge' | 'canary' | 'reason' | 'ticket' | 'calls' | 'deadline'
>;

/**
 * The flags for the runs, out of all flags of a command, without its checksum, which is that of an index, and its plan
 * file, which is a folder.
 */
export function runFlagsOf(flags: AccountRunFlags): AccountRunFlags {
  const { lockTimeout, skipStale, maxReadAge, canary, reason, ticket } = flags;
  return defined({ lockTimeout, skipStale, maxReadAge, canary, reason, ticket });
}

/** What the accounts of a rollout share: each flag holds for all of them together. */
export type RolloutLimits = Pick<CarryOutFlags, 'maxCalls' | 'deadline' | 'summaryOut'>;

/** `berlin,tallinn` or a CEL expression such as `tier == "test"`. */
export function accountNamesOrCondition(text: string): readonly string[] | undefined {
  const names = text.split(',').map((each) => each.trim());
  return names.every((each) => /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(each)) ? names : undefined;
}

export interface ApplyFlags extends PlanningFlags, CarryOutFlags, SignatureFlag {
  /** The key of the note with the reviewed plan; true: the usual key. */
  readonly reviewed?: string | true;
  /** Milliseconds. */
  readonly maxPlanAge?: number;
  /** The file for the plan of a desired state, whether it is applied or not. */
  readonly out?: string;
}

export interface ApplyManyFlags extends ApplyFlags, WaveFlags {
  /** The digest of the reviewed changes, in place of the checksum: new plans of the same changes are applied. */
  readonly changes?: string;
  /** Continue the rollout that was started from the same plans, if there is one. */
  readonly continue?: true;
}
