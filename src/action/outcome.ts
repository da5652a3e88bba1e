import type { PlansIndex } from '../accounts/plans/plans-index.ts';
import type { Plan } from '../core/plan/types/plan.ts';
import type { Problem } from '../core/problem/problem.ts';
import type { DriftIssue } from '../forge/drift-issue.ts';
import type { ExitCode } from '../run/apply/exit-code.ts';

/** The result of a mode, before it is published. */
export interface Outcome {
  /** As with `--detailed-exitcode`: 2 if there are changes. */
  readonly exitCode: ExitCode;
  /** Absent if no plan could be made, and for modes without a plan. */
  readonly plan?: Plan;
  /** The plans of several accounts. */
  readonly index?: PlansIndex;
  readonly problems: readonly Problem[];
  /** For a comparison of the fleet only: the issue about its drift. */
  readonly issue?: DriftIssue;
  /** The text for readers, in at most this many characters. */
  readonly markdown: (limit: number) => string;
  /** The outputs of `action.yml`, except the exit code. */
  readonly outputs: Readonly<Record<string, string>>;
}
