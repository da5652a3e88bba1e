import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { accountNamed } from '../../../src/server/settings/configured-account.ts';
import { routes } from '../../../src/server/start/routes.ts';
import { closePlan } from '../../given/decide.ts';
import { givenPlan } from '../../given/plan.ts';
import { cyclicPlan, refusedPlan, richPlan } from '../../given/report-plans.ts';
import { givenApi } from './given-api.ts';

const api = givenApi();
const answerOf = (id: string) => routes.find((each) => each.id === id)?.answer;

describe('reading from the API', () => {
  test.each([
    ['getMe', '/me'],
    ['getOverview', '/overview'],
    ['getHistory', '/history?days=90'],
    ['listAccounts', '/accounts'],
    ['listAccounts', '/accounts?health=drifted,unchecked&cause=cause-1&where=region%3D%3D%22eu%22'],
    ['getAccount', '/accounts/berlin'],
    ['listDrift', '/accounts/berlin/drift?attribute=name'],
    ['listAccountHosts', '/accounts/berlin/hosts?q=WEB'],
    ['listTimeline', '/accounts/berlin/timeline'],
    ['getHost', '/accounts/berlin/hosts/101'],
    ['listHosts', '/hosts?q=BER-WEB&drifted=true'],
    ['countHosts', '/hosts/facets'],
    ['listCauses', '/causes'],
    ['listPlans', '/plans?state=waiting,done'],
    ['listRuns', '/runs?state=queued'],
    ['listRollouts', '/rollouts'],
    ['listAudit', '/audit?kind=login'],
    ['verifyAudit', '/audit/verify'],
    ['getSettings', '/settings'],
    ['listTokens', '/tokens'],
    ['listPauses', '/pauses'],
    ['listIgnores', '/accounts/berlin/ignores'],
  ])('%s returns %s as its schema says, and no other field', async (id, path) => {
    const { status, body, headers } = await api.get(path);
    expect([status, api.faults]).toEqual([200, []]);
    expect(answerOf(id)?.parse(body)).toEqual(body);
    expect(headers.get('etag')).toMatch(/^(W\/)?"[\w-]{27}"$/);
  });

  test('ignores a difference until a time, checks the account, and stops on request', async () => {
    const differences = [{ host_id: '101', attribute: 'name' }];
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const given = { differences, reason: 'Known.', until };
    const wrong = [
      { ...given, until: new Date(Date.now() - 1_000).toISOString() },
      { ...given, until: new Date(Date.now() + 400 * 86_400_000).toISOString() },
      { ...given, reason: '' },
      { ...given, cause: 'cause-1' },
      { ...given, differences: [] },
      { ...given, differences: [{ host_id: '101', attribute: 'psk' }] },
    ];
    for (const body of wrong) expect((await api.post('/accounts/berlin/ignores', body)).status).toBe(422);
    const unknown = { ...given, differences: [{ host_id: '999', attribute: 'name' }] };
    expect((await api.post('/accounts/berlin/ignores', unknown)).status).toBe(404);
    const made = await api.post('/accounts/berlin/ignores', given);
    expect([made.status, made.body]).toEqual([201, { differences: 1, until }]);
    expect(api.asked.at(-1)).toBe('check berlin');
    const { items } = (await api.get('/accounts/berlin/ignores')).body as { items: { id: string }[] };
    expect(items).toMatchObject([{ host_id: '101', attribute: 'name', reason: 'Known.', until }]);
    const ended = await api.delete(`/accounts/berlin/ignores/${items[0]?.id}`);
    expect(ended.status).toBe(200);
    expect((await api.get('/accounts/berlin/ignores')).body).toEqual({ items: [] });
    expect((await api.delete(`/accounts/berlin/ignores/${items[0]?.id}`)).status).toBe(404);
  });

  test('filters accounts by health, cause and labels', async () => {
    const names = async (query: string) =>
      (await api.get(`/accounts?${query}`)).body.items.map((each: { name: string }) => each.name);
    expect(await names('health=drifted')).toEqual(['berlin', 'denver']);
    expect(await names('health=unchecked')).toEqual(['lisbon']);
    expect(await names('cause=cause-1&where=region%20%3D%3D%20%22us%22')).toEqual(['denver']);
  });

  test('returns 304 for the ETag of the same response', async () => {
    const first = await api.get('/overview');
    expect(first.body.more).toEqual({ causes: false, waiting: false, running: false });
    const again = await api.get('/overview', 'admin', { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, again.body]).toEqual([304, '']);
  });
});

