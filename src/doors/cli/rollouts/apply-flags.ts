import { type PlanningFlags } from '../planning/planning.ts';
import type { CarryOutFlags } from '../running/carry-out.ts';
import type { WaveFlags } from './rollout-flags.ts';

export interface ApplyFlags extends PlanningFlags, CarryOutFlags {
  /** Milliseconds. */
  readonly maxPlanAge?: number;
  /** The file for the plan of a desired state, whether it is applied or not. */
  readonly out?: string;
}

export type ApplyManyFlags = ApplyFlags & WaveFlags;
