import type { PauseRecord } from '../../../src/server/accounts/records/pauses.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { rowsOf } from './table.ts';
import type { Tables } from './tables.ts';

export function holdsAt({ until }: PauseRecord, now: number): boolean {
  return until === null || until.getTime() > now;
}

export function pausesIn(
  { pauses }: Tables,
  now: () => number,
  newId: () => string,
): Pick<Store['pauses'], 'list' | 'add' | 'end'> {
  return {
    list: async () => rowsOf(pauses).filter((each) => holdsAt(each, now())),
    async add(given) {
      const pause = { ...given, id: newId(), at: new Date(now()) };
      pauses.set(pause.id, pause);
      return pause;
    },
    async end(id) {
      const pause = pauses.get(id);
      if (pause === undefined || !holdsAt(pause, now())) return undefined;
      const ended = { ...pause, until: new Date(now()) };
      pauses.set(id, ended);
      return ended;
    },
  };
}
