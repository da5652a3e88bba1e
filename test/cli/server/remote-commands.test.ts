import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { exitCodes } from '../../../src/run/apply/exit-code.ts';
import { readCommand } from '../../docs/read-command.ts';
import { readFences } from '../../docs/read-page.ts';
import { workplace } from '../../given/command-line.ts';
import { serveProxy } from '../../given/connect-proxy.ts';
import { closePlan } from '../../given/decide.ts';
import { givenDesired } from '../../given/desired.ts';
import { at, givenFleet } from '../../given/fleet.ts';
import { listen, nobodyListens } from '../../given/loopback.ts';
import { richPlan } from '../../given/report-plans.ts';
import { givenEvents, givenRollout } from '../../given/rollouts.ts';
import { selfSigned } from '../../given/self-signed.ts';
import { givenApi, type Person } from '../../server/http/given-api.ts';

const api = givenApi();

async function rampart(words: string | readonly string[], as: Person = 'admin') {
  const place = await workplace();
  // The server has the time of the machine, and refuses a pause that would have ended.
  await place.clock.sleep(Math.max(0, Date.now() - place.clock.now()));
  return place.rampart(words, { env: { RAMPART_SERVER: api.url, RAMPART_SERVER_TOKEN: as } });
}

describe('the command line that asks a server', () => {
  test('shows the status as text and as JSON', async () => {
    const text = await rampart('server status');
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toMatch(/^3 accounts with 10 hosts: 2 drifted, 1 not checked yet\.\n/);
    expect(text.out).toContain('  rule "kiosks": 2 hosts in 2 accounts\n');
    const json = await rampart('server status --json');
    expect(JSON.parse(json.out)).toMatchObject({ accounts: 3, health: { drifted: 2 } });
  });

  test('shows which plans wait in paused accounts, and how many of the visible accounts are paused', async () => {
    await api.propose('berlin');
    await api.propose('denver');
    const by = { kind: 'person', id: 'ada', name: 'Ada' } as const;
    const pause = await api.store.pauses.add({
      scope: 'where:region == "us"',
      by,
      reason: 'moving house',
      until: null,
    });
    const { out } = await rampart('server status');
    expect(out).toMatch(/^Changes are paused in 1 account\.$/m);
    expect(out).toMatch(/^ {2}\S+ {2}denver: .*, paused$/m);
    expect(out).toMatch(/^ {2}\S+ {2}berlin: .*(?<!paused)$/m);
    const json = await rampart('server status --json', 'european');
    expect(JSON.parse(json.out)).toMatchObject({
      paused: 0,
      waiting: [{ account: 'berlin', is_paused: false }],
    });
    await api.store.pauses.end(pause.id);
    for (const name of ['berlin', 'denver']) await closePlan(api.store, name, 'test');
    expect((await rampart('server status')).out).not.toContain('paused');
  });

  test('searches the hosts of all accounts', async () => {
    const { code, out } = await rampart('hosts WEB-1 --server');
    expect(code).toBe(0);
    expect(out).toMatch(/berlin +101 +BER-WEB-1 +Web +offline +drifted\n/);
    const one = await rampart('hosts WEB-1 --server --account denver --json');
    expect(JSON.parse(one.out)).toMatchObject([{ account: 'denver', host_id: '101' }]);
    expect((await rampart('hosts nobody --server')).out).toBe('No host matches.\n');
    const first = await rampart('hosts --server --limit 1 --json');
    expect(JSON.parse(first.out)).toHaveLength(1);
    expect(first.err).toContain('The list ends after 1 host.');
  });

  test('lists the runs of the server', async () =>
    expect(await rampart('runs --server')).toMatchObject({ code: 0, out: 'There are no runs yet.\n' }));

  test('lists the rollouts of the server', async () => {
    const list = (...more: readonly string[]) => rampart(['rollout', 'list', '--server', ...more]);
    expect(await list()).toMatchObject({ code: 0, out: 'There are no rollouts yet.\n' });
    const { rollouts } = api.state;
    const head = givenRollout({ canary: ['berlin'], '100%': ['denver'] });
    await rollouts.create(head);
    const ended = { status: 'done', exit_code: 0 };
    await rollouts.append(head.rollout_id, 0, givenEvents(['begun'], ['account-ended', 'berlin', ended]));
    expect((await list()).out).toMatch(/^ROLLOUT .*\n20261121T090000000Z-abc123 +1 of 2 +0 +ada +\S/);
    expect(JSON.parse((await list('--json')).out)).toMatchObject([{ id: head.rollout_id }]);
    await rollouts.remove([head.rollout_id]);
  });

  test('approves exactly the plan that was reviewed', async () => {
    const { id, checksum } = await api.propose('berlin');
    expect(await rampart(['server', 'approve', id, '--checksum', '0'.repeat(64)], 'ada')).toExit(7);
    expect(await rampart(['server', 'approve', id], 'ada')).toMatchObject({ code: 3 });
    expect(
      await rampart(['server', 'approve', id, '--checksum', checksum, '--ack', 'delete=1'], 'ada'),
    ).toExit(6);
    const approved = await rampart(
      ['server', 'approve', id, '--checksum', checksum, '--comment', 'Checked.'],
      'ada',
    );
    expect(approved).toMatchObject({ code: 0, out: `Plan ${id} of berlin is approved.\n` });
    expect((await api.get(`/plans/${id}`)).body.approvals).toMatchObject([
      { via: 'cli', comment: 'Checked.' },
    ]);
  });

  test('shows the page of the pull request that brought a plan', async () => {
    const { id } = await api.propose('lisbon', { commit: 'c0ffee' });
    const page = 'https://git.example.com/acme/fleet/pull/7';
    expect((await rampart(['show', id, '--server'])).out).not.toContain('Pull request');
    await api.store.plans.setPullRequest('files', 'c0ffee', page);
    expect((await rampart(['show', id, '--server'])).out).toContain(
      `of lisbon waits for approval.\nPull request: ${page}\nTo approve`,
    );
    await closePlan(api.store, 'lisbon', 'the test is over');
    expect((await rampart(['show', id, '--server'])).out).toMatch(
      new RegExp(`is stale: the test is over\\.\\nPull request: ${page}\\n$`),
    );
  });

  test('shows a plan like its file, with the commands that decide exactly what was shown', async () => {
    const hosts = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, name: `PC-${index + 1}` }));
    const plan = makePlan({
      desired: givenDesired(hosts.slice(0, 9).map(({ id }) => ({ id, ensure: 'absent' as const }))),
      observed: givenFleet(hosts, {}),
      account: { companyId: '1234567890', service: 'https://remote.example.com' },
      now: at,
    });
    const { id, checksum } = await api.propose('lisbon', { plan });
    const { code, out, err } = await rampart(['show', id, '--server'], 'ada');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Delete 9 hosts');
    const command = `rampart server approve ${id} --checksum ${checksum} --ack delete=9`;
    const rejecting = `rampart server reject ${id} --checksum ${checksum} --reason TEXT`;
    expect(out.endsWith(`exactly this plan, run:\n  ${command}\n  ${rejecting}\n`)).toBe(true);
    expect(out).not.toContain("can't approve");
    expect((await rampart(['show', id, '--server'], 'viewer')).out).toContain(
      `of lisbon waits for approval.\nYou can't approve it: `,
    );
    const addressed = await rampart(['show', id, '--server', api.url], 'ada');
    expect(addressed.out).toContain(`run:\n  ${command} --server ${api.url}\n`);
    expect((await rampart(command.split(' ').slice(1), 'ada')).code).toBe(0);
    expect((await rampart(['show', id, '--server'])).out).toMatch(/of lisbon is approved\.\n$/);
    const json = JSON.parse((await rampart(['show', id, '--server', '--json'])).out);
    expect(json).toMatchObject({ checksum });
    expect(await rampart('show none --server')).toExit(1, 'rampart server status lists the plans that wait');
    const hidden = await api.propose('denver');
    expect(await rampart(['show', hidden.id, '--server'], 'european')).toMatchObject({ code: 1, out: '' });
    await closePlan(api.store, 'denver', 'the test is over');
  });

  test('reports an invalid address of a server, and what to set', async () => {
    const place = await workplace();
    for (const [address, words] of [
      ['WEB-1', "the server's address is not a URL"],
      ['https://ada:secret-word@rampart.example.com', "the server's address contains credentials"],
      ['https://rampart.example.com/?a=b', "the server's address has a query or a fragment"],
    ] as const) {
      const { code, err } = await place.rampart(['server', 'status', '--server', address], { env: {} });
      expect(code).not.toBe(0);
      expect(err).toContain(words);
      expect(err).toMatch(/RAMPART_SERVER/);
      expect(err).not.toContain('secret-word');
    }
  });

  test('rehearses a plan, waits for the end, and exits by the result', async () => {
    const { id } = await api.propose('lisbon', { plan: richPlan() });
    const { rehearsals } = api.store;
    const runOf = (kind: 'without_faults' | 'with_faults', converged: boolean) => ({
      kind,
      converged,
      steps: { total: 3, done: converged ? 3 : 2, failed: converged ? 0 : 1, in_doubt: 0, skipped: 0 },
      calls: 4,
      conflicts: { answers: 2, already: 1, repeated: 1, failed: 0 },
      refusals: 0,
      seconds: 75,
    });
    const asking = rampart(['plan', 'rehearse', id, '--server'], 'planner');
    await expect.poll(() => rehearsals.find(id, 'all'), { timeout: 30_000 }).toBeDefined();
    await rehearsals.end(id, 'other', {
      runs: [runOf('without_faults', true), runOf('with_faults', false)],
      findings: [
        { run: 'with_faults', severity: 'error', code: 'step-failed', message: 'one \u001b[31mfailed' },
      ],
      more: 2,
      failure: null,
    });
    const { code, out, err } = await asking;
    expect([code, out.split('\n')]).toEqual([
      8,
      [
        `Rehearsed plan ${id}: the fleet does not reach the planned state.`,
        '  without faults: 3 of 3 steps done, 4 calls, 2 answers of 409 (1 had the name, 1 repeated, 0 failed), 1 min 15 s',
        '  with faults: 2 of 3 steps done, 1 failed, 4 calls, 2 answers of 409 (1 had the name, 1 repeated, 0 failed), 1 min 15 s',
        '  error, with faults: one ␛[31mfailed',
        '  2 more findings',
        '',
      ],
    ]);
    expect(err).toContain('the rehearsal did not bring the fleet to the planned state');
    expect(await rampart('plan rehearse none --server')).toMatchObject({ code: 1 });
  });

  test('rejects a plan with a reason, as a person who may', async () => {
    const { id, checksum } = await api.propose('denver', { plan: richPlan() });
    expect((await rampart(['server', 'reject', id, '--checksum', checksum], 'grace')).err).toContain(
      'the reason is missing',
    );
    expect(
      await rampart(['server', 'reject', id, '--checksum', checksum, '--reason', 'No.'], 'viewer'),
    ).toExit(4, 'use a token with another role');
    const rejected = await rampart(
      ['server', 'reject', id, '--checksum', checksum, '--reason', 'No.'],
      'grace',
    );
    expect(rejected).toMatchObject({ code: 0, out: `Plan ${id} of denver is rejected.\n` });
  });

  test('pauses and resumes an account, an expression and everything', async () => {
    const paused = await rampart(
      ['server', 'pause', '--account', 'berlin', '--reason', 'The office moves.'],
      'european',
    );
    expect(paused).toMatchObject({ code: 0, out: 'Paused the account berlin.\n' });
    const where = 'region == "us"';
    expect((await rampart(['server', 'pause', '--accounts', where, '--reason', 'x'])).out).toBe(
      `Paused the accounts with ${where}.\n`,
    );
    expect((await rampart('server pause --all --reason x', 'european')).code).toBe(4);
    expect((await rampart('server pause --reason x')).code).toBe(3);
    expect((await rampart('server resume --account lisbon')).err).toContain('the pauses are account:berlin');
    expect((await rampart('server resume --account berlin')).out).toBe('Resumed the account berlin.\n');
    expect((await rampart(['server', 'resume', '--accounts', where])).code).toBe(0);
    expect((await api.get('/pauses')).body.items).toEqual([]);
  });
});

