import type { StepId } from '../types/step.ts';

/** A reason not to apply a plan. */
export interface Flaw {
  /** The step, or the field of the plan. */
  readonly at: string;
  readonly why: string;
}

export type Report = (at: StepId | FlawedMember, why: string) => void;

/** Members of a plan that its steps determine. */
export type FlawedMember =
  | 'summary'
  | 'calls'
  | 'limits'
  | 'breaches'
  | 'acks'
  | 'applicable'
  | 'undo'
  | 'observed';
