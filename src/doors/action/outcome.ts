import type { Plan } from '../../core/plan/types/plan.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { ExitCode } from '../cli/shell/exit-code.ts';

/** The result of a mode, before it is published. */
export interface Outcome {
  /** As of `--detailed-exitcode`: 2 where there are changes. */
  readonly exitCode: ExitCode;
  /** Absent if none could be made, and for modes that make none. */
  readonly plan?: Plan;
  readonly problems: readonly Problem[];
  /** For a reader, in at most so many characters. */
  readonly markdown: (limit: number) => string;
  /** The outputs of `action.yml`, but for the exit code. */
  readonly outputs: Readonly<Record<string, string>>;
}
