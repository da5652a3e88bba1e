import type { Clock } from '../../core/lib/surroundings.ts';
import { type InstallRecall, nothingRecalled } from '../../core/model/install-request.ts';
import { type HostId, listedAt, type Observed } from '../../core/model/observed.ts';
import { isDoneOutcome, type OnEvent } from '../../core/model/run-event.ts';
import { noCalls } from '../../core/model/write-action.ts';
import { selectSteps } from '../../core/plan/ordering/select-steps.ts';
import { unitsOf, withUnits } from '../../core/plan/ordering/units.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { isLeftOut, type RunSummary, type StepSummary } from '../../core/plan/types/run-summary.ts';
import { hostIdsOf, type Step } from '../../core/plan/types/step.ts';
import { hasErrors, ok, type Problem, type Result } from '../../core/problem/problem.ts';
import type { FleetReader, FleetWriter } from '../../service/wire/fleet.ts';
import type { Journal } from '../state/journal/journal.ts';
import { type Budget, createAdmission } from './admission.ts';
import { assess, isDone } from './assess.ts';
import { countingWriter } from './counting-writer.ts';
import { createLatestRead, createReread } from './latest-read.ts';
import { leftFleet } from './left-fleet.ts';
import { pendingAfter } from './pending-after.ts';
import { createStepRunner } from './run-step.ts';
import { runSchedule } from './schedule.ts';
import { type StepResult, stepFailed } from './step-result.ts';
import { createUnitGate } from './unit-gate.ts';
import { verify } from './verify.ts';

export interface ApplyInputs {
  readonly plan: Plan;
  /**
   * The read that the plan was made from, if this process just made it; otherwise the fleet is read before the first
   * write.
   */
  readonly observed?: Observed;
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Aborted by a signal: no new call starts, calls in flight are awaited. */
  readonly stop: AbortSignal;
  readonly onEvent: OnEvent;
  readonly budget?: Budget;
  /** No deletion relies on an older read: the fleet is read again first. In milliseconds; a minute if absent. */
  readonly maxReadAgeMs?: number;
  /** A saved plan continues with the hosts whose state is still what it relied on. */
  readonly skipStale?: boolean;
  /**
   * Hosts that are left out together with the hosts in their units, and why. Also leaves out hosts that someone else has
   * changed before the run has, and verifies the others.
   */
  readonly leftOut?: readonly Problem[];
  /** Hosts that earlier workers of this run have changed, or may have changed: they can't be left out. */
  readonly written?: ReadonlySet<HostId>;
  /** Installs that earlier runs requested (from the journal), including those after a saved plan was made. */
  readonly installs?: InstallRecall;
  /** Plans again on a fresh read, for verification; if absent, a saved plan is verified by its own targets. */
  readonly replan?: (observed: Observed) => Plan;
  /** Asked right before the first write; a failure ends the run without one. */
  readonly mayBegin?: () => Promise<Result<null>>;
  /** Did this process delete the host outside this plan? Then a list without it is correct. */
  readonly isDeletedElsewhere?: (host: HostId) => boolean;
}

/** The result of a run, before its pending installs are counted. */
type Finished = Omit<RunSummary, 'pendingInstalls' | 'converged'>;

/**
 * Applies the steps of a plan, or of a part of it: precheck, steps, verification. Every step is part of the summary, whatever
 * happens. Steps that no longer fit the fleet are refused before the first write.
 */
