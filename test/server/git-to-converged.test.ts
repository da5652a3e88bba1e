import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { readServerSettings } from '../../src/server/settings/read-server-settings.ts';
import { type RunningServer, startServer } from '../../src/server/start/start-server.ts';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { createEmulatedAccounts } from '../../src/service/emulator/accounts.ts';
import type { Emulator } from '../../src/service/emulator/emulator.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { testPsk } from '../given/command-line.ts';
import { hasPostgres, sharedPostgres } from '../given/postgres.ts';
import { type ForgeStandIn, startForge } from './notifications/forge-stand-in.ts';
import { type GitServer, givenRepository, startGitServer } from './sources/git-server.ts';

const secrets = { hook: 'hook-secret-41', forge: 'forge-token-42', git: 'git-token-43' };
const host = (name: string) => `version: 1\nhosts:\n  - { id: 1, name: ${name} }\n`;
const ends: (() => unknown)[] = [];
const logged: string[] = [];
let git: GitServer;
let repository: ReturnType<typeof givenRepository>;
let forge: ForgeStandIn;
let emulators: readonly Emulator[];
let server: RunningServer;
let url: string;
let cookie: string;
let delivery = 0;

beforeAll(async () => {
  git = await startGitServer();
  ends.push(() => git[Symbol.asyncDispose]());
  repository = givenRepository(git, 'acme/fleet', { 'fleet.yaml': host('OLD'), 'lab.yaml': host('LAB') });
  forge = await startForge('github', (end) => ends.push(end));
  const accounts = createEmulatedAccounts(
    ['OLD', 'LAB'].map((name, at) => ({
      state: fleetState({ psk: testPsk, companyId: `100${at}`, groups: [], hosts: [{ id: '1', name }] }),
      clock: createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true }),
      recordRequests: true,
      credentials: { loginSessionId: `session-${at}` },
    })),
  );
  if (!accounts.ok) throw new Error(accounts.problems[0]?.message);
  emulators = accounts.value.accounts;
  const served = await serve(accounts.value);
  ends.push(() => served.close());
  const folder = mkdtempSync(join(tmpdir(), 'rampart-whole-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'rampart.config.yaml'),
    `accounts:
  berlin: { companyId: '1000', mode: propose, source: fleet, files: [fleet.yaml] }
  lab: { companyId: '1001', mode: propose, source: fleet, files: [lab.yaml] }
server:
  data: data
  allow: [127.0.0.0/8]
  sources:
    - name: fleet
      git: ${git.origin}/acme/fleet.git
      tokenVariable: RAMPART_GIT_TOKEN
      webhookSecretVariable: RAMPART_HOOK_SECRET
      forge: github
      forgeApi: ${forge.api}
      forgeTokenVariable: RAMPART_FORGE_TOKEN
  reviewers: { id: zoe, name: Zoe, email: zoe@example.com, github: '8' }
`,
  );
  const env = {
    PATH: process.env['PATH'],
    // Adds an origin for keys. It does not limit those of a server's settings.
    RAMPART_ALLOWED_ORIGINS: 'https://elsewhere.example.com',
    RAMPART_BASE_URL: served.url,
    RAMPART_PSK: testPsk,
    RAMPART_HOOK_SECRET: secrets.hook,
    RAMPART_FORGE_TOKEN: secrets.forge,
    RAMPART_GIT_TOKEN: secrets.git,
  };
  const read = await readServerSettings({ folder, env, listen: '127.0.0.1:0' });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const started = await startServer({
    settings: read.value,
    env,
    ...(hasPostgres ? { databaseUrl: sharedPostgres().createDatabase() } : {}),
    clock: systemClock,
    log: (level, message, fields) => void logged.push(JSON.stringify([level, message, fields])),
    hide: () => {},
    version: '0.0.0',
    isEmulator: false,
    has: { http: true, scheduler: true, worker: true },
  });
  if (!started.ok) throw new Error(JSON.stringify(started.problems));
  server = started.value;
  ends.push(() => server.stop());
  url = server.url ?? '';
  const login = await fetch(server.loginLink ?? '', { redirect: 'manual' });
  cookie = login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}, 120_000);
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
}, 60_000);

// oxlint-disable-next-line typescript/no-explicit-any
async function get(path: string): Promise<any> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { cookie } });
  return answer.json();
}

// oxlint-disable-next-line typescript/no-explicit-any
async function post(path: string, body: object): Promise<any> {
  const { csrf } = await get('/me');
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { cookie, 'x-rampart-csrf': csrf, 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  });
  return answer.json();
}

