import { hostname } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Step, StepId } from '../../../../src/core/plan/types/step.ts';
import { failed, ok, problem, type Result } from '../../../../src/core/problem/problem.ts';
import type { RunQuery } from '../../../../src/run/state/interface/state.ts';
import type { JournalRecord, RunRecord } from '../../../../src/run/state/journal/record.ts';
import type { Lease } from '../../../../src/run/state/lease/lease.ts';
import { describeProcess } from '../../../../src/run/state/lease/this-process.ts';
import type { LockRequest } from '../../../../src/run/state/lease/wait-for-lock.ts';
import { checkSchema } from '../../../../src/run/state/postgres/check-schema.ts';
import type { Database } from '../../../../src/run/state/postgres/connect.ts';
import { newestVersion } from '../../../../src/run/state/postgres/migrations.ts';
import { createPostgresJournal } from '../../../../src/run/state/postgres/postgres-journal.ts';
import { acquireLease } from '../../../../src/run/state/postgres/postgres-lease.ts';
import { postgresStateOn } from '../../../../src/run/state/postgres/postgres-state.ts';
import { at, givenFleet } from '../../../given/fleet.ts';
import { type GivenPglite, startPglite } from '../../../given/pglite.ts';
import { givenPlan } from '../../../given/plan.ts';
import { givenBegin, givenHead, givenRun, timeAt } from '../../../given/runs.ts';
import { valueOf } from '../../../given/value-of.ts';

const account = { companyId: '42', service: 'https://service.example' };
const other = { companyId: '43', service: 'https://service.example' };
const plan = givenPlan({
  entries: [
    { id: 1, name: 'B' },
    { id: 2, antivirus: true },
  ],
  hosts: [
    { id: 1, name: 'A' },
    { id: 2, name: 'h2', antivirus: 'missing' },
  ],
});
const rename = plan.steps.find(({ kind }) => kind === 'rename') as Step;
/** On a machine that this one can't look at. */
const ada = { pid: 7, machine: `not-${hostname()}`, user: 'ada', since: at };
const bob = { ...ada, user: 'bob' };
const dropped = Object.assign(new Error('away'), { code: 'ECONNRESET' });
const broken = Object.assign(new Error('broken'), { code: 'XX000' });

let pglite: GivenPglite;
beforeAll(async () => {
  pglite = await startPglite();
}, 120_000);
afterAll(() => pglite.stop());
afterEach(() => pglite.clear());

const leases: Lease[] = [];
afterEach(() => Promise.all(leases.splice(0).map((lease) => lease.release())));

/** A clock that only its sleeps move. */
function clockFrom(now = Date.parse(at), sleeps: number[] = []) {
  let time = now;
  return {
    now: () => time,
    async sleep(ms: number) {
      sleeps.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
      time += ms;
    },
  };
}

async function acquire(parts: Partial<LockRequest> = {}, database: Database = pglite.database) {
  const taken = await acquireLease(database, account, {
    clock: clockFrom(),
    timeoutMs: 0,
    holder: ada,
    ...parts,
  });
  if (taken.ok) leases.push(taken.value);
  return taken;
}

const headOf = (parts: object = {}) => ({
  account,
  clock: clockFrom(),
  planChecksum: 'c',
  steps: 1,
  fleetSize: 10,
  ...parts,
});
const lapse = (ms = 16_000) =>
  pglite.run(`update rampart.lease set until = until - interval '${ms} milliseconds'`);
const bodies = async () =>
  (await pglite.run('select body from rampart.record order by run_id, seq')).map(
    ({ body }) => body as JournalRecord,
  );

