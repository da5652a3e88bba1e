import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import type { AccountHold } from '../../../src/server/accounts/decisions/account-state.ts';
import type { StoreDatabase } from '../../../src/server/database/store-database.ts';
import type { RehearsalResult } from '../../../src/server/plans/records/rehearsals.ts';
import { allOrNothing } from '../../../src/server/store/all-or-nothing.ts';
import { openStore, type Store } from '../../../src/server/store/open-store.ts';
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
import { type GivenStore, startOnPglite } from '../../given/stores.ts';

/** What the store holds before each change: something for each of them to change. */
interface Before {
  readonly plan: string;
  readonly late: string;
  readonly run: string;
  readonly ignore: string;
  readonly pause: string;
  readonly token: string;
  readonly claimed: string;
  readonly dead: string;
}

interface Change {
  readonly change: (store: Store, before: Before) => Promise<unknown>;
  /** The events that it appends. */
  readonly events?: readonly object[];
}

const hour = 3_600_000;
const reported = new Set(['forge']);
const known = givenCheck('a', givenHosts(2), { drift: [givenDrift('1')] });
const message = { channel: 'ops', kind: 'drifted', account: 'a', topic: 'x', facts: {}, delayMs: 0 };
const result: RehearsalResult = { runs: [], findings: [], more: 0, failure: null };
const decision = { by: ada, decision: 'approved', numbers: {}, comment: null, via: 'api' } as const;
const hold: AccountHold = {
  kind: 'undo',
  run: 'r',
  at: '',
  commit: null,
  runs: 0,
  isInDoubt: false,
  reason: '',
};

const planChanged = (state?: string, account = 'a') => ({
  type: 'plan.changed',
  account,
  data: state === undefined ? {} : { state },
});
const runChanged = (state: string) => ({
  type: 'run.changed',
  account: 'a',
  data: { state, total: 3, done: 0, failed: 0, in_doubt: 0 },
});
const healthChanged = (account: string, health: string) => ({
  type: 'account.changed',
  account,
  data: expect.objectContaining({ health }) as object,
});
const notificationChanged = { type: 'notification.changed', account: null, resource: 'ops' };
const rehearsalChanged = (rehearsal: string) => ({ ...planChanged(), data: { rehearsal } });

