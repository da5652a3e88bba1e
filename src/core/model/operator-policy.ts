import type { Place } from '../problem/problem.ts';
import type { Limits, WindowPolicy } from './policy.ts';

/** What the operator requires of every plan for an account, whatever its desired state says. */
export interface OperatorPolicy {
  readonly limits: Partial<Limits>;
  readonly windows: readonly WindowPolicy[];
  /** The place of the account in the configuration. */
  readonly place: Place;
  /** Where each limit was written, under `limits.delete` and so on. */
  readonly places?: Readonly<Record<string, Place>>;
}
