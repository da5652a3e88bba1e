import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../../src/server/store/open-store.ts';
import { closePlan } from '../../../given/decide.ts';
import {
  ada,
  allPages,
  bob,
  givenAccount,
  givenCause,
  givenCheck,
  givenDrift,
  givenHosts,
  givenNewPlan,
} from '../../../given/store-records.ts';
import { type GivenStore, storeBackends } from '../../../given/stores.ts';

describe.each(storeBackends)('plans and runs of the store on %s', (_, start) => {
  let given: GivenStore;
  beforeAll(async () => {
    given = await start();
  }, 120_000);
  afterAll(() => given.stop());
  beforeEach(async () => {
    await given.clear();
    await given.store.accounts.sync([givenAccount('a'), givenAccount('b')]);
  });

  const propose = async (parts = {}, account = 'a') => {
    const proposed = await given.store.plans.propose(givenNewPlan(account, parts));
    return proposed;
  };

  it('the timeline of an account has plans, decisions, runs, drift and pauses, latest first and page by page', async () => {
    const { store } = given;
    await store.accounts.recordCheck(
      givenCheck('a', givenHosts(2), {
        drift: [givenDrift('1')],
        causes: [{ ...givenCause, kind: 'fleet' }],
      }),
    );
    await store.pauses.add({ scope: 'account:a', by: ada, reason: 'The site moves.', until: null });
    await store.pauses.add({ scope: 'account:b', by: ada, reason: 'Not here.', until: null });
    const { plan } = await propose({ commit: 'c1' });
    await propose({}, 'b');
    const decision = { by: bob, decision: 'approved', numbers: {}, comment: 'Go.', via: 'api' } as const;
    await store.plans.approve(plan.id, decision);
    const run = await store.runs.queue({ account: 'a', plan: plan.id, by: ada, reason: null, steps: 2 });
    await store.runs.change(run?.id ?? '', { state: 'running' });
    await store.runs.change(run?.id ?? '', { state: 'failed' });
    const read = (limit: number) =>
      allPages((cursor) => store.timeline({ account: 'a', visible: 'all', cursor, limit }));
    const whole = await read(100);
    expect(new Set(whole.map(({ kind }) => kind))).toEqual(
      new Set(['run-ended', 'run-started', 'approved', 'proposed', 'paused', 'drifted']),
    );
    expect(whole.find(({ kind }) => kind === 'approved')).toMatchObject({
      plan: plan.id,
      by: bob.name,
      text: 'Go.',
    });
    expect(whole.find(({ kind }) => kind === 'run-ended')).toMatchObject({ plan: plan.id, state: 'failed' });
    expect(whole.map(({ at }) => at.getTime())).toEqual(
      whole.map(({ at }) => at.getTime()).toSorted((a, b) => b - a),
    );
    expect(await read(1)).toEqual(whole);
    expect(await store.timeline({ account: 'a', visible: ['b'] })).toMatchObject({ value: { items: [] } });
  });

  it('a plan is the open one of its account, and a newer one makes it stale', async () => {
    const first = await propose();
    expect(first).toMatchObject({ plan: { state: 'waiting', approvals: [], author: 'ada' } });
    const second = await propose({ checksum: 'checksum-2' });
    expect(await given.store.plans.find(first.plan.id, 'all')).toMatchObject({
      state: 'stale',
      replacedBy: second.plan.id,
    });
    expect((await given.store.accounts.find('a', 'all'))?.plan).toEqual({
      id: second.plan.id,
      checksum: 'checksum-2',
      changes: 1,
      irreversible: 0,
      state: 'waiting',
    });
    expect((await given.store.plans.previous(second.plan.id, 'all'))?.id).toBe(first.plan.id);
    expect(await given.store.plans.previous(first.plan.id, 'all')).toBeUndefined();
    expect(await given.store.plans.previous(second.plan.id, 'all', 'applied')).toBeUndefined();
    await given.store.plans.move(first.plan.id, ['stale'], 'done');
    expect((await given.store.plans.previous(second.plan.id, 'all', 'applied'))?.id).toBe(first.plan.id);
    expect(await given.store.plans.find('none', 'all')).toBeUndefined();
  });

  it('rejected changes are proposed again once the rejection has ended, in the named accounts', async () => {
    const ids = await Promise.all(
      ['a', 'b'].map(async (account) => {
        const { plan } = await propose({}, account);
        await given.store.plans.move(plan.id, ['waiting'], 'rejected');
        return plan.id;
      }),
    );
    const { plan: open } = await propose({ checksum: 'open' });
    await given.store.plans.endRejections(['a']);
    const now = (await given.store.accounts.find('a', 'all'))?.readAt ?? new Date(0);
    const isOver = async (id = '') =>
      Number((await given.store.plans.find(id, 'all'))?.expiresAt) <= Number(now);
    expect([await isOver(ids[0]), await isOver(ids[1]), await isOver(open.id)]).toEqual([true, false, false]);
  });

  it('a rehearsal ends once, and starts again after a failure or with another fleet', async () => {
    const { rehearsals, accounts } = given.store;
    const { plan } = await propose();
    const run = {
      kind: 'with_faults',
      converged: true,
      steps: { total: 1, done: 1, failed: 0, in_doubt: 0, skipped: 0 },
      calls: 1,
      conflicts: { answers: 0, already: 0, repeated: 0, failed: 0 },
      refusals: 0,
      seconds: 2,
    } as const;
    const result = { runs: [run], findings: [], more: 0, failure: null };
    const stateOf = async () => (await rehearsals.find(plan.id, 'all'))?.state;
    expect(await rehearsals.ask(plan.id, ada)).toMatchObject({
      isNew: true,
      rehearsal: { plan: plan.id, state: 'queued', by: ada, ended_at: null, result: null },
    });
    expect(await rehearsals.ask(plan.id, bob)).toMatchObject({ isNew: false, rehearsal: { by: ada } });
    expect(await rehearsals.begin(plan.id)).toMatchObject({ state: 'running' });
    expect(await rehearsals.begin(plan.id)).toMatchObject({ state: 'running' });
    await rehearsals.end(plan.id, null, result);
    expect(await rehearsals.find(plan.id, 'all')).toMatchObject({
      state: 'done',
      result,
      ended_at: expect.any(Date),
    });
    expect(await rehearsals.begin(plan.id)).toBeUndefined();
    expect((await rehearsals.ask(plan.id, bob)).isNew).toBe(false);
    await accounts.recordCheck(givenCheck('a', []));
    expect(await rehearsals.ask(plan.id, bob)).toMatchObject({ isNew: true, rehearsal: { by: bob } });
    await rehearsals.end(plan.id, null, { ...result, failure: { code: 'x', message: 'x' } });
    expect(await stateOf()).toBe('failed');
    await rehearsals.end(plan.id, null, result);
    expect(await stateOf()).toBe('failed');
    expect((await rehearsals.ask(plan.id, ada)).isNew).toBe(true);
    await rehearsals.giveUp();
    expect(await stateOf()).toBe('queued');
    await given.run(`update rampart_server.rehearsal set asked_at = asked_at - interval '61 minutes'`);
    await rehearsals.giveUp();
    expect(await rehearsals.find(plan.id, 'all')).toMatchObject({
      state: 'failed',
      result: { runs: [], findings: [], more: 0, failure: { code: 'timed-out' } },
    });
  });

  it('two workers that propose at once leave one open plan', async () => {
    await Promise.all([
      given.store.plans.propose(givenNewPlan('a', { checksum: 'one' })),
      given.other.plans.propose(givenNewPlan('a', { checksum: 'two' })),
    ]);
    const plans = await given.store.plans.list({ visible: 'all', states: ['waiting'] });
    expect(plans.ok && plans.value.items).toHaveLength(1);
  });

  it('its document and what it changes are returned unchanged', async () => {
    const document = `{"text":"${'é'.repeat(100_000)}"}`;
    const effect = { kind: 'rename', hosts: 1, first: ['PC-1'] } as const;
    const { plan } = await propose({
      document,
      shape: { effects: [{ ...effect, of: 'bad \u0000 \ud800 \\u0000' }] },
    });
    expect(await given.store.plans.document(plan.id, 'all')).toBe(document);
    const [compared] = await given.store.plans.compared({ visible: 'all', accounts: [plan.account] });
    expect(compared?.shape).toEqual({ effects: [{ ...effect, of: 'bad \ufffd \ufffd \\u0000' }] });
  });

  it('has the decisions about it, oldest first', async () => {
    const { plan } = await propose();
    const numbers = { deletions: 2 };
    const approval = { by: ada, decision: 'approved', numbers, comment: null, via: 'api' } as const;
    await given.store.plans.approve(plan.id, approval);
    const decided = await given.other.plans.approve(plan.id, { ...approval, by: bob, comment: 'fine' });
    expect(decided?.approvals).toMatchObject([
      { by: ada, decision: 'approved', numbers, via: 'api', at: expect.any(Date) },
      { by: bob, decision: 'approved', comment: 'fine' },
    ]);
    const later = await propose({ checksum: 'later' });
    const found = await given.store.plans.find(plan.id, 'all');
    expect(found?.approvals).toEqual(decided?.approvals);
    expect(await given.store.plans.previous(later.plan.id, 'all')).toEqual(found);
  });

  it('accounts with an expired plan are listed, unless it runs or is closed', async () => {
    const past = { expiresAt: new Date(Date.now() - 1_000) };
    const { plan } = await propose(past);
    await propose({}, 'b');
    expect(await given.store.plans.overdue()).toEqual(['a']);
    await given.store.plans.move(plan.id, ['waiting'], 'running');
    expect(await given.store.plans.overdue()).toEqual([]);
  });

  it('rejected plans of an account are listed until their time has passed, without reversals of runs', async () => {
    const rejected = async (parts = {}) => {
      const { plan } = await propose(parts);
      await given.store.plans.move(plan.id, ['waiting'], 'rejected');
      return plan.id;
    };
    await rejected({ expiresAt: new Date(Date.now() - 1_000) });
    await rejected({ source: 'undo of run 1' });
    const first = await rejected({ checksum: 'one' });
    const second = await rejected({ checksum: 'two' });
    await propose({}, 'b');
    const listed = async () => (await given.store.plans.rejected('a')).map(({ id }) => id);
    expect(await listed()).toEqual([second, first]);
    await given.store.plans.endRejections(['b']);
    expect(await listed()).toHaveLength(2);
    await given.store.plans.endRejections(['a']);
    expect(await listed()).toEqual([]);
  });

  it('a decision is written only if the account is unchanged since it was read', async () => {
    const { accounts } = given.store;
    const version = (await accounts.find('a', 'all'))?.version ?? 0;
    expect(
      await Promise.all([accounts.claim('a', version), given.other.accounts.claim('a', version)]),
    ).toEqual(expect.arrayContaining([true, false]));
    expect(await accounts.claim('a', version + 1)).toBe(true);
    expect(await accounts.claim('none', 1)).toBe(false);
  });

  it('each change of a plan queues one report of its commit, for sources with a forge', async () => {
    const store = openStore(given.database, new Set(['fleet']));
    const { plans, notifications } = store;
    await plans.propose(givenNewPlan('b'));
    await plans.propose(givenNewPlan('b', { source: 'fleet', commit: null, checksum: 'folder' }));
    expect(await notifications.due()).toEqual([]);
    const proposed = await plans.propose(givenNewPlan('a', { source: 'fleet', commit: 'c1' }));
    const id = proposed?.plan.id ?? '';
    await plans.approve(id, {
      by: bob,
      decision: 'approved',
      numbers: {},
      comment: null,
      via: 'console',
    });
    expect(await notifications.due()).toEqual(['forge:fleet']);
    const [report, ...more] = await notifications.claim('forge:fleet', 10);
    expect([report?.kind, report?.topic, more]).toEqual(['status', 'c1', []]);
    expect(await plans.ofCommit('fleet', 'c1')).toMatchObject([
      { outcome: 'waiting', plans: 1, changes: 1, irreversible: 0, plan: { id, account: 'a', approvals: 1 } },
    ]);
    await plans.propose(givenNewPlan('b', { source: 'fleet', commit: 'c1', checksum: 'b', changes: 4 }));
    expect(await plans.ofCommit('fleet', 'c1')).toMatchObject([{ outcome: 'waiting', plans: 2, changes: 5 }]);
    await plans.move(id, ['waiting'], 'running');
    const run = await store.runs.queue({ account: 'a', plan: id, by: bob, reason: null, steps: 1 });
    await store.runs.change(run?.id ?? '', { state: 'in_doubt' });
    await plans.move(id, ['running'], 'stale', 'its run ended in doubt');
    await closePlan(store, 'b', 'the fleet changed');
    expect(await plans.ofCommit('fleet', 'c1')).toMatchObject([
      { outcome: 'in_doubt', plan: { reason: 'its run ended in doubt' } },
      { outcome: 'stale', plan: { account: 'b' } },
    ]);
    expect(await notifications.claim('forge:fleet', 10)).toHaveLength(1);
    await notifications.sent([report?.id ?? ''], { comment: 71 });
    expect(await notifications.lastSent('forge:fleet', 'status', 'c1')).toEqual({ comment: 71 });
    expect(await notifications.lastSent('forge:fleet', 'status', 'c2')).toBeUndefined();
  });

  it('pauses are listed oldest first, page after page, as far as the caller may see them', async () => {
    const { pauses } = given.store;
    const scopes = ['all', 'account:a', 'account:b', 'account:c'];
    for (const scope of scopes) await pauses.add({ scope, by: ada, reason: 'x', until: null });
    // Pauses of one moment are in the order of their ids.
    await given.run(`update rampart_server.pause set at = '2026-11-23T08:00:00Z' where scope <> 'all'`);
    const shown = await allPages((cursor) =>
      pauses.page({ cursor, limit: 1 }, ({ scope }) => scope !== 'account:b'),
    );
    const all = (await pauses.list()).filter(({ scope }) => scope !== 'account:b');
    expect(shown).toEqual(all);
    expect(shown.map(({ scope }) => scope).toSorted()).toEqual(['account:a', 'account:c', 'all']);
  });

  it('comments keep their order, and wake those who read the plan', async () => {
    const { plan } = await propose();
    const before = await given.store.events.latest();
    await given.store.plans.comment(plan.id, ada, 'first');
    expect(await given.store.events.after(before, 'all')).toMatchObject([
      { type: 'plan.changed', account: 'a', resource: plan.id },
    ]);
    await given.store.plans.comment(plan.id, bob, 'second');
    expect(await given.store.plans.comments(plan.id, 'all')).toMatchObject([
      { by: ada, text: 'first' },
      { by: bob, text: 'second', at: expect.any(Date) },
    ]);
  });

  it.each<[what: string, query: object, accounts: readonly string[]]>([
    ['part of an author, in any letter case', { text: 'lovel' }, ['a']],
    ['part of a commit', { text: 'C0F' }, ['b']],
    ['a character that would match any text', { text: '%' }, []],
    ['a source', { source: 'other' }, ['b']],
    ['changes that can not be undone', { risk: 'irreversible' }, ['a']],
    ['a limit that it exceeds', { risk: 'limit' }, ['b']],
    ['another state', { states: ['done'] }, []],
  ])('plans are found by %s', async (_, query, accounts) => {
    const { plans } = given.store;
    const own = { author: 'Ada Lovelace', commit: null, irreversible: 1 };
    await plans.propose(givenNewPlan('a', own));
    const numbers = [{ limit: 'rename' as const, value: 3, allowed: 2 }];
    const required = { approvals: 1, notAuthor: false, numbers };
    await plans.propose(givenNewPlan('b', { author: 'Bob', commit: 'c0ffee', source: 'other', required }));
    const listed = await plans.list({ visible: 'all', ...query });
    expect(listed.ok && listed.value.items.map(({ account }) => account)).toEqual(accounts);
  });

  it('plans are listed latest first, page after page', async () => {
    const ids: string[] = [];
    for (let each = 0; each < 7; each += 1) ids.unshift((await propose({ checksum: `c${each}` })).plan.id);
    const listed = await allPages((cursor) =>
      given.store.plans.list({ visible: 'all', limit: 2, cursor, account: 'a' }),
    );
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const times = listed.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  const newRun = { account: 'a', plan: null, by: ada, reason: 'because', steps: 3 } as const;
  const steps = { total: 3, done: 3, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 };

  it('an account has one run at a time, which ends once', async () => {
    const run = await given.store.runs.queue(newRun);
    expect(run).toMatchObject({ state: 'queued', steps: { ...steps, done: 0 }, by: ada, startedAt: null });
    expect(await given.other.runs.queue(newRun)).toBeUndefined();
    expect((await given.store.accounts.find('a', 'all'))?.run).toBe(run?.id);
    const id = run?.id ?? '';
    const running = await given.store.runs.change(id, { state: 'running', journal: 'r1' });
    expect(running).toMatchObject({
      state: 'running',
      journal: 'r1',
      startedAt: expect.any(Date),
      endedAt: null,
    });
    for (const parts of [{ progress: { pace: 2 } }, { state: 'queued' }] as const)
      expect(await given.store.runs.change(id, parts)).toMatchObject({ endedAt: null });
    expect(await given.store.runs.requestStop(id, bob)).toMatchObject({
      state: 'stopping',
      stopBy: bob,
      endedAt: null,
    });
    expect(await given.store.runs.change(id, { state: 'running', steps })).toMatchObject({
      state: 'stopping',
      steps,
    });
    expect(await given.store.runs.change(id, { state: 'queued' })).toMatchObject({ state: 'stopping' });
    const ended = await given.store.runs.change(id, { state: 'done', exitCode: 0, progress: { pace: 1 } });
    expect(ended).toMatchObject({
      state: 'done',
      exitCode: 0,
      endedAt: expect.any(Date),
      progress: { pace: 1 },
    });
    expect(ended?.startedAt).toEqual(running?.startedAt);
    expect(await given.store.runs.change(id, { state: 'failed' })).toBeUndefined();
    expect(await given.store.runs.requestStop(id, bob)).toBeUndefined();
    expect(await given.store.runs.queue(newRun)).toMatchObject({ state: 'queued' });
    expect(await given.store.runs.find(id, 'all')).toEqual(ended);
  });

  it('change windows are overridden once, by someone with a reason, as long as nobody stops the run', async () => {
    const id = (await given.store.runs.queue(newRun))?.id ?? '';
    expect(await given.store.runs.overrideWindows(id, bob, 'urgent')).toMatchObject({
      state: 'queued',
      override: { by: bob, reason: 'urgent', at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
    });
    expect(await given.store.runs.overrideWindows(id, ada, 'again')).toBeUndefined();
    await given.run('update rampart_server.run set override = null');
    await given.store.runs.requestStop(id, ada);
    expect(await given.store.runs.overrideWindows(id, bob, 'urgent')).toBeUndefined();
  });

  it('the log of a run continues its numbers', async () => {
    const id = (await given.store.runs.queue(newRun))?.id ?? '';
    await given.store.runs.log(id, [
      { type: 'step', step: 's1', text: 'one' },
      { type: 'step', text: 'two' },
    ]);
    await given.store.runs.log(id, [{ type: 'end', text: 'three' }]);
    await given.store.runs.log(id, []);
    await given.store.runs.log('no-run', [{ type: 'end', text: 'nothing' }]);
    expect(await given.store.runs.events(id, { visible: 'all', after: 1 })).toMatchObject([
      { seq: 2, text: 'two', step: null },
      { seq: 3, text: 'three', type: 'end' },
    ]);
  });

  it('the log of a run is read backwards from its end, or forwards from a line', async () => {
    const id = (await given.store.runs.queue(newRun))?.id ?? '';
    await given.store.runs.log(
      id,
      Array.from({ length: 9 }, (_, at) => ({ type: 'step', text: String(at + 1) })),
    );
    const read = async (query: object) =>
      (await given.store.runs.events(id, { visible: 'all', limit: 3, ...query })).map(({ seq }) => seq);
    expect(await read({})).toEqual([7, 8, 9]);
    expect(await read({ before: 7 })).toEqual([4, 5, 6]);
    expect(await read({ before: 3 })).toEqual([1, 2]);
    expect(await read({ after: 0 })).toEqual([1, 2, 3]);
    expect(await read({ after: 7 })).toEqual([8, 9]);
    expect(await read({ after: 3, before: 6 })).toEqual([4, 5]);
    expect(await read({ after: 9 })).toEqual([]);
    expect(await read({ before: Number.MAX_SAFE_INTEGER, visible: ['b'] })).toEqual([]);
  });

  it('runs are listed latest first, by account, state and plan', async () => {
    const done: string[] = [];
    for (let each = 0; each < 5; each += 1) {
      const id = (await given.store.runs.queue({ ...newRun, plan: `p${each}` }))?.id ?? '';
      await given.store.runs.change(id, { state: 'done' });
      done.push(id);
    }
    const open = await given.store.runs.queue({ ...newRun, account: 'b' });
    const listed = await allPages((cursor) => given.store.runs.list({ visible: 'all', limit: 2, cursor }));
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([...done, open?.id]));
    expect(listed).toHaveLength(6);
    const idsOf = async (query: object) => {
      const page = await given.store.runs.list({ visible: 'all', ...query });
      return page.ok ? page.value.items.map(({ id }) => id) : [];
    };
    expect(await idsOf({ account: 'b' })).toEqual([open?.id]);
    expect(await idsOf({ states: ['queued'] })).toEqual([open?.id]);
    expect(await idsOf({ plan: 'p3' })).toEqual([done[3]]);
  });
});
