import { count } from '../../core/lib/words.ts';
import type { PendingState } from '../../core/model/install-request.ts';
import { isEmpty, type PendingInstall, type Plan } from '../../core/plan/types/plan.ts';

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
export function pendingWords(pending: readonly Pick<PendingInstall, 'state'>[]): readonly string[] {
  return pendingStates.flatMap((state) => {
    const number = pending.filter((each) => each.state === state).length;
    return number === 0 ? [] : [pendingCount(number, state)];
  });
}

export function pendingCount(number: number, state: PendingState): string {
  return `${count(number, 'install')} ${stateWords[state]}`;
}

export function isInDoubt(pending: readonly Pick<PendingInstall, 'state'>[]): boolean {
  return pending.some(({ state }) => state === 'in-doubt');
}

/** A statement about the fleet if the plan has nothing to send. */
export interface Standing {
  readonly tone: 'good' | 'warning';
  readonly text: string;
}

/** Undefined if there is something to do or something that blocks the plan. */
export function standingOf(plan: Plan): Standing | undefined {
  if (!isEmpty(plan) || !plan.applicable) return undefined;
  const { pendingInstalls } = plan;
  if (pendingInstalls.length === 0)
    return { tone: 'good', text: 'No changes: the fleet matches the desired state.' };
  return {
    tone: isInDoubt(pendingInstalls) ? 'warning' : 'good',
    text: `Nothing to send, but the fleet does not match the desired state yet: ${pendingWords(pendingInstalls).join(', ')}.`,
  };
}

/** `requested at 2026…, refreshed at 2026…`. */
export function requestWords({ requestedAt, refreshedAt }: PendingInstall): string {
  return refreshedAt === undefined
    ? `requested at ${requestedAt}`
    : `requested at ${requestedAt}, refreshed at ${refreshedAt}`;
}