export async function applySteps(inputs: ApplyInputs): Promise<RunSummary> {
  const { plan, journal, onEvent } = inputs;
  const { writer, sent } = countingWriter(inputs.writer);
  const recall = inputs.installs ?? nothingRecalled;
  const read = await readBefore(inputs);
  if (!read.ok) return unapplied(inputs, read.problems);
  const before = read.value;
  const finish = (parts: Partial<Finished>): RunSummary => {
    const finished = { ...unapplied(inputs, []), sent: sent(), before, ...parts };
    const { steps, verified, lastRead: after } = finished;
    const pendingInstalls = pendingAfter({ plan, steps, before, after, recall, now: inputs.clock.now() });
    return {
      ...finished,
      pendingInstalls,
      converged:
        verified === true &&
        (pendingInstalls.length > 0 || steps.some(({ outcome }) => outcome === 'skipped'))
          ? null
          : verified,
    };
  };

  const assessment = assess(plan, before, recall);
  const begun = withUnits(unitsOf(plan.steps), inputs.written ?? []);
  const stale = [...assessment.stale, ...(inputs.leftOut ?? [])].map((cause) =>
    cause.hostIds?.some((id) => begun.has(id as HostId)) === true ? asUnproven(cause) : cause,
  );
  const mayLeaveOut = inputs.skipStale === true || inputs.leftOut !== undefined;
  const { kept, left: passed } = splitStale(plan.steps, stale);
  const isNothingLeft = inputs.leftOut !== undefined && kept.length === 0;
  if (stale.length > 0 && (!mayLeaveOut || isNothingLeft)) return finish({ problems: stale });

  const hasWrites = kept.some((step) => !isDone(step, assessment));
  const allowed = hasWrites ? await inputs.mayBegin?.() : undefined;
  if (allowed?.ok === false) return finish({ problems: allowed.problems });

  onEvent({ type: 'apply_start', runId: journal.runId, steps: plan.steps.length, calls: plan.calls.planned });
  const latestRead = createLatestRead(plan.steps, listedAt(before));
  const runner = createStepRunner({
    writer,
    reread: createReread(inputs.reader, latestRead),
    latestRead,
    learned: { refusesCaseChanges: false },
    stop: inputs.stop,
    clock: inputs.clock,
    ...(inputs.maxReadAgeMs === undefined ? {} : { maxReadAgeMs: inputs.maxReadAgeMs }),
    done: assessment.done,
  });
  const units = mayLeaveOut ? createUnitGate(kept) : undefined;
  let ended = 0;
  const ran = await runSchedule({
    steps: kept,
    deleteFirst: plan.deleteFirst,
    stop: inputs.stop,
    admission: createAdmission(kept, inputs.budget ?? {}, inputs.clock, (step) => isDone(step, assessment)),
    run: async (step, priority) => {
      if (isDone(step, assessment)) return { outcome: 'already', failedHosts: [] };
      onEvent({ type: 'step_start', step: step.id, kind: step.kind, hosts: hostIdsOf(step).length });
      const work = () => runner(step, priority);
      return recorded(step, journal, () => units?.pass(step, work) ?? work());
    },
    onEnd: ({ step, outcome, problem, failedHosts }) => {
      ended += 1;
      if (problem !== undefined) onEvent({ type: 'diagnostic', problem });
      onEvent({
        type: 'step_end',
        step: step.id,
        kind: step.kind,
        outcome,
        ...(outcome === 'failed' && failedHosts.length > 0 ? { failedHosts: failedHosts.length } : {}),
        done: ended,
        of: plan.steps.length,
      });
    },
  });

  onEvent({ type: 'apply_end', runId: journal.runId, sent: sent() });
  const settled = inputs.leftOut === undefined ? ran : ran.flatMap(withoutChanged);
  const steps = [...settled, ...passed];
  const intended = inputs.leftOut === undefined ? steps : steps.filter((step) => !isLeftOut(step));
  const complete = intended.every(({ outcome }) => isDoneOutcome(outcome));
  const left = leftFleet(before, steps);
  const isAllLeftOut = intended.length === 0 && ran.length > 0;
  if (!complete || isAllLeftOut || inputs.stop.aborted) return finish({ steps, left });
  const intendedPlan = { ...plan, steps: intended.map(({ step }) => step) };
  const verified = await verification({ ...inputs, plan: intendedPlan }, before, intended);
  return finish({ steps, ...verified, left: verified.lastRead ?? left });
}

/** The summary of a run that sent nothing, because of these problems. */
export function unapplied({ plan, journal, stop }: ApplyInputs, problems: readonly Problem[]): RunSummary {
  return {
    runId: journal.runId,
    steps: plan.steps.map((step) => ({ step, outcome: 'not-started', failedHosts: [] })),
    problems,
    unrecorded: [],
    pendingInstalls: plan.pendingInstalls,
    sent: noCalls,
    interrupted: stop.aborted,
    verified: null,
    converged: null,
    lastRead: null,
    left: null,
  };
}

async function readBefore({ plan, observed, reader }: ApplyInputs): Promise<Result<Observed>> {
  return observed === undefined ? reader.read({ antivirus: readsAntivirus(plan) }) : ok(observed);
}

/** The run has changed the host, or another one of its unit, and the host is neither as before nor as planned. */
function asUnproven(cause: Problem): Problem {
  return {
    ...cause,
    code: 'not-converged',
    message: `${cause.message} after this run had begun to change it`,
  };
}

