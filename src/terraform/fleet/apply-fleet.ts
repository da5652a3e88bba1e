import { isDoneOutcome, type OnEvent } from '../../core/model/run-event.ts';
import { noCalls, type WriteAction } from '../../core/model/write-action.ts';
import type { PendingInstall } from '../../core/plan/types/plan.ts';
import type { RunSummary } from '../../core/plan/types/run-summary.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { applyPlan } from '../../run/apply/apply-plan.ts';
import { exitCodes } from '../../run/apply/exit-code.ts';
import { installInDoubt } from './check-install.ts';
import { type ChangeEnd, endsOf, type FleetChange } from './fleet-changes.ts';
import type { FleetText } from './fleet-inputs.ts';
import { type FleetPlan, type PlanFleetOptions, planFleet } from './plan-fleet.ts';
import { openRecord } from './run-record.ts';

export interface ApplyFleetOptions extends PlanFleetOptions {
  /** The checksum of the approved plan. If the fleet now needs another plan, nothing is sent. */
  readonly checksum?: string;
  readonly onEvent?: OnEvent;
}

/** The result of applying a whole desired state, as plain data. */
export interface FleetRun {
  /**
   * `done`: verified by another list; `incomplete`: some changes were not made; `unverified`: all were made, but the
   * list could not be read again, or still shows differences.
   */
  readonly outcome: 'nothing-to-do' | 'done' | 'incomplete' | 'unverified' | 'interrupted';
  /** Null if nothing was recorded. */
  readonly runId: string | null;
  readonly planned: FleetPlan;
  /** Changes that were made, by this run or before it. */
  readonly applied: readonly FleetChange[];
  /** Changes that were not made, each with its reason. */
  readonly left: readonly ChangeEnd[];
  /** Requests that change the fleet, by action. */
  readonly sent: Readonly<Record<WriteAction, number>>;
  /** Installs that no read shows yet; one in doubt makes the outcome `incomplete`. */
  readonly pendingInstalls: readonly PendingInstall[];
  /** Errors for all changes that were not made and all remaining differences, then the plan's warnings. */
  readonly problems: readonly Problem[];
}

/**
 * Plans the desired state again, and applies it as `rampart apply` does: steps, recovery, verification. It fails if
 * nothing was sent: the failures of `planFleet`, errors of the plan, a plan other than the approved one, another run on
 * the same account. A run that has begun is returned as a value, whatever its outcome.
 */
export function applyFleet(source: FleetText, options: ApplyFleetOptions): Promise<Result<FleetRun>> {
  return options.session.mutex.after('whole fleet', async () => {
    const planned = await planFleet(source, options);
    if (!planned.ok) return planned;
    const { applicable, empty, problems } = planned.value;
    if (!applicable) return failed(...problems);
    const stale = await staleness(planned.value, source, options);
    if (stale !== undefined) return failed(stale);
    return empty ? ok(nothingToDo(planned.value)) : run(planned.value, options);
  });
}

/**
 * Why the plan is not the approved one. It may differ only by what other resources have done since, and must not
 * contain a change that was not approved.
 */
async function staleness(
  { checksum, changes }: FleetPlan,
  source: FleetText,
  options: ApplyFleetOptions,
): Promise<Problem | undefined> {
  if (options.checksum === undefined || options.checksum === checksum) return undefined;
  const approved = await planFleet(source, { ...options, view: 'at-first' });
  if (!approved.ok || approved.value.checksum !== options.checksum) return changedSince();
  const expected = await planFleet(source, { ...options, view: 'as-we-left-it' });
  if (!expected.ok || expected.value.checksum !== checksum) return changedSince();
  const allowed = new Set(approved.value.changes.map(intendedOutcome));
  return changes.every((change) => allowed.has(intendedOutcome(change))) ? undefined : asksForMore();
}

function intendedOutcome({ kind, hostId, to }: FleetChange): string {
  return JSON.stringify([kind, hostId, to]);
}

