import type { Journal } from '../journal/journal.ts';
import type { Clock } from '../lib/clock.ts';
import type { HostId } from '../model/host-id.ts';
import type { Observed } from '../model/observed.ts';
import type { OnEvent } from '../model/run-event.ts';
import { hostIdsOf, type Plan, type Step } from '../plan/plan.ts';
import type { Problem } from '../problem/problem.ts';
import type { FleetReader, FleetWriter } from '../wire/fleet.ts';
import { type Assessment, assess, isDone } from './assess.ts';
import { countingWriter } from './counting-writer.ts';
import { createReread } from './reread.ts';
import type { RunAccount, StepAccount } from './run-account.ts';
import { createStepRunner } from './run-step.ts';
import { runSchedule } from './schedule.ts';
import { type StepResult, stepFailed } from './step-result.ts';
import { verify, verifyByPlan } from './verify.ts';

export interface ApplyInputs {
  readonly plan: Plan;
  /** The read that the plan was made on, if this very process just made it; else the fleet is read before the first write. */
  readonly observed?: Observed;
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Aborted by a signal: no new call starts, calls in flight are awaited. */
  readonly stop: AbortSignal;
  readonly onEvent: OnEvent;
  /** Plans again on a fresh read, for verification; a saved plan is verified by its own targets when absent. */
  readonly replan?: (observed: Observed) => Plan;
}

/**
 * Carries out a plan: precheck, steps, verification. Every step ends in the account, whatever happens; a plan
 * that no longer fits the fleet is refused before the first write.
 */
export async function applyPlan(inputs: ApplyInputs): Promise<RunAccount> {
  const { plan, journal, onEvent } = inputs;
  const { writer, sent } = countingWriter(inputs.writer);
  const finish = (parts: Partial<RunAccount>): RunAccount => ({
    runId: journal.runId,
    steps: [],
    problems: [],
    sent: sent(),
    interrupted: inputs.stop.aborted,
    converged: null,
    ...parts,
  });

  const assessment = await precheck(inputs);
  if (!assessment.ok) return finish({ steps: plan.steps.map(notStarted), problems: assessment.problems });

  onEvent({ type: 'apply_start', runId: journal.runId, steps: plan.steps.length, calls: plan.calls.planned });
  const runner = createStepRunner({
    writer,
    reread: createReread(inputs.reader),
    stop: inputs.stop,
    done: assessment.value.done,
  });
  let ended = 0;
  const steps = await runSchedule({
    steps: plan.steps,
    deleteFirst: plan.deleteFirst,
    stop: inputs.stop,
    run: async (step) => {
      if (isDone(step, assessment.value)) return { outcome: 'already', failedHosts: [] };
      onEvent({ type: 'step_start', step: step.id, kind: step.kind, hosts: hostIdsOf(step).length });
      return recorded(step, journal, () => runner(step));
    },
    onEnd: ({ step, outcome, problem }) => {
      ended += 1;
      if (problem !== undefined) onEvent({ type: 'diagnostic', problem });
      onEvent({
        type: 'step_end',
        step: step.id,
        kind: step.kind,
        outcome,
        done: ended,
        of: plan.steps.length,
      });
    },
  });

  onEvent({ type: 'apply_end', runId: journal.runId, sent: sent() });
  const complete = steps.every(({ outcome }) => outcome === 'done' || outcome === 'already');
  if (!complete || inputs.stop.aborted) return finish({ steps, converged: null });
  return finish({ steps, ...(await verification(inputs, steps)) });
}

async function precheck(
  inputs: ApplyInputs,
): Promise<
  | { readonly ok: true; readonly value: Assessment }
  | { readonly ok: false; readonly problems: readonly Problem[] }
> {
  const { plan, observed, reader } = inputs;
  const read =
    observed === undefined
      ? await reader.read({ antivirus: readsAntivirus(plan) })
      : { ok: true as const, value: observed };
  if (!read.ok) return read;
  const assessment = assess(plan, read.value);
  return assessment.stale.length > 0
    ? { ok: false, problems: assessment.stale }
    : { ok: true, value: assessment };
}

/** Nothing is sent before the journal holds it: a step whose record can't be written is not begun. */
async function recorded(step: Step, journal: Journal, run: () => Promise<StepResult>): Promise<StepResult> {
  const begun = await journal.begin(step);
  if (!begun.ok) {
    const [cause] = begun.problems;
    return cause === undefined
      ? { outcome: 'not-started', failedHosts: [] }
      : stepFailed(cause, { fatal: true });
  }
  const result = await run();
  const failedHostIds = result.failedHosts.map((each) => each.hostId);
  await journal.outcome(step.id, result.outcome, {
    ...(result.problem === undefined ? {} : { problem: result.problem }),
    ...(failedHostIds.length === 0 ? {} : { failedHostIds }),
  });
  return result;
}

async function verification(
  inputs: ApplyInputs,
  steps: readonly StepAccount[],
): Promise<Pick<RunAccount, 'converged' | 'problems'>> {
  const { plan, reader, replan } = inputs;
  if (steps.length === 0) return { converged: true, problems: [] };
  const read = await reader.read({ antivirus: replan !== undefined && readsAntivirus(plan) });
  if (!read.ok) return { converged: null, problems: read.problems };
  const asked = new Set<HostId>(
    steps.filter(({ step }) => step.kind === 'antivirus').flatMap(({ step }) => hostIdsOf(step)),
  );
  const differences =
    replan === undefined ? verify(plan, read.value) : verifyByPlan(replan(read.value), asked);
  return { converged: differences.length === 0, problems: differences };
}

function readsAntivirus(plan: Plan): boolean {
  return plan.observed.lists.some(({ list }) => list === 'antivirus-details');
}

function notStarted(step: Step): StepAccount {
  return { step, outcome: 'not-started', failedHosts: [] };
}
