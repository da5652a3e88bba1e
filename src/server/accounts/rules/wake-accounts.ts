import type { JobParts } from '../../queue/rules/job-parts.ts';
import { pausesAt } from '../decisions/pauses.ts';
import { pausedHealth } from '../decisions/waiting-for.ts';
import type { AccountSchedule } from '../records/accounts.ts';
import { inRollouts } from './claim-accounts.ts';
import { happenToEach } from './happen.ts';

interface WakeParts extends Pick<JobParts, 'store' | 'queue' | 'clock'> {
  readonly settings: Pick<JobParts['settings'], 'accounts' | 'labels' | 'cadenceMs' | 'notifications'>;
}

/**
 * Shows the pauses that began or ended since the last decision about an account, and gives a run to each account that
 * waits for a pause or a rollout that has ended: that happens between two checks, and mostly without anybody. If the
 * process ends meanwhile, the next tick does the rest.
 */
export async function wakeAccounts(parts: WakeParts, known?: readonly AccountSchedule[]): Promise<void> {
  const { settings, store, clock } = parts;
  const schedules = known ?? (await store.accounts.schedules());
  const now = schedules[0]?.readAt.getTime() ?? clock.now();
  const pauseOf = pausesAt(await store.pauses.list(), settings.labels, now);
  const isPaused = new Map(settings.accounts.map((each) => [each.name, pauseOf(each) !== undefined]));
  const shown = schedules.filter(
    ({ name, health }) => pausedHealth(health, false, isPaused.get(name) ?? false) !== health,
  );
  const held = (await store.accounts.held()).filter((name) => isPaused.get(name) === false);
  const rolledOut = held.length === 0 ? new Set<string>() : await inRollouts(held, store);
  const changed = [
    ...shown.map(({ name }) => name).filter((name) => isPaused.has(name)),
    ...held.filter((name) => !rolledOut.has(name)),
  ];
  await happenToEach(
    new Map(changed.map((name) => [name, { kind: isPaused.get(name) === true ? 'paused' : 'resumed' }])),
    parts,
  );
}
