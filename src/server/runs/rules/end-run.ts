import type { RunEnd } from '../../../accounts/engine/apply-account.ts';
import type { EndedRunState } from '../../../api/states.ts';
import type { Redaction } from '../../../core/lib/redaction.ts';
import { count } from '../../../core/lib/words.ts';
import type { StepOutcome } from '../../../core/model/run-event.ts';
import { pendingCounts } from '../../../core/plan/intents/pending-installs.ts';
import type { RunSummary, StepSummary } from '../../../core/plan/types/run-summary.ts';
import { hostIdsOf } from '../../../core/plan/types/step.ts';
import { ok, type Problem } from '../../../core/problem/problem.ts';
import { unverifiedHosts } from '../../../output/review/run-report.ts';
import { exitCodeOf, exitCodes } from '../../../run/apply/exit-code.ts';
import type { AccountEvent } from '../../accounts/decisions/account-event.ts';
import type { HeldEnd } from '../../accounts/decisions/hold.ts';
import { endUndecided, queueDecided } from '../../accounts/rules/carry-out.ts';
import { failureOf } from '../../accounts/rules/check-result.ts';
import { happen } from '../../accounts/rules/happen.ts';
import { signedHead } from '../../notifications/rules/decided-notices.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed, toTenant } from '../../settings/configured-account.ts';
import type { Store } from '../../store/open-store.ts';
import type { RunChange, RunLine, RunSteps, RunWait, ServerRun, unprovenOf } from '../records/runs.ts';
import { queueCheckAfter } from './queue-run.ts';
import { journalsOf, type RunRecorder } from './run-record.ts';
import type { StopCause } from './watch-run.ts';

/**
 * `ended`: the run has ended. `waiting`: it may not begin or continue now, and is still queued. `continue`: this worker
 * stopped, or lost the account's lock, and another one must continue. `nothing`: there was no run.
 */
export type RunJobEnd = 'nothing' | 'ended' | 'waiting' | 'continue';

export interface EndedRun {
  readonly run: ServerRun;
  readonly parts: JobParts;
  readonly recorder: RunRecorder;
  readonly redaction: Redaction;
  /** Why it was stopped, if it was. */
  readonly why: StopCause | undefined;
}

/** Writes the end of a run. The caller still holds its lock. */
export async function recordEnd(
  { run, parts, recorder, redaction, why: asked }: EndedRun,
  { exitCode, summary }: RunEnd,
): Promise<RunJobEnd> {
  const { settings } = parts;
  const why = summary.interrupted ? asked : undefined;
  await recorder.flush();
  if (why === 'worker') return 'continue';
  if (why === 'window' && settings.overrun === 'pause') {
    const waits = await happen(run.account, { kind: 'run-waits', run: run.id }, parts);
    if (waits.ok) await queueDecided(new Map([[run.account, waits.value]]), parts);
    return 'waiting';
  }
  const problems = [
    ...summary.problems,
    ...summary.unrecorded,
    ...summary.steps.flatMap((step) => (step.problem === undefined ? [] : [step.problem])),
  ];
  const isOvertaken = why === undefined && hasOnlyLeftOut(summary, problems);
  const state = isOvertaken ? 'stopped' : stateOf(why, exitCode, summary);
  const { length: unverified } = unverifiedHosts(summary);
  const left = isOvertaken || state === 'done' ? leftOut(summary) : 0;
  const forNext = `its run left out ${count(left, 'host')} that had changed; the next check plans for them again`;
  const end = endOf(run, parts, {
    state,
    hasBegun: journalsOf(run).length > 0 || summary.steps.some(hasBegun),
    hasChanged: recorder.steps().done > 0,
    reason: shown(problems, redaction)[0]?.message ?? `the last run ended ${words[state]}`,
  });
  const reason =
    left > 0
      ? forNext
      : state === 'done'
        ? null
        : unverified > 0
          ? `its run changed ${count(unverified, 'host')} that a read shows otherwise; the next check plans for them again`
          : `its run ended ${words[state]}; the next check plans what is left`;
  await ends(
    run,
    parts,
    { kind: 'run-ended', reason, isForNextPlan: isOvertaken || why === 'window', end },
    {
      exitCode: isOvertaken ? exitCodes.stale : exitCode,
      // Of a run that was refused as a whole, the summary has no steps.
      steps: isOvertaken
        ? { ...recorder.steps(), skipped: recorder.steps().total }
        : stepsOf(recorder, summary),
      progress: {
        ...recorder.progress(),
        waiting: [],
        seconds_left: null,
        ...some('installs_in_doubt', pendingCounts(summary.pendingInstalls).installsInDoubt),
        ...some('unverified', unverified),
        problems: shown(problems, redaction),
      },
    },
  );
  return 'ended';
}

const hasBegun = ({ outcome }: StepSummary) => outcome !== 'not-started' && outcome !== 'skipped';

/** How many hosts a run left out, with their units. */
function leftOut({ steps }: RunSummary): number {
  return new Set(steps.flatMap((each) => (hasBegun(each) ? [] : hostIdsOf(each.step)))).size;
}

const isChange = ({ code }: Problem) => code === 'stale-plan';

