import fc from 'fast-check';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountName, fillStore } from '../../../bench/server-store/fill-store.ts';
import type { StoreDatabase } from '../../../src/server/database/store-database.ts';
import type { HostQuery } from '../../../src/server/hosts/records/hosts.ts';
import { openStore } from '../../../src/server/store/open-store.ts';
import { allPages, givenAccount, givenCheck, givenDrift, givenHosts } from '../../given/store-records.ts';
import { type GivenStore, storeBackends } from '../../given/stores.ts';

describe.each(storeBackends)('pages of hosts of the store on %s', (backend, start) => {
  let given: GivenStore;
  beforeAll(async () => {
    given = await start();
  }, 120_000);
  afterAll(() => given.stop());
  beforeEach(async () => {
    await given.clear();
    await given.store.accounts.sync(['a', 'b', 'B'].map((name) => givenAccount(name)));
  });

  const search = async (filter: object) => {
    const page = await given.store.hosts.list({ visible: 'all', ...filter });
    return page.ok ? page.value.items.map(({ name }) => name) : [];
  };
  const record = (account: string, names: readonly string[]) =>
    given.store.accounts.recordCheck(
      givenCheck(
        account,
        names.map((name, index) => ({ hostId: `${index}`, name, group: null, state: null })),
      ),
    );

  it('have every host once, in one order, while others write', async () => {
    const stable = fc.uniqueArray(
      fc.constantFrom('a', 'A', 'b', 'ä', 'Z', '_', '10', '9', ' ', 'é', '\u{1f600}'),
      {
        minLength: 1,
      },
    );
    await fc.assert(
      fc.asyncProperty(stable, fc.integer({ min: 1, max: 4 }), async (names, limit) => {
        await record('a', names);
        await record('b', names);
        let round = 0;
        const seen = await allPages(async (cursor) => {
          round += 1;
          // Hosts of another account come and go between the pages.
          await given.other.accounts.recordCheck(givenCheck('B', givenHosts(round % 4, `n${round % 3}`)));
          return given.store.hosts.list({ visible: 'all', cursor, limit });
        });
        // A host that others rename meanwhile may be on two pages; an unchanged one may not.
        const kept = seen
          .filter(({ account }) => account !== 'B')
          .map(({ account, host_id: id }) => `${account} ${id}`);
        expect(new Set(kept).size).toBe(kept.length);
        expect(new Set(kept)).toEqual(new Set(names.flatMap((_, index) => [`a ${index}`, `b ${index}`])));
      }),
      { numRuns: 6 },
    );
  }, 120_000);

  it('find part of a name, its beginning, or an id, in any letter case', async () => {
    await record('a', ['Berlin-KIOSK-01', 'ber_lin', 'b%r', 'Ärger-123', 'x\\y']);
    expect(await search({ text: 'kiosk' })).toEqual(['Berlin-KIOSK-01']);
    expect(await search({ text: 'BE' })).toEqual(['ber_lin', 'Berlin-KIOSK-01']);
    expect(await search({ text: 'io' })).toEqual(['Berlin-KIOSK-01']);
    expect(await search({ text: 'k-0' })).toEqual(['Berlin-KIOSK-01']);
    expect(await search({ text: '-K' })).toEqual(['Berlin-KIOSK-01']);
    expect(await search({ text: 'o' })).toEqual([]);
    expect(await search({ text: 'r_lin' })).toEqual(['ber_lin']);
    expect(await search({ text: 'b%' })).toEqual(['b%r']);
    expect(await search({ text: 'x\\' })).toEqual(['x\\y']);
    expect(await search({ text: 'ärg' })).toEqual(['Ärger-123']);
    expect(await search({ text: '2' })).toEqual(['b%r']);
    expect(await search({ text: '123' })).toEqual(['Ärger-123']);
    expect(await search({ text: '4' })).toEqual(['x\\y']);
    expect(await search({ text: `${'a'.repeat(100_000)}` })).toEqual([]);
    await record('b', ['y'.repeat(200)]);
    expect(await search({ text: 'y'.repeat(201) })).toEqual(['y'.repeat(200)]);
  });

  it('find part of an id, a group, a custom field or a serial number, and say which', async () => {
    const facts = { antivirus: 'installed', serviceTag: 'ZQ7-XK', 'customFields.Asset tag': 'ST-\u00c4 9' };
    await given.store.accounts.recordCheck(
      givenCheck('a', [
        { hostId: '4711', name: 'pc-1', group: 'Berlin kiosks', state: null, facts },
        { hostId: '12', name: 'pc-2', group: null, state: null },
      ]),
    );
    const matches = async (text: string) => {
      const page = await given.store.hosts.list({ visible: 'all', text });
      return page.ok
        ? page.value.items.map(({ name, matched }) => [name, matched?.field, matched?.value])
        : page;
    };
    expect(await matches('71')).toEqual([['pc-1', 'id', '4711']]);
    expect(await matches('711')).toEqual([['pc-1', 'id', '4711']]);
    expect(await matches('N K')).toEqual([['pc-1', 'group', 'Berlin kiosks']]);
    expect(await matches('n ')).toEqual([['pc-1', 'group', 'Berlin kiosks']]);
    expect(await matches('zq')).toEqual([['pc-1', 'serviceTag', 'ZQ7-XK']]);
    expect(await matches('7-x')).toEqual([['pc-1', 'serviceTag', 'ZQ7-XK']]);
    expect(await matches('-\u00e4')).toEqual([['pc-1', 'customFields.Asset tag', 'ST-\u00c4 9']]);
    expect(await matches('\u00e4 ')).toEqual([['pc-1', 'customFields.Asset tag', 'ST-\u00c4 9']]);
    expect(await matches('installed')).toEqual([]);
    expect(await matches('1\n4')).toEqual([]);
    expect(await matches('pc')).toEqual([
      ['pc-1', 'name', 'pc-1'],
      ['pc-2', 'name', 'pc-2'],
    ]);
    expect(await matches('')).toEqual([
      ['pc-1', undefined, undefined],
      ['pc-2', undefined, undefined],
    ]);
    await given.store.accounts.recordCheck(
      givenCheck('a', [
        { hostId: '4711', name: 'pc-1', group: 'Paris', state: null, facts: { serviceTag: 'N3W' } },
      ]),
    );
    expect(await matches('zq')).toEqual([]);
    expect(await matches('berlin')).toEqual([]);
    expect(await matches('n3w')).toEqual([['pc-1', 'serviceTag', 'N3W']]);
  });

  it('begin with the id and the names that begin with the text, even over several pages', async () => {
    await record('a', ['x-srv-12', '12-srv', 'srv-12', 'a-120', '12', 'SRV-9']);
    const pages = (text: string) =>
      allPages((cursor) => given.store.hosts.list({ visible: 'all', text, cursor, limit: 1 }));
    expect((await pages('srv')).map(({ name }) => name)).toEqual(['srv-12', 'SRV-9', '12-srv', 'x-srv-12']);
    await record(
      'b',
      Array.from({ length: 121 }, (_, index) => (index === 120 ? '120-b' : `host ${index}`)),
    );
    expect((await pages('120')).map(({ name }) => name)).toEqual(['120-b', 'a-120']);
    expect((await pages('12')).map(({ name }) => name)).toEqual([
      'host 12',
      '12',
      '12-srv',
      '120-b',
      'a-120',
      'host 112',
      'srv-12',
      'x-srv-12',
    ]);
  });

  it('filter by group, state, drift and account, and count what is found', async () => {
    const { store } = given;
    await store.accounts.recordCheck(
      givenCheck('a', givenHosts(6), { drift: [givenDrift('1'), givenDrift('4')] }),
    );
    await store.accounts.recordCheck(givenCheck('b', givenHosts(2)));
    expect(await search({ group: 'Berlin', accounts: ['a'] })).toEqual(['host-1', 'host-3', 'host-5']);
    expect(await search({ state: 'offline' })).toEqual(['host-1', 'host-1', 'host-4']);
    expect(await search({ drifted: true })).toEqual(['host-1', 'host-4']);
    expect(await search({ drifted: false, accounts: ['b'] })).toEqual(['host-1', 'host-2']);
    expect(await store.hosts.facets({ visible: 'all', text: 'host-' })).toEqual({
      accounts: [
        { value: 'a', hosts: 6 },
        { value: 'b', hosts: 2 },
      ],
      groups: [
        { value: 'Berlin', hosts: 4 },
        { value: 'Paris', hosts: 4 },
      ],
      states: [
        { value: 'online', hosts: 5 },
        { value: 'offline', hosts: 3 },
      ],
      drifted: 2,
      total: 8,
      is_complete: true,
    });
  });

  it('read a small part of all hosts, whatever the search, and count those that differ among them', async () => {
    const accounts = 60;
    const few = Array.from({ length: accounts / 10 }, (_, index) => accountName(index * 10 + 1));
    const searches: Readonly<Record<string, Partial<HostQuery>>> = {
      'a character': { text: 'a' },
      'a digit': { text: '9' },
      'two characters of many names': { text: '-0' },
      'part of every fifth name': { text: '-kiosk-' },
      'part of few names': { text: 'srv-00012' },
      'part of no name': { text: 'zzzz' },
      'two characters of no name': { text: 'zz' },
      'two signs of no name': { text: '--' },
      'part of a group': { text: 'roup-3' },
      'part of a serial number': { text: 'sn1000' },
      'an id': { text: '12345' },
      'part of a name in few accounts': { text: 'kiosk', visible: few },
      'a digit in few accounts': { text: '9', accounts: few },
      'a group': { group: 'group-3' },
      'no group': { group: 'none' },
      'part of a name in a group': { group: 'group-3', text: 'kiosk' },
      'hosts that differ': { drifted: true },
      'hosts that differ in few accounts': { drifted: true, visible: few },
      'a common state': { state: 'offline' },
      'hosts after one in the middle': { cursor: Buffer.from('[0,"8","",""]').toString('base64url') },
    };
    await given.clear();
    await fillStore(given.database.db, accounts, 200);
    await given.store.vacuum();
    const watched = watchedStore(given.database);
    for (const [name, search] of Object.entries(searches)) {
      await watched.store.hosts.list({ visible: 'all', limit: 50, ...search });
      const { statements, hosts } = watched.takeCounts();
      expect(statements, name).toBeGreaterThan(0);
      expect(hosts, name).toBeLessThan((accounts * 200) / 5);
    }
    const { drifted, total, is_complete } = await given.store.hosts.facets({ visible: 'all' });
    expect({ total, is_complete }).toEqual({ total: 10_000, is_complete: false });
    const listed = await allPages((cursor) =>
      given.store.hosts.list({ visible: 'all', drifted: true, cursor, limit: 500 }),
    );
    expect(drifted).toBe(listed.length);
    expect(drifted).toBeGreaterThan(0);
  }, 120_000);

  it.runIf(backend === 'PostgreSQL')('end with a failure if the database takes too long', async () => {
    const locked = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const blocking = given.other.transaction(async ({ db }) => {
      await sql`lock table rampart_server.host in access exclusive mode`.execute(db);
      locked.resolve();
      await finish.promise;
    });
    await locked.promise;
    await expect(given.store.hosts.list({ visible: 'all' })).rejects.toMatchObject({ code: '57014' });
    finish.resolve();
    await blocking;
    expect(await given.store.hosts.list({ visible: 'all' })).toMatchObject({ ok: true });
  });
});