describe('the lease in a table', () => {
  it('lasts for 12 seconds, and its epoch increases with each holder', async () => {
    const first = valueOf(await acquire());
    const [row] = await pglite.run(
      'select epoch, holder, extract(epoch from until - clock_timestamp())::float8 as left from rampart.lease',
    );
    expect(row).toMatchObject({ epoch: 1, holder: ada });
    expect(row?.['left']).toBeGreaterThan(8);
    expect(row?.['left']).toBeLessThanOrEqual(12);
    await first.release();
    expect(valueOf(await acquire()).epoch).toBe(2);
  });

  it('that lapsed is taken over, with a warning, and is lost for its holder', async () => {
    const first = valueOf(await acquire());
    await lapse();
    expect(await first.confirm()).toBe(false);
    expect(valueOf(await pglite.state.holder(account))).toBeNull();
    expect(valueOf(await pglite.state.listLocks())).toEqual([]);
    const second = await acquire({ holder: bob });
    expect(second).toMatchObject({
      ok: true,
      value: { epoch: 2 },
      problems: [{ severity: 'warning', message: expect.stringMatching(/of ada .* for 12 s/) }],
    });
    await first.release();
    expect(valueOf(await pglite.state.holder(account))).toEqual({ ...bob, epoch: 2 });
  });

  it('is taken without a warning after its holder released it', async () => {
    await valueOf(await acquire()).release();
    expect(await acquire({ holder: bob })).toMatchObject({ ok: true, problems: [] });
  });

  it('is not taken early if the start time of its process is unknown, or the process is on another machine', async () => {
    const dead = { ...describeProcess(at), pid: 2 ** 22 + 1 };
    const { started, ...startless } = dead;
    expect(started).toBeDefined();
    await acquire({ holder: startless });
    expect((await acquire()).ok).toBe(false);
    await pglite.clear();
    await acquire({ holder: { ...dead, machine: ada.machine } });
    expect((await acquire()).ok).toBe(false);
  });

  it("can't be broken after it has lapsed", async () => {
    await acquire();
    await lapse();
    expect(valueOf(await pglite.state.unlock(account))).toBe(false);
  });

  it('is checked every half second while a run waits for it, and once more at the end of the wait', async () => {
    await acquire();
    const sleeps: number[] = [];
    const onWait = vi.fn();
    const waited = await acquire({ clock: clockFrom(0, sleeps), timeoutMs: 1_200, holder: bob, onWait });
    expect(waited.problems[0]?.code).toBe('lock-held');
    expect(sleeps).toEqual([500, 500, 200]);
    expect(onWait.mock.calls).toEqual([[{ ...ada, epoch: 1 }]]);
  });

  it('is released without a failure if the database is unavailable', async () => {
    const lease = valueOf(await acquire({}, pglite.through({ replies: [undefined, undefined, dropped] })));
    await lease.release();
    leases.length = 0;
  });

  it('is free before its release returns', async () => {
    let hasReplied = false;
    const slow = pglite.database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        await new Promise((resolve) => setImmediate(resolve));
        hasReplied = true;
        return result;
      },
    });
    const lease = valueOf(await acquire({}, { ...pglite.database, db: slow }));
    hasReplied = false;
    await lease.release();
    expect(hasReplied).toBe(true);
  });

  it('is also refused if its holder releases it at the same time', async () => {
    await acquire();
    const withoutHolder = pglite.database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => ({
        ...result,
        rows: result.rows.filter((row) => !('run' in row)),
      }),
    });
    const refused = await acquire({ holder: bob }, { ...pglite.database, db: withoutHolder });
    expect(refused.problems).toMatchObject([
      {
        code: 'lock-held',
        message: 'another run is in progress: it holds the lock of another run',
      },
    ]);
  });
});

describe('renewing the lease in a table', () => {
  afterEach(() => void vi.useRealTimers());
  const left = async () =>
    (
      await pglite.run(
        'select extract(epoch from until - clock_timestamp())::float8 as left from rampart.lease',
      )
    )[0]?.['left'];

  async function renew(lease: Lease): Promise<void> {
    await vi.advanceTimersByTimeAsync(5_000);
    const giveUpAt = Date.now() + 1_000;
    while (vi.getTimerCount() === 0 && !lease.lost.aborted && Date.now() < giveUpAt)
      await new Promise((resolve) => setImmediate(resolve));
  }

  it('extends it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const lease = valueOf(await acquire());
    await lapse(10_000);
    await renew(lease);
    expect(await left()).toBeGreaterThan(10);
    expect(lease.lost.aborted).toBe(false);
  });
  it.each([
    ['has lapsed', () => lapse()],
    ['was broken', () => pglite.state.unlock(account)],
  ])('loses it if it %s', async (_what, change) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const lease = valueOf(await acquire());
    await change();
    await renew(lease);
    expect(lease.lost.aborted).toBe(true);
    expect(await left()).toBeLessThan(1);
  });
});