/** A batch that has failed only for hosts that someone else has changed is done for the others, and leaves these out. */
function withoutChanged(summary: StepSummary): readonly StepSummary[] {
  const { step, outcome, problem: cause, failedHosts } = summary;
  const isChange = ({ code }: Problem) => code === 'stale-plan';
  if (outcome !== 'failed' || cause === undefined || failedHosts.length === 0) return [summary];
  if (!isChange(cause) || !failedHosts.every((each) => isChange(each.problem))) return [summary];
  const changed = new Set<string>(failedHosts.map(({ hostId }) => hostId));
  return [
    ...selectSteps([step], (host) => !changed.has(host)).map(
      (part): StepSummary => ({ step: part, outcome: 'done', failedHosts: [] }),
    ),
    ...selectSteps([step], (host) => changed.has(host)).map(
      (part): StepSummary => ({ step: part, outcome: 'skipped', problem: cause, failedHosts: [] }),
    ),
  ];
}

/** Leaves out stale hosts and all hosts whose renames depend on theirs. */
function splitStale(
  steps: readonly Step[],
  stale: readonly Problem[],
): { readonly kept: readonly Step[]; readonly left: readonly StepSummary[] } {
  if (stale.length === 0) return { kept: steps, left: [] };
  const units = unitsOf(steps);
  const causes = new Map(
    stale.flatMap((cause) => (cause.hostIds ?? []).map((id) => [units.of(id as HostId), cause] as const)),
  );
  const isLeft = (host: HostId) => causes.has(units.of(host));
  return {
    kept: selectSteps(steps, (host) => !isLeft(host)),
    left: selectSteps(steps, isLeft).map((step): StepSummary => {
      const found = hostIdsOf(step).flatMap((id) => causes.get(units.of(id)) ?? []);
      const cause = found.find(({ code }) => code === 'not-converged') ?? found[0];
      return {
        step,
        outcome: 'skipped',
        failedHosts: [],
        ...(cause === undefined ? {} : { problem: cause }),
      };
    }),
  };
}

/** Nothing is sent before it is in the journal: a step whose record can't be written does not begin. */
async function recorded(step: Step, journal: Journal, run: () => Promise<StepResult>): Promise<StepResult> {
  const begun = await journal.begin(step);
  if (!begun.ok) {
    const [cause] = begun.problems;
    return cause === undefined
      ? { outcome: 'not-started', failedHosts: [] }
      : stepFailed(cause, { fatal: true });
  }
  const result = await run();
  const failedHostIds = result.failedHosts
    .filter(({ inDoubt }) => inDoubt !== true)
    .map((each) => each.hostId);
  const inDoubtHostIds = result.failedHosts
    .filter(({ inDoubt }) => inDoubt === true)
    .map((each) => each.hostId);
  await journal.outcome(step.id, result.outcome, {
    ...(result.problem === undefined ? {} : { problem: result.problem }),
    ...(failedHostIds.length === 0 ? {} : { failedHostIds }),
    ...(inDoubtHostIds.length === 0 ? {} : { inDoubtHostIds }),
  });
  return result;
}

async function verification(
  inputs: ApplyInputs,
  before: Observed,
  steps: readonly StepSummary[],
): Promise<Pick<RunSummary, 'verified' | 'problems' | 'lastRead'>> {
  const { plan, reader, replan } = inputs;
  if (steps.length === 0) return { verified: true, problems: [], lastRead: inputs.observed ?? null };
  const read = await reader.read({
    antivirus: readsAntivirus(plan) && (replan !== undefined || hasInstalls(plan)),
  });
  if (!read.ok) return { verified: null, problems: read.problems, lastRead: null };
  const problems = verify({
    plan,
    before,
    after: read.value,
    ...(replan === undefined ? {} : { again: replan(read.value) }),
    isSaved: inputs.observed === undefined,
    leavesOthers: inputs.leftOut !== undefined,
    isDeletedElsewhere: inputs.isDeletedElsewhere ?? (() => false),
  });
  return { verified: !hasErrors(problems), problems, lastRead: read.value };
}

function readsAntivirus(plan: Plan): boolean {
  return plan.observed.lists.some(({ list }) => list === 'antivirus-details');
}

/** Verification by a saved plan's own targets reads installs only if the plan has some. */
function hasInstalls({ steps, pendingInstalls }: Plan): boolean {
  return pendingInstalls.length > 0 || steps.some(({ kind }) => kind === 'antivirus' || kind === 'refresh');
}
