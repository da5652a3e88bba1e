import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CheckedDrift, CheckRecord } from '../../../../src/server/accounts/records/check-record.ts';
import type { Store } from '../../../../src/server/store/open-store.ts';
import {
  allPages,
  givenAccount,
  givenCause,
  givenCheck,
  givenDrift,
  givenHosts,
} from '../../../given/store-records.ts';
import { type GivenStore, startOnPglite } from '../../../given/stores.ts';

let given: GivenStore;
let store: Store;
beforeAll(async () => {
  given = await startOnPglite();
  store = given.store;
}, 120_000);
afterAll(() => given.stop());
beforeEach(async () => {
  await given.clear();
  await store.accounts.sync([givenAccount('a')]);
});

const hosts = givenHosts(3);
const record = (parts: Partial<CheckRecord> & { drift?: readonly CheckedDrift[] } = {}, of = hosts) =>
  store.accounts.recordCheck(givenCheck('a', of, parts));
/** When the fleet was last read. */
const seen = async () => (await store.hosts.find('a', '1', 'all'))?.seen_at;
const account = async () => {
  const found = await store.accounts.find('a', 'all');
  if (found === undefined) throw new Error('the account must be there');
  return found;
};
/** A check that could not read the fleet. */
const unread = (failure = { code: 'network', message: 'down' }): Partial<CheckRecord> => ({
  health: 'failing',
  failure,
  causes: [{ ...givenCause, id: 'failure-1', kind: 'failure' }],
});
const recordUnread = (given_ = givenCheck('a', hosts, unread())) => {
  const { fleet: _, ...check } = given_;
  return store.accounts.recordCheck(check);
};
const driftedHosts = async () =>
  (await given.run('select host_id from rampart_server.host where drifted order by host_id')).map(
    (row) => row['host_id'],
  );
const counted = async () =>
  (await given.run('select drifted, checks, rate_limited from rampart_server.history'))[0];

describe('a check after another one', () => {
  test.each<[string, Parameters<typeof record>]>([
    ['the health', [{ health: 'waiting' }]],
    ['the number of changes', [{ changes: 7 }]],
    ['the number of irreversible changes', [{ irreversible: 7 }]],
    ['the commit', [{ commit: 'other' }]],
    ['the absence of a commit', [{ commit: null }]],
    ['a name', [{}, hosts.map((host) => ({ ...host, name: 'x' }))]],
    ['a host less', [{}, hosts.slice(1)]],
    ['a difference', [{ drift: [givenDrift('1')], health: 'converged', changes: 0 }]],
    ['a cause', [{ causes: [givenCause] }]],
    ['a failure', [{ failure: { code: 'x', message: 'x' } }]],
  ])('is a change that people see with %s', async (_what, check) => {
    await record();
    const [before, version] = [await store.events.latest(), (await account()).version];
    expect(await record(...check)).toMatchObject({ changed: true });
    const events = await store.events.after(before, 'all');
    expect(events).toMatchObject([{ type: 'account.changed', account: 'a' }]);
    expect((await account()).version).toBe(version + 1);
    expect(await record(...check)).toEqual({ hosts: 0, drift: 0, causes: 0, changed: false });
    expect((await account()).version).toBe(version + 1);
    expect(await counted()).toMatchObject({ checks: 3 });
  });

  test.each<[string, Partial<CheckRecord>]>([
    ['nothing new', {}],
    ['another time of the next check', { nextCheckAt: new Date(0) }],
    ['other details', { detail: { coverage: 2 } }],
    ['answers 429', { rateLimited: 2 }],
  ])('is no change with %s', async (_what, parts) => {
    await record({ detail: { coverage: 1 } });
    const { version } = await account();
    expect(await record(parts)).toEqual({ hosts: 0, drift: 0, causes: 0, changed: false });
    expect((await account()).version).toBe(version);
    expect(await store.accounts.detail('a', 'all')).toEqual(parts.detail ?? { coverage: 1 });
    expect((await account()).nextCheckAt).toEqual(parts.nextCheckAt ?? null);
    expect(await counted()).toEqual({ drifted: 0, checks: 2, rate_limited: parts.rateLimited ?? 0 });
  });

  test('is not written if someone has decided about the account since it was read', async () => {
    const { version } = await account();
    await store.accounts.claim('a', version);
    const nothing = { hosts: 0, drift: 0, causes: 0, changed: false };
    expect(await record({ health: 'waiting', version })).toEqual({ ...nothing, isOutdated: true });
    expect((await account()).health).toBeNull();
    expect(await record({ health: 'waiting', version: version + 1 })).toMatchObject({ changed: true });
  });

  test('counts 429 responses and differences in the history of its hour', async () => {
    await record({ rateLimited: 2, drift: [givenDrift('1'), givenDrift('2', { ignored: true })] });
    expect(await counted()).toEqual({ drifted: 1, checks: 1, rate_limited: 2 });
    await record({ rateLimited: 3, health: 'waiting' });
    expect(await counted()).toEqual({ drifted: 0, checks: 2, rate_limited: 5 });
  });

  test('has the time since when the health is unchanged', async () => {
    await record();
    const { since, lastCheckAt } = await account();
    const seenAt = await seen();
    await record({ changes: 4, nextCheckAt: new Date(1_000) });
    const next = await account();
    expect(next.since).toEqual(since);
    expect(next.nextCheckAt).toEqual(new Date(1_000));
    expect(Number(next.lastCheckAt)).toBeGreaterThan(Number(lastCheckAt));
    expect(Number(await seen())).toBeGreaterThan(Number(seenAt));
    await record({ health: 'waiting' });
    expect(Number((await account()).since)).toBeGreaterThan(Number(since));
  });
});