describe('one host', () => {
  test('shows the line of the open plan that decides an attribute, or else the cause of the difference', async () => {
    const before = await api.get('/accounts/berlin/hosts/101');
    expect(before.body.explain).toMatchObject([
      {
        attribute: 'name',
        value: 'KIOSK-1',
        decided_by: 'rule "kiosks"',
        place: { file: 'fleet.yaml', line: 12 },
      },
      {
        attribute: 'group',
        value: 'Web',
        decided_by: 'entry at fleet.yaml:40',
        place: { file: 'fleet.yaml', line: 40, column: 5 },
        overruled: [{ decided_by: 'rule "rule of line 20"', place: { file: 'rules.yaml', line: 20 } }],
      },
      { attribute: 'antivirus', value: null, decided_by: 'nobody: no entry or rule sets it' },
    ]);
    expect(before.body).toMatchObject({ plan: null, history: [], searched: { runs: 0, is_complete: true } });
    const { id } = await api.propose('denver');
    const planned = await api.get('/accounts/denver/hosts/101');
    expect(planned.body.plan).toBe(id);
    expect(planned.body.explain[0]).toMatchObject({
      attribute: 'name',
      decided_by: expect.stringMatching(/^entry at /),
    });
  });
});

describe("one host of a desired state that can't be read now", () => {
  test('has the result of the last check, and the reason', async () => {
    const { status, body } = await api.get('/accounts/berlin/hosts/103');
    expect(status).toBe(200);
    expect(body.explain_problem).toBe('the source is away; see the account');
    expect(body.explain).toContainEqual({
      attribute: 'group',
      value: 'Web',
      decided_by: 'no difference from the desired state',
    });
  });
});

describe('accounts that the caller may not see', () => {
  test('are treated like missing ones on every route, with the same response', async () => {
    const plan = await api.propose('denver');
    const paths = [
      '/accounts/denver',
      '/accounts/denver/hosts/101',
      '/accounts/denver/drift',
      `/plans/${plan.id}`,
    ];
    for (const path of paths) {
      expect([path, (await api.get(path, 'viewer')).status]).toEqual([path, 200]);
      const { status, body } = await api.get(path, 'european');
      const missing = await api.get(
        path.replace('denver', 'nowhere').replace(plan.id, 'nowhere'),
        'european',
      );
      expect([path, status, body]).toEqual([path, 404, missing.body]);
    }
  });
});

test('accounts are decided about at once when a pause begins and when it ends', async () => {
  const healthOf = async () => (await api.get('/accounts/berlin')).body.health;
  await api.store.accounts.setHealth('berlin', 'converged');
  const paused = await api.post('/pauses', { account: 'berlin', reason: 'the office moves' }, 'admin');
  expect(paused.status).toBe(201);
  expect(await healthOf()).toBe('paused');
  expect((await api.delete(`/pauses/${paused.body.id}`, 'admin')).status).toBe(200);
  expect(await healthOf()).toBe('converged');
  expect((await api.delete(`/pauses/${paused.body.id}`, 'admin')).status).toBe(404);
  await api.store.accounts.setHealth('berlin', 'drifted');
});

test('an account whose pause has an expression that can no longer be evaluated shows as paused', async () => {
  const by = { kind: 'person', id: 'ada', name: 'Ada' } as const;
  const scope = 'where:removed == "eu"';
  const pause = await api.store.pauses.add({ scope, by, reason: 'the office moves', until: null });
  const shown = await api.get('/accounts/berlin', 'admin');
  expect(shown.body.pause).toMatchObject({ scope });
  const { paused } = (await api.get('/overview', 'admin')).body;
  expect(paused).toBe((await api.get('/accounts', 'admin')).body.items.length);
  await api.store.pauses.end(pause.id);
});

