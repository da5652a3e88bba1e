import { describe, expect, it } from 'vitest';
import { hostsOn } from '../../../../src/server/hosts/records/hosts.ts';
import { scriptedDatabase } from '../../../given/scripted-database.ts';

/** What a statement reads. */
function kindOf(text: string): string {
  if (text.includes('tablesample')) return 'sample';
  if (text.includes('matching as materialized')) return 'index';
  return text.includes('host.search_text from') ? 'walk' : 'names';
}

describe('the statements of a search of hosts', () => {
  it.each([
    ['walk along the names for a common text', 'kiosk', 'names 0, sample yes, walk 3', 'walk walk'],
    ['walk only for the rest of the page', 'kiosk', 'names 1, sample yes, walk 2', 'names walk'],
    ['read the index if the walk ends early', 'kiosk', 'names 0, sample yes, walk 2, index 3', 'index index'],
    ['read the index for a rare text', 'kiosk', 'names 0, sample no, index 3', 'index index'],
    ['read the index if the sample is empty', 'kiosk', 'names 0, sample null, index 3', 'index index'],
    ['end if names that begin with the text fill the page', 'kiosk', 'names 3', 'names names'],
    ['are a single one without a text', '', 'names 3', 'names names'],
  ])('%s', async (_what, text, script, items) => {
    const answers = script.split(', ').map((each) => each.split(' '));
    const { db, statements } = scriptedDatabase(() => {
      const [kind = '', answer = ''] = answers[statements.length - 1] ?? [];
      if (kind === 'sample') return [{ isCommon: { yes: true, no: false }[answer] ?? null }];
      return Array(Number(answer)).fill({ host_id: '', name: kind, group: null, facts: {} });
    });
    const page = await hostsOn(db, (work) => work(db)).list({ visible: 'all', limit: 2, text });
    expect(statements.map(({ sql }) => kindOf(sql))).toEqual(answers.map(([kind]) => kind));
    expect(page.ok && page.value.items.map(({ name }) => name).join(' ')).toBe(items);
    // Hundredths of the blocks: 30 of them.
    expect(statements[1]?.parameters.at(-1) ?? 3_000).toBe(3_000);
  });

  it.each([
    [9_999, true],
    [10_000, false],
  ])('that count %d hosts are complete: %s', async (total, isComplete) => {
    const { db, statements } = scriptedDatabase(() => [{ total }]);
    const { facets } = hostsOn(db, (work) => work(db));
    expect(await facets({ visible: 'all', drifted: false })).toEqual({ total, is_complete: isComplete });
    await facets({ visible: 'all', drifted: true });
    // Among hosts that do not differ, none differ.
    expect(statements.map(({ sql }) => sql.includes('as differing'))).toEqual([false, true]);
  });
});