/** Whether the run did nothing, only because others had changed every host of it. */
function hasOnlyLeftOut({ steps }: RunSummary, problems: readonly Problem[]): boolean {
  return problems.length > 0 && problems.every(isChange) && !steps.some(hasBegun);
}

/** Steps that the run left out have no events. A batch counts twice if some of its hosts were left out. */
function stepsOf(recorder: RunRecorder, { steps, verified }: RunSummary): RunSteps {
  const counted = recorder.steps();
  if (verified !== true) return counted;
  const ended = (...those: readonly StepOutcome[]) =>
    steps.filter(({ outcome }) => those.includes(outcome)).length;
  return {
    ...counted,
    done: ended('done', 'already'),
    failed: ended('failed'),
    skipped: ended('skipped'),
    total: Math.max(counted.total, steps.length),
  };
}

/** Decides what the end means. An account that was removed, or belongs to another tenant now, only gets the end written. */
async function ends(
  run: ServerRun,
  parts: JobParts,
  event: AccountEvent & { readonly end: HeldEnd },
  change: RunChange,
  lines: readonly RunLine[] = [],
): Promise<void> {
  const account = accountNamed(parts.settings, run.account);
  const tenant = account && toTenant(account, parts.env);
  const log = async ({ runs }: Pick<Store, 'runs'>) => {
    if (lines.length > 0) await runs.log(run.id, lines);
    return ok(null);
  };
  const head = parts.settings.notifications.length === 0 ? null : await signedHead(parts.state);
  const decided = await happen(run.account, event, { ...parts, tenant }, { run: change, and: log, head });
  if (decided.ok) return;
  await endUndecided(parts.store, run, event.end.state, { run: change, and: log });
}

function endOf(run: ServerRun, { clock }: JobParts, end: Omit<HeldEnd, 'run' | 'at'>): HeldEnd {
  return { ...end, run, at: new Date(clock.now()).toISOString() };
}

const words: Readonly<Record<EndedRunState, string>> = {
  done: 'completely',
  failed: 'with failures',
  in_doubt: 'in doubt',
  stopped: 'before its last step',
};

function stateOf(
  why: StopCause | undefined,
  exitCode: number,
  { steps, pendingInstalls }: RunSummary,
): EndedRunState {
  const { installsInDoubt } = pendingCounts(pendingInstalls);
  if (steps.some(({ outcome }) => outcome === 'unknown') || installsInDoubt > 0) return 'in_doubt';
  if (why !== undefined) return 'stopped';
  return exitCode === exitCodes.success ? 'done' : 'failed';
}

/** The page of the run shows it next to its steps, which may all be done. */
function some(what: keyof ReturnType<typeof unprovenOf>, hosts: number) {
  return hosts === 0 ? {} : { [what]: hosts };
}

const mostProblems = 50;

function shown(problems: readonly Problem[], redaction: Redaction) {
  return problems.slice(0, mostProblems).map((each) => failureOf([each], redaction.redact));
}

/**
 * Ends a run that has not begun, or that this worker can't continue: an earlier one may have done steps of it. Its plan is
 * stale, so the next check makes a new one. Others may have made it stale before, which is no failure of the run.
 */
async function endUnstarted(
  run: ServerRun,
  parts: JobParts,
  reason: string,
  failure?: Problem,
): Promise<RunJobEnd> {
  const mayHaveBegun = journalsOf(run).length > 0 || failure?.code === 'unforeseen';
  const isForNextPlan = failure !== undefined && isChange(failure) && !mayHaveBegun;
  const end = endOf(run, parts, {
    state: failure === undefined || isForNextPlan ? 'stopped' : 'failed',
    hasBegun: mayHaveBegun,
    hasChanged: run.steps.done > 0,
    reason: failure?.message ?? reason,
  });
  const change: RunChange =
    failure === undefined
      ? {}
      : {
          exitCode: exitCodeOf([failure]),
          progress: { problems: [failureOf([failure], (text) => text)] },
        };
  const lines = failure === undefined ? [] : [{ type: 'error', text: failure.message }];
  await ends(run, parts, { kind: 'run-ended', reason, end, isForNextPlan }, change, lines);
  await queueCheckAfter(run.account, parts);
  return 'ended';
}

export function refuseRun(run: ServerRun, parts: JobParts, failure: Problem): Promise<RunJobEnd> {
  return endUnstarted(run, parts, `its run was refused: ${failure.message}`, failure);
}

export function stopUnstarted(run: ServerRun, parts: JobParts): Promise<RunJobEnd> {
  return endUnstarted(run, parts, 'its run was stopped before it began');
}

/** The run stays queued until the window opens, or the pause ends. */
export async function postponeRun(
  { id, account, state, progress }: ServerRun,
  parts: JobParts,
  { message, hint }: Pick<Problem, 'message' | 'hint'>,
  kind: RunWait['kind'] = 'window',
): Promise<RunJobEnd> {
  const wait: RunWait = { kind, message, ...(hint === undefined ? {} : { until: hint }) };
  const waiting = [{ step: '', title: message, for: hint ?? '', why: kind }];
  const isKnown = JSON.stringify(progress['waits_for']) === JSON.stringify(wait);
  if (state !== 'queued' || !isKnown)
    await happen(account, { kind: 'run-waits', run: id }, parts, {
      run: { progress: { ...progress, waiting, waits_for: wait } },
    });
  return 'waiting';
}
