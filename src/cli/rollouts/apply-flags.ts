import { type PlanningFlags } from '../planning/planning.ts';
import type { CarryOutFlags } from '../running/carry-out.ts';
import type { SignatureFlag } from '../trust/plan-signatures.ts';
import type { WaveFlags } from './rollout-flags.ts';

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
  readonly resume?: true;
}
