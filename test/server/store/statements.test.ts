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
const at = new Date(time);
const attribute = { account: 'a', host_id: '7', attribute: 'name' };
const cause = { kind: 'file', accounts: 2, hosts: 3, id: 'x', file: null, origin: null };
const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');

const lists: readonly (readonly [name: string, list: List, row: object, key: readonly unknown[]])[] = [
  ['causes', ({ causes }, page) => causes.list(page), cause, [1, 2, 3, 'x']],
  ['deliveries', ({ notifications }, page) => notifications.list(page), { id: '12' }, ['12']],
  ['differences', ({ hosts }, page) => hosts.drift(page), attribute, ['a', '7', 'name']],
  ['pauses', ({ pauses }, page) => pauses.page(page, () => true), { at, id: 'x' }, [time, 'x']],
  ['runs', ({ runs }, page) => runs.list(page), { queuedAt: at, id: 'x' }, [time, 'x']],
  ['tokens', ({ tokens }, page) => tokens.list(page), { created_at: at, id: 'x' }, [time, 'x']],
  ['events', (store, page) => store.timeline({ ...page, account: 'a' }), { at, key: 'x' }, [time, 'x']],
];

it.each(lists)('the list of %s continues after the last row of its page', async (_name, list, row, key) => {
  const { store, statements } = given([row, row, row]);
  const page = { visible: 'all', limit: 2 } as const;
  expect(await list(store, page)).toMatchObject({ value: { items: [{}, {}], next: cursorOf(key) } });
  expect(await list(store, { ...page, cursor: cursorOf(key) })).toMatchObject({ ok: true });
  // Each page asks for one row more, except the one that reads all rows.
  expect(statements.map(({ parameters }) => parameters.at(-1) ?? 3)).toEqual([3, 3]);
});

it.each<readonly [name: string, list: List]>([
  ...lists.map(([name, list]) => [name, list] as const),
  ['accounts', ({ accounts }, page) => accounts.list(page)],
  ['hosts', ({ hosts }, page) => hosts.list(page)],
  ['plans', ({ plans }, page) => plans.list(page)],
])('the list of %s refuses the cursor of another list, and reads nothing', async (_name, list) => {
  const { store, statements } = given();
  const ofTime = ['["0000-01-01T00:00:00Z","x"]', `["x","${time}"]`];
  const ofCauses = ['[1,2147483648,0,"x"]', '[-1,1,1,"x"]', '["x",1,1,1]'];
  const ofHosts = ['[3,"a","b","c"]', '[0,"a\\u0000","b","c"]'];
  for (const key of ['', 'x', '["a"]', '["a\\u0000","b","c"]', ...ofTime, ...ofCauses, ...ofHosts]) {
    const problem = { code: 'usage', hint: expect.any(String) as string };
    const cursor = Buffer.from(key).toString('base64url');
    const page = await list(store, { visible: 'all', limit: 2, cursor });
    expect(page, key).toMatchObject({ ok: false, problems: [problem] });
  }
  expect(statements).toEqual([]);
});

it('pauses that began at the same time follow each other by their ids', async () => {
  const later = new Date(Number(at) + 1);
  const { store } = given(['b', 'c', 'a'].map((id) => ({ id, at: id === 'a' ? later : at })));
  const page = await store.pauses.page({ cursor: cursorOf([time, 'b']) }, () => true);
  expect(page).toMatchObject({ value: { items: [{ id: 'c' }, { id: 'a' }] } });
});

it('pruning keeps responses for a day, and events for a week at most', async () => {
  const day = 24 * 3_600;
  const ages = async (days: number) => {
    const { store, statements } = given();
    await store.prune(days * day * 1_000);
    const ageIn = (table: string) =>
      statements.find(({ sql }) => sql.includes(`"${table}" where`))?.parameters[0];
    return [ageIn('event'), ageIn('idempotency')];
  };
  expect(await ages(30)).toEqual([7 * day, day]);
  expect(await ages(3)).toEqual([3 * day, day]);
});

it('the history reads the checks of two days before it', async () => {
  const { store, statements } = given();
  await store.history.read({ visible: 'all', from: at, buckets: 1, bucketSeconds: 60 });
  const start = Number(at) / 1_000;
  expect(statements[1]?.parameters.slice(0, 2)).toEqual([start - 2 * 24 * 3_600, start + 3_600]);
});

it('what does not exist is neither written nor read', async () => {
  const { store } = given();
  const written = await store.accounts.recordCheck(givenCheck('none', givenHosts(1)));
  expect(written).toEqual({ hosts: 0, drift: 0, causes: 0, changed: false });
  expect(await store.plans.document('none', 'all')).toBe(undefined);
});

it('what a run left unproven counts only if this version can read it', () => {
  expect(unprovenOf({ progress: { unverified: 2, other: 1 } })).toEqual({ unverified: 2 });
  expect(unprovenOf({ progress: { installs_in_doubt: 1 } })).toEqual({ installs_in_doubt: 1 });
  expect(unprovenOf({ progress: { unverified: 'many' } })).toEqual({});
});

it('a new configuration announces each account that it changed', async () => {
  const rows = ['added', 'removed', 'changed'].map((name) => ({ name }));
  const { store, statements } = given(rows);
  await store.accounts.sync([]);
  const events = statements[1]?.parameters.find((each) => String(each).startsWith('['));
  expect(JSON.parse(String(events))).toMatchObject(rows.map(({ name }) => ({ account: name })));
});

it('a change of nothing needs no statement', async () => {
  const { store, statements } = given();
  await store.notifications.enqueue([]);
  await store.runs.log('r', []);
  await store.events.append();
  expect(await store.hosts.named('a', [])).toEqual([]);
  expect(statements).toEqual([]);
});

it('a rehearsal that nobody ended fails because it timed out', async () => {
  const { store, statements } = given();
  await store.rehearsals.giveUp();
  expect(JSON.parse(String(statements[0]?.parameters[0]))).toMatchObject({ failure: { code: 'timed-out' } });
});