/** A store that counts the hosts which the database reads for its lists, with the plans of their statements. */
function watchedStore(database: StoreDatabase) {
  let counts = { statements: 0, hosts: 0 };
  const explaining = new WeakSet<object>();
  const watching: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const text = node.kind === 'RawNode' ? node.sqlFragments.join() : '';
      // The sample of hosts is read as it is, because its result decides what is read then.
      if (
        node.kind !== 'RawNode' ||
        !text.includes('join rampart_server.host') ||
        text.includes('tablesample')
      )
        return node;
      explaining.add(queryId);
      const [first = '', ...rest] = node.sqlFragments;
      return { ...node, sqlFragments: [`explain (analyze, format json) ${first}`, ...rest] };
    },
    async transformResult({ result, queryId }) {
      if (!explaining.has(queryId)) return result;
      const [row] = result.rows as unknown as readonly Explained[];
      if (row === undefined) throw new Error('the database explains nothing');
      const { Plan: plan } = row['QUERY PLAN'][0];
      counts = { statements: counts.statements + 1, hosts: counts.hosts + hostsReadBy(plan) };
      const host = { key: '', account: '', host_id: '', name: '', group: null, facts: {} };
      return { ...result, rows: Array.from({ length: plan['Actual Rows'] }, () => host) };
    },
  };
  return {
    store: openStore({ ...database, db: database.db.withPlugin(watching) }),
    takeCounts() {
      const taken = counts;
      counts = { statements: 0, hosts: 0 };
      return taken;
    },
  };
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

function hostsReadBy(node: PlanNode): number {
  const isOfHosts = node['Relation Name'] === 'host' || node['Index Name']?.startsWith('host_') === true;
  const rows =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const own = isOfHosts ? rows * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, each) => sum + hostsReadBy(each), own);
}
