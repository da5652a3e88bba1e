import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckedHost, CheckRecord } from '../../../src/server/accounts/records/check-record.ts';
import { configureAccounts } from '../../../src/server/accounts/rules/configure-accounts.ts';
import type { StoreDatabase } from '../../../src/server/database/store-database.ts';
import { openStore } from '../../../src/server/store/open-store.ts';
import {
  ada,
  allPages,
  givenAccount,
  givenCause,
  givenCheck,
  givenDrift,
  givenHosts,
  givenNewPlan,
} from '../../given/store-records.ts';
import { type GivenStore, storeBackends } from '../../given/stores.ts';

const names = (page: {
  readonly ok: boolean;
  readonly value?: { readonly items: readonly { name: string }[] };
}) => page.value?.items.map(({ name }) => name);

const undone = {
  kind: 'undo',
  run: 'r',
  at: '',
  commit: null,
  runs: 0,
  isInDoubt: false,
  reason: '',
} as const;

describe.each(storeBackends)('checks that the store on %s records', (_, start) => {
  let given: GivenStore;
  beforeAll(async () => {
    given = await start();
  }, 120_000);
  afterAll(() => given.stop());
  beforeEach(async () => {
    await given.clear();
    await given.store.accounts.sync(['a', 'b', 'c'].map((name) => givenAccount(name)));
  });

  const record = (...given_: Parameters<typeof givenCheck>) =>
    given.store.accounts.recordCheck(givenCheck(...given_));
  const hostsOf = async (account: string) =>
    allPages((cursor) => given.store.hosts.list({ visible: [account], cursor, limit: 3 }));

  /** Every place that counts the hosts of an account that differ has the same number. */
  const expectOneNumber = async (account: string) => {
    const { store } = given;
    const visible = [account];
    const listed = await allPages((cursor) => store.hosts.list({ visible, drifted: true, cursor, limit: 3 }));
    const found = await store.accounts.find(account, 'all');
    const stated = found?.drifted ?? 0;
    const lastHours = { from: new Date(Date.now() - 3_600_000), buckets: 2, bucketSeconds: 3_600 };
    const { drifted: curve } = (await store.history.read({ visible, ...lastHours })).series;
    expect({
      history: curve[1] ?? curve[0],
      overview: (await store.overview(visible)).drifted,
      facets: (await store.hosts.facets({ visible })).drifted,
      listed: listed.length,
    }).toEqual({ history: stated, overview: stated, facets: stated, listed: stated });
  };

  it.each(['fleet', 'file', 'both'] as const)(
    'count a host that differs once and everywhere, if the %s changed and nobody ignores it',
    async (changed) => {
      const drift = [
        givenDrift('1', { changed }),
        givenDrift('1', { changed, attribute: 'group' }),
        givenDrift('2', { changed, ignored: true }),
        givenDrift('3', { changed }),
        givenDrift('3', { changed, attribute: 'group', ignored: true }),
      ];
      await record('a', givenHosts(5), { drift });
      await expectOneNumber('a');
      expect(await given.store.overview('all')).toMatchObject({ drifted: 2 });
    },
  );

  it('write only the rows that differ', async () => {
    const hosts = givenHosts(5);
    const drift = [givenDrift('1'), givenDrift('2')];
    expect(await record('a', hosts, { drift })).toEqual({
      hosts: 5,
      drift: 2,
      causes: 1,
      changed: true,
      healthChange: { from: null, to: 'drifted', failure: null },
    });
    expect(await record('a', hosts, { drift })).toEqual({ hosts: 0, drift: 0, causes: 0, changed: false });
    const renamed = hosts.with(3, { ...(hosts[3] as CheckedHost), name: 'other' }).slice(1);
    expect(await record('a', renamed, { drift })).toMatchObject({
      hosts: 2,
      drift: 0,
      causes: 0,
      changed: true,
    });
    const other = [givenDrift('2', { live: 'third' }), givenDrift('3')];
    expect(await record('a', renamed, { drift: other })).toMatchObject({ hosts: 0, drift: 3, causes: 0 });
    expect(await record('a', renamed)).toMatchObject({ hosts: 0, drift: 2, causes: 1, changed: true });
    expect(await hostsOf('a')).toHaveLength(4);
  });

  it('are each written if two checks of one account arrive at once, as after a process was frozen', async () => {
    const known = givenCheck('a', givenHosts(2));
    await given.store.accounts.recordCheck(known);
    const drifted = givenCheck('a', givenHosts(2), { drift: [givenDrift('1')] });
    const both = await Promise.all([known, drifted].map(given.store.accounts.recordCheck));
    expect(both.map(({ changed }) => changed)).toEqual([false, true]);
    expect(await given.store.accounts.find('a', 'all')).toMatchObject({ drifted: 1 });
  });

  it('write nothing over a check that began later, whether it found something new or not', async () => {
    const beganAt = async () => (await given.store.accounts.find('a', 'all'))?.readAt as Date;
    const known = givenCheck('a', givenHosts(2));
    await given.store.accounts.recordCheck({ ...known, beganAt: await beganAt() });
    const frozen = await beganAt();
    const drift = [givenDrift('1')];
    const later = givenCheck('a', givenHosts(2), { drift, beganAt: await beganAt() });
    expect(await given.store.accounts.recordCheck(later)).toMatchObject({ changed: true });
    const written = await given.store.accounts.find('a', 'all');
    for (const old of [known, { ...later, changes: 9 }, { ...known, failure: { code: 'x', message: 'x' } }])
      expect(await given.store.accounts.recordCheck({ ...old, beganAt: frozen })).toMatchObject({
        drift: 0,
        changed: false,
      });
    expect(await given.store.accounts.recordCheck({ ...later, beganAt: frozen })).toMatchObject({
      changed: false,
    });
    expect(await given.store.accounts.find('a', 'all')).toEqual({ ...written, readAt: expect.any(Date) });
    expect(await given.run('select checks from rampart_server.history')).toEqual([{ checks: 2 }]);
    // A clock that was set back keeps no account from its checks.
    await given.run(
      `update rampart_server.account set check_began_at = clock_timestamp() + interval '1 hour'`,
    );
    const next = { ...known, beganAt: await beganAt() };
    expect(await given.store.accounts.recordCheck(next)).toMatchObject({ drift: 1, changed: true });
  });

  it('are counted once, even if the response of the database to several of them is lost', async () => {
    const checks = ['a', 'b'].map((name) => givenCheck(name, givenHosts(2)));
    for (const check of checks) await given.store.accounts.recordCheck(check);
    let lost = 0;
    const store = storeThatLoses(given.database, () => {
      lost += 1;
      return lost === 1;
    });
    const began = await Promise.all(
      ['a', 'b'].map(async (name) => (await given.store.accounts.find(name, 'all'))?.readAt as Date),
    );
    await Promise.all(
      checks.map((check, at) => store.accounts.recordCheck({ ...check, beganAt: began[at] as Date })),
    );
    expect(lost).toBeGreaterThan(1);
    expect(await given.run('select account, checks from rampart_server.history order by account')).toEqual(
      ['a', 'b'].map((account) => ({ account, checks: 2 })),
    );
  });

  it('are one statement if nothing is new, and a change if anything is', async () => {
    const check = givenCheck('a', givenHosts(2), { drift: [givenDrift('1')] });
    await given.store.accounts.recordCheck(check);
    const { store: watched, statements } = countingStore(given.database);
    const before = await given.store.accounts.find('a', 'all');
    const nextCheckAt = new Date(4_000_000_000_000);
    const written = await watched.accounts.recordCheck({ ...check, nextCheckAt, detail: { new: true } });
    expect([written.changed, statements()]).toEqual([false, 1]);
    const after = await given.store.accounts.find('a', 'all');
    expect(after).toEqual({
      ...before,
      lastCheckAt: expect.any(Date),
      readAt: expect.any(Date),
      nextCheckAt,
    });
    expect(await given.store.accounts.detail('a', 'all')).toEqual({ new: true });
    expect(await given.run('select checks, drifted from rampart_server.history')).toEqual([
      { checks: 2, drifted: 1 },
    ]);
    // One to confirm it, and those that lock the account, change it and append the event.
    await watched.accounts.recordCheck({ ...check, health: 'waiting' });
    expect(statements()).toBe(5);
    await watched.accounts.recordCheck(check);
    const news: readonly Partial<CheckRecord>[] = [
      { health: 'waiting' },
      { changes: 7 },
      { irreversible: 1 },
      { commit: 'beef' },
      { commit: null },
      { failure: { code: 'network', message: 'down' } },
    ];
    for (const each of news) {
      expect(await watched.accounts.recordCheck({ ...check, ...each }), JSON.stringify(each)).toMatchObject({
        changed: true,
      });
      expect(await given.store.accounts.recordCheck(check), JSON.stringify(each)).toMatchObject({
        changed: true,
      });
    }
  });

  it('are one statement for all accounts without news, and touch no account that has some', async () => {
    const checks = ['a', 'b', 'c'].map((name) => givenCheck(name, givenHosts(2)));
    for (const check of checks) await given.store.accounts.recordCheck(check);
    const { store: watched, statements } = countingStore(given.database);
    const same = await Promise.all(checks.map((check) => watched.accounts.recordCheck(check)));
    expect([same.map(({ changed }) => changed), statements()]).toEqual([[false, false, false], 1]);
    expect(
      await Promise.all(
        ['c', 'none', 'a'].map(async (name) => (await watched.accounts.find(name, 'all'))?.name),
      ),
    ).toEqual(['c', undefined, 'a']);
    expect(statements()).toBe(2);
    const news = [checks[0], { ...checks[1], changes: 7 }, { ...checks[2], commit: 'a\0b' }] as CheckRecord[];
    const written = await Promise.all(news.map((check) => watched.accounts.recordCheck(check)));
    expect(written.map(({ changed }) => changed)).toEqual([false, true, true]);
    expect(await given.run('select changes, commit from rampart_server.account order by name')).toEqual([
      { changes: 0, commit: 'c0ffee' },
      { changes: 7, commit: 'c0ffee' },
      { changes: 0, commit: 'a\ufffdb' },
    ]);
    expect(await given.run('select account, checks from rampart_server.history order by account')).toEqual(
      ['a', 'b', 'c'].map((account) => ({ account, checks: 3 })),
    );
  });

  it('distinguish a host without a name from a host whose name is empty', async () => {
    const [first, second] = givenHosts(2);
    const names = [
      { ...(first as CheckedHost), name: null },
      { ...(second as CheckedHost), name: '' },
    ];
    await record('a', names, { drift: [givenDrift('1', { name: null }), givenDrift('2', { name: '' })] });
    expect((await hostsOf('a')).map(({ name }) => name)).toEqual([null, '']);
    const drift = await given.store.hosts.drift({ visible: 'all' });
    expect(drift.ok && drift.value.items.map(({ name }) => name)).toEqual([null, '']);
    const found = await given.store.hosts.list({ visible: 'all', text: '1' });
    expect(found.ok && found.value.items).toMatchObject([
      { host_id: '1', name: null, matched: { field: 'id', value: '1' } },
    ]);
  });

  it('keep the time since when a host differs, and mark it', async () => {
    await record('a', givenHosts(2), { drift: [givenDrift('1')] });
    const first = await given.store.hosts.drift({ visible: 'all' });
    await record('a', givenHosts(2), { drift: [givenDrift('1', { live: 'again' }), givenDrift('2')] });
    const second = await given.store.hosts.drift({ visible: 'all' });
    expect(second.ok && second.value.items[0]).toMatchObject({
      live: 'again',
      since: first.ok && first.value.items[0]?.since,
    });
    expect((await hostsOf('a')).map(({ drifted }) => drifted)).toEqual([true, true]);
    await record('a', givenHosts(2), { drift: [givenDrift('2')] });
    expect((await hostsOf('a')).map(({ drifted }) => drifted)).toEqual([false, true]);
  });

  it('that fail keep the last result, and count the attempts', async () => {
    await record('a', givenHosts(3), { drift: [givenDrift('1')] });
    const seenAt = async () => (await given.store.hosts.find('a', '1', 'all'))?.seen_at;
    const seen = await seenAt();
    const down = { id: 'down', kind: 'failure', title: 'The service is down' } as const;
    const failing = {
      ...givenCheck('a', []),
      fleet: undefined,
      health: 'failing',
      causes: [down],
      failure: { code: 'network', message: 'no answer' },
    } as const;
    const { fleet: _fleet, ...failed } = failing;
    expect(await given.store.accounts.recordCheck(failed)).toMatchObject({ causes: 1, changed: true });
    expect(await given.store.accounts.recordCheck(failed)).toMatchObject({ changed: false });
    expect(await seenAt()).toEqual(seen);
    const after = await given.store.accounts.find('a', 'all');
    expect(after).toMatchObject({
      health: 'failing',
      hosts: 3,
      drifted: 1,
      failure: { code: 'network', message: 'no answer', attempts: 2 },
    });
    const causes = await given.store.causes.list({ visible: 'all' });
    expect(causes.ok && causes.value.items.map(({ id, hosts }) => [id, hosts])).toEqual([
      ['down', 0],
      [givenCause.id, 1],
    ]);
    await record('a', givenHosts(3));
    expect(await given.store.accounts.find('a', 'all')).toMatchObject({ health: 'converged', failure: null });
    const none = await given.store.causes.list({ visible: 'all' });
    expect(none.ok && none.value.items).toEqual([]);
  });

  it('record who caused a difference of the file when it was first seen, and whether others did too', async () => {
    const cause = { ...givenCause, kind: 'file' } as const;
    const by = (name: string | null, id = 'c0ffee') => ({ kind: 'commit', id, name }) as const;
    const check = (account: string, origin: ReturnType<typeof by>) =>
      given.store.accounts.recordCheck({
        ...givenCheck(account, givenHosts(1), { drift: [givenDrift('1')] }),
        causes: [cause],
        origin,
      });
    const shown = async () => {
      const causes = await given.store.causes.list({ visible: 'all' });
      return causes.ok ? causes.value.items[0]?.by : causes;
    };
    await given.clear();
    await given.store.accounts.sync(['a', 'b'].map((name) => givenAccount(name)));
    await check('a', by('Ada <script>'));
    await check('b', by('Ada <script>'));
    expect(await shown()).toEqual({ ...by('Ada <script>'), others: false });
    await check('b', by('Grace', 'later'));
    expect(await shown()).toEqual({ ...by('Ada <script>'), others: false });
    await record('b', givenHosts(1));
    await check('b', by(null, 'later'));
    expect(await shown()).toMatchObject({ kind: 'commit', others: true });
  });

  it("keep hosts that the list has in a form that can't be read", async () => {
    const hosts = givenHosts(4);
    await record('a', hosts);
    const left = async (unreadable: readonly string[] | 'any') => {
      const check = givenCheck('a', hosts.slice(0, 2));
      if (check.fleet === undefined) throw new Error('no fleet');
      const fleet = { ...check.fleet, digest: JSON.stringify(unreadable), unreadable };
      await given.store.accounts.recordCheck({ ...check, fleet });
      return new Set((await hostsOf('a')).map((host) => host.host_id));
    };
    const ids = hosts.map(({ hostId }) => hostId);
    expect(await left('any')).toEqual(new Set(ids));
    expect(await left(ids.slice(2, 3))).toEqual(new Set(ids.slice(0, 3)));
    expect(await left([])).toEqual(new Set(ids.slice(0, 2)));
  });

  it('of an account that is not configured anymore write nothing', async () => {
    await given.store.accounts.sync([givenAccount('b')]);
    expect(await record('a', givenHosts(1))).toEqual({ hosts: 0, drift: 0, causes: 0, changed: false });
    expect(await hostsOf('a')).toEqual([]);
  });

  it("with names that the database can't store replace their characters", async () => {
    const hosts = givenHosts(1).map((host) => ({ ...host, name: 'a\0b\ud800 \\u0000' }));
    await record('a', hosts);
    expect(await hostsOf('a')).toMatchObject([{ name: 'a\ufffdb\ufffd \\u0000' }]);
    expect(await given.store.hosts.list({ visible: 'all', text: 'a\0b' })).toMatchObject({ ok: true });
    expect(await given.store.accounts.find('a\0', 'all')).toBeUndefined();
  });

  it('store a host once if the list has it twice', async () => {
    const [host] = givenHosts(1);
    await record('a', [host as CheckedHost, { ...(host as CheckedHost), name: 'later' }]);
    expect(await hostsOf('a')).toMatchObject([{ name: 'later' }]);
  });

  it('two checks of one account leave the hosts of one of them', async () => {
    const rounds = Array.from({ length: 4 }, (_, round) => givenHosts(20, `round${round}`));
    await Promise.all(
      rounds.map((hosts, round) =>
        (round % 2 === 0 ? given.store : given.other).accounts.recordCheck(givenCheck('a', hosts)),
      ),
    );
    const left = await hostsOf('a');
    expect(new Set(left.map(({ name }) => name?.split('-')[0])).size).toBe(1);
    expect(left).toHaveLength(20);
  });

  it('any sequence of checks leaves exactly the hosts and the drift of the last one', async () => {
    const host = fc.record({
      hostId: fc.constantFrom('1', '2', '3', '4'),
      name: fc.constantFrom('x', 'Y', 'ä%_'),
      group: fc.option(fc.constantFrom('g1', 'g2')),
      state: fc.option(fc.constantFrom('online')),
    });
    const check = fc.record({
      hosts: fc.uniqueArray(host, { selector: ({ hostId }) => hostId }),
      drift: fc.uniqueArray(
        fc.record({ hostId: fc.constantFrom('1', '2', '5'), live: fc.constantFrom('p', 'q') }),
        {
          selector: ({ hostId }) => hostId,
        },
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(check, { minLength: 1, maxLength: 4 }), async (checks) => {
        for (const { hosts, drift } of checks)
          await record('b', hosts, { drift: drift.map(({ hostId, live }) => givenDrift(hostId, { live })) });
        const last = checks.at(-1);
        const seen = await hostsOf('b');
        const wanted = last?.hosts.map(({ hostId, name, group, state }) => ({ hostId, name, group, state }));
        expect(
          seen
            .map(({ host_id: hostId, name, group, state }) => ({ hostId, name, group, state }))
            .toSorted((a, b) => Number(a.hostId) - Number(b.hostId)),
        ).toEqual(wanted?.toSorted((a, b) => Number(a.hostId) - Number(b.hostId)));
        const rows = await allPages((cursor) =>
          given.store.hosts.drift({ visible: ['b'], cursor, limit: 2 }),
        );
        expect(new Set(rows.map(({ host_id: hostId, live }) => `${hostId} ${live}`))).toEqual(
          new Set(last?.drift.map(({ hostId, live }) => `${hostId} ${live}`)),
        );
        const drifted = new Set<string>(last?.drift.map(({ hostId }) => hostId));
        for (const each of seen) expect(each.drifted).toBe(drifted.has(each.host_id));
        // The drift of a check is of hosts that it read.
        const read = new Set<string>(seen.map((host) => host.host_id));
        if ([...drifted].every((hostId) => read.has(hostId))) await expectOneNumber('b');
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it('accounts are listed worst first, and found by text, label, name and health', async () => {
    await record('c', givenHosts(1), { drift: [givenDrift('1')] });
    await record('b', givenHosts(1));
    await given.store.accounts.sync([
      givenAccount('a'),
      givenAccount('b', { labels: { region: 'us' } }),
      givenAccount('c'),
      givenAccount('d%'),
    ]);
    const listed = await allPages((cursor) =>
      given.store.accounts.list({ visible: 'all', limit: 1, cursor }),
    );
    expect(listed.map(({ name }) => name)).toEqual(['c', 'b', 'a', 'd%']);
    const { accounts } = given.store;
    expect(names(await accounts.list({ visible: 'all', text: '%' }))).toEqual(['d%']);
    expect(names(await accounts.list({ visible: 'all', text: 'B' }))).toEqual(['b']);
    expect(names(await accounts.list({ visible: 'all', names: ['a', 'c'] }))).toEqual(['c', 'a']);
    expect(names(await accounts.list({ visible: 'all', health: ['converged', 'failing'] }))).toEqual(['b']);
  });

  it('a configuration adds, removes and changes accounts, and another tenant inherits nothing', async () => {
    await record('a', givenHosts(2), { drift: [givenDrift('1')] });
    await record('b', givenHosts(2), { drift: [givenDrift('1')] });
    const { accounts } = given.store;
    const announced = async (...configured: Parameters<typeof accounts.sync>) => {
      const from = await given.store.events.latest();
      await accounts.sync(...configured);
      return (await given.store.events.after(from, 'all')).map(({ type, account }) => [type, account]);
    };
    expect(
      await announced([
        givenAccount('a', { companyId: '43' }),
        givenAccount('c', { labels: { tier: 'gold' } }),
        givenAccount('e'),
      ]),
    ).toEqual(['a', 'b', 'c', 'e'].map((name) => ['account.changed', name]));
    expect(await accounts.find('a', 'all')).toMatchObject({ health: null, hosts: null, companyId: '43' });
    expect(await accounts.find('b', 'all')).toBeUndefined();
    expect(await accounts.find('c', 'all')).toMatchObject({ labels: { tier: 'gold' } });
    expect([...(await hostsOf('a')), ...(await hostsOf('b'))]).toEqual([]);
    const causes = await given.store.causes.list({ visible: 'all' });
    expect(causes.ok && causes.value.items).toEqual([]);
    expect(await announced([givenAccount('b')])).toContainEqual(['account.changed', 'b']);
    expect(await accounts.find('b', 'all')).toMatchObject({ health: null, hosts: null });
    expect(await announced([givenAccount('b')])).toEqual([]);
    await accounts.sync([givenAccount('a'), givenAccount('b')]);
    const listed = await allPages((cursor) => accounts.list({ visible: 'all', limit: 1, cursor }));
    expect(listed.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it.each([
    ['company', { companyId: '43' }],
    ['missing company', { companyId: null }],
    ['service', { service: 'https://other.example' }],
  ] as const)(
    'write nothing about an account whose name a newer configuration gave to another %s',
    async (__, other) => {
      const { accounts } = given.store;
      const { companyId, service } = givenAccount('a');
      const tenant = { companyId, service };
      const known = givenCheck('a', givenHosts(2), { tenant });
      await accounts.recordCheck(known);
      await accounts.sync([givenAccount('a', other)]);
      const drifted = givenCheck('a', givenHosts(3), { tenant, drift: [givenDrift('1')] });
      const failed = { ...known, failure: { code: 'x', message: 'x' } };
      const nothing = { hosts: 0, drift: 0, causes: 0, changed: false };
      for (const check of [known, drifted, failed])
        expect(await accounts.recordCheck(check)).toEqual(nothing);
      expect(await hostsOf('a')).toEqual([]);
      expect(await accounts.find('a', 'all')).toMatchObject({
        hold: null,
        health: null,
        lastCheckAt: null,
        ...other,
      });
      const own = { ...tenant, ...other };
      // Both found the same: the older server's result is not confirmed either.
      await accounts.recordCheck({ ...known, tenant: own });
      const { version, lastCheckAt } = (await accounts.find('a', 'all')) ?? {};
      expect(await accounts.recordCheck(known)).toEqual(nothing);
      expect(await accounts.find('a', 'all')).toMatchObject({ version, lastCheckAt });
      await accounts.recordCheck({ ...known, tenant: own });
      expect((await accounts.find('a', 'all'))?.lastCheckAt).not.toEqual(lastCheckAt);
    },
  );

  it('another tenant inherits no plan, no hold and no ignored difference, and a removed account keeps no plan', async () => {
    const { accounts, plans, ignores } = given.store;
    const until = new Date('2099-01-01');
    for (const name of ['a', 'b', 'c']) {
      await record(name, givenHosts(2), { drift: [givenDrift('1')] });
      await ignores.add({ account: name, cause: givenCause.id, reason: 'known', by: ada, until });
      await plans.propose(givenNewPlan(name));
    }
    await accounts.setHold(['a', 'b', 'c'], undone);
    const clock = { now: () => Date.now(), sleep: async () => {} };
    await configureAccounts(
      [givenAccount('a', { companyId: '43' }), givenAccount('c', { mode: 'correct' })],
      {
        settings: { accounts: [], cadenceMs: 600_000, notifications: [] },
        store: given.store,
        clock,
      },
    );
    const listed = await plans.list({ visible: 'all' });
    expect(
      listed.ok &&
        Object.fromEntries(listed.value.items.map((plan) => [plan.account, [plan.state, plan.reason]])),
    ).toEqual({
      a: ['stale', 'the name of its account was given to another tenant'],
      b: ['stale', 'its account is no longer configured'],
      c: ['waiting', null],
    });
    expect(await accounts.find('a', 'all')).toMatchObject({ hold: null, plan: null });
    expect(await accounts.find('c', 'all')).toMatchObject({ hold: undone });
    expect(await ignores.of('a')).toEqual([]);
    expect(await ignores.of('c')).toHaveLength(1);
  });

  it('a decision to ignore that has ended is due until the next check of its account', async () => {
    const { ignores } = given.store;
    const until = new Date('2099-01-01');
    await record('a', givenHosts(2), { drift: [givenDrift('1')] });
    await record('b', givenHosts(2), { drift: [givenDrift('1')] });
    const ignored = { cause: givenCause.id, reason: 'known', by: ada };
    await ignores.add({ account: 'a', ...ignored, until });
    await ignores.add({ account: 'b', ...ignored, until });
    expect(await ignores.ended()).toEqual([]);
    await given.run("update rampart_server.ignored_drift set until = clock_timestamp() where account = 'a'");
    expect(await ignores.ended()).toEqual(['a']);
    await record('a', givenHosts(2), { drift: [givenDrift('1')] });
    expect(await ignores.ended()).toEqual([]);
  });

  it('accounts that wait are found by what they wait for', async () => {
    const { accounts, plans, runs } = given.store;
    for (const name of ['a', 'b', 'c']) await accounts.setHealth(name, 'waiting');
    await plans.propose(givenNewPlan('a'));
    const { plan } = await plans.propose(givenNewPlan('b', { state: 'approved' }));
    await runs.queue({ account: 'b', plan: plan.id, by: ada, reason: null, steps: 1 });
    const found = await accounts.waiting('all');
    expect(found.toSorted((x, y) => String(x.names).localeCompare(String(y.names)))).toEqual([
      { plan: { state: 'waiting' }, runState: null, runWaitsFor: null, names: ['a'] },
      { plan: { state: 'approved' }, runState: 'queued', runWaitsFor: null, names: ['b'] },
      { plan: null, runState: null, runWaitsFor: null, names: ['c'] },
    ]);
    expect((await accounts.waiting(['c'])).flatMap(({ names: those }) => those)).toEqual(['c']);
  });

  it('accounts that wait for the end of a pause or a rollout are found', async () => {
    const { accounts, plans, runs } = given.store;
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await accounts.sync(names.map((name) => givenAccount(name)));
    const approval = { by: ada, decision: 'approved', numbers: {}, comment: null } as const;
    const planOf = new Map<string, string>();
    for (const name of names) {
      const state = name === 'f' ? 'waiting' : 'approved';
      planOf.set(name, (await plans.propose(givenNewPlan(name, { state }))).plan.id);
    }
    await plans.approve(planOf.get('b') ?? '', { ...approval, via: 'rollout' });
    await plans.approve(planOf.get('c') ?? '', { ...approval, via: 'api' });
    for (const [name, kind] of [
      ['d', 'pause'],
      ['e', 'window'],
    ] as const) {
      const run = await runs.queue({
        account: name,
        plan: planOf.get(name) ?? '',
        by: ada,
        reason: null,
        steps: 1,
      });
      await runs.change(run?.id ?? '', { progress: { waits_for: { kind } } });
    }
    expect(await accounts.held()).toEqual(['a', 'c', 'd']);
    const failure = { code: 'network', message: 'no route' };
    await accounts.recordCheck(givenCheck('a', [], { health: 'failing', failure }));
    expect(await accounts.held()).toEqual(['c', 'd']);
  });

  it('health and the time of the next check are set between checks', async () => {
    const { accounts } = given.store;
    expect(await accounts.detail('a', 'all')).toBeUndefined();
    expect((await accounts.find('a', ['b', 'a']))?.name).toBe('a');
    expect(await accounts.find('a', ['b'])).toBeUndefined();
    const from = await given.store.events.latest();
    await accounts.setHealth('a', 'running');
    const first = await accounts.find('a', 'all');
    expect(first?.health).toBe('running');
    await accounts.setHealth('a', 'running');
    await accounts.setHealth('none', 'running');
    expect(await given.store.events.after(from, 'all')).toMatchObject([
      { type: 'account.changed', account: 'a', data: { health: 'running' } },
    ]);
    expect(await accounts.find('a', 'all')).toEqual({ ...first, readAt: expect.any(Date) });
    const at = new Date('2027-01-01T00:00:00.123Z');
    await accounts.setNextCheck(new Map([['a', at]]));
    expect((await accounts.schedules()).map(({ name, nextCheckAt }) => [name, nextCheckAt])).toEqual([
      ['a', at],
      ['b', null],
      ['c', null],
    ]);
  });

  it('differences are ignored by their cause or one by one, until someone ends that', async () => {
    const { ignores } = given.store;
    await record('a', givenHosts(3), { drift: ['1', '2', '3'].map((id) => givenDrift(id)) });
    const decision = { account: 'a', reason: 'known', by: ada, until: new Date('2099-01-01') };
    const ofHost = (hostId: string) => ({ ...decision, differences: [{ hostId, attribute: 'name' }] });
    const ignored = async () => (await ignores.of('a')).map(({ hostId }) => hostId).toSorted();
    expect(await ignores.add({ ...decision, cause: 'another' })).toBe(0);
    expect(await ignores.add(decision)).toBe(0);
    expect(await ignores.add(ofHost('2'))).toBe(1);
    expect(await ignores.add({ ...ofHost('2'), reason: 'later' })).toBe(1);
    expect(await ignored()).toEqual(['2']);
    const [id] = (await given.run('select id from rampart_server.ignored_drift')).map((row) =>
      String(row['id']),
    );
    expect(await ignores.find(id ?? '', 'all')).toMatchObject({ host_id: '2', reason: 'later', by: ada });
    expect(await ignores.add({ ...decision, cause: givenCause.id })).toBe(3);
    expect(await ignored()).toEqual(['1', '2', '3']);
    await ignores.remove(id ?? '');
    expect(await ignored()).toEqual(['1', '3']);
    expect(await ignores.find(id ?? '', 'all')).toBeUndefined();
  });

  it('hosts are read for a plan: their digest, all with their facts, and those with exactly a name', async () => {
    const { hosts } = given.store;
    expect([await hosts.digest('a'), await hosts.digest('none')]).toEqual([null, null]);
    await record('a', givenHosts(3));
    await record('b', givenHosts(1));
    expect(await hosts.digest('a')).toBe(JSON.stringify(givenHosts(3)));
    expect(await hosts.all('a', 2)).toMatchObject([
      { host_id: '1', facts: { online: false } },
      { host_id: '2', facts: { online: true } },
    ]);
    expect(await hosts.named('a', ['host-3', 'HOST-1', 'none'])).toMatchObject([
      { account: 'a', host_id: '3', facts: { online: true } },
    ]);
  });

  it('the overview and the history count them', async () => {
    expect(await given.store.overview('all')).toMatchObject({
      accounts: 3,
      unchecked: 3,
      health: { drifted: 0 },
      oldest_check: null,
      unmatched: { assets: 0, hosts: 0 },
    });
    const rows = { id: 'rows', kind: 'assets', title: 'assets without a host', count: 5 } as const;
    const unmatched = { ...rows, id: 'hosts', kind: 'register', count: 3 } as const;
    await record('a', givenHosts(4), {
      drift: [givenDrift('1'), givenDrift('2')],
      causes: [givenCause, rows, unmatched],
      rateLimited: 3,
    });
    await record('b', givenHosts(2));
    await record('b', givenHosts(2));
    await given.store.history.count('b', { changes: 7, rateLimited: 1 });
    await given.store.history.count('nobody', { changes: 7 });
    expect(await given.store.overview('all')).toMatchObject({
      accounts: 3,
      unchecked: 1,
      hosts: 6,
      drifted: 2,
      health: { drifted: 1, converged: 1, failing: 0 },
      oldest_check: { account: 'a' },
      changed: { changes: 7, accounts: 1 },
      unmatched: { assets: 5, hosts: 3 },
    });
    const from = new Date(Date.now() - 3 * 3_600_000);
    const history = await given.store.history.read({
      visible: 'all',
      from,
      buckets: 5,
      bucketSeconds: 3_600,
    });
    const sums = Object.entries(history.series).map(([name, values]) => [
      name,
      values.reduce<number>((sum, value) => sum + (value ?? 0), 0),
    ]);
    expect(Object.fromEntries(sums)).toEqual({ drifted: 2, changes: 7, checks: 3, rate_limited: 4 });
    expect(history.from).toEqual(new Date(Math.floor(from.getTime() / 3_600_000) * 3_600_000));
    for (const [buckets, read] of [
      [0, 1],
      [2.9, 2],
      [1_000, 400],
    ] as const) {
      const { series } = await given.store.history.read({ visible: 'all', from, buckets, bucketSeconds: 1 });
      expect(series.checks).toHaveLength(read);
    }
    const day = await given.store.history.read({
      visible: ['b'],
      account: 'b',
      from: new Date(Date.now() - 86_400_000),
      buckets: 2,
      bucketSeconds: 86_400,
    });
    expect(day.series.checks.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(2);
    expect(day).toMatchObject({ bucket_seconds: 86_400, from: expect.any(Date) });
  });
});

/** A store that counts its statements. */
function countingStore(database: StoreDatabase) {
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    store: openStore({ ...database, db: database.db.withPlugin(counting) }),
    statements: () => statements,
  };
}

/** The store, and a connection that loses a response if `isLost` says so: the statement's effect remains. */
function storeThatLoses(database: StoreDatabase, isLost: () => boolean) {
  const losing: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isLost()) throw new Error('the connection is lost');
      return result;
    },
  };
  return openStore({ ...database, db: database.db.withPlugin(losing) });
}
