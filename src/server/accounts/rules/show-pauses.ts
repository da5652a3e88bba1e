import type { Clock } from '../../../core/lib/clock.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import { pausesAt } from '../decisions/pauses.ts';
import { pausedHealth } from '../decisions/waiting-for.ts';
import type { AccountSchedule } from '../records/accounts.ts';

interface PauseParts {
  readonly settings: Pick<ServerSettings, 'accounts' | 'labels'>;
  readonly store: Pick<Store, 'accounts' | 'pauses'>;
  readonly clock: Clock;
}

/**
 * Makes the health `paused` of accounts without differences follow the pauses that hold now: they begin and end between
 * two checks.
 */
export async function showPauses(
  { settings, store, clock }: PauseParts,
  known: readonly AccountSchedule[],
): Promise<void> {
  const pauseOf = pausesAt(await store.pauses.list(), settings.labels, clock.now());
  const paused = new Set(
    settings.accounts.filter((each) => pauseOf(each) !== undefined).map(({ name }) => name),
  );
  const names = (isShown: boolean) =>
    known
      .filter(
        ({ name, health }) => paused.has(name) === isShown && pausedHealth(health, false, isShown) !== health,
      )
      .map(({ name }) => name);
  await store.accounts.showPaused(names(true), true);
  await store.accounts.showPaused(names(false), false);
}