/** Ends what approvals of other tests began. */
async function endRuns(account: string): Promise<void> {
  const { items } = (await api.get(`/runs?account=${account}`)).body;
  for (const { id } of items) await api.store.runs.change(id, { state: 'done' });
}

/** An approved plan during a freeze, with its queued run. */
async function givenFrozenRun(account: 'berlin'): Promise<string> {
  const place = { file: 'fleet.yaml', line: 1, col: 1, text: '', width: 1 };
  const freezes = [{ name: 'year-end', until: '2999-01-01T00:00:00Z', place }];
  const { id } = await api.propose(account, {
    plan: { ...richPlan(), constraints: { windows: [], freezes } },
  });
  await api.store.plans.move(id, ['waiting'], 'approved');
  const by = { kind: 'person', id: 'ada', name: 'Ada' } as const;
  const run = await api.store.runs.queue({ account, plan: id, by, reason: null, steps: 1 });
  if (run === undefined) throw new Error('the account has a run');
  return run.id;
}

describe('overriding a closed window', () => {
  beforeAll(() => endRuns('berlin'));

  test('needs a reason, the role operator or admin, and a run that waits for a window', async () => {
    const none = await rampart('server override --account berlin --reason incident');
    expect(none.code).toBe(1);
    expect(none.err).toContain('no run of the account "berlin" waits');
    const run = await givenFrozenRun('berlin');
    const waits = { kind: 'window', message: 'changes are frozen', until: 'ends 2999-01-01T00:00:00Z' };
    await api.store.runs.change(run, { progress: { waits_for: waits } });
    const { health } = (await api.get('/accounts/berlin')).body;
    await api.store.accounts.setHealth('berlin', 'waiting');
    const { out } = await rampart('server status');
    expect(out).toContain('berlin: queued, 0 of 1 steps; changes are frozen (ends 2999-01-01T00:00:00Z)\n');
    // The plan is approved: its run waits, and no person has to act.
    expect(out).toMatch(/^3 accounts with .*, 1 with a waiting plan[,.]/m);
    await api.store.accounts.setHealth('berlin', health ?? 'drifted');
    expect((await rampart('runs --server')).out).toMatch(/berlin +queued \(window\) /);
    expect((await rampart('server override --account berlin')).err).toContain('the reason is missing');
    expect((await api.post(`/runs/${run}/override`, { reason: ' ' })).status).toBe(422);
    expect((await api.post(`/runs/${run}/override`, {})).status).toBe(422);
    for (const person of ['viewer', 'ada'] as const)
      expect((await api.post(`/runs/${run}/override`, { reason: 'incident' }, person)).status).toBe(403);
    expect((await api.get(`/runs/${run}`)).body.override).toBeNull();

    const argv = ['server', 'override', '--account', 'berlin', '--reason', 'incident 4711'];
    expect(await rampart(argv, 'european')).toMatchObject({
      code: 0,
      out: `Run ${run} of berlin no longer waits for change windows.\n`,
    });
    expect((await api.get(`/runs/${run}`)).body.override).toMatchObject({ reason: 'incident 4711' });
    expect(api.asked).toContain('run berlin');
    const records = await api.state.audit.latest(50);
    const acts = records.ok ? records.value.map(({ text }) => JSON.parse(text)) : [];
    expect(acts.filter(({ kind }) => kind === 'window-overridden')).toMatchObject([
      { origin: { reason: 'incident 4711' }, what: { run, account: 'berlin' } },
    ]);
    const lines = await api.store.runs.events(run, { visible: 'all' });
    expect(lines).toMatchObject([{ type: 'override', text: expect.stringContaining('incident 4711') }]);
    expect((await rampart(argv)).err).toContain('already overrides the change windows of this run');
    await api.store.runs.change(run, { state: 'stopped' });
    expect((await api.post(`/runs/${run}/override`, { reason: 'x' })).status).toBe(409);
  });

  test('is refused for a run that waits for no window', async () => {
    await api.store.plans.endRejections(['denver']);
    const { id } = await api.propose('denver', { plan: richPlan() });
    await api.store.plans.move(id, ['waiting'], 'approved');
    const run = await api.store.runs.queue({ account: 'denver', plan: id, by: null, reason: null, steps: 1 });
    const refused = await rampart('server override --account denver --reason x');
    expect(refused.err).toContain('the run is not waiting for a change window or a freeze');
    await api.store.runs.change(run?.id ?? '', { state: 'stopped' });
    await closePlan(api.store, 'denver', 'the test is over');
  });
});