describe('the journal in a table', () => {
  async function begin(network: Parameters<GivenPglite['through']>[0] = {}, lease?: Lease) {
    const held = lease ?? valueOf(await acquire());
    const database = pglite.through(network);
    return { lease: held, journal: valueOf(await createPostgresJournal(database, held, headOf())) };
  }

  it('accepts no record of a run whose lease has lapsed or belongs to another account', async () => {
    const { lease, journal } = await begin();
    await lapse();
    expect((await journal.begin(rename)).problems[0]?.code).toBe('lock-lost');
    const fresh = valueOf(await acquire());
    expect(fresh.epoch).toBe(2);
    const foreign = await createPostgresJournal(pglite.database, fresh, headOf({ account: other }));
    expect(foreign.problems[0]?.code).toBe('lock-lost');
    expect((await createPostgresJournal(pglite.database, lease, headOf())).ok).toBe(false);
  });

  it('does not end a run without the lease', async () => {
    const { journal } = await begin();
    await lapse();
    await journal.end(0);
    expect(await pglite.run('select last from rampart.run')).toEqual([{ last: null }]);
  });

  it('waits while the database is unavailable', async () => {
    // The first statement creates the run.
    const held = valueOf(await acquire());
    const slept: string[] = [];
    const clock = {
      ...clockFrom(),
      async sleep(ms: number) {
        slept.push(`sleep ${ms}`);
        await new Promise((resolve) => setImmediate(resolve));
        slept.push('awake');
      },
    };
    const database = pglite.through({ sends: [undefined, dropped, dropped] });
    const journal = valueOf(await createPostgresJournal(database, held, headOf({ clock })));
    expect((await journal.begin(rename)).ok).toBe(true);
    expect(slept).toEqual(['sleep 250', 'awake', 'sleep 250', 'awake']);
    expect(await bodies()).toHaveLength(1);
  });

  it('writes a record once although its response was lost', async () => {
    const { journal } = await begin({ replies: [undefined, dropped, undefined, dropped] });
    expect((await journal.begin(rename)).ok).toBe(true);
    await journal.outcome(rename.id, 'done');
    await journal.end(0);
    expect((await bodies()).map(({ type }) => type)).toEqual(['begin', 'outcome', 'end']);
    expect((await pglite.run('select last from rampart.run'))[0]).toMatchObject({ last: { exit_code: 0 } });
  });

  it('waits no longer than the lease lasts', async () => {
    const held = valueOf(await acquire());
    let asked = 0;
    const refusal = () => {
      asked += 1;
      return asked > 2 ? problem('lock-lost', 'lost') : undefined;
    };
    const { journal } = await begin({ sends: [undefined, dropped, dropped, dropped] }, { ...held, refusal });
    expect((await journal.begin(rename)).problems[0]?.code).toBe('lock-lost');
    expect(asked).toBe(3);
    expect(await bodies()).toEqual([]);
  });

  it("does not retry a write that can't succeed", async () => {
    const { journal } = await begin({ sends: [undefined, broken] });
    expect((await journal.begin(rename)).problems).toMatchObject([
      { code: 'state', message: 'PGlite failed (XX000)' },
    ]);
    await journal.outcome(rename.id, 'not-started');
    await journal.end(5);
    expect(await bodies()).toEqual([]);
  });

  it('is not begun if the database is unavailable', async () => {
    const held = valueOf(await acquire());
    const made = await createPostgresJournal(pglite.through({ sends: [dropped] }), held, headOf());
    expect(made.problems).toMatchObject([{ code: 'state', message: expect.stringContaining('ECONNRESET') }]);
  });

  it('is complete once it has ended', async () => {
    const { journal } = await begin();
    const ids = Array.from({ length: 50 }, (_, index) => `s${index}` as StepId);
    await Promise.all(ids.map((id) => journal.outcome(id, 'skipped')));
    await journal.end(0);
    expect(await bodies()).toHaveLength(51);
  });
});