const changes: Readonly<Record<string, Change>> = {
  'accounts.sync': {
    change: ({ accounts }) => accounts.sync([givenAccount('a', { companyId: '7' }), givenAccount('new')]),
    events: ['a', 'b', 'c', 'new'].map((account) => ({ type: 'account.changed', account })),
  },
  'accounts.recordCheck of something new': {
    change: ({ accounts }) =>
      accounts.recordCheck(
        givenCheck('a', givenHosts(1), { health: 'waiting', causes: [{ ...givenCause, id: 'another' }] }),
      ),
    events: [healthChanged('a', 'waiting')],
  },
  'accounts.recordCheck of nothing new': { change: ({ accounts }) => accounts.recordCheck(known) },
  'accounts.setHealth': {
    change: ({ accounts }) => accounts.setHealth('a', 'running'),
    events: [healthChanged('a', 'running')],
  },
  'accounts.setHold': { change: ({ accounts }) => accounts.setHold(['a'], hold) },
  'accounts.lock': { change: ({ accounts }) => accounts.lock(['a']) },
  'accounts.setNextCheck': { change: ({ accounts }) => accounts.setNextCheck(new Map([['a', new Date(0)]])) },
  'plans.propose of another plan': {
    change: ({ plans }) => plans.propose(givenNewPlan('a', { checksum: '2', source: 'forge', commit: 'c2' })),
    events: [planChanged('stale'), planChanged('waiting')],
  },
  'plans.shorten': {
    change: ({ plans }, { plan }) => plans.shorten(plan, new Date(Date.now() + hour / 2)),
    events: [planChanged('waiting')],
  },
  'plans.setPullRequest': {
    change: ({ plans }) => plans.setPullRequest('forge', 'c1', 'https://git.example.com/7'),
    events: [planChanged('waiting')],
  },
  'plans.approve': {
    change: ({ plans }, { plan }) => plans.approve(plan, decision),
    events: [planChanged('waiting')],
  },
  'plans.comment': {
    change: ({ plans }, { plan }) => plans.comment(plan, ada, 'fine'),
    events: [planChanged()],
  },
  'plans.move': {
    change: ({ plans }, { plan }) => plans.move(plan, ['waiting'], 'approved'),
    events: [planChanged('approved')],
  },
  'plans.keep': {
    change: ({ plans }, { plan }) => plans.keep(plan, { leftOut: ['1'], authors: [] }),
    events: [planChanged('waiting')],
  },
  'plans.reopen': {
    change: ({ plans }, { plan }) => plans.reopen(plan, { leftOut: [], authors: [] }),
    events: [planChanged('waiting')],
  },
  'accounts.claim': { change: ({ accounts }) => accounts.claim('a', 1) },
  'plans.endRejections': { change: ({ plans }) => plans.endRejections(['c']) },
  'rehearsals.ask': {
    change: ({ rehearsals }, { late }) => rehearsals.ask(late, ada),
    events: [{ ...rehearsalChanged('queued'), account: 'b' }],
  },
  'rehearsals.begin': {
    change: ({ rehearsals }, { plan }) => rehearsals.begin(plan),
    events: [rehearsalChanged('running')],
  },
  'rehearsals.end': {
    change: ({ rehearsals }, { plan }) => rehearsals.end(plan, null, result),
    events: [rehearsalChanged('done')],
  },
  'rehearsals.giveUp': {
    change: ({ rehearsals }) => rehearsals.giveUp(),
    events: [rehearsalChanged('failed')],
  },
  'runs.queue': {
    change: ({ runs }) => runs.queue({ account: 'b', plan: null, by: ada, reason: null, steps: 3 }),
    events: [{ ...runChanged('queued'), account: 'b' }],
  },
  'runs.change': {
    change: ({ runs }, { run }) => runs.change(run, { state: 'running' }),
    events: [runChanged('running')],
  },
  'runs.requestStop': {
    change: ({ runs }, { run }) => runs.requestStop(run, bob),
    events: [runChanged('stopping')],
  },
  'runs.overrideWindows': {
    change: ({ runs }, { run }) => runs.overrideWindows(run, bob, 'urgent'),
    events: [runChanged('queued')],
  },
  'runs.log': {
    change: ({ runs }, { run }) => runs.log(run, [{ type: 'step', text: 'one' }]),
    events: [{ type: 'run.event', account: 'a', data: { seq: 1 } }],
  },
  'pauses.add': {
    change: ({ pauses }) => pauses.add({ scope: 'all', by: ada, reason: 'x', until: null }),
  },
  'pauses.end': { change: ({ pauses }, { pause }) => pauses.end(pause) },
  'ignores.add': {
    change: ({ ignores }) =>
      ignores.add({
        account: 'a',
        cause: givenCause.id,
        reason: 'y',
        by: bob,
        until: new Date('2099-01-02'),
      }),
  },
  'ignores.remove': { change: ({ ignores }, { ignore }) => ignores.remove(ignore) },
  'sources.fetched': { change: ({ sources }) => sources.fetched('forge', 'c2') },
  'sources.failed': { change: ({ sources }) => sources.failed('forge', { code: 'x', message: 'x' }) },
  'sources.keepOnly': { change: ({ sources }) => sources.keepOnly([]) },
  'sessions.create': {
    change: ({ sessions }) => sessions.create({ hash: 't', identity: {}, lifeMs: hour }),
  },
  'sessions.use': { change: ({ sessions }) => sessions.use('s', 3 * hour) },
  'sessions.remove': { change: ({ sessions }) => sessions.remove('s') },
  'tokens.create': {
    change: ({ tokens }) => tokens.create({ name: 'u', hash: 'u', grants: [], createdBy: ada, lifeMs: hour }),
  },
  'tokens.use': { change: ({ tokens }) => tokens.use('t') },
  'tokens.revoke': { change: ({ tokens }, { token }) => tokens.revoke(token) },
  'tickets.put': { change: ({ tickets }) => tickets.put('link', 'i', 1, hour) },
  'tickets.take': { change: ({ tickets }) => tickets.take('link', 'h') },
  'tickets.useJti': { change: ({ tickets }) => tickets.useJti('https://a', 'j', new Date('2099-01-01')) },
  'idempotency.claim': { change: ({ idempotency }) => idempotency.claim('ada', 'l', 'h') },
  'idempotency.answer': { change: ({ idempotency }) => idempotency.answer('ada', 'k', 200, {}) },
  'idempotency.release': { change: ({ idempotency }) => idempotency.release('ada', 'k') },
  'notifications.enqueue': {
    change: ({ notifications }) => notifications.enqueue([{ ...message, topic: 'new' }]),
  },
  'notifications.claim': { change: ({ notifications }) => notifications.claim('later', 5) },
  'notifications.sent': {
    change: ({ notifications }, { claimed }) => notifications.sent([claimed]),
    events: [notificationChanged],
  },
  'notifications.failed': {
    change: ({ notifications }, { claimed }) => notifications.failed([claimed], 'no', null),
    events: [notificationChanged],
  },
  'notifications.redrive': {
    change: ({ notifications }) => notifications.redrive('ops'),
    events: [notificationChanged],
  },
  'notifications.resend': {
    change: ({ notifications }, { dead }) => notifications.resend(dead),
    events: [notificationChanged],
  },
  'rolloutAccounts.claim': {
    change: (store) =>
      store.transaction(({ rolloutAccounts }) => rolloutAccounts.claim('r2', ['a', 'b'], async () => true)),
  },
  'history.count': { change: ({ history }) => history.count('a', { changes: 1 }) },
  'events.append': {
    change: ({ events }) => events.append({ type: 'source.changed', account: null }),
    events: [{ type: 'source.changed', account: null, resource: null, data: {} }],
  },
};