describe('the examples of the commands that ask a server', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/commands.md'), 'utf8');
  const examples = readFences(page)
    .flatMap(({ text }) => text.trim().split('\n'))
    .filter((line) =>
      /^rampart server (status|approve|reject|pause|resume|override)\b|^rampart show .* --server$/.test(line),
    );

  test('are as many as the page has', () => expect(examples.length).toBeGreaterThanOrEqual(8));

  test.each(examples)('work: %s', async (example) => {
    const hosts = Array.from({ length: 200 }, (_, index) => ({ id: index + 1, name: `PC-${index + 1}` }));
    const plan = makePlan({
      desired: givenDesired(hosts.slice(0, 28).map((each) => ({ id: each.id, ensure: 'absent' as const }))),
      observed: givenFleet(hosts, {}),
      account: { companyId: '1234567890', service: 'https://remote.example.com' },
      now: at,
    });
    if (example.includes('override')) {
      await endRuns('berlin');
      await closePlan(api.store, 'berlin', 'the test goes on');
      await givenFrozenRun('berlin');
    }
    const { id, checksum } = await api.propose(example.includes('reject') ? 'denver' : 'lisbon', { plan });
    const argv = (readCommand(example)?.argv ?? []).map((word) =>
      word.startsWith('7d2c91f0-') ? id : /^[0-9a-f]{64}$/.test(word) ? checksum : word,
    );
    expect(await rampart(argv, /approve|reject/.test(example) ? 'ada' : 'admin')).toExit(0);
  });
});