async function run(planned: FleetPlan, options: ApplyFleetOptions): Promise<Result<FleetRun>> {
  const { observation, account, clock } = options.session;
  const { plan, observed, replan, installs } = planned;
  const record = await openRecord(plan, { ...options, account, clock });
  if (!record.ok) return record;
  const ran = await applyPlan({
    plan,
    observed,
    replan,
    reader: observation.reader,
    writer: record.value.guarded(observation.writer),
    journal: record.value.journal,
    clock,
    installs,
    stop: options.signal ?? new AbortController().signal,
    onEvent: options.onEvent ?? (() => {}),
    isDeletedElsewhere: (host) => observation.hasRemoved(host),
  });
  if (ran.sent.antivirus + ran.sent.refresh > 0) options.session.forgetAntivirus();
  const result = toRun(planned, ran, record.problems);
  const unrecorded = await record.value.close(
    exitCodes[result.outcome === 'done' ? 'success' : result.outcome],
  );
  return ok({ ...result, problems: [...result.problems, ...unrecorded] });
}

type RunOutcome = Exclude<FleetRun['outcome'], 'nothing-to-do'>;

function toRun(
  planned: FleetPlan,
  ran: RunSummary,
  warnings: readonly Problem[],
): FleetRun & { readonly outcome: RunOutcome } {
  const ends = endsOf(planned.plan, planned.observed, ran.steps);
  const applied = ends.filter(({ outcome }) => isDoneOutcome(outcome));
  const left = ends.filter(({ outcome }) => !isDoneOutcome(outcome));
  return {
    outcome: outcomeOf(ran, left),
    runId: ran.runId === '' ? null : ran.runId,
    planned,
    applied: applied.map(toChange),
    left,
    sent: ran.sent,
    pendingInstalls: ran.pendingInstalls,
    problems: [
      ...left.map(leftProblem),
      ...doubtProblems(ran.pendingInstalls, left),
      ...ran.problems,
      ...warnings,
      ...planned.problems,
    ],
  };
}

function toChange(end: ChangeEnd): FleetChange {
  const { outcome: _, ...withProblem } = end;
  const { problem: __, ...change } = withProblem;
  return change;
}

function outcomeOf(
  { interrupted, verified, pendingInstalls }: RunSummary,
  left: readonly ChangeEnd[],
): RunOutcome {
  if (interrupted) return 'interrupted';
  if (left.length > 0 || pendingInstalls.some(({ state }) => state === 'in-doubt')) return 'incomplete';
  return verified === true ? 'done' : 'unverified';
}

const outcomeWords = {
  done: 'was made',
  already: 'was made',
  failed: 'failed',
  unknown: 'was sent but got no reply: the next apply reads the result',
  skipped: 'was skipped',
  'not-started': 'was not started',
} as const;

function leftProblem({ hostId, kind, outcome, problem: cause }: ChangeEnd): Problem {
  const words = `the ${kind} of host ${hostId} ${outcomeWords[outcome]}`;
  const code = outcome === 'not-started' ? 'interrupted' : 'step-failed';
  return problem(cause?.code ?? code, cause === undefined ? words : `${words}: ${cause.message}`, {
    hint: cause?.hint ?? 'apply again to continue',
    hostIds: [hostId],
  });
}

/** One for each host whose install has been in doubt since an earlier run; installs of this run are in `left`. */
function doubtProblems(pending: readonly PendingInstall[], left: readonly ChangeEnd[]): readonly Problem[] {
  const reported = new Set(left.map(({ hostId }) => hostId));
  return pending
    .filter(({ state, hostId }) => state === 'in-doubt' && !reported.has(hostId))
    .map((pending) => installInDoubt(pending.hostId, pending));
}

function changedSince(): Problem {
  return problem('stale-plan', 'the fleet has changed since the plan was approved, and needs another plan', {
    hint: 'plan again, and apply the new plan',
  });
}

function asksForMore(): Problem {
  return problem(
    'stale-plan',
    'other resources changed the fleet in this apply, and the plan now has changes that were not approved',
    { hint: 'plan again, and apply the new plan' },
  );
}

function nothingToDo(planned: FleetPlan): FleetRun {
  return {
    outcome: 'nothing-to-do',
    runId: null,
    planned,
    applied: [],
    left: [],
    pendingInstalls: planned.plan.pendingInstalls,
    sent: noCalls,
    problems: [...doubtProblems(planned.plan.pendingInstalls, []), ...planned.problems],
  };
}