test('an open plan says whether a pause keeps its run from beginning', async () => {
  const { id } = await api.propose('berlin');
  const isPaused = async () => (await api.get(`/plans/${id}`)).body.is_paused;
  expect(await isPaused()).toBe(false);
  const pause = await api.post('/pauses', { account: 'berlin', reason: 'the office moves' }, 'admin');
  expect(await isPaused()).toBe(true);
  await api.post(
    `/plans/${id}/reject`,
    { checksum: (await api.get(`/plans/${id}`)).body.checksum, reason: 'No.' },
    'ada',
  );
  expect(await isPaused()).toBe(false);
  await api.delete(`/pauses/${pause.body.id}`, 'admin');
});

describe('deciding on a plan', () => {
  test('approves exactly the checksum, and starts its run', async () => {
    const { id, checksum } = await api.propose('berlin');
    const wrong = await api.post(`/plans/${id}/approve`, { checksum: '0'.repeat(64) }, 'ada');
    expect([wrong.status, wrong.body.code]).toEqual([409, 'stale-plan']);
    // The plan is looked up once: the record of the refusal, which has a limit, needs no read.
    const find = vi.spyOn(api.store.plans, 'find');
    expect((await api.post(`/plans/${id}/approve`, { checksum }, 'viewer')).status).toBe(403);
    expect(find).toHaveBeenCalledOnce();
    find.mockRestore();
    const denied = await api.get('/audit?kind=write-denied');
    expect(denied.body.items[0]).toMatchObject({ account: 'berlin', what: { operation: 'approvePlan' } });
    const approved = await api.post(`/plans/${id}/approve`, { checksum }, 'ada');
    expect([approved.status, approved.body.state]).toEqual([200, 'approved']);
    expect(api.asked.at(-1)).toBe('run berlin');
    const audit = await api.get('/audit?kind=plan-approved');
    expect(audit.body.items[0]).toMatchObject({ by: 'Ada', account: 'berlin', what: { plan: id, checksum } });
  });

  test('needs a change ticket if the operator requires one, also in the comment', async () => {
    const { id, checksum } = await api.propose('lisbon', { approvals: 2 });
    const lisbon = accountNamed(api.settings, 'lisbon');
    if (lisbon === undefined) throw new Error('no account');
    const ticket = {
      source: 'snow',
      path: '{ticket}',
      state: { at: 'state', is: ['Implement'] },
      place: lisbon.place,
    };
    Object.assign(lisbon, { ticket });
    onTestFinished(() => void Object.assign(lisbon, { ticket: undefined }));
    const approve = (given: object, who: 'ada' | 'grace' = 'ada') =>
      api.post(`/plans/${id}/approve`, { checksum, ...given }, who);
    const refused = [
      await approve({}),
      await approve({ ticket: 'CHG1^OR' }),
      await approve({ comment: 'Fine.' }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [403, 'not-approved']),
    );
    expect(refused[0]?.body.detail).toContain('a change ticket is required');
    const first = await approve({ comment: 'Fine. Ticket: CHG0001' });
    expect(first.body).toMatchObject({ state: 'waiting', approvals: [{ ticket: 'CHG0001' }] });
    expect((await approve({}, 'grace')).body.state).toBe('approved');
    const audit = await api.get('/audit?kind=plan-approval-given');
    expect(audit.body.items[0]).toMatchObject({ what: { plan: id, ticket: 'CHG0001' } });
  });

  test('records exactly what each person decided if several approve at once', async () => {
    const { id, checksum } = await api.propose('denver', { plan: cyclicPlan(), approvals: 2 });
    const people = ['ada', 'grace', 'both'] as const;
    const answers = await Promise.all(
      people.map((who) => api.post(`/plans/${id}/approve`, { checksum, numbers: {} }, who)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.detail)).toEqual(['the plan is already approved']);
    const records = await api.state.audit.latest(1_000);
    const own = (records.ok ? records.value : [])
      .map(({ text }) => JSON.parse(text) as { kind: string; what: Record<string, unknown> })
      .filter(({ what }) => what['plan'] === id);
    expect(own.map(({ kind, what }) => [kind, what['given'], what['required']])).toEqual([
      ['plan-approval-given', 1, 2],
      ['plan-approved', 2, 2],
    ]);
    const { body } = await api.get(`/plans/${id}`);
    expect([body.state, body.approvals.length]).toEqual(['approved', 2]);
  });

  test('refuses a plan that errors block, and shows why', async () => {
    const { id, checksum } = await api.propose('denver', { plan: refusedPlan() });
    const { body } = await api.get(`/plans/${id}`, 'ada');
    expect(body.may_approve.allowed).toBe(false);
    expect(body.verdict).toMatch(/^This plan can't be applied/);
    expect((await api.post(`/plans/${id}/approve`, { checksum }, 'ada')).status).toBeGreaterThanOrEqual(403);
  });

  test('refuses a decision on a version that has changed', async () => {
    const { id, checksum } = await api.propose('denver');
    const { headers } = await api.get(`/plans/${id}`, 'grace');
    await api.post(`/plans/${id}/comments`, { text: 'Wait for Monday.' }, 'ada');
    const decided = await api.post(`/plans/${id}/reject`, { checksum, reason: 'No.' }, 'grace', {
      'if-match': headers.get('etag') ?? '',
    });
    expect([decided.status, decided.body.code]).toEqual([412, 'changed-since']);
    const rejected = await api.post(`/plans/${id}/reject`, { checksum, reason: 'No.' }, 'grace');
    expect(rejected.body).toMatchObject({ state: 'rejected', reason: 'No.' });
  });

  test('pages and filters the hosts of a plan', async () => {
    const { id } = await api.propose('denver');
    const { body } = await api.get(`/plans/${id}/hosts?action=delete`);
    expect(body.items.map((each: { host_id: string }) => each.host_id)).toEqual(['106', '109']);
    const undoable = await api.get(`/plans/${id}/hosts?irreversible=false`);
    const irreversible = await api.get(`/plans/${id}/hosts?irreversible=true`);
    expect(irreversible.body.items.map((each: { host_id: string }) => each.host_id)).toEqual([
      '106',
      '108',
      '109',
    ]);
    expect([undoable.body.total, irreversible.body.total]).toEqual([14, 3]);
    const page = await api.get(`/plans/${id}/hosts?limit=2`);
    expect(page.body).toMatchObject({ next: '2', total: 17 });
    expect((await api.get(`/plans/${id}/hosts?cursor=-1`)).status).toBe(422);
  });
});

test("lists each host with a change that can't be undone once, and counts those that it leaves out", async () => {
  const ids = Array.from({ length: 503 }, (_, index) => index + 1);
  const plan = givenPlan({
    entries: ids.map((id) => ({ id, ensure: 'absent' })),
    hosts: ids.map((id) => ({ id, name: `HOST-${id}` })),
  });
  const { id } = await api.propose('denver', { plan });
  const { body } = await api.get(`/plans/${id}`);
  expect([body.irreversible_hosts.length, body.more.irreversible_hosts]).toEqual([500, 3]);
  // All of these hosts are online, which is unusual for hosts that are deleted.
  expect([body.unusual_hosts, body.more.unusual_hosts, body.more.problems]).toEqual([[], 0, 0]);
});

test('counts the unusual hosts that it leaves out', async () => {
  // What very many hosts have in common is not unusual, so each cycle has a length of its own.
  const lengths = Array.from({ length: 14 }, (_, index) => index + 3);
  const hosts = lengths.flatMap((length) =>
    Array.from({ length }, (_, n) => ({
      id: 100 * length + n,
      name: `RING-${length}-${n}`,
      next: `RING-${length}-${(n + 1) % length}`,
    })),
  );
  const plan = givenPlan({ entries: hosts.map(({ id, next }) => ({ id, name: next })), hosts });
  const { id } = await api.propose('denver', { plan });
  const { body } = await api.get(`/plans/${id}`);
  expect([body.unusual_hosts.length, body.more.unusual_hosts]).toEqual([100, 33]);
});

test('says since when a host that would be deleted is offline', async () => {
  const wentOffline = '2026-03-01T08:00:00Z';
  const hosts = [
    { id: 1, name: 'OLD-1', online: false, stateChangedAt: wentOffline },
    { id: 2, name: 'BUSY-2', online: true, stateChangedAt: '2026-11-28T08:00:00Z' },
  ];
  const plan = givenPlan({ entries: hosts.map(({ id }) => ({ id, ensure: 'absent' })), hosts });
  const { id } = await api.propose('denver', { plan });
  const { body } = await api.get(`/plans/${id}`);
  const seen = body.irreversible_hosts.map(({ host_id, online, last_seen }: Record<string, unknown>) => [
    host_id,
    online,
    last_seen,
  ]);
  expect(new Set(seen)).toEqual(
    new Set([
      ['1', 'offline', wentOffline],
      ['2', 'online', null],
    ]),
  );
});

test('distinguishes a host without a name from a host whose name is empty', async () => {
  const plan = givenPlan({ entries: [{ id: 1, name: 'FIRST' }], hosts: [{ id: 1, name: null }] });
  const { id } = await api.propose('denver', { plan });
  const { body } = await api.get(`/plans/${id}/hosts`);
  expect(body.items).toMatchObject([{ host_id: '1', name: null, new_name: 'FIRST' }]);
});

describe('rehearsing a plan', () => {
  test('is queued once, however often it is requested, and is part of the plan', async () => {
    const { id } = await api.propose('lisbon', { plan: richPlan() });
    expect((await api.get(`/plans/${id}`)).body.rehearsal).toBe(null);
    api.asked.length = 0;
    const [first] = await Promise.all([1, 2, 3].map(() => api.post(`/plans/${id}/rehearsal`, {}, 'planner')));
    expect([first?.status, first?.body]).toMatchObject([202, { state: 'queued', converged: null, runs: [] }]);
    expect(answerOf('rehearsePlan')?.safeParse(first?.body).error).toBeUndefined();
    expect(new Set(api.asked)).toEqual(new Set([`rehearse ${id}`]));
    const audit = await api.get('/audit?kind=rehearsal-requested');
    expect(audit.body.items).toHaveLength(1);
    expect(audit.body.items[0]).toMatchObject({ what: { plan: id, account: 'lisbon' } });

    await api.store.rehearsals.begin(id);
    expect((await api.get(`/plans/${id}`)).body.rehearsal.state).toBe('running');
    const steps = { total: 1, done: 1, failed: 0, in_doubt: 0, skipped: 0 };
    const conflicts = { answers: 1, already: 0, repeated: 1, failed: 0 };
    const run = { converged: true, steps, calls: 2, conflicts, refusals: 0, seconds: 3 };
    const kinds = ['without_faults', 'with_faults'] as const;
    await api.store.rehearsals.end(id, null, {
      runs: kinds.map((kind) => ({ ...run, kind })),
      findings: [],
      more: 0,
      failure: null,
    });
    const { body } = await api.get(`/plans/${id}`);
    expect(answerOf('getPlan')?.safeParse(body).error).toBeUndefined();
    expect(body.rehearsal).toMatchObject({ state: 'done', converged: true, runs: [run, run] });
    api.asked.length = 0;
    expect((await api.post(`/plans/${id}/rehearsal`, {}, 'planner')).body).toMatchObject({ state: 'done' });
    expect(api.asked).toEqual([]);
  });

  test('is refused for a plan that is not open, or that the caller may not rehearse', async () => {
    const { id, checksum } = await api.propose('lisbon', { plan: cyclicPlan() });
    expect((await api.post(`/plans/${id}/rehearsal`, {}, 'viewer')).status).toBe(403);
    expect((await api.post('/plans/none/rehearsal', {}, 'planner')).status).toBe(404);
    expect((await api.post(`/plans/${id}/reject`, { checksum, reason: 'no' }, 'ada')).body).toMatchObject({
      state: 'rejected',
    });
    const refused = await api.post(`/plans/${id}/rehearsal`, {}, 'planner');
    expect([refused.body.code, refused.body.detail]).toEqual([
      'stale-plan',
      "the plan is rejected, so it can't be rehearsed",
    ]);
  });
});

describe('idempotency keys', () => {
  test('do the work once, however many requests arrive at once', async () => {
    const asked = api.asked.length;
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        api.post('/accounts/check', { names: ['berlin'] }, 'admin', { 'idempotency-key': 'many' }),
      ),
    );
    for (const { status } of replies) expect([202, 409]).toContain(status);
    expect(api.asked.length - asked).toBe(1);
    const again = await api.post('/accounts/check', { names: ['berlin'] }, 'admin', {
      'idempotency-key': 'many',
    });
    expect([again.status, again.body]).toEqual([202, { accounts: 1, queued: 1 }]);
    expect(api.asked.length - asked).toBe(1);
  });

  test('refuse another request with the same key', async () => {
    const { status, body } = await api.post('/accounts/check', { names: ['lisbon'] }, 'admin', {
      'idempotency-key': 'many',
    });
    expect([status, body.code]).toEqual([422, 'invalid-value']);
  });

  test('belong to one caller', async () => {
    const key = { 'idempotency-key': 'many' };
    expect((await api.post('/accounts/check', { names: ['lisbon'] }, 'european', key)).status).toBe(202);
  });

  test('never keep a token', async () => {
    const key = { 'idempotency-key': 'a-token' };
    const request = { name: 'ci', grants: [{ role: 'viewer' }], expires_in_days: 1 };
    const created = await api.post('/tokens', request, 'admin', key);
    expect(created.status).toBe(201);
    const again = await api.post('/tokens', request, 'admin', key);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    const records = await api.state.audit.latest(1_000);
    expect(JSON.stringify([again.body, records, (await api.get('/tokens')).body])).not.toContain(
      created.body.token,
    );
  });
});