describe('a command with --server', () => {
  test('shows one run of the server, with the end of its log', async () => {
    const { runs } = api.store;
    await endRuns('lisbon');
    const by = { kind: 'person', id: 'ada', name: 'Ada' } as const;
    const run = await runs.queue({ account: 'lisbon', plan: null, by, reason: 'new names', steps: 3 });
    const id = run?.id ?? '';
    const steps = { total: 3, done: 1, failed: 1, in_doubt: 1, in_progress: 0, skipped: 0 };
    await runs.log(id, [{ type: 'step', step: 's1', text: 'renamed \u001b[2JKIOSK-1' }]);
    await runs.change(id, { state: 'in_doubt', steps, exitCode: 5 });
    const shown = await rampart(['runs', 'show', id, '--server']);
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toMatch(new RegExp(`^Run ${id} of lisbon: in doubt\\.\\n`));
    expect(shown.out).toContain('  steps      1 of 3 done, 1 failed, 1 in doubt\n');
    expect(shown.out).toMatch(/ {2}ended {6}\S+, exit code 5\n {2}by {9}Ada: new names\n/);
    expect(shown.out).toMatch(/\nLog:\n.* s1 +renamed ␛\[2JKIOSK-1\n$/);
    const { out } = await rampart(['runs', 'show', id, '--server', '--json']);
    expect(JSON.parse(out)).toMatchObject({ id, exit_code: 5, events: [{ step: 's1' }] });
    expect(await rampart('runs show nothing --server')).toMatchObject({ code: 1, out: '' });
    const undone = await rampart(['undo', id, '--server', api.url, '--reason', 'wrong names']);
    expect(undone.out).toContain(
      `waits for approval as plan plan-of-undo. Review it with: rampart show plan-of-undo --server ${api.url}\n`,
    );
    expect((await rampart(['undo', id, '--server'])).err).toContain('needs a reason');
    expect((await rampart('undo --server --reason x')).err).toContain('needs the id of a run');
  });

  test.each([
    ['undo r1 --reason x', '--out undo.json'],
    ['undo r1 --reason x', '--ack delete=1'],
    ['undo r1 --reason x', '--auto-approve'],
    ['undo r1 --reason x', '--max-calls 5'],
    ['runs', '--state incomplete'],
    ['runs', '--all'],
    ['hosts', '--where host.online'],
    ['plan rehearse p1', '--assume-rate 5'],
  ])('refuses a flag that a server would ignore: %s %s', async (command, flag) => {
    const { code, err } = await rampart([...command.split(' '), '--server', ...flag.split(' ')]);
    expect(code).toBe(exitCodes.invalid);
    expect(err).toContain(`${flag.split(' ')[0]} has no effect on a server`);
  });

  test('says how to replace a plan that an older server stored', async () => {
    await closePlan(api.store, 'lisbon', 'the test goes on');
    const { id } = await api.propose('lisbon', { format: '3.2' });
    const { code, err } = await rampart(['show', id, '--server']);
    expect(code).toBe(7);
    expect(err).toContain('has format 3.2');
    expect(err).toContain('check the account again, and approve its new plan');
    await closePlan(api.store, 'lisbon', 'the test is over');
  });

  test.each([
    ['plan', 'rampart show PLAN --server'],
    ['drift', 'rampart hosts --server'],
    ['apply', 'rampart server approve PLAN --server'],
    ['rollout show', 'rampart rollout list --server'],
    ['import ids', 'these commands ask a server: server status, hosts'],
  ])('that can not ask a server names what can: %s', async (command, hint) => {
    const { code, err } = await rampart([...command.split(' '), '--server']);
    expect(code).toBe(3);
    expect(err).toContain(`rampart ${command} does not ask a Rampart server: it has no --server`);
    expect(err).toContain(hint);
  });

  test('names the accounts that fail: since when, and why', async () => {
    const failure = { code: 'not-authenticated', message: 'the key was \u001b[2Jrefused' };
    await api.store.accounts.recordCheck({
      account: 'lisbon',
      health: 'failing',
      causes: [],
      commit: null,
      changes: 0,
      irreversible: 0,
      failure,
      nextCheckAt: null,
    });
    const { out } = await rampart('server status');
    expect(out).toMatch(/\nFailing accounts:\n {2}lisbon since \d{4}-\S+Z: the key was ␛\[2Jrefused\n/);
    const { failing } = JSON.parse((await rampart('server status --json')).out);
    expect(failing).toMatchObject([{ name: 'lisbon', failure: { code: failure.code, attempts: 1 } }]);
  });
});

describe('the token of the command line', () => {
  test('is read from a file or a variable, and shown nowhere', async () => {
    const place = await workplace({ token: 'admin\n' });
    const env = { RAMPART_SERVER: api.url, RAMPART_SERVER_TOKEN_FILE: 'token' };
    expect((await place.rampart('server status', { env })).code).toBe(0);
    const both = await place.rampart('server status', { env: { ...env, RAMPART_SERVER_TOKEN: 'x' } });
    expect(both).toMatchObject({ code: 3, err: expect.stringContaining('TOKEN_FILE are set') });
    const refused = await place.rampart('server status', {
      env: { RAMPART_SERVER: api.url, RAMPART_SERVER_TOKEN: 'wrong-token-of-a-person' },
    });
    expect(refused.code).toBe(4);
    expect(refused.out + refused.err).not.toContain('wrong-token');
    expect(await place.rampart('server status', { env: { RAMPART_SERVER: api.url } })).toExit(3);
    expect(await rampart('server status', 'damaged€' as Person)).toExit(3, 'is not printable ASCII');
  });

  test('is sent to no address that the environment does not name', async () => {
    const place = await workplace();
    const env = { RAMPART_SERVER_TOKEN: 'admin' };
    const unpinned = await place.rampart('server status --server https://rampart.example.com', { env });
    expect(unpinned).toMatchObject({ code: 6 });
    expect(unpinned.err).toContain('set RAMPART_SERVER=https://rampart.example.com');
    expect(await place.rampart('server status --server http://rampart.example.com', { env })).toExit(3);
    expect((await place.rampart('server status', { env })).err).toContain(
      'the address of the server is missing',
    );
  });
});

describe('a server that the command line does not reach', () => {
  const status = async (env: Record<string, string>, argv: readonly string[] = []) => {
    const place = await workplace();
    return place.rampart(['server', 'status', ...argv], { env: { RAMPART_SERVER_TOKEN: 'admin', ...env } });
  };
  test('is reported with a way out: a closed port, a wrong certificate, a redirect, another program', async () => {
    const closed = await status({ RAMPART_SERVER: nobodyListens });
    expect(closed.err).toContain('Nothing answers at http://127.0.0.1:0');
    expect(closed.code).toBe(exitCodes.error);
    const { key, cert } = selfSigned();
    const secure = await listen(createSecureServer({ key, cert }, (_, response) => response.end('{}')));
    const untrusted = await status({ RAMPART_SERVER: `https://localhost:${secure}` });
    expect(untrusted).toMatchObject({ code: exitCodes.error });
    expect(untrusted.err).toContain('is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(untrusted.err).toContain('NODE_EXTRA_CA_CERTS');
    const moved = await listen(
      createServer((_, response) => response.writeHead(301, { location: 'https://a.example/' }).end()),
    );
    const redirected = await status({ RAMPART_SERVER: `http://127.0.0.1:${moved}` });
    expect(redirected.err).toContain('responds with a redirect, which Rampart does not follow');
    const other = await listen(createServer((_, response) => response.end('<html>')));
    const foreign = await status({ RAMPART_SERVER: `http://127.0.0.1:${other}` });
    expect(foreign.err).toContain('not as a Rampart server does');
    for (const body of ['', 'null', '"ok"', '{}', '{"id":"1","state":"approved"}']) {
      const port = await listen(createServer((_, response) => response.end(body)));
      const env = { RAMPART_SERVER_TOKEN: 'admin', RAMPART_SERVER: `http://127.0.0.1:${port}` };
      const place = await workplace();
      const { code, err } = await place.rampart('server approve 1 --checksum c --json', { env });
      expect([code, err]).toEqual([
        exitCodes.error,
        expect.stringContaining('The address answers 200, but not as'),
      ]);
    }
  });

  test.each([
    ['server approve 1 --checksum c', { state: 'waiting' }],
    ['server reject 1 --checksum c --reason no', { state: 'rejected' }],
    ['undo 1 --server --reason no', {}],
    ['server pause --all --reason no', {}],
  ])('prints no line and no color that the texts of another program contain: %s', async (command, more) => {
    const hostile = 'x\u001b[31m\nPlan 2 is approved.';
    const body = {
      id: hostile,
      plan: hostile,
      account: hostile,
      scope: `account:${hostile}`,
      until: hostile,
    };
    const text = JSON.stringify({ ...body, ...more, approvals: [], required: { approvals: 2 } });
    const port = await listen(
      createServer((_, response) => response.setHeader('x-rampart-server', '1').end(text)),
    );
    const place = await workplace();
    const env = { RAMPART_SERVER_TOKEN: 'admin', RAMPART_SERVER: `http://127.0.0.1:${port}` };
    const { code, out } = await place.rampart(command.split(' '), { env });
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(2);
    expect(out).not.toContain('\u001b');
  });

  test('is asked through the proxy of the environment, which gets no token', async () => {
    const { key, cert } = selfSigned();
    const secure = await listen(createSecureServer({ key, cert }, (_, response) => response.end('{}')));
    const proxy = await serveProxy(secure);
    const env = { RAMPART_SERVER: 'https://rampart.invalid', HTTPS_PROXY: proxy.url };
    // The certificate is not valid for the name, so the response of the server was never read.
    expect((await status(env)).err).toContain(
      'The TLS certificate of https://rampart.invalid is not accepted',
    );
    expect(proxy.asked[0]).toMatch(/^CONNECT rampart\.invalid:443 /);
    expect(proxy.asked.join('')).not.toContain('admin');
    const refusing = await serveProxy(secure, 407);
    expect((await status({ ...env, HTTPS_PROXY: refusing.url })).err).toContain(
      'The proxy refuses to connect to https://rampart.invalid (407)',
    );
    expect((await status({ ...env, HTTPS_PROXY: 'socks5://127.0.0.1' })).err).toContain(
      'HTTPS_PROXY is not the address of an http proxy',
    );
  });

  test('is reported as JSON with --json, and a refused token with where to get one', async () => {
    const refused = await status({ RAMPART_SERVER: api.url, RAMPART_SERVER_TOKEN: 'expired' }, ['--json']);
    expect(refused.code).toBe(exitCodes.authentication);
    expect(refused.err + refused.out).toContain('create one in the console, and set RAMPART_SERVER_TOKEN');
  });
});
