import { memo } from '../../../core/lib/memo.ts';
import { dueAccounts, type ScheduledAccount } from '../../accounts/decisions/breaker.ts';
import { happenToEach, wakeAccounts } from '../../accounts/rules/happen.ts';
import { toService } from '../../settings/configured-account.ts';
import type { JobParts } from './job-parts.ts';

/** The time between two ticks, in milliseconds. However many schedulers there are, one tick is worked in this time. */
export const tickMs = 5_000;
/** How often the desired state of a source is looked at, in milliseconds. */
const fetchMs = 60_000;
const dayMs = 86_400_000;
/** A stored time that differs by less than this is kept, in milliseconds. */
const sameMs = 1_000;

/** What one tick added. */
export interface Ticked {
  readonly checks: number;
  /** Services that are down: one account of each is tried at a time. */
  readonly down: ReadonlySet<string>;
}

/**
 * Adds a check for each account that is due, with one statement, and the other work that is due. Decides about plans that
 * expired and differences that count again.
 */
export async function tick(
  parts: Pick<JobParts, 'settings' | 'env' | 'store' | 'queue' | 'clock'>,
): Promise<Ticked> {
  const { settings, env, store, queue, clock } = parts;
  const overdue = await store.plans.overdue();
  await happenToEach(new Map(overdue.map((name) => [name, { kind: 'clock' }])), parts);
  const ended = await store.ignores.ended();
  await happenToEach(new Map(ended.map((name) => [name, { kind: 'ignore-ended' }])), parts);
  await store.rehearsals.giveUp();
  const known = await store.accounts.schedules();
  const now = known[0]?.readAt.getTime() ?? clock.now();
  await wakeAccounts(parts, known);
  const schedules = new Map(known.map((each) => [each.name, each]));
  const serviceAt = memo((baseUrl: string | undefined) =>
    toService(baseUrl === undefined ? {} : { baseUrl }, env),
  );
  const accounts = settings.accounts.flatMap((account): readonly ScheduledAccount[] => {
    const schedule = schedules.get(account.name);
    if (schedule === undefined) return [];
    return [
      {
        name: account.name,
        service: serviceAt(account.baseUrl),
        lastCheckAt: schedule.lastCheckAt?.getTime() ?? null,
        attempts: schedule.failure?.attempts ?? 0,
        failure: schedule.failure?.code ?? null,
        failingSince: schedule.failure === null ? null : Date.parse(schedule.failure.since),
      },
    ];
  });
  const { cadenceMs } = settings;
  const { due, nextAt, open } = dueAccounts(accounts, { now, cadenceMs });
  await queue.send('check', due);
  const moved = [...nextAt].filter(([name, at]) => {
    const stored = schedules.get(name)?.nextCheckAt?.getTime();
    return stored === undefined || Math.abs(stored - at) > sameMs;
  });
  if (moved.length > 0)
    await store.accounts.setNextCheck(new Map(moved.map(([name, at]) => [name, new Date(at)])));
  await queue.send(
    'fetch',
    settings.sources.map(({ name }) => name),
    { oncePerMs: fetchMs },
  );
  await queue.send('notify', await store.notifications.due());
  await queue.send('prune', ['all'], { oncePerMs: dayMs });
  return { checks: due.length, down: open };
}