let given: GivenStore;
let tables: readonly string[];
beforeAll(async () => {
  given = await startOnPglite();
  const names = await given.run(`select table_name as name from information_schema.tables
    where table_schema = 'rampart_server' order by 1`);
  tables = names.map(({ name }) => `rampart_server.${String(name)}`);
}, 120_000);
afterAll(() => given.stop());

/** The changes leave it as it is, so it is made again only after a test that failed. */
let before: Before;
let unchanged: unknown;
let isUnchanged = false;
beforeEach(async () => {
  if (isUnchanged) return;
  await given.clear();
  before = await setUp();
  unchanged = await everything();
});

async function setUp(): Promise<Before> {
  const store = openStore(given.database, reported);
  await store.accounts.sync(['a', 'b', 'c'].map((name) => givenAccount(name)));
  await store.accounts.recordCheck(known);
  await store.accounts.recordCheck(givenCheck('b', givenHosts(1)));
  const propose = async (account: string, parts = {}) =>
    (await store.plans.propose(givenNewPlan(account, parts)))?.plan.id ?? '';
  const plan = await propose('a', { source: 'forge', commit: 'c1' });
  const late = await propose('b', { expiresAt: new Date(0) });
  await store.plans.move(await propose('c'), ['waiting'], 'rejected');
  await store.rehearsals.ask(plan, ada);
  const run = await store.runs.queue({ account: 'a', plan, by: ada, reason: null, steps: 3 });
  await store.ignores.add({
    account: 'a',
    cause: givenCause.id,
    reason: 'x',
    by: ada,
    until: new Date('2099-01-01'),
  });
  const pause = await store.pauses.add({ scope: 'account:a', by: ada, reason: 'x', until: null });
  await store.sources.fetched('forge', 'c1');
  await store.sessions.create({ hash: 's', identity: { subject: ada }, lifeMs: hour });
  const token = await store.tokens.create({
    name: 't',
    hash: 't',
    grants: [],
    createdBy: ada,
    lifeMs: hour,
  });
  await store.tickets.put('link', 'h', 1, hour);
  await store.idempotency.claim('ada', 'k', 'h');
  await store.notifications.enqueue([message, { ...message, topic: 'y' }]);
  await store.notifications.enqueue([{ ...message, channel: 'later' }]);
  const [claimed, dead] = await store.notifications.claim('ops', 2);
  await store.notifications.failed([dead?.id ?? ''], 'no', null);
  await store.transaction(({ rolloutAccounts }) => rolloutAccounts.claim('r1', ['a'], async () => true));
  await given.run(`update rampart_server.session set seen_at = seen_at - interval '2 hours'`);
  await given.run(`update rampart_server.rehearsal set asked_at = asked_at - interval '2 hours'`);
  const [ignore] = await given.run('select id from rampart_server.ignored_drift');
  return {
    plan,
    late,
    run: run?.id ?? '',
    ignore: String(ignore?.['id']),
    pause: pause.id,
    token: token.id,
    claimed: claimed?.id ?? '',
    dead: dead?.id ?? '',
  };
}

