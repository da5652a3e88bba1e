import { describe, expect, it, onTestFinished } from 'vitest';
import {
  deliverToForge,
  type ForgeDelivery,
  forgeSource,
  testForge,
} from '../../../../src/server/notifications/rules/deliver-to-forge.ts';
import {
  type CommitPlans,
  forgeChannel,
  type PlanOutcome,
} from '../../../../src/server/plans/records/commit-plans.ts';
import type { GitSource } from '../../../../src/server/settings/server-settings.ts';
import { createGuardedHttp } from '../../../../src/service/client/guarded-fetch.ts';
import { inAWhile, place } from '../../jobs/given.ts';
import { type ForgeStandIn, repository, startForge } from '../forge-stand-in.ts';
import { memoryNotifications } from '../given.ts';

const now = Date.parse('2026-11-23T10:00:00.000Z');
const commit = 'c0'.repeat(20);
const token = 'forge-token-93';
const loopback = [{ kind: 'network' as const, address: '127.0.0.0', prefix: 8 }];

const plansOf = (outcome: PlanOutcome, parts: Partial<CommitPlans> = {}): CommitPlans => ({
  outcome,
  plans: 1,
  changes: 12,
  irreversible: 2,
  plan: {
    id: 'p-1',
    account: 'berlin',
    reason: null,
    required: { approvals: 1, notAuthor: false, numbers: [{ limit: 'delete', value: 2, allowed: 0 }] },
    approvals: 0,
  },
  ...parts,
});

