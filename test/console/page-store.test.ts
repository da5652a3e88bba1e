import { describe, expect, it } from 'vitest';
import { PageMemory } from '../../src/console/data/page-store.ts';

interface Row {
  readonly id: string;
  readonly text: string;
}

/** A server with a list that a test may change, and a record of its requests. */
function givenList(rows: Row[], limit = 10) {
  const asked: (string | null)[] = [];
  const store = new PageMemory<Row>({
    keyOf: ({ id }) => id,
    onChange: () => {},
    readPage: async (cursor) => {
      asked.push(cursor);
      const first = Number(cursor ?? 0);
      const items = rows.slice(first, first + limit);
      const next = first + limit < rows.length ? { next: String(first + limit) } : {};
      return { ok: true, value: { items, ...next }, etag: null };
    },
  });
  return { store, asked };
}

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), text: 'a' }));
/** Lets the responses arrive. */
const answers = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

describe('the pages of a long list', () => {
  it('are read when their rows come into view, and no earlier', async () => {
    const { store, asked } = givenList(rowsOf(35));
    store.restart();
    await answers();
    expect([store.length, store.hasMore, asked.length]).toEqual([10, true, 1]);
    store.need(0, 5);
    await answers();
    expect(asked.length).toBe(1);
    for (const last of [9, 19, 29, 34]) {
      store.need(last - 5, last);
      await answers();
    }
    expect([store.length, store.hasMore, store.total, asked]).toEqual([
      35,
      false,
      35,
      [null, '10', '20', '30'],
    ]);
  });

  it('are read once when rows come into view before the first page has arrived', async () => {
    const { store, asked } = givenList(rowsOf(15));
    store.need(0, 20);
    store.restart();
    store.need(0, 20);
    await answers();
    store.restart();
    store.need(0, 20);
    await answers();
    expect([store.length, asked]).toEqual([10, [null, null]]);
    store.need(0, 20);
    await answers();
    expect(store.rows.map(({ id }) => id)).toEqual(rowsOf(15).map(({ id }) => id));
  });

  it('are dropped when they are far from the view, and loaded again', async () => {
    const { store, asked } = givenList(rowsOf(400));
    store.restart();
    await answers();
    for (let last = 9; last < 399; last += 10) {
      store.need(last - 5, last);
      await answers();
    }
    expect(store.length).toBe(400);
    expect(store.rows.length).toBeLessThanOrEqual(140);
    expect(store.row(0)).toBeNull();
    const before = asked.length;
    store.need(0, 9);
    await answers();
    expect(store.row(3)?.id).toBe('3');
    expect(asked.length).toBe(before + 1);
  });

  it('keep their rows in place when the server has another order, and say so', async () => {
    const rows = rowsOf(5);
    const { store } = givenList(rows);
    store.restart();
    await answers();
    store.need(0, 4);
    const first = rows.shift() as Row;
    rows.push({ ...first, text: 'b' }, { id: 'new', text: 'a' });
    store.refresh();
    await answers();
    expect(store.rows.map(({ id, text }) => id + text)).toEqual(['0b', '1a', '2a', '3a', '4a']);
    expect(store.waiting).toEqual({ added: 1, removed: 0, moved: 1 });
    expect([...store.changed]).toEqual(['0']);
    store.restart();
    await answers();
    expect(store.rows.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '0', 'new']);
    expect(store.waiting).toEqual({ added: 0, removed: 0, moved: 0 });
  });

  it('keep what was read when a later read fails', async () => {
    let isBroken = false;
    const problem = { status: 503, title: 'Unavailable', code: 'unavailable' };
    const store = new PageMemory<Row>({
      keyOf: ({ id }) => id,
      onChange: () => {},
      readPage: async () =>
        isBroken ? { ok: false, problem } : { ok: true, value: { items: rowsOf(3) }, etag: null },
    });
    store.restart();
    await answers();
    store.need(0, 2);
    isBroken = true;
    store.refresh();
    await answers();
    expect([store.problem, store.rows.length]).toEqual([problem, 3]);
  });
});
