import { expect, it } from 'vitest';
import type { StoreDatabase } from '../../../src/server/database/store-database.ts';
import { unprovenOf } from '../../../src/server/runs/records/runs.ts';
import { openStore, type Store } from '../../../src/server/store/open-store.ts';
import { scriptedDatabase } from '../../given/scripted-database.ts';
import { givenCheck, givenHosts } from '../../given/store-records.ts';

/** A store whose statements all return these rows, and those that it sent. */
function given(rows: readonly object[] = []) {
  const { db, statements } = scriptedDatabase(() => rows);
  return { store: openStore({ db } as unknown as StoreDatabase), statements };
}

type Page = { readonly visible: 'all'; readonly cursor?: string; readonly limit: number };
type List = (store: Store, page: Page) => Promise<{ readonly ok: boolean; readonly value?: unknown }>;

const time = '2026-11-23T08:00:00.000Z';
const yearZero = '0000-01-01T00:00:00Z';
const at = new Date(time);
const attribute = { account: 'a', host_id: '7', attribute: 'name' };
const pause = { at, id: 'x' };
const cause = { kind: 'file', accounts: 2, hosts: 3, id: 'x', file: null, origin: null };
const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');

const lists: readonly (readonly [name: string, list: List, row: object, key: readonly unknown[]])[] = [
  ['causes', ({ causes }, page) => causes.list(page), cause, [1, 2, 3, 'x']],
  ['deliveries', ({ notifications }, page) => notifications.list(page), { id: '12' }, ['12']],
  ['differences', ({ hosts }, page) => hosts.drift(page), attribute, ['a', '7', 'name']],
  ['ignored differences', ({ ignores }, page) => ignores.list(page), attribute, ['a', '7', 'name']],
  ['pauses', ({ pauses }, page) => pauses.page(page, () => true), pause, [time, 'x']],
  ['runs', ({ runs }, page) => runs.list(page), { queuedAt: at, id: 'x' }, [time, 'x']],
  ['tokens', ({ tokens }, page) => tokens.list(page), { created_at: at, id: 'x' }, [time, 'x']],
  [
    'what happened',
    (store, page) => store.timeline({ ...page, account: 'a' }),
    { at, key: 'x' },
    [time, 'x'],
  ],
];

it.each(lists)('the list of %s continues after the last row of its page', async (_name, list, row, key) => {
  const { store, statements } = given([row, row, row]);
  const page = await list(store, { visible: 'all', limit: 2 });
  expect(page).toMatchObject({ ok: true, value: { items: [{}, {}], next: cursorOf(key) } });
  expect(await list(store, { visible: 'all', limit: 2, cursor: cursorOf(key) })).toMatchObject({ ok: true });
  // Each page asks for one row more, except the one that reads all rows.
  const limits = statements.map(({ parameters }) => parameters.at(-1) ?? 3);
  expect(limits).toEqual([3, 3]);
});

it.each<[name: string, list: List, keys: readonly unknown[]]>([
  ['accounts', ({ accounts }, page) => accounts.list(page), ['a']],
  [
    'hosts',
    ({ hosts }, page) => hosts.list(page),
    [
      [3, 'a', 'b', 'c'],
      [-1, 'a', 'b', 'c'],
      [0, 'a\0', 'b', 'c'],
      ['a', 0, 'b', 'c'],
    ],
  ],
  ['plans', ({ plans }, page) => plans.list(page), [[yearZero, 'x']]],
  ...lists.map(([name, list]): [string, List, readonly unknown[]] => [
    name,
    list,
    [
      [yearZero, 'x'],
      [1, 2 ** 31, 0, 'x'],
      [0, -1, 1, 'x'],
    ],
  ]),
])('the list of %s refuses the cursor of another list, and reads nothing', async (_name, list, keys) => {
  for (const cursor of ['', 'x', cursorOf(['a']), cursorOf(['a\0', 'b', 'c']), ...keys.map(cursorOf)]) {
    const { store, statements } = given();
    const refused = await list(store, { visible: 'all', limit: 2, cursor });
    expect(refused, cursor).toMatchObject({
      ok: false,
      problems: [{ code: 'usage', hint: expect.any(String) }],
    });
    expect(statements).toEqual([]);
  }
});

