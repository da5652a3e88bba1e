import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFleetAnswers } from '../../src/cli/asking/fleet-answers.ts';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { fleetTools } from '../../src/mcp/fleet-tools.ts';
import { createEmulator } from '../../src/service/emulator/emulator.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { readFences } from '../docs/read-page.ts';
import { contextOn, conversation } from '../given/conversation.ts';
import { listen } from '../given/loopback.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/guides/agents.md'), 'utf8');
const fenceOf = (language: string, text: string) =>
  readFences(page).find((fence) => fence.language === language && fence.text.includes(text))?.text ?? '';
const edits = JSON.parse(fenceOf('json', 'edits')) as object;
const request = JSON.parse(fenceOf('json', 'reason')) as object;
const token = 'forge-token-4711';

interface SentToForge {
  readonly line: string;
  readonly secret: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** GitHub as far as a pull request needs it. `mayPush`: the token may write. */
async function startGithub(mayPush: boolean) {
  const sent: SentToForge[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const line = `${request.method} ${request.url?.replace(/[0-9a-f]{40}/, 'COMMIT')}`;
      sent.push({
        line,
        secret: request.headers.authorization,
        body: text === '' ? null : JSON.parse(text),
      });
      const answers: Record<string, object> = {
        'GET /repos/acme/fleet/git/commits/COMMIT': { tree: { sha: 'old' } },
        'POST /repos/acme/fleet/git/trees': { sha: 'new-tree' },
        'POST /repos/acme/fleet/git/commits': { sha: 'new-commit' },
        'POST /repos/acme/fleet/git/refs': {},
        'POST /repos/acme/fleet/pulls': { number: 7, html_url: 'https://forge.example.com/7' },
      };
      const answer = mayPush || request.method === 'GET' ? answers[line] : undefined;
      response.writeHead(answer === undefined ? 403 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { message: 'Resource not accessible' }));
    });
  });
  return { api: `http://127.0.0.1:${await listen(server, onTestFinished)}`, sent };
}

