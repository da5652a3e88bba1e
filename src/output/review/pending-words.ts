import { count, grouped } from '../../core/lib/words.ts';
import type { PendingState } from '../../core/model/install-request.ts';
import { isEmpty, type PendingCounts, type PendingInstall, type Plan } from '../../core/plan/types/plan.ts';

/** In display order: states that need attention come first. */
export const pendingStates = ['in-doubt', 'in-progress'] as const satisfies readonly PendingState[];

const stateWords: Readonly<Record<PendingState, string>> = {
  'in-doubt': 'in doubt',
  'in-progress': 'in progress',
};

export const pendingMeaning: Readonly<Record<PendingState, string>> = {
  'in-doubt': 'may have been requested, never acknowledged',
  'in-progress': 'accepted by the service, not shown by a read yet',
};

/** `1 install in doubt`, `2 installs in progress`; states without installs are left out. */
export function pendingWords(pending: PendingCounts): readonly string[] {
  return pendingStates.flatMap((state) => {
    const number = state === 'in-doubt' ? pending.installsInDoubt : pending.installsInProgress;
    return number === 0 ? [] : [pendingCount(number, state)];
  });
}

export function pendingCount(number: number, state: PendingState): string {
  return `${count(number, 'install')} ${stateWords[state]}`;
}

/** A statement about fleets if their plans have nothing to send. */
export interface Standing {
  readonly tone: 'good' | 'warning';
  readonly text: string;
}

/** Undefined if there is something to do or something that blocks the plan. */
export function standingOf(plan: Plan): Standing | undefined {
  return !isEmpty(plan) || !plan.applicable ? undefined : standingOfFleets(1, plan.summary);
}

/** The statement about this many fleets. */
export function standingOfFleets(fleets: number, pending: PendingCounts): Standing {
  const words = pendingWords(pending);
  if (words.length === 0) {
    const all =
      fleets === 1
        ? 'the fleet matches the desired state'
        : `all ${grouped(fleets)} fleets match their desired state`;
    return { tone: 'good', text: `No changes: ${all}.` };
  }
  const some =
    fleets === 1
      ? 'the fleet does not match the desired state yet'
      : 'not all fleets match their desired state yet';
  return {
    tone: pending.installsInDoubt > 0 ? 'warning' : 'good',
    text: `Nothing to send, but ${some}: ${words.join(', ')}.`,
  };
}

/** `requested at 2026…, refreshed at 2026…`. */
export function requestWords({ requestedAt, refreshedAt }: PendingInstall): string {
  return refreshedAt === undefined
    ? `requested at ${requestedAt}`
    : `requested at ${requestedAt}, refreshed at ${refreshedAt}`;
}