interface Given {
  readonly allow?: typeof loopback;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly sources?: readonly GitSource[];
  readonly url?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

async function givenForge(kind: 'github' | 'gitlab' = 'github', given: Given = {}) {
  const forge = await startForge(kind);
  const source: GitSource = {
    kind: 'git',
    name: 'fleet',
    git: 'https://git.example.com/acme/fleet.git',
    ref: 'main',
    path: '',
    commands: 'all',
    allowsScripts: false,
    place,
    forge: {
      kind,
      host: 'git.example.com',
      api: forge.api,
      repository,
      token: { kind: 'variable', variable: 'FORGE_TOKEN' },
    },
  };
  const { allow = loopback, timeoutMs = 10_000, signal, sources = [source] } = given;
  const url = 'url' in given ? given.url : 'https://rampart.example.com';
  const notifications = memoryNotifications();
  const http = createGuardedHttp({ allowed: allow, env: {}, timeoutMs });
  onTestFinished(() => http.close());
  const hidden: string[] = [];
  const failures: [string, number | null][] = [];
  let plans: readonly CommitPlans[] = [];
  const pulls: string[] = [];
  const parts: ForgeDelivery = {
    settings: { sources, ...(url === undefined ? {} : { url }) },
    store: {
      notifications,
      plans: {
        ofCommit: async () => plans,
        async setPullRequest(...given_) {
          await inAWhile(9);
          pulls.push(given_.join(' '));
        },
      },
    },
    env: given.env ?? { FORGE_TOKEN: token },
    folder: '/nowhere',
    hide: (secrets) => hidden.push(...secrets),
    allow,
    http,
    now: () => now,
    onFailure: (message, retryMs) => void failures.push([message, retryMs]),
    ...(signal === undefined ? {} : { signal }),
  };
  const channel = forgeChannel('fleet');
  const queue = (kindOf: string, topic: string, facts: object = {}) =>
    notifications.enqueue([{ channel, kind: kindOf, account: null, topic, facts: { ...facts }, delayMs: 0 }]);
  return {
    forge,
    source,
    notifications,
    hidden,
    pulls,
    failures,
    row: (id: number) => notifications.rows.get(String(id)),
    deliver: () => deliverToForge(channel, parts),
    test: () => testForge(channel, parts),
    async report(...now_: readonly CommitPlans[]) {
      plans = now_;
      await queue('status', commit);
      return deliverToForge(channel, parts);
    },
    async answer(facts: object) {
      await queue('answer', '7', { pull: 7, login: 'zoe', accepted: true, message: 'done', ...facts });
      return deliverToForge(channel, parts);
    },
    queue,
  };
}

function answering(status: number, body: string | Buffer = '', line = ''): ForgeStandIn['intercept'] {
  return (seen, response) => {
    if (!seen.startsWith(line)) return false;
    response.writeHead(status).end(body);
    return true;
  };
}

const bodies = ({ comments }: ForgeStandIn) => [...comments.values()];

describe('the status of a commit at a forge', () => {
  it('shows each state of a plan with its exact numbers and a link', async () => {
    const { forge, report, hidden } = await givenForge();
    for (const outcome of [
      'waiting',
      'approved',
      'running',
      'done',
      'rejected',
      'failed',
      'in_doubt',
    ] as const)
      await report(plansOf(outcome));
    expect(forge.statuses.map(({ body }) => `${body['state']}: ${body['description']}`)).toEqual([
      'pending: berlin: waits for approval, 12 changes (2 irreversible); approval needs delete=2',
      'pending: berlin: approved, 12 changes (2 irreversible)',
      'pending: berlin: the run is in progress, 12 changes (2 irreversible)',
      'success: berlin: applied, 12 changes (2 irreversible)',
      'failure: berlin: rejected, 12 changes (2 irreversible)',
      'failure: berlin: the run failed, 12 changes (2 irreversible)',
      'error: berlin: the run ended in doubt, 12 changes (2 irreversible)',
    ]);
    expect(forge.statuses[0]).toMatchObject({
      commit,
      body: { context: 'rampart/fleet', target_url: 'https://rampart.example.com/changes/p-1' },
    });
    expect(new Set(forge.requests.map(({ secret }) => secret))).toEqual(new Set([`Bearer ${token}`]));
    expect(hidden).toContain(token);
  });
  it('uses the states of GitLab, which refuses to set the same state again', async () => {
    const { forge, report, row } = await givenForge('gitlab');
    for (const outcome of ['waiting', 'waiting', 'approved', 'running', 'done'] as const)
      await report(plansOf(outcome));
    expect(forge.statuses.map(({ body }) => [body['name'], body['state']])).toEqual([
      ['rampart/fleet', 'pending'],
      ['rampart/fleet', 'running'],
      ['rampart/fleet', 'success'],
    ]);
    expect(forge.statuses[0]?.body['target_url']).toBe('https://rampart.example.com/changes/p-1');
    expect([1, 2, 3, 4, 5].map((id) => row(id)?.state)).toEqual(Array(5).fill('sent'));
    await report(plansOf('failed'));
    await report(plansOf('in_doubt'));
    expect(forge.statuses.slice(3).map(({ body }) => body['state'])).toEqual(['failed', 'failed']);
    expect(new Set(forge.requests.map(({ secret }) => secret))).toEqual(new Set([token]));
  });
  it('is not sent for a commit without plans, or for something that is not a commit', async () => {
    const { forge, report, queue, deliver, row } = await givenForge();
    await report();
    await report(plansOf('done'));
    forge.requests.splice(0);
    await queue('status', '../../user');
    await deliver();
    expect(forge.requests).toEqual([]);
    expect(row(3)?.state).toBe('sent');
  });
});

describe('the pull request of a commit at a forge', () => {
  const page = 'https://git.example.com/acme/fleet/pull/7';
  const merged = {
    number: 7,
    iid: 7,
    merged_at: '2026-11-22T10:00:00Z',
    merge_commit_sha: commit,
    html_url: page,
    web_url: page,
  };
  const asked = ({ requests }: ForgeStandIn) => requests.filter(({ line }) => line.startsWith('GET ')).length;

  for (const kind of ['github', 'gitlab'] as const)
    it(`is stored with the plans of the commit, and ${kind} is asked for it once`, async () => {
      const { forge, report, pulls, row } = await givenForge(kind);
      forge.pulls = [merged];
      for (const outcome of ['waiting', 'approved', 'done'] as const) await report(plansOf(outcome));
      expect(asked(forge)).toBe(1);
      expect(pulls).toEqual(Array(3).fill(`fleet ${commit} ${page}`));
      expect([1, 2, 3].map((id) => row(id)?.facts)).toEqual(Array(3).fill({ pullRequest: page }));
    });
  it('is absent for a commit that was pushed, and the forge is asked once, too', async () => {
    const { forge, report, pulls, row } = await givenForge();
    await report(plansOf('waiting'));
    forge.pulls = [merged];
    await report(plansOf('done'));
    expect([asked(forge), pulls]).toEqual([1, []]);
    expect([row(1)?.facts, row(2)?.facts]).toEqual([{ pullRequest: null }, { pullRequest: null }]);
  });
  for (const [status, body] of [
    [403, ''],
    [404, ''],
    [429, ''],
    [500, ''],
    [302, ''],
    [200, '{}'],
    [200, 'no JSON'],
  ] as const)
    it(`is requested again with the next report after ${status} ${body}, and the status is kept`, async () => {
      const { forge, report, pulls, row, failures } = await givenForge();
      forge.pulls = [merged];
      forge.intercept = answering(status, body, 'GET ');
      await report(plansOf('waiting'));
      expect(row(1)).toMatchObject({ state: 'sent', problem: null });
      expect(row(1)?.facts).toEqual({});
      expect([forge.statuses.length, pulls, failures]).toEqual([1, [], []]);
      forge.intercept = () => false;
      await report(plansOf('done'));
      expect(pulls).toEqual([`fleet ${commit} ${page}`]);
    });
  it('is not requested if the forge refuses the status, or the commit has no plans', async () => {
    const { forge, report } = await givenForge();
    await report();
    forge.intercept = answering(422, '', 'POST ');
    await report(plansOf('waiting'));
    expect(asked(forge)).toBe(0);
  });
});

describe('the reply to a comment at a forge', () => {
  for (const kind of ['github', 'gitlab'] as const) {
    it(`is one comment at ${kind}, which the next reply changes`, async () => {
      const { forge, answer } = await givenForge(kind);
      await answer({ accepted: false, message: 'the plan is stale' });
      await answer({ message: 'the plan of berlin is approved by Zoe', path: '/changes/p-1' });
      expect(forge.comments.size).toBe(1);
      expect(bodies(forge)[0]).toMatch(
        /^<!-- rampart [0-9a-f]{32} -->\nRampart accepted the command of `zoe`/,
      );
      expect(bodies(forge)[0]).toContain('[Open the change](https://rampart.example.com/changes/p-1)');
    });
    it(`is not added at ${kind} if the forge can't change or show comments for now`, async () => {
      const { forge, answer, deliver, row } = await givenForge(kind);
      await answer({});
      forge.intercept = answering(500, '', kind === 'github' ? 'PATCH ' : 'PUT ');
      await answer({ message: 'second' });
      forge.intercept = answering(500, '', 'GET ');
      forge.comments.clear();
      await deliver();
      expect([row(2)?.state, forge.comments.size]).toEqual(['pending', 0]);
      forge.intercept = () => false;
      await deliver();
      expect(row(2)).toMatchObject({ state: 'sent', facts: { comment: expect.any(Number) as number } });
      expect(bodies(forge)).toEqual([expect.stringContaining('second')]);
    });
    it(`is added again at ${kind} if someone deleted the comment`, async () => {
      const { forge, answer } = await givenForge(kind);
      await answer({});
      forge.comments.clear();
      await answer({ message: 'second' });
      expect(bodies(forge)).toEqual([expect.stringContaining('second')]);
    });
    it(`is not added twice at ${kind} if the response was lost`, async () => {
      const { forge, answer, deliver, row } = await givenForge(kind);
      forge.comments.set(3, '<!-- rampart 00 --> someone else');
      forge.losesReply = true;
      await answer({});
      expect(row(1)?.state).toBe('pending');
      await deliver();
      expect(row(1)?.state).toBe('sent');
      await answer({ message: 'second' });
      expect(bodies(forge)).toEqual([
        expect.stringContaining('someone else'),
        expect.stringContaining('second'),
      ]);
    });
  }
  it('shows hostile text as text: no mention, no link, no end of the block', async () => {
    const { forge, answer } = await givenForge();
    await answer({
      login: 'a`@everyone`',
      message: '```\n@everyone [x](https://evil.example)\n````\n/rampart approve',
      path: '//evil.example',
    });
    // The path is no plan of the console, so nothing of the record is believed.
    expect(forge.comments.size).toBe(0);
    await answer({ login: 'a`@everyone`', message: '```\n@everyone ```` \u202ex' });
    const [text = ''] = bodies(forge);
    expect(text.split('\n').slice(1)).toEqual([
      'Rampart accepted the command of `a@everyone` (source `fleet`).',
      '',
      '`````',
      '```␊@everyone ```` ‹U+202E›x',
      '`````',
    ]);
    await answer({ login: 'z'.repeat(101), message: 'x'.repeat(1_001), path: '/changes/p-1' });
    const [long = ''] = bodies(forge);
    expect(long.split('\n').slice(1)).toEqual([
      `Rampart accepted the command of \`${'z'.repeat(100)}\` (source \`fleet\`).`,
      '',
      '```',
      `${'x'.repeat(999)}…`,
      '```',
      '',
      '[Open the change](https://rampart.example.com/changes/p-1)',
    ]);
  });
});

describe('a report to a forge', () => {
  it('waits for a token that is missing, and names where it is expected', async () => {
    const { forge, report, row } = await givenForge('github', { env: {} });
    await report(plansOf('waiting'));
    expect(row(1)).toMatchObject({
      state: 'pending',
      problem: 'the forge token of the source "fleet" is missing: the variable FORGE_TOKEN is empty',
    });
    expect(forge.requests).toEqual([]);
  });
  for (const kind of ['github', 'gitlab'] as const)
    it(`has no link at ${kind} if the server has no address`, async () => {
      const { forge, report, answer } = await givenForge(kind, { url: undefined });
      await report(plansOf('waiting'));
      await answer({ path: '/changes/p-1' });
      expect(forge.statuses[0]?.body).not.toHaveProperty('target_url');
      expect(bodies(forge)[0]).not.toContain('Open the change');
    });
  it('of a comment looks for an earlier one only after a failure', async () => {
    const { forge, answer } = await givenForge();
    await answer({});
    expect(forge.requests.map(({ line }) => line.split(' ')[0])).toEqual(['POST']);
  });
  it('is for one source with a forge, whatever the others have', async () => {
    const { source } = await givenForge();
    const { forge: _, ...without } = source;
    const folder = { kind: 'folder' as const, name: 'fleet', folder: '.', place };
    const other = { ...source, name: 'other' };
    for (const sources of [[without], [folder], [other], [{ ...without, name: 'other' }, folder]])
      expect(forgeSource(sources as readonly GitSource[], forgeChannel('fleet'))).toBeUndefined();
    expect(forgeSource([other, source], forgeChannel('fleet'))).toBe(source);
  });
  it('that GitLab refuses for another reason is kept', async () => {
    const { forge, report, row } = await givenForge('gitlab');
    forge.intercept = answering(400, '{"message":"name is invalid"}');
    await report(plansOf('waiting'));
    expect(row(1)?.state).toBe('pending');
    expect(row(1)?.problem).toContain('answers 400');
    forge.intercept = answering(500, 'cannot transition status');
    await report(plansOf('waiting'));
    expect(row(2)?.state).toBe('pending');
    forge.intercept = (_, response) => response.destroy() !== undefined;
    await report(plansOf('waiting'));
    expect(row(3)).toMatchObject({ state: 'pending', problem: expect.stringMatching(/forge|127/) as string });
  });
});

describe('the test of a forge', () => {
  for (const kind of ['github', 'gitlab'] as const)
    it(`only reads the repository at ${kind}`, async () => {
      const { forge, test } = await givenForge(kind);
      forge.intercept = answering(200, '{}', 'GET ');
      expect(await test()).toMatchObject({
        ok: true,
        value: expect.stringContaining('answered for the repository acme/fleet') as string,
      });
      forge.intercept = answering(401);
      expect(await test()).toMatchObject({ ok: false, problems: [{ code: 'not-authenticated' }] });
    });
  it('is not for other notifications, and needs the token', async () => {
    const { test } = await givenForge('github', { sources: [] });
    expect(await test()).toBeUndefined();
    const { test: testWithout, forge } = await givenForge('github', { env: {} });
    expect(await testWithout()).toMatchObject({ ok: false, problems: [{ code: 'missing-credentials' }] });
    expect(forge.requests).toEqual([]);
  });
});

describe('a hostile or broken forge', () => {
  const isRedirect = ', which is a redirect and is not followed';
  for (const [status, headers, retryMs, more] of [
    [403, {}, 30_000, ''],
    [403, { 'retry-after': '600' }, 600_000, ''],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 90) }, 90_000, ''],
    [429, { 'retry-after': '120' }, 120_000, ''],
    [429, { 'retry-after': '99999999' }, 3_600_000, ''],
    [429, { 'retry-after': 'soon' }, 30_000, ''],
    [302, { location: 'http://127.0.0.1:1/steal' }, 30_000, isRedirect],
    [500, {}, 30_000, ''],
  ] as const) {
    it(`keeps the message after ${status} ${JSON.stringify(headers)}`, async () => {
      const { forge, report, row } = await givenForge();
      forge.intercept = (_, response) => {
        response.writeHead(status, headers).end(`echo ${token}`);
        return true;
      };
      await report(plansOf('waiting'));
      const told = `the forge of the source "fleet" answers ${status}${more}`;
      expect(row(1)).toMatchObject({ state: 'pending', retryMs, problem: told });
      expect(forge.requests).toHaveLength(1);
    });
  }
  it('is not tried again after the first failure, and is given up after the last attempt', async () => {
    const { forge, queue, report, deliver, row, failures } = await givenForge();
    forge.intercept = answering(503);
    await queue('status', 'aa'.repeat(20));
    await report(plansOf('waiting'));
    expect(forge.requests).toHaveLength(1);
    expect(failures).toEqual([['the forge of the source "fleet" answers 503', 30_000]]);
    expect([row(1)?.state, row(2)?.state]).toEqual(['pending', 'pending']);
    for (let at = 1; at < 12; at += 1) await deliver();
    expect([row(1)?.state, row(2)?.state]).toEqual(['dead', 'dead']);
    expect(forge.requests).toHaveLength(12);
  });
  it('is tried again as soon as the newest message is due', async () => {
    const { forge, report, deliver, row } = await givenForge();
    forge.intercept = answering(503);
    await report(plansOf('waiting'));
    await deliver();
    expect(row(1)).toMatchObject({ attempts: 2, retryMs: 60_000 });
    expect(await report(plansOf('waiting'))).toBe(false);
    expect([row(1)?.retryMs, row(2)?.retryMs]).toEqual([30_000, 30_000]);
  });
  for (const status of [400, 403, 404, 422]) {
    it(`gets the other messages if it refuses one with ${status}`, async () => {
      const { forge, queue, report, deliver, row } = await givenForge();
      const unknown = 'aa'.repeat(20);
      forge.intercept = answering(status, '', `POST /api/repos/acme/fleet/statuses/${unknown}`);
      await queue('status', unknown);
      await report(plansOf('waiting'));
      expect([row(1)?.state, row(2)?.state, row(2)?.problem]).toEqual(['pending', 'sent', null]);
      for (let at = 1; at < 12; at += 1) await deliver();
      expect(row(1)).toMatchObject({ state: 'dead', attempts: 12 });
    });
  }
  it('is disconnected if it is slow, sends too much, or sends no JSON', async () => {
    const slow = await givenForge('github', { timeoutMs: 50 });
    slow.forge.intercept = () => true;
    await slow.report(plansOf('waiting'));
    expect(slow.row(1)?.problem).toContain('did not answer in time');
    const huge = await givenForge();
    huge.forge.intercept = answering(200, Buffer.alloc(2 * 1024 * 1024));
    await huge.answer({});
    expect(huge.row(1)?.problem).toContain('sent more than');
    const wrong = await givenForge();
    wrong.forge.intercept = answering(201, '{"id":"x"}');
    await wrong.answer({});
    expect(wrong.row(1)?.problem).toContain('did not answer with the JSON of its API');
    wrong.forge.intercept = answering(200, '{}');
    await wrong.deliver();
    expect(wrong.row(1)?.problem).toContain('did not answer with the JSON of its API');
  });
  it('is not reached in a private network that the operator does not allow', async () => {
    const { forge, report, row } = await givenForge('github', { allow: [] });
    await report(plansOf('waiting'));
    expect(row(1)?.problem).toContain('is refused');
    expect(forge.requests).toEqual([]);
  });
  it('is asked again at once only if all of a full claim was sent, or some of it', async () => {
    const { forge, queue, deliver } = await givenForge();
    const commits = Array.from({ length: 8 }, (_, at) => `${at}a`.repeat(20));
    for (const each of commits.slice(1)) await queue('status', each);
    expect(await deliver()).toBe(false);
    for (const each of commits)
      await queue('answer', each, { pull: 7, login: 'z', accepted: true, message: 'x' });
    expect(await deliver()).toBe(true);
    expect(await deliver()).toBe(false);
    forge.intercept = answering(403);
    for (const each of commits)
      await queue('answer', each, { pull: 7, login: 'z', accepted: true, message: 'x' });
    expect(await deliver()).toBe(false);
    const removed = await givenForge('github', { sources: [] });
    await removed.queue('status', commit);
    expect([await removed.deliver(), await removed.deliver()]).toEqual([true, false]);
  });
  it('keeps what was sent before a failure, and sends the rest later', async () => {
    const { forge, queue, report, row } = await givenForge();
    await queue('answer', '7', { pull: 7, login: 'z', accepted: false, message: 'x' });
    await queue('status', 'aa'.repeat(20));
    forge.intercept = answering(500, '', 'POST /api/repos/acme/fleet/statuses/');
    await report(plansOf('waiting'));
    expect([1, 2, 3].map((id) => row(id)?.state)).toEqual(['sent', 'pending', 'pending']);
    expect(bodies(forge)[0]).toContain('Rampart refused the command of `z`');
    expect([row(2), row(3)]).toMatchObject([{ retryMs: 30_000 }, { retryMs: 30_000 }]);
    expect(forge.requests).toHaveLength(2);
  });
  it('gets nothing more for a source that no longer reports, or after the worker stopped', async () => {
    const removed = await givenForge('github', { sources: [] });
    await removed.report(plansOf('waiting'));
    expect(removed.row(1)).toMatchObject({ state: 'dead' });
    const stop = new AbortController();
    stop.abort();
    const stopped = await givenForge('github', { signal: stop.signal });
    expect(await stopped.report(plansOf('waiting'))).toBe(false);
    expect(stopped.row(1)).toMatchObject({ state: 'pending', problem: null });
    expect([...removed.forge.requests, ...stopped.forge.requests]).toEqual([]);
  });
});
