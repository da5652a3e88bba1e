import type { PlansIndex } from '../accounts/plans/plans-index.ts';
import type { Io } from '../cli/shell/io.ts';
import type { Redaction } from '../core/lib/redaction.ts';
import { countChanges } from '../core/model/policy.ts';
import type { PendingCounts, Plan } from '../core/plan/types/plan.ts';
import type { Problem } from '../core/problem/problem.ts';
import type { DriftIssue } from '../forge/drift-issue.ts';
import { fenced } from '../output/review/fenced.ts';
import type { ExitCode } from '../run/apply/exit-code.ts';
import type { Annotation } from './annotations.ts';
import type { Event } from './event.ts';
import type { Inputs } from './inputs.ts';

/** The context of one workflow step. */
export interface Job {
  readonly runner: Runner;
  readonly inputs: Inputs;
  readonly event: Event;
  /** The working directory of commands, as an absolute path. */
  readonly folder: string;
  readonly redaction: Redaction;
}

/** The environment of a workflow step. All output passes through here. */
export interface Runner {
  /** Both streams go to the log of the step. */
  readonly io: Io;
  annotate(annotation: Annotation): void;
  output(name: string, value: string): void;
  /** Makes the runner hide a secret in the log of this step and of all later steps. */
  mask(secret: string): void;
  summary(markdown: string): Promise<void>;
}

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
    changes: String(countChanges(summary)),
    renames: String(rename),
    moves: String(move),
    installs: String(antivirus),
    deletions: String(deletions),
  };
}

export function pendingOutputs({
  installsInProgress,
  installsInDoubt,
}: PendingCounts): Readonly<Record<string, string>> {
  return { 'installs-in-progress': String(installsInProgress), 'installs-in-doubt': String(installsInDoubt) };
}
