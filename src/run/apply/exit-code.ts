import { pendingCounts } from '../../core/plan/intents/pending-installs.ts';
import { type Plan, showsDifference } from '../../core/plan/types/plan.ts';
import { isLeftOut, type RunSummary, type StepSummary } from '../../core/plan/types/run-summary.ts';
import { hasErrors, type Problem } from '../../core/problem/problem.ts';
import { familyOf, type ProblemFamily } from '../../core/problem/problem-code.ts';

/** The exit codes of the process. The table is in docs/reference/exit-codes.md. */
export const exitCodes = {
  success: 0,
  error: 1,
  changes: 2,
  invalid: 3,
  authentication: 4,
  incomplete: 5,
  refused: 6,
  stale: 7,
  unverified: 8,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const byFamily: Readonly<Record<ProblemFamily, ExitCode>> = {
  input: exitCodes.invalid,
  fleet: exitCodes.invalid,
  refused: exitCodes.refused,
  stale: exitCodes.stale,
  authentication: exitCodes.authentication,
  service: exitCodes.error,
  incomplete: exitCodes.incomplete,
  unverified: exitCodes.unverified,
  local: exitCodes.error,
};

/** Of several codes, the one that the user must deal with first has precedence. */
const precedence: readonly ExitCode[] = [
  exitCodes.interrupted,
  exitCodes.authentication,
  exitCodes.invalid,
  exitCodes.stale,
  exitCodes.refused,
  exitCodes.incomplete,
  exitCodes.unverified,
  exitCodes.error,
];

/** The exit code for problems that ended a command; success if none of them is an error. */
export function exitCodeOf(problems: readonly Problem[]): ExitCode {
  const codes = new Set(
    problems.filter((each) => each.severity === 'error').map((each) => exitForProblem(each)),
  );
  return precedence.find((code) => codes.has(code)) ?? exitCodes.success;
}

/** A 403 is caused by the credentials only if nothing can be read with them; in that case it ends a command. */
function exitForProblem({ code }: Problem): ExitCode {
  return code === 'cancelled'
    ? exitCodes.interrupted
    : code === 'list-inconsistent'
      ? exitCodes.error
      : byFamily[familyOf(code)];
}

/** The exit code of a command for many accounts: the one that the user must deal with first. */
export function exitOverAccounts(codes: Iterable<number>): ExitCode {
  const all = new Set(codes);
  return [...precedence, exitCodes.changes].find((code) => all.has(code)) ?? exitCodes.success;
}

export function exitForPlan(plan: Plan, options: { readonly detailed: boolean }): ExitCode {
  const blocked = exitCodeOf(plan.problems);
  if (blocked !== exitCodes.success) return blocked;
  return options.detailed && showsDifference(plan) ? exitCodes.changes : exitCodes.success;
}

/** The exit code of an apply without calls: an install in doubt is never success. */
export function exitForNothingToDo(plan: Plan): ExitCode {
  const blocked = exitCodeOf(plan.problems);
  if (blocked !== exitCodes.success) return blocked;
  return plan.summary.installsInDoubt > 0 ? exitCodes.incomplete : exitCodes.success;
}

/**
 * Everything is done, but a record of it or a requested file could not be written, so nothing proves it: 8, because another
 * run would find nothing to do. An earlier failure keeps its code.
 */
export function exitWithoutRecord(code: ExitCode, unwritten: readonly Problem[]): ExitCode {
  return isGood(code) && hasErrors(unwritten) ? exitCodes.unverified : code;
}

/** Nothing failed: there are changes, or none. */
export function isGood(code: ExitCode | null): boolean {
  return code === exitCodes.success || code === exitCodes.changes;
}

export function exitForRun(summary: RunSummary, plan: Plan): ExitCode {
  // What a run left out is for the next plan, once a read shows how the others are.
  const isForNext = (step: StepSummary) => summary.verified !== null && isLeftOut(step);
  const outcomes = new Set(summary.steps.filter((step) => !isForNext(step)).map((step) => step.outcome));
  const causes = summary.steps.flatMap(({ problem, outcome }) =>
    problem === undefined || outcome === 'done' ? [] : [problem],
  );
  if (summary.interrupted) return exitCodes.interrupted;
  if (causes.some((each) => familyOf(each.code) === 'authentication')) return exitCodes.authentication;
  const before = exitCodeOf(summary.problems.filter((each) => familyOf(each.code) !== 'unverified'));
  const unfinished = (['failed', 'unknown', 'skipped', 'not-started'] as const).some((each) =>
    outcomes.has(each),
  );
  const { installsInDoubt } = pendingCounts(summary.pendingInstalls);
  const started = summary.steps.some(({ outcome }) => outcome !== 'not-started');
  if (!started && before !== exitCodes.success) return before;
  if (unfinished || installsInDoubt > 0 || plan.problems.some((each) => each.code === 'blocked'))
    return exitCodes.incomplete;
  // Every step is done, and no read shows it: a list that can't be read proves as little as one that differs.
  return started && summary.verified !== true ? exitCodes.unverified : before;
}