describe('a change that was made', () => {
  const by = { kind: 'person', id: 'ada', name: 'Ada' } as const;
  const queued = async () => {
    const { id } = await api.propose('berlin');
    await api.store.plans.move(id, ['waiting'], 'approved');
    return (await api.store.runs.queue({ account: 'berlin', plan: id, by, reason: null, steps: 1 }))?.id;
  };
  const plan = { ...richPlan(), createdAt: new Date().toISOString() };
  const until = () => new Date(Date.now() + 3_600_000).toISOString();
  const endRuns = async () => {
    for (const { id } of (await api.get('/runs?state=queued,stopping')).body.items)
      await api.store.runs.change(id, { state: 'stopped' });
    for (const name of ['berlin', 'denver', 'lisbon']) await closePlan(api.store, name, 'over');
  };

  test.each<[string, number, () => Promise<{ readonly status: number }>]>([
    [
      'run',
      200,
      async () => {
        await api.propose('berlin', { state: 'approved' });
        const pause = await api.store.pauses.add({ scope: 'account:berlin', by, reason: 'x', until: null });
        return api.delete(`/pauses/${pause.id}`);
      },
    ],
    ['run', 202, async () => api.post(`/runs/${await queued()}/stop`, { reason: 'wrong day' })],
    [
      'run',
      200,
      async () => {
        const { id, checksum } = await api.propose('lisbon', { plan });
        return api.post(`/plans/${id}/approve`, { checksum }, 'ada');
      },
    ],
    [
      'rehearse',
      202,
      async () => api.post(`/plans/${(await api.propose('denver', { plan })).id}/rehearsal`, {}, 'ada'),
    ],
    [
      'check',
      201,
      () => api.post('/accounts/denver/ignores', { cause: 'cause-1', reason: 'known', until: until() }),
    ],
  ])('is reported as made even if a later step fails: %s', async (work, status, change) => {
    await api.store.plans.endRejections(['berlin', 'denver', 'lisbon']);
    await endRuns();
    api.failing.add(work);
    api.asked.length = 0;
    try {
      expect((await change()).status).toBe(status);
      expect(api.asked.map((text) => text.split(' ')[0])).toEqual([work]);
      expect(api.faults.splice(0)).toMatchObject([{ message: 'the queue is broken' }]);
    } finally {
      api.failing.clear();
      await endRuns();
      for (const { id } of (await api.get('/accounts/denver/ignores')).body.items)
        await api.delete(`/accounts/denver/ignores/${id}`);
    }
  });
});

test('returns 304 if any of the ETags is that of the plan document', async () => {
  const path = `/plans/${(await api.propose('lisbon')).id}/document`;
  const first = await api.get(path, 'admin');
  const known = { 'if-none-match': `"other", W/${first.headers.get('etag')}` };
  expect((await api.get(path, 'admin', known)).status).toBe(304);
});