it('pauses that began at the same time follow each other by their ids', async () => {
  const rows = ['b', 'c', 'a'].map((id) => ({ id, at: id === 'a' ? new Date(at.getTime() + 1) : at }));
  const { store } = given(rows);
  const after = async (id: string) =>
    store.pauses.page({ limit: 9, cursor: cursorOf([time, id]) }, () => true);
  expect(await after('b')).toMatchObject({ value: { items: [{ id: 'c' }, { id: 'a' }] } });
  expect(await after('c')).toMatchObject({ value: { items: [{ id: 'a' }] } });
});

it('pruning keeps responses for a day, and events for a week at most', async () => {
  const { store, statements } = given();
  const day = 24 * 3_600;
  const agesOf = (table: string) =>
    statements
      .splice(0)
      .flatMap(({ sql, parameters }) => (sql.includes(`"${table}" where`) ? [parameters[0]] : []));
  await store.prune(30 * day * 1_000);
  expect([agesOf('event'), await store.prune(3 * day * 1_000), agesOf('event')]).toMatchObject([
    [7 * day],
    {},
    [3 * day],
  ]);
  await store.prune(30 * day * 1_000);
  expect(agesOf('idempotency')).toEqual([day]);
});

it('the history looks at the checks of two days before it', async () => {
  const { store, statements } = given();
  await store.history.read({ visible: 'all', from: at, buckets: 1, bucketSeconds: 60 });
  const start = at.getTime() / 1_000;
  expect(statements[1]?.parameters.slice(0, 2)).toEqual([start - 2 * 24 * 3_600, start + 3_600]);
});

it('a check of an account that is not configured writes nothing', async () => {
  const { store } = given();
  const written = await store.accounts.recordCheck(givenCheck('none', givenHosts(1)));
  expect(written).toEqual({ hosts: 0, drift: 0, causes: 0, changed: false });
});

it('a worker of another version may write what a run left unproven', () => {
  expect(unprovenOf({ progress: { unverified: 2, other: 1 } })).toEqual({ unverified: 2 });
  expect(unprovenOf({ progress: { installs_in_doubt: 1 } })).toEqual({ installs_in_doubt: 1 });
  expect(unprovenOf({ progress: { unverified: 'many' } })).toEqual({});
});

it('a new configuration announces each account that it changed', async () => {
  const rows = ['added', 'removed', 'changed', 'added'].map((change, index) => ({
    name: `a${index}`,
    change,
  }));
  const { store, statements } = given(rows);
  const synced = await store.accounts.sync([]);
  expect(synced).toEqual({ added: ['a0', 'a3'], removed: ['a1'], changed: ['a2'] });
  const events = JSON.parse(String(statements[1]?.parameters.find((each) => String(each).startsWith('['))));
  expect(events).toEqual(rows.map(({ name }) => ({ type: 'account.changed', account: name })));
});

it('a change of nothing needs no statement', async () => {
  const { store, statements } = given();
  await store.notifications.enqueue([]);
  await store.runs.log('r', []);
  await store.events.append();
  expect(await store.hosts.named('a', [])).toEqual([]);
  expect(statements).toEqual([]);
});

it('a plan that nobody may see has no document', async () => {
  expect(await given().store.plans.document('p', 'all')).toBe(undefined);
});

it('a rehearsal that nobody ended fails because it timed out', async () => {
  const { store, statements } = given();
  await store.rehearsals.giveUp();
  expect(JSON.parse(String(statements[0]?.parameters[0]))).toMatchObject({ failure: { code: 'timed-out' } });
});
