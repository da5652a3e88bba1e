import type { SourceRecord } from '../../../src/server/sources/records/sources.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { rowsOf } from './table.ts';
import type { Tables } from './tables.ts';

export function sourcesIn(
  { sources }: Tables,
  now: () => number,
): Pick<Store['sources'], 'list' | 'fetched' | 'failed'> {
  return {
    list: async (): Promise<readonly SourceRecord[]> =>
      rowsOf(sources).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    async fetched(name, commit) {
      const before = sources.get(name);
      sources.set(name, { name, commit, fetchedAt: new Date(now()), problem: null });
      return (before?.commit ?? null) !== commit;
    },
    async failed(name, problem) {
      const { commit = null, fetchedAt = null, problem: before = null } = sources.get(name) ?? {};
      const since = before?.since ?? new Date(now()).toISOString();
      sources.set(name, { name, commit, fetchedAt, problem: { ...problem, since } });
    },
  };
}