const end: JournalRecord = {
  type: 'end',
  at: timeAt(9),
  exit_code: 0,
  digest: { done: 3, deleted: 2, requests: [] },
};
const have = async (
  seconds: number,
  records: readonly JournalRecord[] = [end],
  parts: Partial<RunRecord> = {},
) => valueOf(await pglite.state.importRun(givenRun(seconds, records, parts)));
const idAt = (seconds: number) => givenHead(seconds).run_id;
const ids = async (query: RunQuery) =>
  valueOf(await pglite.state.listRuns(query)).map(({ head }) => head.run_id);

describe('the runs in a table', () => {
  it('are summarized by their other records if they did not end', async () => {
    const outcome = (step: string, of: 'done' | 'already' | 'failed'): JournalRecord => ({
      type: 'outcome',
      at: timeAt(5),
      step,
      outcome: of,
    });
    await have(1, [
      givenBegin('a', 'rename', ['1']),
      outcome('a', 'done'),
      givenBegin('b', 'move', ['2']),
      outcome('b', 'already'),
      givenBegin('c', 'rename', ['3']),
      outcome('c', 'failed'),
      givenBegin('d', 'delete', ['4', '5']),
      outcome('d', 'done'),
      givenBegin('e', 'antivirus', ['6']),
    ]);
    await have(2, []);
    expect(valueOf(await pglite.state.listRuns({}))).toMatchObject([
      { state: 'crashed', done: 0, deleted: 0, requests: [], lastAt: timeAt(2) },
      {
        state: 'crashed',
        done: 3,
        deleted: 2,
        lastAt: timeAt(1),
        requests: [{ host_id: '6', kind: 'antivirus', in_doubt: true }],
      },
    ]);
  });

  it("that can't be parsed are reported as warnings and left out", async () => {
    for (const seconds of [1, 2, 3, 4]) await have(seconds, [givenBegin('s', 'delete', ['1'])]);
    await pglite.run(`update rampart.run set head = '{}' where run_id = '${idAt(1)}'`);
    await pglite.run(`update rampart.run set head = '${JSON.stringify(end)}' where run_id = '${idAt(2)}'`);
    await pglite.run(`update rampart.record set body = '{}' where run_id = '${idAt(3)}'`);
    const listed = await pglite.state.listRuns({});
    expect(valueOf(listed).map(({ head }) => head.run_id)).toEqual([idAt(4)]);
    expect(listed.problems.every(({ code }) => code === 'journal')).toBe(true);
    expect(listed.problems.map(({ severity, message }) => [severity, message])).toEqual(
      [3, 2, 1].map((each) => ['warning', expect.stringContaining(idAt(each))]),
    );
    for (const each of [1, 2, 3])
      expect((await pglite.state.readRun(idAt(each))).problems).toMatchObject([
        { code: 'journal', message: expect.stringContaining("can't be understood") },
      ]);
  });

  it('are read in order, and a missing run is not read', async () => {
    const records = Array.from({ length: 12 }, (_, index) => givenBegin(`s${index}`, 'rename', ['1']));
    await have(1, records);
    expect(valueOf(await pglite.state.readRun(idAt(1)))).toEqual(givenRun(1, records));
    expect((await pglite.state.readRun('x')).problems).toMatchObject([
      { code: 'usage', hint: expect.stringContaining('rampart runs') },
    ]);
  });

  it('are imported once, in portions, all or nothing', async () => {
    const records = Array.from({ length: 5_001 }, (_, index) => givenBegin(`s${index}`, 'rename', ['1']));
    expect(await have(1, records)).toBe(true);
    expect(await have(1, [])).toBe(false);
    expect(
      await pglite.run('select count(*)::integer as count, max(seq) as last from rampart.record'),
    ).toEqual([{ count: 5_001, last: 5_001 }]);
    const state = postgresStateOn(pglite.through({ replies: [undefined, undefined, dropped] }));
    expect((await state.importRun(givenRun(2, [end]))).ok).toBe(false);
    expect(await ids({})).toEqual([idAt(1)]);
  });

  it('keep the end of an imported run, and add none to a run without an end', async () => {
    await have(1, [givenBegin('s', 'rename', ['1']), end]);
    await have(2, [givenBegin('s', 'rename', ['1'])]);
    expect(await pglite.run('select last is null as open from rampart.run order by run_id')).toEqual([
      { open: false },
      { open: true },
    ]);
  });

  it('are removed with their records, and counted', async () => {
    await have(1);
    await have(2);
    expect(await pglite.state.removeRuns([idAt(1), 'x'])).toEqual(ok(1));
    expect(await pglite.state.removeRuns([])).toEqual(ok(0));
    expect(await ids({})).toEqual([idAt(2)]);
    expect(await bodies()).toHaveLength(1);
  });
});