async function hook(event: string, payload: object, { secret = secrets.hook, id = '' } = {}) {
  const body = JSON.stringify(payload);
  const answer = await fetch(`${url}/hooks/github/fleet`, {
    method: 'POST',
    body,
    headers: {
      'x-github-event': event,
      'x-github-delivery': id === '' ? `delivery-${(delivery += 1)}` : id,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  });
  return { status: answer.status, text: await answer.text() };
}

const push = () => hook('push', { ref: 'refs/heads/main', number: (delivery += 1) });
const comment = (body: string) =>
  hook('issue_comment', {
    action: 'created',
    issue: { number: 7, pull_request: {}, user: { id: 7, login: 'jane' } },
    comment: { body, user: { id: 8, login: 'zoe' }, created_at: new Date().toISOString() },
    number: (delivery += 1),
  });

async function planOf(commit: string) {
  return vi.waitFor(
    async () => {
      const { items } = await get('/plans?state=waiting&account=berlin');
      expect(items).toMatchObject([{ account: 'berlin', commit }]);
      return items[0] as { id: string; checksum: string };
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function until(check: () => unknown) {
  await vi.waitFor(check, { timeout: 60_000, interval: 200 });
}

describe('a server with a Git repository', { timeout: 150_000 }, () => {
  it('turns a push and a comment into a converged fleet, and reports both to the forge', async () => {
    await until(async () => expect(await get('/accounts/berlin')).toMatchObject({ health: 'converged' }));
    const commit = repository.commit({ 'fleet.yaml': host('NEW') }, 'Rename the host');
    const page = 'https://127.0.0.1/acme/fleet/pull/7';
    forge.pulls = [
      { number: 7, html_url: page, merged_at: '2026-11-23T10:00:00Z', merge_commit_sha: commit },
    ];
    expect(await push()).toMatchObject({ status: 202 });
    const { id, checksum } = await planOf(commit);
    await until(async () => expect((await get(`/plans/${id}`)).pull_request).toBe(page));
    await until(() =>
      expect(forge.statuses.at(-1)).toMatchObject({
        commit,
        body: { state: 'pending', description: 'berlin: waits for approval, 1 change' },
      }),
    );
    expect((await comment(`/rampart approve ${'0'.repeat(64)}`)).status).toBe(403);
    expect((await comment(`/rampart approve ${checksum}`)).status).toBe(202);
    await until(async () =>
      expect(await get('/accounts/berlin')).toMatchObject({ health: 'converged', commit }),
    );
    expect(emulators[0]?.state().hosts.map(({ name }) => name)).toEqual(['NEW']);
    await until(() => {
      expect(forge.statuses.at(-1)).toMatchObject({
        commit,
        body: { state: 'success', description: 'berlin: applied, 1 change' },
      });
      expect([...forge.comments.values()]).toEqual([
        expect.stringMatching(/accepted the command of `zoe`[^]*approved by Zoe: 1 change/),
      ]);
    });
    const lines = logged.join('\n');
    for (const words of [
      `the source fleet is at commit ${commit}`,
      'the account berlin is waiting',
      'the run of berlin ended: done',
    ])
      expect(lines).toContain(words);
  });

  it('opens a pull request with exactly the patch that a person reviewed', async () => {
    const written: { line: string; body: Record<string, unknown> }[] = [];
    forge.intercept = (line, response, body) => {
      if (!/\/git\/|POST .*\/pulls$/.test(line)) return false;
      written.push({ line, body: body === '' ? {} : JSON.parse(body) });
      response.writeHead(line.startsWith('GET') ? 200 : 201, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          line.endsWith('/pulls')
            ? { number: 9, html_url: 'https://127.0.0.1/acme/fleet/pull/9' }
            : { sha: `${written.length}`, tree: { sha: 'tree' } },
        ),
      );
      return true;
    };
    const chosen = {
      search: { account: 'berlin', q: 'NEW' },
      change: { kind: 'rename', find: 'NEW', replace: 'KIOSK-{nn}' },
    };
    const proposed = await post('/proposals', chosen);
    const { commit } = await get('/accounts/berlin');
    expect(proposed).toMatchObject({
      hosts: 1,
      refused: [],
      patches: [
        {
          source: 'fleet',
          commit,
          patch:
            '--- fleet.yaml\n+++ fleet.yaml\n@@ -3 +3 @@\n-  - { id: 1, name: NEW }\n+  - { id: 1, name: KIOSK-01 }\n',
          forge: { kind: 'github', repository: 'acme/fleet', into: 'main' },
        },
      ],
      plans: [
        {
          account: 'berlin',
          failure: null,
          plan: { introduced: 1, pending: 0, hosts: [{ name: 'NEW', new_name: 'KIOSK-01' }] },
        },
      ],
    });
    const reason = 'Kiosks get numbers';
    const another = { ...chosen, digest: 'f'.repeat(64), reason };
    expect(await post('/proposals/open', another)).toMatchObject({ status: 409, code: 'stale-plan' });
    expect(written).toEqual([]);
    const opened = await post('/proposals/open', { ...chosen, digest: proposed.digest, reason });
    forge.intercept = () => false;
    expect(opened).toEqual({
      pulls: [{ source: 'fleet', number: 9, page: 'https://127.0.0.1/acme/fleet/pull/9' }],
    });
    expect(written[1]?.body).toMatchObject({
      base_tree: 'tree',
      tree: [{ path: 'fleet.yaml', content: host('KIOSK-01') }],
    });
    expect(written.at(-1)).toMatchObject({
      line: 'POST /api/repos/acme/fleet/pulls',
      body: {
        title: 'Rename 1 host',
        base: 'main',
        body: `\`\`\`text\n${reason}\n\`\`\`\n\nProposed by\n\n\`\`\`text\nOperator\n\`\`\`\n`,
        head: expect.stringMatching(/^rampart\/[0-9a-f]{12}$/),
      },
    });
    expect((await get('/audit?kind=change-proposed')).items).toMatchObject([
      { text: `"${reason}"`, what: { title: 'Rename 1 host', accounts: ['berlin'] } },
    ]);
  });

  it('plans the reversal when the branch is rewound, and applies none of it automatically', async () => {
    const writes = emulators[0]?.requests.filter(({ method }) => method !== 'GET').length;
    const applied = (await get('/accounts/berlin')).commit;
    const back = repository.commit({ 'fleet.yaml': host('OLD') }, 'Rewritten history');
    expect((await push()).status).toBe(202);
    const first = await planOf(back);
    const files = await get(`/plans/${first.id}/files`);
    expect(files).toMatchObject({ commit: back, before: { commit: applied }, why: null });
    expect(files.patch).toEqual({
      text: '--- fleet.yaml\n+++ fleet.yaml\n@@ -1,3 +1,3 @@\n version: 1\n hosts:\n-  - { id: 1, name: NEW }\n+  - { id: 1, name: OLD }\n',
      added: 1,
      removed: 1,
      incomplete: [],
    });
    expect(await get(`/plans/${files.before.plan}/files`)).toMatchObject({
      patch: null,
      why: expect.stringContaining('nothing to compare with'),
    });
    repository.rewind(repository.first);
    expect((await push()).status).toBe(202);
    await until(async () =>
      expect((await get('/settings')).sources[0]).toMatchObject({ commit: repository.first, problem: null }),
    );
    // The same plan is kept, because the two commits request the same.
    expect(await get('/plans?state=waiting')).toMatchObject({ items: [{ id: first.id }] });
    expect(emulators[0]?.requests.filter(({ method }) => method !== 'GET').length).toBe(writes);
  });

  it('keeps the last good commit when a hostile one comes, and runs none of its scripts', async () => {
    repository.commit({ 'fleet.yaml': { link: '/etc/passwd' } }, 'A link');
    expect((await push()).status).toBe(202);
    await until(async () => {
      const [source] = (await get('/settings')).sources;
      expect(source.commit).toBe(repository.first);
      expect(source.problem.message).toContain('a symbolic link');
    });
    const script = repository.commit(
      { 'fleet.yaml': host('OLD'), 'lab.yaml': '', 'lab.ts': 'throw new Error("it ran");' },
      'A script',
    );
    expect((await push()).status).toBe(202);
    await until(async () =>
      expect((await get('/settings')).sources[0]).toMatchObject({ commit: script, problem: null }),
    );
    await until(async () => expect((await get('/accounts/lab')).health).not.toBe('converged'));
    expect(JSON.stringify(await get('/accounts/lab'))).not.toContain('it ran');
    expect(emulators[1]?.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('responds during a flood of webhooks, and fetches only a few times', async () => {
    const before = git.requests.length;
    const replay = { ref: 'refs/heads/main', number: 'replayed' };
    const huge = () =>
      fetch(`${url}/hooks/github/fleet`, { method: 'POST', body: 'x'.repeat(6 * 1024 * 1024) }).then(
        ({ status }) => ({ status }),
        // The server may end the connection before it has read everything.
        () => ({ status: 413 }),
      );
    const flood = Array.from({ length: 30 }, (_, at) => [
      hook('push', { ref: 'refs/heads/main', at }, { secret: 'guess' }),
      hook('push', replay, { id: `delivery-replay-${at}` }),
      hook('push', { ref: 'refs/heads/main', genuine: at }),
      ...(at % 10 === 0 ? [huge()] : []),
    ]).flat();
    const during = get('/overview');
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(await during).toHaveProperty('health');
    const count = (status: number) => statuses.filter((each) => each === status).length;
    expect({ wrong: count(401), replayed: count(409), huge: count(413), genuine: count(202) }).toEqual({
      wrong: 30,
      replayed: 29,
      huge: 3,
      genuine: 31,
    });
    const lists = git.requests.slice(before).filter(({ path }) => path.includes('info/refs'));
    expect(lists.length).toBeLessThan(20);
  });

  it('shows no secret in its log, its responses, or to the forge', async () => {
    const shown = [
      ...logged,
      JSON.stringify([await get('/settings'), await get('/plans'), await get('/audit')]),
      ...forge.comments.values(),
      JSON.stringify(forge.statuses),
    ].join('\n');
    for (const secret of [...Object.values(secrets), testPsk]) expect(shown).not.toContain(secret);
    expect(shown).toContain('rampart/fleet');
  });
});
