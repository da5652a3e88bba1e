import { describe, expect, it } from 'vitest';
import { hostsOn } from '../../../../src/server/hosts/records/hosts.ts';
import { scriptedDatabase } from '../../../given/scripted-database.ts';

/** What a statement reads. */
function kindOf(text: string): string {
  if (text.includes('tablesample')) return 'sample';
  if (text.includes('matching as materialized')) return 'index';
  return text.includes('host.search_text from') ? 'walk' : 'names';
}

const rowsOf = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    host_id: '',
    name: `${kind} ${index}`,
    group: null,
    facts: {},
  }));

describe('the statements of a search of hosts', () => {
  it.each<[what: string, text: string, rows: Readonly<Record<string, number>>, kinds: string, page: string]>([
    [
      'walk along the names if many hosts contain the text',
      'kiosk',
      { walk: 3 },
      'names sample walk',
      'walk 0, walk 1',
    ],
    [
      'walk only for the rest of the page',
      'kiosk',
      { names: 1, walk: 2 },
      'names sample walk',
      'names 0, walk 0',
    ],
    [
      'read the index if the walk ends early',
      'kiosk',
      { walk: 2, index: 3 },
      'names sample walk index',
      'index 0, index 1',
    ],
    [
      'read the index if few hosts contain the text',
      'rare',
      { index: 3 },
      'names sample index',
      'index 0, index 1',
    ],
    ['read the index if the sample is empty', 'none', { index: 3 }, 'names sample index', 'index 0, index 1'],
    [
      'end when names that begin with the text fill the page',
      'kiosk',
      { names: 3 },
      'names',
      'names 0, names 1',
    ],
    ['are a single one without a text', '', { names: 3 }, 'names', 'names 0, names 1'],
  ])('%s', async (_what, text, rows, kinds, items) => {
    const { db, statements } = scriptedDatabase(({ sql: statement }) => {
      const kind = kindOf(statement);
      if (kind === 'sample') return [{ isCommon: { kiosk: true, rare: false }[text] ?? null }];
      return rowsOf(kind, rows[kind] ?? 0);
    });
    const page = await hostsOn(db, (work) => work(db)).list({ visible: 'all', limit: 2, text });
    expect(statements.map(({ sql: statement }) => kindOf(statement)).join(' ')).toBe(kinds);
    expect(page.ok && page.value.items.map(({ name }) => name).join(', ')).toBe(items);
    // Hundredths of the blocks: 30 of them.
    expect(statements[1]?.parameters.slice(-1) ?? [3_000]).toEqual([3_000]);
  });

  it('count at most 10,000 hosts, and none that differ among those that do not', async () => {
    for (const [total, isComplete] of [
      [9_999, true],
      [10_000, false],
    ] as const) {
      const { db, statements } = scriptedDatabase(() => [{ total }]);
      const { facets } = hostsOn(db, (work) => work(db));
      expect(await facets({ visible: 'all', drifted: false })).toEqual({ total, isComplete });
      await facets({ visible: 'all', drifted: true });
      expect(statements.map(({ sql: text }) => text.includes('as differing'))).toEqual([false, true]);
    }
  });
});
