import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/server/store/open-store.ts';
import {
  ada,
  bob,
  givenAccount,
  givenCause,
  givenCheck,
  givenDrift,
  givenHosts,
  givenNewPlan,
} from '../../given/store-records.ts';
import { type GivenStore, storeBackends } from '../../given/stores.ts';

const hour = 3_600_000;

describe.each(storeBackends)('records of the store on %s', (backend, start) => {
  let given: GivenStore;
  beforeAll(async () => {
    given = await start();
  }, 120_000);
  afterAll(() => given.stop());
  beforeEach(() => given.clear());

  it('a session ends after its life, after idleness, and when it is removed', async () => {
    const { sessions } = given.store;
    const identity = { subject: ada };
    await sessions.create({ hash: 'one', identity, lifeMs: hour });
    await sessions.create({ hash: 'two', identity, lifeMs: hour });
    await sessions.create({ hash: 'late', identity, lifeMs: -1 });
    expect(await sessions.use('one', hour)).toMatchObject({ identity });
    expect(await sessions.use('late', hour)).toBeUndefined();
    expect(await sessions.use('none', hour)).toBeUndefined();
    await given.run(
      `update rampart_server.session set seen_at = seen_at - interval '2 hours' where hash = 'one'`,
    );
    expect(await sessions.use('one', hour)).toBeUndefined();
    expect(await sessions.use('one', 3 * hour)).toBeDefined();
    const first = await sessions.use('one', hour);
    await given.run(`update rampart_server.session set seen_at = seen_at - interval '50 seconds'`);
    const used = () => given.run(`select seen_at from rampart_server.session where hash = 'one'`);
    const before = await used();
    await sessions.use('one', hour);
    // It was written less than a minute before.
    expect(await used()).toEqual(before);
    expect(Number(first?.expiresAt) - Date.now()).toBeLessThanOrEqual(hour + 1_000);
    await sessions.remove('one');
    expect(await sessions.use('one', 3 * hour)).toBeUndefined();
    expect(await sessions.use('two', 3 * hour)).toBeDefined();
  });

  it.each([
    { idle: '1 minute', idleMs: 60_000, usedAgo: '30 seconds' },
    { idle: '1 hour', idleMs: hour, usedAgo: '5 minutes' },
  ])('a session with an idle time of $idle continues while it is used', async ({ idleMs, usedAgo }) => {
    const { sessions } = given.store;
    await sessions.create({ hash: 'used', identity: { subject: ada }, lifeMs: hour });
    const age = (by: string) =>
      given.run(`update rampart_server.session set seen_at = seen_at - interval '${by}'`);
    for (let time = 0; time < 30; time += 1) {
      await age(usedAgo);
      expect(await sessions.use('used', idleMs)).toBeDefined();
    }
    await age('61 minutes');
    expect(await sessions.use('used', idleMs)).toBeUndefined();
  });

  it('a token is stored only as a hash, and ends when it expires or is revoked', async () => {
    const { tokens } = given.store;
    const token = { name: 'ci', hash: 'h1', grants: [{ role: 'viewer' }], createdBy: ada, lifeMs: hour };
    const created = await tokens.create(token);
    await tokens.create({ ...token, hash: 'h2', lifeMs: -1 });
    expect(created).toMatchObject({
      name: 'ci',
      grants: [{ role: 'viewer' }],
      created_by: ada,
      last_used_at: null,
    });
    expect(JSON.stringify(created)).not.toContain('h1');
    expect((await tokens.use('h1'))?.id).toBe(created.id);
    const lastUsedAt = async () => (await tokens.find(created.id))?.last_used_at;
    const first = await lastUsedAt();
    expect(first).toBeInstanceOf(Date);
    await tokens.use('h1');
    expect(await lastUsedAt()).toEqual(first);
    await given.run(`update rampart_server.token set last_used_at = last_used_at - interval '61 seconds'`);
    await tokens.use('h1');
    expect(Number(await lastUsedAt())).toBeGreaterThan(Number(first) - 1_000);
    expect(await tokens.find('none')).toBeUndefined();
    expect(Number(created.expires_at) - Number(created.created_at)).toBeLessThanOrEqual(hour + 1_000);
    expect(await tokens.use('h2')).toBeUndefined();
    expect(await tokens.use('h3')).toBeUndefined();
    expect((await tokens.revoke(created.id))?.revoked_at).toBeInstanceOf(Date);
    expect(await tokens.revoke(created.id)).toBeUndefined();
    expect(await tokens.use('h1')).toBeUndefined();
    expect(await tokens.list()).toMatchObject({ value: { items: [{}, {}] } });
  });

  it('a ticket is taken once, even if two try', async () => {
    const { tickets } = given.store;
    await tickets.put('link', 'h', { for: 'ada' }, hour);
    expect(
      await given.run(`select 1 from rampart_server.ticket where expires_at > now() + interval '61 minutes'`),
    ).toEqual([]);
    const taken = await Promise.all([tickets.take('link', 'h'), given.other.tickets.take('link', 'h')]);
    expect(taken.filter((each) => each !== undefined)).toEqual([{ value: { for: 'ada' } }]);
    await tickets.put('link', 'h', null, -1);
    expect(await tickets.take('link', 'h')).toBeUndefined();
    await tickets.put('link', 'h', 1, hour);
    expect(await tickets.take('state', 'h')).toBeUndefined();
  });

  it('the id of a pipeline token can be used once', async () => {
    const at = new Date(Date.now() + hour);
    const used = await Promise.all([
      given.store.tickets.useJti('https://a', 'j', at),
      given.other.tickets.useJti('https://a', 'j', at),
    ]);
    expect(used.filter((first) => first)).toHaveLength(1);
    expect(await given.store.tickets.useJti('https://b', 'j', at)).toBe(true);
  });

  it('a repeated request gets the first response, and another request is refused', async () => {
    const { idempotency } = given.store;
    const claims = await Promise.all([
      idempotency.claim('ada', 'k', 'h'),
      given.other.idempotency.claim('ada', 'k', 'h'),
    ]);
    expect(claims.map(({ kind }) => kind).toSorted()).toEqual(['busy', 'new']);
    expect(await idempotency.claim('ada', 'k', 'other')).toEqual({ kind: 'other-request' });
    expect(await idempotency.claim('bob', 'k', 'h')).toEqual({ kind: 'new' });
    await idempotency.answer('ada', 'k', 201, { id: 7 });
    await idempotency.release('ada', 'k');
    expect(await idempotency.claim('ada', 'k', 'h')).toEqual({
      kind: 'answered',
      status: 201,
      response: { id: 7 },
    });
    await idempotency.release('bob', 'k');
    expect(await idempotency.claim('bob', 'k', 'h')).toEqual({ kind: 'new' });
    await given.run(`update rampart_server.idempotency set at = at - interval '2 minutes'`);
    expect(await idempotency.claim('bob', 'k', 'h')).toEqual({ kind: 'new' });
  });

  it('a request is in progress if its key was released between two looks at it', async () => {
    const { idempotency } = given.store;
    await idempotency.claim('ada', 'k', 'h');
    let statements = 0;
    const releasing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        statements += 1;
        return statements === 2 ? { ...result, rows: [] } : result;
      },
    };
    const { database } = given;
    const between = openStore({ ...database, db: database.db.withPlugin(releasing) });
    expect(await between.idempotency.claim('ada', 'k', 'h')).toEqual({ kind: 'busy' });
  });

  it('an account belongs to one rollout, until that has finished with it', async () => {
    const claim = (rollout: string, accounts: readonly string[], over: readonly string[] = []) =>
      given.store.transaction(({ rolloutAccounts }) =>
        rolloutAccounts.claim(rollout, accounts, async (other) =>
          over.includes(`${other.rollout} ${other.account}`),
        ),
      );
    const holders = async () => Object.fromEntries(await given.store.rolloutAccounts.holders(['a', 'b']));
    expect(await holders()).toEqual({});
    expect(await claim('one', ['a', 'b'])).toEqual([]);
    expect(await claim('one', ['a', 'b'])).toEqual([]);
    expect(await claim('two', ['c', 'b', 'a'], ['one a'])).toEqual([{ account: 'b', rollout: 'one' }]);
    expect(await holders()).toEqual({ a: 'one', b: 'one' });
    expect(await claim('two', ['a'], ['one a'])).toEqual([]);
    expect(await holders()).toEqual({ a: 'two', b: 'one' });
  });

  it("text that the database can't store loses only those characters, wherever it comes from", async () => {
    const { sources, sessions, tickets, tokens, idempotency, pauses, notifications } = given.store;
    const bad = 'a\0b\ud800';
    const good = 'a\ufffdb\ufffd';
    const by = { ...ada, name: bad };
    await sources.failed('fleet', { code: 'network', message: bad });
    expect(await sources.list()).toMatchObject([{ problem: { message: good } }]);
    await sessions.create({ hash: 's', identity: { subject: by }, lifeMs: hour });
    expect(await sessions.use('s', hour)).toMatchObject({ identity: { subject: { name: good } } });
    await tickets.put('link', 'h', by, hour);
    expect(await tickets.take('link', 'h')).toMatchObject({ value: { name: good } });
    await tickets.put('link', 'h', undefined, hour);
    expect(await tickets.take('link', 'h')).toEqual({ value: null });
    const token = { name: 't', hash: 't', grants: [bad], createdBy: by, lifeMs: hour };
    expect(await tokens.create(token)).toMatchObject({ grants: [good], created_by: { name: good } });
    await idempotency.claim('ada', 'k', 'h');
    await idempotency.answer('ada', 'k', 400, { message: bad });
    expect(await idempotency.claim('ada', 'k', 'h')).toMatchObject({ response: { message: good } });
    expect(await pauses.add({ scope: 'all', by, reason: 'x', until: null })).toMatchObject({
      by: { name: good },
    });
    await notifications.enqueue([message]);
    const [claimed] = await notifications.claim('ops', 1);
    await notifications.sent([claimed?.id ?? ''], { pullRequest: bad });
    expect(await notifications.lastSent('ops', 'drifted', 'cause')).toMatchObject({ pullRequest: good });
  });

  it('a pause lasts until its time, or until it is removed', async () => {
    const { accounts, pauses } = given.store;
    await accounts.sync([givenAccount('a')]);
    const found = () => accounts.find('a', 'all');
    const pause = { scope: 'all', by: ada, reason: 'holidays', until: null };
    const open = await pauses.add(pause);
    await pauses.add({ ...pause, scope: 'account:a', until: new Date(Date.now() - 1_000) });
    expect(open).toMatchObject({ ...pause, at: expect.any(Date) });
    expect(await pauses.list()).toEqual([open]);
    expect(await found()).toMatchObject({ hasPauses: true });
    expect(await pauses.end(open.id)).toEqual({ ...open, until: expect.any(Date) });
    expect(await found()).toMatchObject({ hasPauses: false });
    expect(await pauses.end(open.id)).toBeUndefined();
  });

  it('a source keeps its commit during failures, and the time of the first one', async () => {
    const { sources } = given.store;
    expect(await sources.fetched('fleet', 'c1')).toBe(true);
    expect(await sources.fetched('fleet', 'c1')).toBe(false);
    await sources.failed('fleet', { code: 'network', message: 'away' });
    const [first] = await sources.list();
    await sources.failed('fleet', { code: 'network', message: 'still away', hint: 'wait' });
    const [second] = await sources.list();
    expect(second).toMatchObject({
      commit: 'c1',
      problem: { message: 'still away', since: first?.problem?.since },
    });
    expect(await sources.fetched('fleet', 'c2')).toBe(true);
    await sources.failed('gone', { code: 'network', message: 'away' });
    await sources.keepOnly(['fleet']);
    expect(await sources.list()).toMatchObject([{ name: 'fleet', commit: 'c2', problem: null }]);
  });

  const message = {
    channel: 'ops',
    kind: 'drifted',
    account: 'a',
    topic: 'cause',
    facts: { hosts: 1 },
    delayMs: 0,
  };

  it('a message is sent once, tried again after a failure, and given up at the end', async () => {
    const { notifications } = given.store;
    await notifications.enqueue([message, { ...message, facts: { hosts: 2 } }]);
    await notifications.enqueue([
      { ...message, facts: { hosts: 3 } },
      { ...message, delayMs: hour, topic: 'later' },
    ]);
    expect(await notifications.due()).toEqual(['ops']);
    const claimed = await Promise.all([
      notifications.claim('ops', 10),
      given.other.notifications.claim('ops', 10),
    ]);
    const [first] = claimed.flat();
    expect(claimed.flat()).toMatchObject(
      [{ ...message, facts: { hosts: 3 }, delayMs: undefined, attempts: 1 }].map(
        ({ delayMs: _d, ...rest }) => rest,
      ),
    );
    const ids = [first?.id ?? ''];
    await notifications.failed(ids, 'answered 500', 60_000);
    const due = `extract(epoch from due_at - now())::integer as seconds`;
    const [waits] = await given.run(`select ${due} from rampart_server.notification where id = ${ids[0]}`);
    expect(Math.abs(Number(waits?.['seconds']) - 60)).toBeLessThan(20);
    await given.run(`update rampart_server.notification set due_at = now() where id = ${ids[0]}`);
    expect(await notifications.claim('ops', 10)).toMatchObject([{ id: first?.id, attempts: 2 }]);
    await notifications.failed(ids, 'answered 500', null);
    expect(await notifications.claim('ops', 10)).toEqual([]);
    expect(await notifications.channels()).toMatchObject([{ channel: 'ops', dead: 1, lastSentAt: null }]);
    expect(await notifications.redrive('ops')).toBe(1);
    expect(await notifications.claim('ops', 10)).toMatchObject([{ id: first?.id, attempts: 1 }]);
    await notifications.sent(ids);
    expect(await notifications.channels()).toMatchObject([{ dead: 0, lastSentAt: expect.any(Date) }]);
    expect(await notifications.redrive('ops')).toBe(0);
  });

  it('a channel works again once a message was sent, although others still wait for their next attempt', async () => {
    const { notifications } = given.store;
    await notifications.enqueue([message, { ...message, topic: 'other' }]);
    const [first, second] = await notifications.claim('ops', 10);
    await notifications.failed([first?.id ?? ''], 'answered 500', 60_000);
    expect(await notifications.channels()).toMatchObject([{ problem: 'answered 500' }]);
    await notifications.sent([second?.id ?? '']);
    expect(await notifications.channels()).toMatchObject([{ problem: null }]);
    await given.run(`update rampart_server.notification set due_at = now() where id = ${first?.id}`);
    await notifications.claim('ops', 10);
    await notifications.failed([first?.id ?? ''], 'answered 404', null);
    expect(await notifications.channels()).toMatchObject([{ dead: 1, problem: 'answered 404' }]);
  });

  it('the log of deliveries shows what happened to each message, and any can be sent again', async () => {
    const { notifications } = given.store;
    await notifications.enqueue([message, { ...message, topic: 'other' }]);
    const [first, second] = await notifications.claim('ops', 10);
    await notifications.sent([first?.id ?? '']);
    await notifications.failed([second?.id ?? ''], 'answered 500', null);
    const states = async (query = {}) => {
      const page = await notifications.list(query);
      return page.ok ? page.value.items.map(({ id, state, problem }) => [id, state, problem]) : page;
    };
    expect(await states({ channel: 'ops' })).toEqual([
      [second?.id, 'dead', 'answered 500'],
      [first?.id, 'sent', null],
    ]);
    expect(await states({ state: 'dead', limit: 1 })).toHaveLength(1);
    expect(await notifications.resend(first?.id ?? '')).toBe(true);
    expect(await notifications.resend(first?.id ?? '')).toBe(false);
    expect(await notifications.resend(second?.id ?? '')).toBe(true);
    expect(await notifications.claim('ops', 10)).toMatchObject([
      { topic: 'cause', facts: { hosts: 1 }, attempts: 1 },
      { topic: 'other', attempts: 1 },
    ]);
    expect(await notifications.channels()).toMatchObject([{ dead: 0 }]);
  });

  it('a message that a newer one replaced is not sent again, and a lost sender loses its claim', async () => {
    const { notifications } = given.store;
    await notifications.enqueue([message]);
    const [claimed] = await notifications.claim('ops', 1);
    await notifications.enqueue([{ ...message, facts: { hosts: 9 } }]);
    await notifications.failed([claimed?.id ?? ''], 'answered 500', 0);
    const [newer] = await notifications.claim('ops', 10);
    expect(newer).toMatchObject({ facts: { hosts: 9 } });
    await given.run(`update rampart_server.notification set due_at = due_at - interval '1 hour'`);
    expect(await given.other.notifications.claim('ops', 10)).toMatchObject([{ id: newer?.id, attempts: 2 }]);
  });

  it.skipIf(backend === 'PGlite')(
    'a newer message may be written just when the earlier one fails',
    async () => {
      const { notifications } = given.store;
      await notifications.enqueue([message]);
      const [claimed] = await notifications.claim('ops', 1);
      const written = Promise.withResolvers<void>();
      const failing = Promise.withResolvers<void>();
      const writing = given.store.transaction(async (inside) => {
        await inside.notifications.enqueue([{ ...message, facts: { hosts: 9 } }]);
        written.resolve();
        await failing.promise;
      });
      await written.promise;
      const failed = given.other.notifications.failed([claimed?.id ?? ''], 'answered 500', 0);
      const waits =
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%notification%'";
      await expect.poll(() => given.run(waits)).toHaveLength(1);
      failing.resolve();
      await Promise.all([writing, failed]);
      expect(await notifications.claim('ops', 10)).toMatchObject([{ facts: { hosts: 9 } }]);
    },
  );

  it('a message that a lost sender had fails together with a newer one, which alone is tried again', async () => {
    const { notifications } = given.store;
    await notifications.enqueue([message]);
    await notifications.claim('ops', 10);
    await notifications.enqueue([{ ...message, facts: { hosts: 9 } }]);
    await given.run(`update rampart_server.notification set due_at = due_at - interval '1 hour'`);
    const both = await notifications.claim('ops', 10);
    expect(both).toHaveLength(2);
    const ids = both.map(({ id }) => id);
    await notifications.failed(ids.toReversed(), 'answered 500', 0);
    expect(await notifications.claim('ops', 10)).toMatchObject([{ id: ids[1], facts: { hosts: 9 } }]);
  });

  it('a newer message is kept although the sender of an older one fails after its own', async () => {
    const { notifications } = given.store;
    await notifications.enqueue([message]);
    const [older] = await notifications.claim('ops', 10);
    await notifications.enqueue([{ ...message, facts: { hosts: 9 } }]);
    const [newer] = await given.other.notifications.claim('ops', 10);
    await notifications.failed([older?.id ?? ''], 'answered 500', 0);
    await notifications.failed([newer?.id ?? ''], 'answered 500', 0);
    expect(await notifications.claim('ops', 10)).toMatchObject([{ id: newer?.id, facts: { hosts: 9 } }]);
  });

  it('messages are claimed in the order in which they arrived', async () => {
    const { notifications } = given.store;
    await notifications.enqueue([message]);
    await notifications.enqueue([{ ...message, topic: 'second' }]);
    // The second one is due first, and the first one is where the database writes rows last.
    await given.run(
      `update rampart_server.notification set due_at = due_at - interval '1 hour' where topic = 'second'`,
    );
    await given.run(`update rampart_server.notification set facts = '{}' where topic = 'cause'`);
    expect((await notifications.claim('ops', 2)).map(({ topic }) => topic)).toEqual(['cause', 'second']);
  });

  it('events wake listeners after the commit, in an order from which readers resume', async () => {
    const { events } = given.store;
    let woken = 0;
    const stop = events.listen(() => {
      woken += 1;
    });
    const from = await events.latest();
    expect(from).toBe('0-0');
    await given.other.transaction(async (store) => {
      await store.events.append({
        type: 'plan.changed',
        account: 'a',
        resource: 'p1',
        data: { state: 'waiting' },
      });
      await store.events.append(
        { type: 'source.changed', account: null },
        { type: 'run.changed', account: 'b' },
      );
    });
    const rolledBack = given.other.transaction(async (store) => {
      await store.events.append({ type: 'run.event', account: 'a' });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const read = await events.after(from, 'all');
    expect(read.map(({ type }) => type)).toEqual(['plan.changed', 'source.changed', 'run.changed']);
    expect(read[0]).toMatchObject({ resource: 'p1', data: { state: 'waiting' }, at: expect.any(Date) });
    expect((await events.after(read[0]?.id ?? '', ['b'])).map(({ type }) => type)).toEqual(['run.changed']);
    expect(await events.after(read[0]?.id ?? '', 'all')).toHaveLength(2);
    expect(await events.after(await events.latest(), 'all')).toEqual([]);
    for (const id of ['nonsense', '999999999999999-1', '1-1; drop table', '18446744073709551615-1'])
      expect((await events.after(id, 'all', 1)).length, id).toBe(1);
    for (const id of ['nonsense', '0-0', '999999999999999-1', '1-1; drop table', '18446744073709551615-1'])
      expect(await events.canResume(id), id).toBe(false);
    for (const { id } of read) expect(await events.canResume(id), id).toBe(true);
    while (woken === 0) await new Promise((resolve) => setImmediate(resolve));
    await stop();
  });

  it.runIf(backend === 'PostgreSQL')(
    'a reader waits for a transaction that began before the events it sees',
    async () => {
      const { events } = given.store;
      const begun = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      const slow = given.store.transaction(async (store) => {
        await store.events.append({ type: 'run.changed', account: 'slow' });
        begun.resolve();
        await finish.promise;
      });
      await begun.promise;
      await given.other.events.append({ type: 'run.changed', account: 'fast' });
      expect(await events.after('0-0', 'all')).toEqual([]);
      finish.resolve();
      await slow;
      expect((await events.after('0-0', 'all')).map(({ account }) => account)).toEqual(['slow', 'fast']);
    },
  );

  it('pruning keeps one row of history for each old day, with the sums and peaks of its hours', async () => {
    const { store } = given;
    await store.accounts.sync([givenAccount('a'), givenAccount('b')]);
    const insert = (day: string) =>
      given.run(`insert into rampart_server.history (at, account, drifted, changes, checks, rate_limited)
        select ${day} + make_interval(hours => hour), account, hour, 2, 6, 1
        from generate_series(0, 23) as hour cross join (values ('a'), ('b')) as accounts (account)`);
    const old = `date_trunc('day', now() - interval '20 days', 'UTC')`;
    await insert(old);
    await insert(`date_trunc('day', now() - interval '2 days', 'UTC')`);
    const from = new Date(new Date(Date.now() - 20 * 24 * hour).setUTCHours(0, 0, 0, 0));
    const read = () => store.history.read({ visible: 'all', from, buckets: 21, bucketSeconds: 86_400 });
    const before = await read();
    const retention = 90 * 24 * hour;
    expect(await store.prune(retention)).toMatchObject({ hours: 46, history: 0 });
    expect(await store.prune(retention)).toMatchObject({ hours: 0 });
    expect(await given.run(`select count(*)::integer as rows from rampart_server.history`)).toEqual([
      { rows: 50 },
    ]);
    expect((await read()).series).toEqual(before.series);
    expect(before.series.changes[0]).toBe(96);
    // A row that a restored backup adds to a day is merged, too.
    await given.run(`insert into rampart_server.history (at, account, drifted, changes)
      values (${old} + interval '5 hours', 'a', 50, 1)`);
    expect(await store.prune(retention)).toMatchObject({ hours: 1 });
    const after = (await read()).series;
    expect([after.changes[0], after.drifted[0]]).toEqual([97, 73]);
  });

  it('the history carries the latest result of each account, and is blank for times without a check', async () => {
    const { store } = given;
    await store.accounts.sync(['a', 'b', 'long ago'].map((name) => givenAccount(name)));
    const insert = (account: string, hoursAgo: number, drifted: number, checks = 1) =>
      given.run(`insert into rampart_server.history (at, account, drifted, checks, changes) values
        (date_trunc('hour', now(), 'UTC') - interval '${hoursAgo} hours', '${account}', ${drifted}, ${checks}, 1)`);
    await store.accounts.recordCheck(givenCheck('long ago', givenHosts(3), { drift: [givenDrift('1')] }));
    await given.run(`delete from rampart_server.history`);
    await given.run(`update rampart_server.account set last_check_at = now() - interval '9 days'
      where name = 'long ago'`);
    await insert('b', 30, 4);
    await insert('a', 5, 10);
    await insert('removed', 5, 100);
    await insert('a', 4, 0, 0);
    await insert('b', 2, 2);
    const read = async (account?: string) => {
      const from = new Date(Date.now() - 6 * hour);
      const query = { visible: 'all', account, from, buckets: 7, bucketSeconds: 3_600 } as const;
      return (await store.history.read(query)).series;
    };
    // 5 hours ago: 1 long ago, 4 of b, 10 of a and 100 of an account that was removed then.
    expect((await read()).drifted).toEqual([null, 115, null, null, 13, null, null]);
    expect((await read()).changes).toEqual([0, 2, 1, 0, 1, 0, 0]);
    expect((await read('a')).drifted).toEqual([null, 10, null, null, null, null, null]);
    await store.accounts.recordCheck(givenCheck('a', givenHosts(3), { drift: [givenDrift('2')] }));
    // An account that was not checked in this hour still counts.
    expect((await read()).drifted.at(-1)).toBe(4);
  });

  it('pruning removes every row that is old enough, of every kind, and no other', async () => {
    const { store } = given;
    await store.accounts.sync(['a', 'b'].map((name) => givenAccount(name)));
    const drift = [givenDrift('1')];
    await store.accounts.recordCheck(givenCheck('a', givenHosts(1), { drift }));
    await store.accounts.recordCheck(
      givenCheck('b', givenHosts(1), { causes: [{ ...givenCause, id: 'old' }] }),
    );
    await store.accounts.recordCheck(givenCheck('b', givenHosts(1)));
    const until = (ms: number) => new Date(Date.now() + ms);
    const decided: string[] = [];
    for (const ms of [-hour, hour]) {
      const { plan } = await store.plans.propose(givenNewPlan('a', { checksum: `${ms}` }));
      if (ms < 0) {
        decided.push(plan.id);
        const rejection = { by: bob, decision: 'rejected', numbers: {}, comment: null, via: 'api' } as const;
        await store.plans.approve(plan.id, rejection);
        await store.plans.move(plan.id, ['waiting'], 'rejected');
      }
      await store.tokens.create({ name: 't', hash: `${ms}`, grants: [], createdBy: ada, lifeMs: 10 * ms });
      await store.sessions.create({ hash: `${ms}`, identity: {}, lifeMs: ms });
      await store.tickets.put('k', `${ms}`, 1, ms);
      await store.tickets.useJti('https://a', `${ms}`, until(ms));
      await store.idempotency.claim('ada', `${ms}`, 'h');
      await store.pauses.add({ scope: 'all', by: ada, reason: 'x', until: until(ms) });
      await store.notifications.enqueue([{ ...message, topic: `${ms}` }]);
    }
    await store.ignores.add({
      account: 'a',
      cause: givenCause.id,
      reason: 'x',
      by: ada,
      until: until(-hour),
    });
    const [first] = await store.notifications.claim('ops', 1);
    await store.notifications.sent([first?.id ?? '']);
    const age = (table: string, column: string, days: number, where = 'true') =>
      given.run(
        `update rampart_server.${table} set ${column} = ${column} - interval '${days} days' where ${where}`,
      );
    await age('plan', 'created_at', 1);
    await age('notification', 'due_at', 1);
    await age('cause', 'since', 2);
    await age('idempotency', 'at', 2, `key = '${-hour}'`);
    await age('event', 'at', 8, 'id in (select min(id) from rampart_server.event)');
    await age('event', 'at', 6, 'id in (select max(id) from rampart_server.event)');
    const one = { plans: 1, notifications: 1, tokens: 1 };
    const expired = { sessions: 1, tickets: 1, usedTokens: 1, answers: 1, pauses: 1, ignores: 1, causes: 1 };
    const none = { hours: 0, runs: 0, history: 0, accounts: 0 };
    expect(await store.prune(90 * 24 * hour)).toEqual({
      ...none,
      plans: 0,
      notifications: 0,
      tokens: 0,
      ...expired,
      events: 1,
    });
    const logged = async () => {
      const rows = await given.run('select body from rampart.audit order by seq');
      return rows.map(({ body }) => JSON.parse(String(body)));
    };
    const before = (await logged()).length;
    expect(await store.prune(2 * hour)).toMatchObject({ ...none, ...one, causes: 0, answers: 0, events: 1 });
    const [id] = decided;
    const covers = { [`plan:${id}`]: null, [`approval:${id}/person:bob`]: null };
    expect((await logged()).slice(before)).toMatchObject([
      { kind: 'prune', origin: { actor: 'rampart', command: 'server' }, what: { plans: 1, covers } },
    ]);
    expect(await store.prune(2 * hour)).toMatchObject({ plans: 0, notifications: 0, tokens: 0, events: 0 });
    expect(await logged()).toHaveLength(before + 1);
  });

  it('pruning removes more rows than one statement does', async () => {
    const { store } = given;
    await store.accounts.sync([givenAccount('a')]);
    await given.run(`insert into rampart_server.used_jti (issuer, jti, expires_at)
      select 'https://a', number::text, now() - interval '1 hour' from generate_series(1, 5001) as number`);
    await given.run(`insert into rampart_server.history (at, account, drifted)
      select date_trunc('day', now(), 'UTC') - make_interval(hours => 500 + number), 'a', 0
      from generate_series(1, 5400) as number`);
    const pruned = await store.prune(9_000 * hour);
    expect(pruned).toMatchObject({ usedTokens: 5_001, history: 0 });
    expect(pruned['hours']).toBe(5_400 - 225);
  });

  it('pruning removes what is older than the retention, and what has expired', async () => {
    const { store } = given;
    await store.accounts.sync([givenAccount('a'), givenAccount('gone')]);
    await store.accounts.sync([givenAccount('a')]);
    const run = await store.runs.queue({ account: 'a', plan: null, by: bob, reason: null, steps: 0 });
    await store.runs.log(run?.id ?? '', [{ type: 'end', text: 'x' }]);
    await store.runs.change(run?.id ?? '', { state: 'done' });
    const open = await store.runs.queue({ account: 'a', plan: null, by: bob, reason: null, steps: 0 });
    await store.history.count('a', { changes: 1 });
    await store.sessions.create({ hash: 's', identity: {}, lifeMs: -1 });
    await store.tickets.put('k', 't', 1, -1);
    expect(await store.prune(hour)).toMatchObject({
      runs: 0,
      history: 0,
      sessions: 1,
      tickets: 1,
      accounts: 0,
    });
    const later = `interval '2 hours'`;
    await given.run(
      `update rampart_server.run set queued_at = queued_at - ${later}, ended_at = ended_at - ${later}`,
    );
    await given.run(`update rampart_server.history set at = at - ${later}`);
    await given.run(`update rampart_server.event set at = at - ${later}`);
    await given.run(`update rampart_server.account set removed_at = removed_at - ${later}`);
    const pruned = await store.prune(hour);
    expect(pruned).toMatchObject({ runs: 1, history: 1, accounts: 1 });
    expect(pruned['events']).toBeGreaterThan(0);
    expect(await store.runs.find(open?.id ?? '', 'all')).toMatchObject({ state: 'queued' });
    await store.vacuum();
  });
});
