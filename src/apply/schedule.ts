import type { StepOutcome } from '../model/run-event.ts';
import type { Step, StepId, StepKind } from '../plan/plan.ts';
import { problem } from '../problem/problem.ts';
import type { StepAccount } from './run-account.ts';
import type { StepResult } from './step-result.ts';

export interface Schedule {
  readonly steps: readonly Step[];
  readonly deleteFirst: boolean;
  /** No step starts after this. */
  readonly stop: AbortSignal;
  /** Carries out one step; never rejects. */
  readonly run: (step: Step) => Promise<StepResult>;
  /** Told of every step as it ends, also of those that never start. */
  readonly onEnd: (account: StepAccount) => void;
}

/** Steps under way at once; the pace of calls is the client's affair. */
const widest = 256;

/**
 * Runs steps side by side, each after those it waits for. Names and groups come first, then installs, then
 * deletions, each when the one before is through. A step that fails takes down only what waits for it.
 */
export async function runSchedule(schedule: Schedule): Promise<readonly StepAccount[]> {
  const accounts = new Map<StepId, StepAccount>();
  let fatal = false;
  const end = (account: StepAccount) => {
    accounts.set(account.step.id, account);
    schedule.onEnd(account);
  };

  for (const kinds of phases(schedule.deleteFirst)) {
    const ready: Step[] = [];
    const open = new Map<StepId, number>();
    const waiting = new Map<StepId, Step[]>();
    const inPhase = schedule.steps.filter((step) => kinds.includes(step.kind));
    for (const step of inPhase) {
      const before = step.after.filter((id) => !accounts.has(id));
      open.set(step.id, before.length);
      for (const id of before) waiting.set(id, [...(waiting.get(id) ?? []), step]);
      if (before.length === 0) ready.push(step);
    }
    await drain(ready, async (step) => {
      if (schedule.stop.aborted || fatal) end(unstarted(step, 'not-started'));
      else if (step.after.some((id) => !isDone(accounts.get(id)))) end(unstarted(step, 'skipped'));
      else {
        const result = await schedule.run(step);
        fatal ||= result.fatal === true;
        end(toAccount(step, result));
      }
      return (waiting.get(step.id) ?? []).filter((next) => {
        const left = (open.get(next.id) ?? 0) - 1;
        open.set(next.id, left);
        return left === 0;
      });
    });
  }
  return schedule.steps.map((step) => accounts.get(step.id) as StepAccount);
}

function phases(deleteFirst: boolean): readonly (readonly StepKind[])[] {
  const changes: readonly StepKind[] = ['rename', 'park', 'move'];
  return deleteFirst ? [['delete'], changes, ['antivirus']] : [changes, ['antivirus'], ['delete']];
}

function isDone(account: StepAccount | undefined): boolean {
  return account?.outcome === 'done' || account?.outcome === 'already';
}

/** Works on a list that grows, so many at once, until nothing is left. */
async function drain<T>(items: T[], work: (item: T) => Promise<readonly T[]>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const item = items[next++] as T;
      const follow = await work(item);
      items.push(...follow);
      for (let spare = Math.min(follow.length - 1, widest - workers.size); spare > 0; spare -= 1) start();
    }
  };
  const workers = new Set<Promise<void>>();
  const start = () => {
    const running: Promise<void> = worker().finally(() => workers.delete(running));
    workers.add(running);
  };
  for (let count = Math.min(widest, items.length); count > 0; count -= 1) start();
  while (workers.size > 0) await Promise.race(workers);
}

function toAccount(step: Step, result: StepResult): StepAccount {
  const { outcome, failedHosts, problem: cause } = result;
  return { step, outcome, failedHosts, ...(cause === undefined ? {} : { problem: cause }) };
}

function unstarted(step: Step, outcome: Extract<StepOutcome, 'skipped' | 'not-started'>): StepAccount {
  const why =
    outcome === 'skipped'
      ? problem('step-skipped', `a step that it waits for (${step.after.join(', ')}) was not done`)
      : problem('interrupted', 'the run stopped before it');
  return { step, outcome, problem: why, failedHosts: [] };
}
