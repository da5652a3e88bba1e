import type { RunDetail } from '../../../api/runs.ts';
import { printable } from '../../../core/lib/printable.ts';
import { count } from '../../../core/lib/words.ts';
import type { WriteAction } from '../../../core/model/write-action.ts';
import { actionOf, type Step, type StepId } from '../../../core/plan/types/step.ts';
import { stepTitle } from '../../../output/review/step-title.ts';
import { phases } from '../../../run/apply/schedule.ts';
import type { PaceState } from '../../../service/client/pacer.ts';

/** One step that waits, or several that wait for the same. */
export type StepWait = Readonly<RunDetail['waiting'][number]>;

/** The steps of a run that have not been sent, and why. */
export interface StepWaits {
  started(step: string): void;
  ended(step: string): void;
  /** Steps that wait for the pace, then those that wait for a step, then those of later phases. */
  list(paceOf: (action: WriteAction) => PaceState | undefined): readonly StepWait[];
}

/** How many steps that wait for another one are listed, in the order of the plan. The others are counted. */
const mostListed = 20;

export function createStepWaits(steps: readonly Step[], deleteFirst: boolean): StepWaits {
  const indexes = new Map<string, number>(steps.map(({ id }, index) => [id, index]));
  const stepOf = (id: string): Step | undefined => steps[indexes.get(id) ?? -1];
  const behind = new Map<StepId, number[]>();
  /** How many steps each one still waits for. */
  const blockers = new Uint32Array(steps.length);
  const isBegun = new Uint8Array(steps.length);
  const isEnded = new Uint8Array(steps.length);
  for (const [index, step] of steps.entries()) {
    blockers[index] = step.after.length;
    for (const id of step.after) {
      const known = behind.get(id);
      if (known === undefined) behind.set(id, [index]);
      else known.push(index);
    }
  }
  const hasEnded = (id: StepId) => isEnded[indexes.get(id) ?? -1] === 1;

  /** The phase in progress is the first one with a step that has not ended. */
  function sort() {
    const left = phases(deleteFirst).map((kinds) => ({ kinds, steps: 0 }));
    const phaseOf = (step: Step) => left.find(({ kinds }) => kinds.has(step.kind));
    for (const [index, step] of steps.entries()) {
      const phase = isEnded[index] === 1 ? undefined : phaseOf(step);
      if (phase !== undefined) phase.steps += 1;
    }
    const now = left.find((phase) => phase.steps > 0);
    const [ready, later] = [new Map<WriteAction, number>(), new Map<WriteAction, number>()];
    const blocked: Step[] = [];
    let alsoBlocked = 0;
    for (const [index, step] of steps.entries()) {
      if (isBegun[index] === 1) continue;
      const action = actionOf(step.kind);
      if (now?.kinds.has(step.kind) !== true) later.set(action, (later.get(action) ?? 0) + 1);
      else if (blockers[index] === 0) ready.set(action, (ready.get(action) ?? 0) + 1);
      else if (blocked.length < mostListed) blocked.push(step);
      else alsoBlocked += 1;
    }
    return { now, ready, later, blocked, alsoBlocked };
  }

  return {
    started(step) {
      const index = indexes.get(step);
      if (index !== undefined) isBegun[index] = 1;
    },
    ended(id) {
      const index = indexes.get(id);
      if (index === undefined || isEnded[index] === 1) return;
      isBegun[index] = 1;
      isEnded[index] = 1;
      for (const each of behind.get(id as StepId) ?? []) blockers[each] = (blockers[each] ?? 1) - 1;
    },
    list(paceOf) {
      const { now, ready, later, blocked, alsoBlocked } = sort();
      const paced = Object.keys(nouns).flatMap((key): readonly StepWait[] => {
        const action = key as WriteAction;
        const pace = paceOf(action);
        const waiting = (ready.get(action) ?? 0) + (pace?.waiting ?? 0);
        if (waiting === 0) return [];
        return [{ step: '', title: nouns[action](waiting), ...turnOf(pace), steps: waiting }];
      });
      const named = blocked.map((step): StepWait => {
        const blocker = stepOf(step.after.find((id) => !hasEnded(id)) ?? '');
        const reason = blocker === undefined ? 'another step' : reasonOf(step, blocker);
        const on = blocker === undefined ? {} : { on: blocker.id };
        return { step: step.id, title: stepTitle(step), for: reason, why: 'step', ...on, steps: 1 };
      });
      const unnamed: readonly StepWait[] =
        alsoBlocked === 0
          ? []
          : [
              {
                step: '',
                title: count(alsoBlocked, 'more step'),
                for: 'other steps',
                why: 'step',
                steps: alsoBlocked,
              },
            ];
      const postponed = [...later].map(
        ([action, number]): StepWait => ({
          step: '',
          title: nouns[action](number),
          for: `the ${count(now?.steps ?? 0, 'step')} before ${number === 1 ? 'it' : 'them'}`,
          why: 'phase',
          steps: number,
        }),
      );
      return [...paced, ...named, ...unnamed, ...postponed];
    },
  };
}

const nouns: Readonly<Record<WriteAction, (number: number) => string>> = {
  rename: (number) => count(number, 'rename'),
  move: (number) => count(number, 'move'),
  refresh: (number) => count(number, 'status refresh', 'status refreshes'),
  antivirus: (number) => count(number, 'anti-virus install'),
  delete: (number) => count(number, 'deletion'),
};

/** Why the calls of an action that may be sent are not sent yet. */
function turnOf(pace: PaceState | undefined): Pick<StepWait, 'for' | 'why' | 'until'> {
  if (pace === undefined) return { for: 'their turn', why: 'pace' };
  const { bound, limit, allowed } = pace;
  if (bound.kind === 'refusal') {
    const until = new Date(bound.until).toISOString();
    return { for: 'the service, which would refuse a call before then', why: 'back-off', until };
  }
  if (bound.kind === 'answers') return { for: 'answers of the service to the calls in flight', why: 'pace' };
  return {
    for:
      limit === null
        ? `their turn: ${perSecond(allowed)} now, and more while the service refuses none`
        : `their turn: the service allows about ${perSecond(limit)}`,
    why: 'pace',
  };
}

function perSecond(rate: number): string {
  return `${Number(rate.toPrecision(3))} calls/s`;
}

/** Only renames wait for another step: the one that frees the name, or gives the host its temporary name. */
function reasonOf(step: Step, blocker: Step): string {
  if (step.kind !== 'rename') return `step ${blocker.id}`;
  if (blocker.kind === 'delete')
    return `the name ${printable(step.to)}, which the deletions of step ${blocker.id} free`;
  const isOwn = 'hostId' in blocker && blocker.hostId === step.hostId;
  return isOwn
    ? `its temporary name, which step ${blocker.id} gives it`
    : `the name ${printable(step.to)}, which step ${blocker.id} frees`;
}
