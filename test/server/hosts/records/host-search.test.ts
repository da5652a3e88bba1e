import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { matchOf, searchText, textConditions } from '../../../../src/server/hosts/records/host-search.ts';
import { scriptedDatabase } from '../../../given/scripted-database.ts';

const { db } = scriptedDatabase();

const facts = {
  serviceTag: 'SN-4711',
  'customFields.site': 'Hall\nNorth',
  'customFields.floor': 4711,
  model: 'X1',
  ram: 4711,
};
const host = { hostId: '81', name: 'Müller-PC8', group: 'Berlin', facts };

describe('a search of hosts', () => {
  it.each<[text: string, field: string | null]>([
    ['müller', 'name'],
    ['81', 'id'],
    ['8', 'name'],
    ['BERL', 'group'],
    ['sn-47', 'serviceTag'],
    ['hall north', 'customFields.site'],
    ['x1', null],
    ['4711x', null],
    ['', null],
    [`${'müller'.padEnd(200)}more`, null],
  ])('for "%s" finds the value of: %s', (text, field) => {
    expect(matchOf(host, text)?.field ?? null).toBe(field);
  });

  it('finds nothing in a group that the host does not have, and only the beginning of a long text counts', () => {
    expect(matchOf({ ...host, group: null }, 'berlin')).toBeNull();
    const long = 'x'.repeat(200);
    expect(matchOf({ ...host, name: long }, `${long}y`)).toMatchObject({ field: 'name' });
  });

  it('reads each value on a line of its own', () => {
    const lines = searchText(host).split('\n');
    expect([lines.length, lines.at(-1)?.toLowerCase()]).toEqual([5, 'hall north']);
  });

  it.each<[text: string, conditions: readonly string[]]>([
    ['', ['all']],
    ['a', ['name']],
    ['ab', ['name', 'elsewhere']],
    ['7', ['id', 'name']],
    ['-71', ['id', 'name', 'elsewhere']],
    ['7-1', ['name', 'elsewhere']],
  ])(
    'for "%s" looks at most for the id, then for names that begin so, then elsewhere',
    (text, conditions) => {
      const found = textConditions(text).map(({ where, each }) =>
        each !== undefined ? 'elsewhere' : where.length === 0 ? 'all' : 'narrow',
      );
      expect(found).toEqual(conditions.map((each) => (each === 'id' || each === 'name' ? 'narrow' : each)));
      // The host with this id is left out of the others.
      const parts = textConditions(text).map(({ where }) => where.length);
      if (conditions[0] === 'id') expect(parts.slice(0, 2)).toEqual([1, 2]);
    },
  );

  it.each([
    ['abc', 'trigrams'],
    ['-a-', 'trigrams'],
    ['ab', 'pairs'],
    ['---', 'pairs'],
  ])('for "%s" elsewhere asks the index of %s', (text, index) => {
    const condition = sql`${textConditions(text).at(-1)?.where.at(-1)}`.compile(db).sql;
    expect(condition).toContain({ trigrams: 'search_text like', pairs: 'pairs_of' }[index]);
  });
});