describe('the fleets in a table', () => {
  const fleetOf = (name: string) => givenFleet([{ id: 1, name }]);
  const names = async (visit: () => Result<null> = () => ok(null)) => {
    const seen: string[] = [];
    const result = await pglite.state.eachFleet(async ({ account: { companyId } }) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(companyId ?? '');
      return visit();
    });
    return { result, seen: seen.toSorted() };
  };

  it('are visited until one fails', async () => {
    for (const each of [account, other]) valueOf(await pglite.state.saveFleet(each, fleetOf('A')));
    const stop = failed(problem('state', 'stop'));
    const { result, seen } = await names(() => stop);
    expect(result).toEqual(stop);
    expect(seen).toHaveLength(1);
  });

  it('are reported as problems if they are damaged', async () => {
    valueOf(await pglite.state.saveFleet(account, fleetOf('A')));
    await pglite.run(`update rampart.fleet set snapshot = '\\x00'`);
    expect(await pglite.state.readFleet(account)).toMatchObject({
      ok: false,
      problems: [{ code: 'snapshot-invalid', message: 'a fleet in PGlite is damaged' }],
    });
    expect((await names()).result).toMatchObject({
      ok: false,
      problems: [{ code: 'snapshot-invalid', message: 'a fleet in PGlite is damaged' }],
    });
  });

  it('are not visited once they were deleted', async () => {
    for (const each of [account, other]) valueOf(await pglite.state.saveFleet(each, fleetOf('A')));
    const seen: unknown[] = [];
    const visited = await pglite.state.eachFleet(async (fleet) => {
      seen.push(fleet);
      await pglite.run('delete from rampart.fleet');
      return ok(null);
    });
    expect(visited).toEqual(ok(null));
    expect(seen).toHaveLength(1);
  });
});

describe('the list times in a table', () => {
  it("are a problem if they can't be saved", async () => {
    const state = postgresStateOn(pglite.through({ sends: [undefined, broken] }));
    const saved = await state.saveListTimes(account, [{ action: 'listHosts', ageMs: 0, everyMs: null }]);
    expect(saved).toMatchObject({ ok: false, problems: [{ message: 'PGlite failed (XX000)' }] });
  });
});

