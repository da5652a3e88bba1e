import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageLimit } from '../../../src/control/store/page.ts';
import {
  allPages,
  type GivenStore,
  givenAccount,
  givenCheck,
  givenDrift,
  givenHosts,
  storeBackends,
} from '../../given/stores.ts';

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
        // A host that others rename meanwhile may be on two pages; one that stays as it is may not.
        const kept = seen
          .filter(({ account }) => account !== 'B')
          .map(({ account, hostId }) => `${account} ${hostId}`);
        expect(new Set(kept).size).toBe(kept.length);
        expect(new Set(kept)).toEqual(new Set(names.flatMap((_, index) => [`a ${index}`, `b ${index}`])));
      }),
      { numRuns: 6 },
    );
  }, 120_000);

  it('find part of a name, its beginning, or an id, whatever the case', async () => {
    await record('a', ['Berlin-KIOSK-01', 'ber_lin', 'b%r', 'Ärger-123', 'x\\y']);
    expect(await search({ text: 'kiosk' })).toEqual(['Berlin-KIOSK-01']);
    expect(await search({ text: 'BE' })).toEqual(['ber_lin', 'Berlin-KIOSK-01']);
    expect(await search({ text: 'io' })).toEqual([]);
    expect(await search({ text: 'r_lin' })).toEqual(['ber_lin']);
    expect(await search({ text: 'b%' })).toEqual(['b%r']);
    expect(await search({ text: 'x\\' })).toEqual(['x\\y']);
    expect(await search({ text: 'ärg' })).toEqual(['Ärger-123']);
    expect(await search({ text: '2' })).toEqual(['b%r']);
    expect(await search({ text: '123' })).toEqual(['Ärger-123']);
    expect(await search({ id: '4' })).toEqual(['x\\y']);
    expect(await search({ text: `${'a'.repeat(100_000)}` })).toEqual([]);
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
      isComplete: true,
    });
  });

  it('have at most 500 hosts', () => {
    expect([pageLimit(), pageLimit(0), pageLimit(2.7), pageLimit(10_000)]).toEqual([100, 1, 2, 500]);
  });

  it('refuse a cursor that is not theirs', async () => {
    for (const cursor of [
      '',
      'x',
      Buffer.from('["a"]').toString('base64url'),
      Buffer.from('["a\\u0000","b","c"]').toString('base64url'),
    ])
      expect(await given.store.hosts.list({ visible: 'all', cursor }), cursor).toMatchObject({
        ok: false,
        problems: [{ code: 'usage', hint: expect.any(String) }],
      });
  });

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