describe('a check that could not read the fleet', () => {
  test('keeps what the last one saw', async () => {
    await record({ drift: [givenDrift('1')] });
    const before = await seen();
    const from = await store.events.latest();
    expect(await recordUnread()).toEqual({
      hosts: 0,
      drift: 0,
      causes: 1,
      changed: true,
      healthChange: { from: 'drifted', to: 'failing', failure: 'down' },
    });
    expect(await account()).toMatchObject({
      hosts: 3,
      drifted: 1,
      health: 'failing',
      failure: { code: 'network', message: 'down', attempts: 1 },
    });
    expect(await seen()).toEqual(before);
    expect(await driftedHosts()).toEqual(['1']);
    expect(await store.events.after(from, 'all')).toMatchObject([
      { data: { health: 'failing', drifted: 1 } },
    ]);
    const causes = await store.causes.list({ visible: 'all' });
    expect(causes.ok && causes.value.items.map(({ id }) => id)).toEqual(['failure-1', 'cause-1']);
  });

  test('counts its attempts since the first one, and is a change if the message or the pause changes', async () => {
    await recordUnread();
    const { failure } = await account();
    const from = await store.events.latest();
    expect(await recordUnread()).toMatchObject({ changed: false });
    expect(await store.events.after(from, 'all')).toEqual([]);
    expect((await account()).failure).toMatchObject({ since: failure?.since, attempts: 2 });
    const words = givenCheck('a', hosts, unread({ code: 'network', message: 'still down' }));
    expect(await recordUnread(words)).toMatchObject({ changed: true });
    const pause = { code: 'network', message: 'still down', retryAt: '2026-11-23T08:00:00Z' };
    expect(await recordUnread(givenCheck('a', hosts, unread(pause)))).toMatchObject({ changed: true });
    expect((await account()).failure).toMatchObject({ since: failure?.since, attempts: 4 });
    expect(await record()).toMatchObject({ changed: true });
    expect((await account()).failure).toBe(null);
    await recordUnread();
    expect((await account()).failure).toMatchObject({ attempts: 1 });
  });

  test('is recorded even if it has no failure', async () => {
    const { failure: _, ...check } = givenCheck('a', hosts, { health: 'waiting' });
    expect(await recordUnread({ ...check, failure: null })).toMatchObject({ changed: true });
    expect(await account()).toMatchObject({ health: 'waiting', hosts: null, failure: null });
  });

  test('has a cause that ends with the next successful check', async () => {
    await recordUnread();
    await record();
    expect(await store.causes.list({ visible: 'all' })).toMatchObject({ value: { items: [] } });
  });
});