describe('the tables', () => {
  const checkAt = (version: string | null, server: number, now = Date.now()) =>
    checkSchema({
      ...pglite.database,
      db: pglite.database.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => ({ ...result, rows: [{ version, server, now }] }),
      }),
    });

  it.each([
    ['the newest', newestVersion, 160_004, true, ''],
    ['those of the oldest server', newestVersion, 130_000, true, ''],
    ['an older server', newestVersion, 129_999, false, 'older than PostgreSQL 13'],
    ['older ones', '0000', 160_004, false, 'does not have the tables'],
    ['none', null, 160_004, false, 'does not have the tables'],
    ['newer ones', '9999', 160_004, false, 'by a newer Rampart, to version 9999'],
  ] as const)('are %s', async (_what, version, server, isGood, message) => {
    const checked = await checkAt(version, server);
    expect(checked.ok).toBe(isGood);
    expect(checked.problems.map((each) => each.message).join('')).toContain(message);
    expect(checked.problems.every(({ code }) => code === 'state')).toBe(true);
  });

  it('are created by the migrations, with the indexes for finding runs', async () => {
    await pglite.run('drop schema rampart cascade');
    const { applied } = valueOf(await postgresStateOn(pglite.database).migrate());
    expect(applied.at(-1)).toBe(newestVersion);
    const made = await pglite.run(`select tablename as name from pg_tables where schemaname = 'rampart'
      union all select indexname from pg_indexes where schemaname = 'rampart'`);
    expect(made.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'lease',
        'run',
        'record',
        'fleet',
        'audit',
        'list_time',
        'migration',
        'migration_lock',
        'run_of_account',
        'run_of_actor',
        'run_of_commit',
        'run_not_completed',
      ]),
    );
  });

  it('report how far the clock of the database is ahead, if the difference is unusually large', async () => {
    const aheadBy = async (ms: number) => valueOf(await checkAt(newestVersion, 160_004, Date.now() + ms));
    expect(await aheadBy(4_000)).toBe(0);
    expect(await aheadBy(-4_000)).toBe(0);
    vi.useFakeTimers({ toFake: ['Date'] });
    expect([await aheadBy(4_999), await aheadBy(5_000), await aheadBy(-5_000)]).toEqual([0, 5_000, -5_000]);
    vi.useRealTimers();
    expect(Math.abs((await aheadBy(60_000)) - 60_000)).toBeLessThan(1_000);
    expect(Math.abs((await aheadBy(-60_000)) + 60_000)).toBeLessThan(1_000);
  });

  it('have the version of this program after a migration', async () => {
    expect(await checkSchema(pglite.database)).toMatchObject({ ok: true });
    expect(await pglite.state.migrate()).toEqual(ok({ applied: [] }));
    expect(await checkSchema(pglite.through({ sends: [dropped] }))).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining('ECONNRESET') }],
    });
  });

  it('are checked once, before the first write', async () => {
    const asked: string[] = [];
    const database: Database = {
      ...pglite.database,
      db: pglite.database.db.withPlugin({
        transformQuery: ({ node }) => {
          asked.push(node.kind);
          return node;
        },
        transformResult: async ({ result }) => result,
      }),
    };
    const state = postgresStateOn(database);
    valueOf(await state.removeRuns([]));
    expect(asked).toEqual(['RawNode', 'RawNode']);
    valueOf(await state.removeRuns([]));
    expect(asked).toHaveLength(3);
    valueOf(await state.migrate());
    const before = asked.length;
    valueOf(await state.removeRuns([]));
    expect(asked).toHaveLength(before + 2);
  });

  it('of another version can be neither read nor written', async () => {
    await pglite.run(`insert into rampart.migration values ('9999', 'now')`);
    try {
      const state = postgresStateOn(pglite.database);
      for (const refused of [
        await state.removeRuns([]),
        await state.listRuns({}),
        await state.holder(account),
        await state.check(),
      ])
        expect(refused.problems[0]?.message).toContain('newer Rampart');
    } finally {
      await pglite.run(`delete from rampart.migration where name = '9999'`);
    }
  });

  it('report whether this user may write to them', async () => {
    await have(1);
    expect(await pglite.state.check()).toEqual(ok({ runs: 1 }));
    const state = postgresStateOn({
      ...pglite.database,
      db: pglite.database.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => ({
          ...result,
          rows: result.rows.map((row) => ('writable' in row ? { ...row, writable: false } : row)),
        }),
      }),
    });
    expect(await state.check()).toMatchObject({ ok: false, problems: [{ code: 'forbidden' }] });
  });

  it('that fail are problems, and never rejections', async () => {
    const state = postgresStateOn(pglite.through({ sends: [undefined, broken, broken] }));
    expect(await state.removeRuns([])).toMatchObject({ ok: false, problems: [{ code: 'state' }] });
    expect(await state.listRuns({})).toMatchObject({ ok: false, problems: [{ code: 'state' }] });
    expect(state.place).toBe('PGlite');
    await state.close();
  });
});
