import type { JobParts } from '../../queue/rules/job-parts.ts';
import { type Pause, pausesAt } from '../decisions/pauses.ts';
import { pausedHealth } from '../decisions/waiting-for.ts';
import type { AccountSchedule } from '../records/accounts.ts';
import { happenToEach } from './happen.ts';

interface PauseParts extends Pick<JobParts, 'store' | 'queue' | 'clock'> {
  readonly settings: Pick<JobParts['settings'], 'accounts' | 'labels' | 'cadenceMs' | 'notifications'>;
}

/**
 * Tells the accounts of pauses that began or ended since the last decision about them: that happens between two checks, and
 * mostly without anybody. If the process ends meanwhile, the next tick does the rest.
 */
export async function followPauses(parts: PauseParts, known?: readonly AccountSchedule[]): Promise<void> {
  const { settings, store, clock } = parts;
  const schedules = known ?? (await store.accounts.schedules());
  const now = schedules[0]?.readAt.getTime() ?? clock.now();
  const pauseOf = pausesAt(await store.pauses.list(), settings.labels, now);
  const isPaused = new Map(settings.accounts.map((each) => [each.name, pauseOf(each) !== undefined]));
  const shown = schedules.filter(
    ({ name, health }) => pausedHealth(health, false, isPaused.get(name) ?? false) !== health,
  );
  const held = await heldBack(parts, schedules, now);
  const changed = [
    ...shown.map(({ name }) => name).filter((name) => isPaused.has(name)),
    ...held.filter((name) => isPaused.get(name) === false),
  ];
  await happenToEach(
    new Map(changed.map((name) => [name, { kind: isPaused.get(name) === true ? 'paused' : 'resumed' }])),
    parts,
  );
}

/** The accounts whose run waits for the end of a pause, or whose plan got none before a pause that has ended. */
async function heldBack(
  { settings, store }: PauseParts,
  schedules: readonly AccountSchedule[],
  now: number,
): Promise<readonly string[]> {
  const waiting = await store.accounts.waiting('all');
  const queued = waiting.filter(({ runWaitsFor }) => runWaitsFor === 'pause').flatMap(({ names }) => names);
  const ready = new Set(
    waiting
      .filter(({ plan, runState }) => runState === null && plan?.state === 'approved')
      .flatMap(({ names }) => names),
  );
  if (ready.size === 0) return queued;
  const ended = await store.pauses.ended(new Date(now - 2 * settings.cadenceMs));
  const latestOf = pausesAt<Pause>(ended, settings.labels, Number.NEGATIVE_INFINITY);
  const checkedAt = new Map(schedules.map(({ name, lastCheckAt }) => [name, lastCheckAt?.getTime() ?? 0]));
  const isOver = (account: { readonly name: string; readonly labels: Readonly<Record<string, string>> }) =>
    (latestOf(account)?.until?.getTime() ?? 0) > (checkedAt.get(account.name) ?? 0);
  return [
    ...queued,
    ...settings.accounts.filter((each) => ready.has(each.name) && isOver(each)).map(({ name }) => name),
  ];
}
