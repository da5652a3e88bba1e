import { createPriorityQueue } from '../../core/lib/priority-queue.ts';
import type { HostId } from '../../core/model/observed.ts';
import { isDoneOutcome, type StepOutcome } from '../../core/model/run-event.ts';
import { readTemporaryName } from '../../core/model/temporary-name.ts';
import { openUp } from '../../core/plan/ordering/open-up.ts';
import { stepHeights } from '../../core/plan/ordering/step-heights.ts';
import { isLeftOut, type StepSummary } from '../../core/plan/types/run-summary.ts';
import { isNameStep, type Step, type StepId, type StepKind } from '../../core/plan/types/step.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { Admission } from './admission.ts';
import type { StepResult } from './step-result.ts';

export interface Schedule {
  readonly steps: readonly Step[];
  readonly deleteFirst: boolean;
  /** No step starts after this. */
  readonly stop: AbortSignal;
  readonly admission: Admission;
  /** Carries out one step; never rejects. The priority is higher if more steps depend on this one. */
  readonly run: (step: Step, priority: number) => Promise<StepResult>;
  /** Called for every step when it ends, including steps that never start. */
  readonly onEnd: (account: StepSummary) => void;
}

/** The maximum number of concurrent steps; the client controls the pace of calls. */
const widest = 256;

/** A step with its position in the queue: the longest chain first, then the plan's order. */
interface Ranked {
  readonly step: Step;
  readonly height: number;
  readonly order: number;
}

/**
 * Runs steps in parallel, each after those it waits for, the longest chains first. Names and groups come first, then
 * installs, then deletions; each phase starts when the one before is complete. If a step fails, only the steps that
 * wait for it are skipped.
 */
export async function runSchedule(schedule: Schedule): Promise<readonly StepSummary[]> {
  const accounts = new Map<StepId, StepSummary>();
  const heights = stepHeights(schedule.steps);
  const ranked = new Map(
    schedule.steps.map((step, order): [StepId, Ranked] => [
      step.id,
      { step, order, height: heights.get(step.id) as number },
    ]),
  );
  const rankOf = (step: Step) => ranked.get(step.id) as Ranked;
  let fatal = false;
  /** Hosts without the temporary name that this run meant to give them. */
  const unrenamed = new Set<HostId>();
  const end = (account: StepSummary) => {
    accounts.set(account.step.id, account);
    if (account.step.kind === 'temporary-rename' && !isDoneOutcome(account.outcome))
      unrenamed.add(account.step.hostId);
    schedule.onEnd(account);
  };

  const perform = async (step: Step): Promise<void> => {
    const blocker = step.after
      .map((id) => accounts.get(id))
      .find((before) => !isDoneOutcome(before?.outcome));
    if (blocker?.outcome === 'not-started') {
      return end(unstarted(step, 'not-started', blocker.problem ?? stopped));
    }
    if (blocker !== undefined) {
      const why = isLeftOut(blocker) ? blocker.problem : undefined;
      return end(unstarted(step, 'skipped', why ?? waitedInVain(step, blocker.step, unrenamed)));
    }
    if (schedule.stop.aborted || fatal) return end(unstarted(step, 'not-started', stopped));
    const refusal = schedule.admission.refusal(step);
    if (refusal !== undefined) return end(unstarted(step, 'not-started', refusal));
    const result = await schedule.run(step, rankOf(step).height);
    fatal ||= result.fatal === true;
    end(toSummary(step, result));
  };

  for (const kinds of phases(schedule.deleteFirst)) {
    const inPhase = schedule.steps.filter((step) => kinds.has(step.kind));
    const ready = createPriorityQueue<Ranked>(
      (a, b) => a.height > b.height || (a.height === b.height && a.order < b.order),
    );
    const behind = openUp(
      inPhase,
      (id) => accounts.has(id),
      (step) => ready.push(rankOf(step)),
    );
    await new Promise<void>((resolve, reject) => {
      let running = 0;
      const fill = () => {
        while (running < widest && ready.size > 0) {
          const { step } = ready.pop() as Ranked;
          running += 1;
          perform(step).then(() => {
            running -= 1;
            for (const next of behind(step.id)) ready.push(rankOf(next));
            fill();
          }, reject);
        }
        if (running === 0) resolve();
      };
      fill();
    });
  }
  return schedule.steps.map((step) => accounts.get(step.id) as StepSummary);
}

/** The kinds of step that each phase carries out. */
export function phases(deleteFirst: boolean): readonly ReadonlySet<StepKind>[] {
  const changes = new Set<StepKind>(['rename', 'temporary-rename', 'move', 'refresh']);
  const installs = new Set<StepKind>(['antivirus']);
  const deletions = new Set<StepKind>(['delete']);
  return deleteFirst ? [deletions, changes, installs] : [changes, installs, deletions];
}

function toSummary(step: Step, result: StepResult): StepSummary {
  const { outcome, failedHosts, problem: cause } = result;
  return { step, outcome, failedHosts, ...(cause === undefined ? {} : { problem: cause }) };
}

const stopped = problem('interrupted', 'the run stopped before this step');

function waitedInVain(step: Step, before: Step, unrenamed: ReadonlySet<HostId>): Problem {
  const hasTemporaryName =
    step.kind === 'rename' && readTemporaryName(step.from) !== undefined && !unrenamed.has(step.hostId);
  const left = hasTemporaryName ? `; the host still has its temporary name "${step.from}"` : '';
  return problem('step-skipped', `it depends on ${described(before)}, which was not done${left}`, {
    hint: 'fix that, then apply again',
  });
}

function described(step: Step): string {
  const named = isNameStep(step);
  return named
    ? `the rename of host ${step.hostId} to "${step.to}"`
    : `the ${step.kind} of ${step.hosts.length} hosts`;
}

function unstarted(
  step: Step,
  outcome: Extract<StepOutcome, 'skipped' | 'not-started'>,
  why: Problem,
): StepSummary {
  return { step, outcome, problem: why, failedHosts: [] };
}