/** The fleet of the guide in the folder `berlin` of a checkout whose branch follows one of a remote repository. */
async function givenCheckout({ mayPush = true, env = {} }: { mayPush?: boolean; env?: object } = {}) {
  const top = mkdtempSync(join(tmpdir(), 'rampart-pull-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const folder = join(top, 'work', 'berlin');
  mkdirSync(folder, { recursive: true });
  const git = (...argv: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...argv], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  git('init', '-q', '--bare', join(top, 'remote.git'));
  git('init', '-q', '-b', 'main', join(top, 'work'));
  git('remote', 'add', 'origin', join(top, 'remote.git'));
  writeFileSync(join(folder, 'fleet.yaml'), fenceOf('yaml', 'version: 1').replace(/^# fleet.yaml\n/, ''));
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  git('push', '-q', '-u', 'origin', 'main');
  const { api, sent } = await startGithub(mayPush);
  const clock = createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true });
  const groups = [
    { id: '17', name: 'Berlin' },
    { id: '18', name: 'Lisbon' },
  ];
  const state = fleetState({ groups, hosts: [{ id: '200', name: 'LOBBY', groupId: '17' }] });
  const context = contextOn(createEmulator({ state, clock }), {
    folder,
    clock,
    env: {
      PATH: process.env['PATH'] ?? '',
      RAMPART_FORGE_REPOSITORY: 'https://github.com/acme/fleet',
      RAMPART_FORGE_API: api,
      RAMPART_FORGE_TOKEN: token,
      ...env,
    },
  });
  return { folder, git, sent, ...(await conversation(fleetTools(createFleetAnswers(context, [])))) };
}

describe('open_pull_request', () => {
  it('leads from the question of the guide to a pull request, and says that it does more than read', async () => {
    const { call, request: ask, git, sent, folder } = await givenCheckout();
    const { result } = await ask('tools/list', {});
    const writing = result.tools.filter(({ annotations }: { annotations: { readOnlyHint: boolean } }) => {
      return !annotations.readOnlyHint;
    });
    expect(writing.map(({ name }: { name: string }) => name)).toEqual(['open_pull_request']);
    expect(JSON.stringify(await call('explain_host', { host: 'LOBBY' }))).toContain('fleet.yaml');
    const proposed = (await call('propose_change', edits))?.answer;
    expect(proposed.pull_request).toEqual({ forge: 'github', repository: 'acme/fleet', into: 'main' });
    expect(sent).toEqual([]);
    const opened = await call('open_pull_request', { ...request, plan: proposed.plan.plan });
    expect(opened?.answer).toEqual({ number: 7, page: 'https://forge.example.com/7' });
    const [read, tree, commit, , pull] = sent;
    expect(new Set(sent.map(({ secret }) => secret))).toEqual(new Set([`Bearer ${token}`]));
    expect(read?.line).toBe('GET /repos/acme/fleet/git/commits/COMMIT');
    const text = 'version: 1\nhosts:\n  - { id: 200, name: LOBBY, group: Lisbon }\n';
    expect(tree?.body.tree).toMatchObject([{ path: 'berlin/fleet.yaml', content: text }]);
    expect(commit?.body.parents).toEqual([git('rev-parse', 'HEAD')]);
    expect(pull?.body).toMatchObject({ title: 'Move LOBBY to Lisbon', base: 'main' });
    expect(pull?.body.body).toContain('Ana asked for it');
    expect(readFileSync(join(folder, 'fleet.yaml'), 'utf8')).toContain('group: Berlin');
    expect(git('status', '--porcelain')).toBe('');
  });

  it.each([
    [
      'a file is changed',
      (folder: string) => writeFileSync(join(folder, 'fleet.yaml'), `${fenceOf('yaml', 'version: 1')}\n`),
    ],
    [
      'a commit is not pushed',
      (_: string, git: (...argv: readonly string[]) => string) =>
        git('commit', '-q', '--allow-empty', '-m', 'more'),
    ],
    [
      'no branch is checked out',
      (_: string, git: (...argv: readonly string[]) => string) => git('checkout', '-q', '--detach'),
    ],
  ] as const)('returns only the patch, and the reason, if %s', async (_, change) => {
    const { call, folder, git, sent } = await givenCheckout();
    change(folder, git);
    const proposed = await call('propose_change', edits);
    expect(proposed).toMatchObject({ ok: true, answer: { pull_request: null } });
    expect(proposed?.problems.map(({ code }) => code)).toContain('usage');
    const refused = await call('open_pull_request', { ...request, plan: proposed?.answer.plan.plan });
    expect(refused).toMatchObject({ ok: false, problems: [{ code: 'usage' }] });
    expect(sent).toEqual([]);
  });

  it('does not exist without a repository, whatever the checkout says', async () => {
    const { call, request: ask } = await givenCheckout({ env: { RAMPART_FORGE_REPOSITORY: '' } });
    const { result } = await ask('tools/list', {});
    expect(JSON.stringify(result)).not.toContain('"open_pull_request"');
    expect((await call('propose_change', edits))?.answer.pull_request).toBeNull();
  });

  it.each([
    ['the token is missing', { env: { RAMPART_FORGE_TOKEN: '' } }, 'missing-credentials', 0],
    ['the token may not write', { mayPush: false }, 'forbidden', 2],
  ] as const)('says what to do if %s', async (_, given, code, requests) => {
    const { call, sent } = await givenCheckout(given);
    const { plan } = (await call('propose_change', edits))?.answer ?? {};
    const refused = await call('open_pull_request', { ...request, plan: plan.plan });
    expect(refused).toMatchObject({ ok: false, problems: [{ code }] });
    expect(JSON.stringify(refused)).not.toContain(token);
    expect(sent).toHaveLength(requests);
  });

  it.each([
    ['plain HTTP', 'http://github.com/acme/fleet'],
    ['an unknown forge', 'https://git.example.com/acme/fleet'],
    ['no repository', 'https://github.com/acme'],
  ])('sends nothing to an address with %s', async (_, address) => {
    const { call, sent } = await givenCheckout({ env: { RAMPART_FORGE_REPOSITORY: address } });
    const proposed = await call('propose_change', edits);
    expect(proposed).toMatchObject({ ok: true, answer: { pull_request: null } });
    const refused = await call('open_pull_request', { ...request, plan: proposed?.answer.plan.plan });
    expect(refused?.ok).toBe(false);
    expect(sent).toEqual([]);
  });
});
