import type { Clock } from '../../core/lib/clock.ts';
import { memo } from '../../core/lib/memo.ts';
import type { Environment } from '../../run/state/origin/environment.ts';
import type { Queue } from '../queue/queue.ts';
import { dueAccounts, type ScheduledAccount } from '../schedule/breaker.ts';
import { toService } from '../settings/account-service.ts';
import type { ServerSettings } from '../settings/server-settings.ts';
import type { Store } from '../store/open-store.ts';

/** What the scheduler needs. */
export interface TickParts {
  readonly settings: ServerSettings;
  readonly env: Environment;
  readonly store: Pick<Store, 'accounts' | 'notifications' | 'plans' | 'rehearsals'>;
  readonly queue: Pick<Queue, 'send'>;
  readonly clock: Clock;
}

/** The time between two ticks, in milliseconds. However many schedulers there are, one tick is worked in this time. */
export const tickMs = 5_000;
/** How often the desired state of a source is looked at, in milliseconds. */
const fetchMs = 60_000;
const dayMs = 86_400_000;
/** A stored time that differs less than this stays, in milliseconds. */
const sameMs = 1_000;

/** What one tick added. */
export interface Ticked {
  readonly checks: number;
  /** Services that are down: one account of each is tried at a time. */
  readonly down: ReadonlySet<string>;
}

/** Adds a check for each account that is due, with one statement, and the other work that is due. */
export async function tick({ settings, env, store, queue, clock }: TickParts): Promise<Ticked> {
  await store.plans.expire();
  await store.rehearsals.giveUp();
  const schedules = new Map((await store.accounts.schedules()).map((each) => [each.name, each]));
  const serviceAt = memo((baseUrl: string | undefined) =>
    toService(baseUrl === undefined ? {} : { baseUrl }, env),
  );
  const accounts = settings.accounts.flatMap((account): readonly ScheduledAccount[] => {
    const known = schedules.get(account.name);
    if (known === undefined) return [];
    return [
      {
        name: account.name,
        service: serviceAt(account.baseUrl),
        lastCheckAt: known.lastCheckAt?.getTime() ?? null,
        attempts: known.failure?.attempts ?? 0,
        failure: known.failure?.code ?? null,
        failingSince: known.failure === null ? null : Date.parse(known.failure.since),
      },
    ];
  });
  const { cadenceMs } = settings;
  const { due, nextAt, open } = dueAccounts(accounts, { now: clock.now(), cadenceMs });
  await queue.send(
    'check',
    due.map((key) => ({ key })),
  );
  const moved = [...nextAt].filter(([name, at]) => {
    const known = schedules.get(name)?.nextCheckAt?.getTime();
    return known === undefined || Math.abs(known - at) > sameMs;
  });
  if (moved.length > 0)
    await store.accounts.setNextCheck(new Map(moved.map(([name, at]) => [name, new Date(at)])));
  await queue.send(
    'fetch',
    settings.sources.map(({ name }) => ({ key: name })),
    { oncePerMs: fetchMs },
  );
  const channels = await store.notifications.due();
  await queue.send(
    'notify',
    channels.map((key) => ({ key })),
  );
  await queue.send('prune', [{ key: 'all' }], { oncePerMs: dayMs });
  return { checks: due.length, down: open };
}
