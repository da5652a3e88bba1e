import type { PlansIndex } from '../accounts/plans/plans-index.ts';
import type { Plan } from '../core/plan/types/plan.ts';
import type { Problem } from '../core/problem/problem.ts';
import type { DriftIssue } from '../forge/drift-issue.ts';
import { fenced } from '../output/review/fenced.ts';
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

/** An outcome that is only text below a head in Markdown. A text that is too long keeps its end, or its start. */
export function textOutcome(
  exitCode: ExitCode,
  head: string,
  text: string,
  { problems = [], keep }: { readonly problems?: readonly Problem[]; readonly keep?: 'start' } = {},
): Outcome {
  return {
    exitCode,
    problems,
    markdown: (limit) => (text === '' ? head : head + fenced(text, limit - head.length, keep)),
    outputs: {},
  };
}

/** The outputs that count the changes of a plan, or of the plans of several accounts. */
export function countOutputs(
  summary: {
    readonly [kind in 'rename' | 'move' | 'antivirus' | 'delete']: number;
  },
): Readonly<Record<string, string>> {
  const { rename, move, antivirus, delete: deletions } = summary;
  return {
    changes: String(rename + move + antivirus + deletions),
    renames: String(rename),
    moves: String(move),
    installs: String(antivirus),
    deletions: String(deletions),
  };
}

/** Installs that no read shows yet. */
export interface PendingCounts {
  readonly inProgress: number;
  readonly inDoubt: number;
}

export function pendingOutputs({ inProgress, inDoubt }: PendingCounts): Readonly<Record<string, string>> {
  return { 'installs-in-progress': String(inProgress), 'installs-in-doubt': String(inDoubt) };
}