/** Everything that the database holds, in any order of the rows. */
async function everything() {
  const parts = tables.map(
    (table) =>
      `select '${table}' as place, (select json_agg(row order by row::text) from ${table} as row)::text as rows`,
  );
  return given.run(parts.join(' union all '));
}

/** A store whose statement with this number fails before the database gets it; the first has the number 1. */
function failingStore(database: StoreDatabase, failsAt: number) {
  let statements = 0;
  const failing: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      if (statements === failsAt) throw new Error(`statement ${failsAt} fails`);
      return node;
    },
    transformResult: async ({ result: rows }) => rows,
  };
  const store = openStore({ ...database, db: database.db.withPlugin(failing) }, reported);
  return { store, statements: () => statements };
}

describe('a change of the store', () => {
  test.each(Object.entries(changes))(
    'changes everything and appends its events, or nothing if any of its statements fails: %s',
    async (_name, { change, events = [] }) => {
      isUnchanged = false;
      const whole = failingStore(given.database, 0);
      const seen: unknown[] = [];
      const rolledBack = whole.store.transaction(async (store) => {
        await change(store, before);
        const { rows } = await sql`
          select type, account, resource, data from rampart_server.event
          where xid = pg_current_xact_id() order by id
        `.execute(store.db);
        seen.push(...rows);
        throw new Error('rolled back');
      });
      await expect(rolledBack).rejects.toThrow('rolled back');
      expect(seen).toMatchObject(events);
      expect(seen).toHaveLength(events.length);
      for (let failsAt = 1; failsAt < whole.statements(); failsAt += 1)
        await expect(
          change(failingStore(given.database, failsAt).store, before),
          `statement ${failsAt}`,
        ).rejects.toThrow(`statement ${failsAt} fails`);
      expect(await everything()).toEqual(unchanged);
      isUnchanged = true;
    },
  );

  test('needs one statement for cleaning up', async () => {
    const { store, statements } = failingStore(given.database, 0);
    await store.vacuum();
    expect(statements()).toBe(1);
    const failing = failingStore(given.database, 1).store;
    await expect(failing.vacuum()).rejects.toThrow('statement 1 fails');
    await expect(failingStore(given.database, 2).store.prune(hour)).rejects.toThrow('statement 2 fails');
  });

  test('to its tables removes the events of another server', async () => {
    const { store, statements } = failingStore(given.database, 0);
    await given.run(
      "insert into rampart_server.event (xid, type, data) values ('9999999999', 'run.changed', '{}')",
    );
    await store.migrate();
    expect(await given.run("select from rampart_server.event where xid = '9999999999'")).toEqual([]);
    const failing = failingStore(given.database, statements()).store;
    await expect(failing.migrate()).rejects.toThrow('fails');
  });

  test('is rolled back if a later one of the same work is refused, or fails', async () => {
    const { store } = given;
    const refusal = failed(problem('conflict', 'refused'));
    const removing = async (inside: Store) => inside.pauses.end(before.pause);
    const refused = await allOrNothing(store, async (inside) => {
      await removing(inside);
      return refusal;
    });
    expect(refused).toBe(refusal);
    const failing = allOrNothing(store, async (inside) => {
      await removing(inside);
      throw new Error('it fails');
    });
    await expect(failing).rejects.toThrow('it fails');
    expect(await store.pauses.list()).toHaveLength(1);
    const done = await allOrNothing(store, async (inside) => ok(await removing(inside)));
    expect(done).toMatchObject({ ok: true, value: { id: before.pause } });
    expect(await store.pauses.list()).toEqual([]);
    isUnchanged = false;
  });

  test('locks the accounts of a decision until the end of its transaction', async () => {
    await given.store.transaction(async ({ accounts, db }) => {
      await accounts.lock(['a', 'c', 'none']);
      const { rows } = await sql`
        select name from rampart_server.account where xmax::text = pg_current_xact_id()::text order by name
      `.execute(db);
      expect(rows).toEqual([{ name: 'a' }, { name: 'c' }]);
    });
    isUnchanged = false;
  });

  test('may be part of another transaction', async () => {
    const outer = given.store.transaction(async (store) => {
      await store.transaction(({ pauses }) => pauses.end(before.pause));
      expect(await store.pauses.list()).toEqual([]);
      throw new Error('rolled back');
    });
    await expect(outer).rejects.toThrow('rolled back');
    expect(await given.store.pauses.list()).toHaveLength(1);
  });
});
