import { describe, expect, it } from 'vitest';
import { mapPage, pageLimit, readCursor, timeKey, toListPage } from '../../../src/server/database/page.ts';

const at = '2026-11-23T08:00:00.000Z';
const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');

describe('a page of a list', () => {
  it('has at most 500 rows, at least one, and 100 if nobody says how many', () => {
    expect([undefined, 0, -7, 1, 2.9, 500, 501].map((limit) => pageLimit(limit))).toEqual([
      100, 1, 1, 1, 2, 500, 500,
    ]);
  });

  it('leads to the next one by its last row, unless it is the last page', () => {
    const keyOf = (id: string): [string, string] => [at, id];
    const first = toListPage(['a', 'b', 'c'], 2, keyOf);
    expect(first).toMatchObject({ ok: true, value: { items: ['a', 'b'] } });
    expect(readCursor(first.ok ? first.value.next : '', timeKey)).toMatchObject({
      ok: true,
      value: [at, 'b'],
    });
    for (const rows of [['a', 'b'], ['a'], []])
      expect(toListPage(rows, 2, keyOf)).toMatchObject({ ok: true, value: { items: rows } });
    expect(toListPage(['a', 'b'], 2, keyOf)).not.toHaveProperty('value.next');
    expect(mapPage(first, (id) => id.toUpperCase())).toMatchObject({ value: { items: ['A', 'B'] } });
    const refused = readCursor('x', timeKey);
    expect(mapPage(refused as typeof first, (id) => id)).toBe(refused);
  });

  it.each<[what: string, cursor: string]>([
    ['is no JSON', 'nothing'],
    ['is of a list with another key', cursorOf(['a', 1])],
    ['has a time that is none', cursorOf(['yesterday', 'a'])],
    ['has a time in the year 0', cursorOf(['0000-01-01T00:00:00Z', 'a'])],
    ['has a character that no text of the database has', cursorOf([at, 'a\0'])],
  ])('is refused if its cursor %s', (_, cursor) => {
    expect(readCursor(cursor, timeKey)).toMatchObject({ ok: false, problems: [{ code: 'usage' }] });
    expect(readCursor(undefined, timeKey)).toMatchObject({ ok: true, value: undefined });
  });
});