describe('the hosts of a check', () => {
  const names = async () =>
    (await given.run('select name from rampart_server.host order by host_id')).map(({ name }) => name);
  const fleetOf = (count: number, unreadable: readonly string[] | 'any') => ({
    digest: JSON.stringify([count, unreadable]),
    hosts: () => givenHosts(count),
    count,
    drift: [],
    unreadable,
  });

  test("are kept if the list has them in a form that can't be read", async () => {
    await record();
    expect(await record({ fleet: fleetOf(1, ['3']) })).toMatchObject({ hosts: 1 });
    expect(await names()).toEqual(['host-1', 'host-3']);
    expect(await record({ fleet: fleetOf(0, 'any') })).toMatchObject({ hosts: 0 });
    expect(await names()).toEqual(['host-1', 'host-3']);
    expect(await record({ fleet: fleetOf(0, []) })).toMatchObject({ hosts: 2 });
    expect(await names()).toEqual([]);
  });

  test('are marked if they differ, including those that come back', async () => {
    const drift = [givenDrift('1'), givenDrift('2', { ignored: true })];
    await record({ drift });
    expect(await driftedHosts()).toEqual(['1']);
    await record({ drift }, hosts.slice(1));
    await record({ drift });
    expect(await driftedHosts()).toEqual(['1']);
    await record({ drift: [givenDrift('2')] });
    expect(await driftedHosts()).toEqual(['2']);
  });

  test('are the last ones with the same id, and so are differences and causes', async () => {
    const [one, two] = hosts;
    if (one === undefined || two === undefined) throw new Error('there are hosts');
    const drift = [givenDrift('1', { live: 'old' }), givenDrift('1', { live: 'new' })];
    const causes = [givenCause, { ...givenCause, title: 'later' }];
    expect(await record({ drift, causes }, [one, { ...two, hostId: one.hostId }])).toMatchObject({
      hosts: 1,
      drift: 1,
    });
    expect(await names()).toEqual(['host-2']);
    expect(await store.hosts.drift({ visible: 'all' })).toMatchObject({
      value: { items: [{ live: 'new' }] },
    });
    expect(await store.causes.list({ visible: 'all' })).toMatchObject({
      value: { items: [{ title: 'later' }] },
    });
  });
});

describe('the causes of a check', () => {
  const listed = async () => {
    const page = await store.causes.list({ visible: 'all' });
    return page.ok ? page.value.items.map(({ id, hosts: count }) => [id, count]) : page.problems;
  };
  const cause = (id: string) => ({ ...givenCause, id });

  test('are listed in the same order on several pages as on one: failures first, then those of most accounts', async () => {
    await store.accounts.sync(['a', 'b'].map((name) => givenAccount(name)));
    const failure = { ...cause('failure'), kind: 'failure' as const };
    const drift = [
      givenDrift('1', { cause: 'x' }),
      givenDrift('2', { cause: 'x' }),
      givenDrift('3', { cause: 'y' }),
    ];
    for (const name of ['a', 'b'])
      await store.accounts.recordCheck(
        givenCheck(name, hosts, {
          drift: name === 'a' ? drift : drift.slice(2),
          causes: name === 'a' ? ['x', 'y', 'z', 'u', 'v'].map(cause).concat(failure as never) : [cause('y')],
        }),
      );
    const pages = await allPages((cursor) => store.causes.list({ visible: 'all', limit: 1, cursor }));
    expect(pages.map(({ id }) => id)).toEqual(['failure', 'y', 'x', 'u', 'v', 'z']);
  });

  test.each([
    ['another line of the file, if a later check finds them there', 'a.yaml', { file: 'a.yaml', line: 9 }],
    ['no place, if they are in several files', 'b.yaml', null],
  ])('have %s', async (_, file, expected) => {
    await store.accounts.sync([givenAccount('a'), givenAccount('b')]);
    const rule = (at: string, line: number) => ({ ...cause('x'), place: { file: at, line } });
    const drift = [givenDrift('1', { cause: 'x' })];
    await store.accounts.recordCheck(givenCheck('a', hosts, { drift, causes: [rule('a.yaml', 3)] }));
    await store.accounts.recordCheck(givenCheck('b', hosts, { drift, causes: [rule(file, 9)] }));
    const page = await store.causes.list({ visible: 'all' });
    expect(page.ok && page.value.items.map(({ id, accounts, place }) => [id, accounts, place])).toEqual([
      ['x', 2, expected],
    ]);
  });

  test('count each host that differs because of them once, without ignored ones', async () => {
    const drift = [
      givenDrift('1', { cause: 'x' }),
      givenDrift('1', { cause: 'x', attribute: 'group' }),
      givenDrift('2', { cause: 'x', ignored: true }),
      givenDrift('3', { cause: 'x' }),
      givenDrift('3', { cause: 'y', attribute: 'group' }),
      givenDrift('2', { cause: 'z', ignored: true, attribute: 'group' }),
    ];
    expect(await record({ drift, causes: ['z', 'y', 'x', 'w'].map(cause) })).toMatchObject({ causes: 3 });
    expect(await listed()).toEqual([
      ['x', 2],
      ['y', 1],
      ['w', 0],
    ]);
    expect(await record({ drift: drift.slice(0, 1), causes: ['x'].map(cause) })).toMatchObject({ causes: 3 });
    expect(await listed()).toEqual([['x', 1]]);
  });

  test('have an author only if their kind is that of the file', async () => {
    const origin = { kind: 'commit', id: 'c1', name: 'Ada' } as const;
    const causes = [cause('fleet'), { ...cause('file'), kind: 'file' as const }];
    const drift = [givenDrift('1', { cause: 'fleet' }), givenDrift('2', { cause: 'file' })];
    await record({ drift, causes, origin });
    const page = await store.causes.list({ visible: 'all' });
    expect(page.ok && page.value.items.map(({ id, by, place }) => [id, by, place])).toEqual([
      ['file', { ...origin, others: false }, { file: 'fleet.yaml', line: 3 }],
      ['fleet', null, { file: 'fleet.yaml', line: 3 }],
    ]);
  });

  test.each([
    [undefined, null],
    [{ file: 'a.yaml' }, { file: 'a.yaml' }],
    [
      { file: 'a.yaml', line: 2, column: 5 },
      { file: 'a.yaml', line: 2, column: 5 },
    ],
  ])('have the place %j', async (place, expected) => {
    const { place: _, ...without } = cause('x');
    await record({ causes: [place === undefined ? without : { ...without, place }] });
    expect(await store.causes.list({ visible: 'all' })).toMatchObject({
      value: { items: [{ place: expected }] },
    });
  });
});

describe('a check that is written late', () => {
  test.each([
    ['another company', { companyId: '43', service: 'https://service.example' }, false],
    ['another service', { companyId: '42', service: 'https://other.example' }, false],
    ['no company', { companyId: null, service: 'https://service.example' }, false],
    ['its own company', { companyId: '42', service: 'https://service.example' }, true],
  ])('is written for %s or not', async (_whose, tenant, isWritten) => {
    expect((await record({ tenant })).changed).toBe(isWritten);
    expect((await account()).health).toBe(isWritten ? 'converged' : null);
    expect((await recordUnread({ ...givenCheck('a', hosts, unread()), tenant })).changed).toBe(isWritten);
  });

  test('is not written over one that began later', async () => {
    const beganAt = (await account()).readAt;
    await record({ beganAt });
    const earlier = new Date(beganAt.getTime() - 1);
    const nothing = { hosts: 0, drift: 0, causes: 0, changed: false };
    expect(await record({ beganAt: earlier, changes: 5 })).toEqual(nothing);
    expect(await record({ beganAt, changes: 5 })).toEqual(nothing);
    expect(await record({ changes: 5 })).toMatchObject({ changed: true });
    expect(await record({ beganAt: earlier, changes: 6 })).toEqual(nothing);
    expect(await record({ beganAt: (await account()).readAt, changes: 6 })).toMatchObject({ changed: true });
  });
});
