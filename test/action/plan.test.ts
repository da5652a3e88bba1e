import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInputs } from '../../src/action/inputs.ts';
import { type Checkout, checkout, inputVariables } from '../given/action-step.ts';
import { givenService } from '../given/command-line.ts';
import { botLogin, githubStandIn } from '../given/github-stand-in.ts';
import { elementsOf, renderMarkdown } from '../given/rendered-markdown.ts';

const fleet = {
  groups: [{ id: '17', name: 'Berlin' }],
  hosts: [
    { id: '1', name: 'one' },
    { id: '2', name: 'two' },
    { id: '3', name: 'three', groupId: '17' },
  ],
};
const desired = [
  'version: 1',
  'hosts:',
  '  - { id: 1, name: ONE, group: Berlin }',
  '  - { id: 3, ensure: absent }',
  '',
].join('\n');

async function given(text = desired) {
  const github = await githubStandIn();
  const place = await checkout(github);
  await place.write('fleet.yaml', text);
  const { env, emulator } = await givenService(fleet);
  return { github, place, env, emulator };
}

describe('a plan in a pull request', () => {
  it('is commented on, summarized, and passed to later steps', async () => {
    const { github, place, env } = await given();
    const { code, outputs, summary, log, annotations } = await place.step({ event: 'pull_request', env });
    expect({ code, log }).toMatchObject({ code: 0 });
    expect(outputs).toMatchObject({
      changes: '3',
      renames: '1',
      moves: '1',
      installs: '0',
      deletions: '1',
      'exit-code': '2',
      'plan-path': join(place.folder, 'rampart-default.plan.json'),
    });
    const plan = JSON.parse(await readFile(outputs['plan-path'] ?? '', 'utf8')) as {
      readonly checksum: string;
    };
    expect(outputs['checksum']).toBe(plan.checksum);
    expect(github.comments).toHaveLength(1);
    const body = github.comments[0]?.body ?? '';
    const head = 'aa218f56b14c9653891f9e74264a383fa43fefbd';
    expect(body).toMatch(
      `<!-- rampart plan key=default checksum=${plan.checksum} head=${head} -->\n## Rampart plan`,
    );
    expect(body).toContain("Delete 1 host (can't be undone)");
    expect(body).toContain('[Run](https://github.com/acme/fleet/actions/runs/4711)');
    expect(elementsOf(renderMarkdown(body))).toContain('table');
    expect(summary).toContain("Delete 1 host (can't be undone)");
    expect(summary).toContain(plan.checksum);
    expect(log).toContain('Plan: 1 rename, 1 move, 1 deletion');
    expect(annotations.filter(({ kind }) => kind === 'error')).toEqual([]);
  });

  it('updates its own comment, wherever it is, and no other', async () => {
    const { github, place, env } = await given();
    const marker = '<!-- rampart plan key=default -->\n';
    for (let id = 1; id <= 130; id += 1) github.comments.push({ id, user: { login: 'mona' }, body: 'well' });
    github.comments.push({ id: 131, user: { login: 'mallory' }, body: `${marker}not ours` });
    github.comments.push({
      id: 132,
      user: { login: botLogin },
      body: '<!-- rampart plan key=berlin -->\nanother',
    });
    github.comments.push({ id: 133, user: { login: botLogin }, body: `> ${marker}a quotation` });
    github.comments.push({ id: 134, user: null, body: marker });
    github.comments.push({ id: 135, user: { login: botLogin }, body: `${marker}old` });
    const others = structuredClone(github.comments.slice(0, -1));
    await place.step({ event: 'pull_request', env });
    expect(github.comments.slice(0, -1)).toEqual(others);
    expect(github.comments.at(-1)).toMatchObject({
      id: 135,
      body: expect.stringContaining('## Rampart plan'),
    });
    expect(github.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
    const pages = github.requests
      .filter(({ method }) => method === 'GET')
      .map(({ query }) => query.get('page'));
    expect(pages).toEqual(['1', '2']);
  });

  it('leaves one comment if two runs comment at the same time', async () => {
    const { github, place, env } = await given();
    const body = '<!-- rampart plan key=default -->\nold';
    github.comments.push(
      { id: 1, user: { login: botLogin }, body },
      { id: 2, user: { login: botLogin }, body },
    );
    await place.step({ event: 'pull_request', env });
    expect(github.comments.map(({ id }) => id)).toEqual([2]);
  });

  it('has one comment for each account', async () => {
    const { github, place, env } = await given();
    for (const key of ['berlin', 'lisbon', 'berlin'])
      await place.step({ event: 'pull_request', env, inputs: { 'comment-key': key } });
    expect(github.comments.map(({ body }) => /key=(\w+)/.exec(body)?.[1])).toEqual(['berlin', 'lisbon']);
  });

  it('replaces the old comment with a new one on request', async () => {
    const { github, place, env } = await given();
    const inputs = { comment: 'recreate' };
    await place.step({ event: 'pull_request', env, inputs });
    github.comments.push({ id: 5, user: { login: 'mona' }, body: 'Looks good' });
    await place.step({ event: 'pull_request', env, inputs });
    expect(github.comments.map(({ user }) => user?.login)).toEqual(['mona', botLogin]);
  });

  it('creates no comment without changes if only changes matter, but updates an existing one', async () => {
    const { github, place, env } = await given('version: 1\nhosts: [{ id: 2, name: two }]\n');
    const inputs = { 'comment-when': 'changes' };
    const first = await place.step({ event: 'pull_request', env, inputs });
    expect(first.outputs).toMatchObject({ changes: '0', 'exit-code': '0' });
    expect(github.comments).toEqual([]);
    await place.write('fleet.yaml', desired);
    await place.step({ event: 'pull_request', env, inputs });
    await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 2, name: two }]\n');
    await place.step({ event: 'pull_request', env, inputs });
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0]?.body).toContain('No changes');
  });

  it('makes no comment and no request if that is disabled', async () => {
    const { github, place, env } = await given();
    await place.step({ event: 'pull_request', env, inputs: { comment: 'off' } });
    expect(github.requests).toEqual([]);
  });

  it.each(['schedule', 'push', 'workflow_dispatch'])('sends no request to GitHub on %s', async (event) => {
    const { github, place, env } = await given();
    const { code, summary } = await place.step({ event, env });
    expect(code).toBe(0);
    expect(summary).toContain('## Rampart plan');
    expect(github.requests).toEqual([]);
  });

  it('fails on changes on request', async () => {
    const { place, env } = await given();
    expect((await place.step({ env, inputs: { 'fail-on-changes': 'true' } })).code).toBe(2);
  });

  it('writes the page on request', async () => {
    const { place, env } = await given();
    const { outputs } = await place.step({
      env,
      inputs: { 'html-path': 'report.html', 'plan-path': 'p.json' },
    });
    expect(outputs['plan-path']).toBe(join(place.folder, 'p.json'));
    expect(await readFile(outputs['html-path'] ?? '', 'utf8')).toMatch(/^<!doctype html>/i);
  });

  it.each(['plan-path', 'html-path'])('never writes or removes the desired state: %s', async (name) => {
    const { place, env } = await given();
    const before = await readFile(join(place.folder, 'fleet.yaml'), 'utf8');
    const { code, annotations } = await place.step({ env, inputs: { [name]: 'fleet.yaml' } });
    expect(code).toBe(3);
    expect(annotations[0]?.message).toContain(`${name} fleet.yaml would overwrite a file`);
    expect(await readFile(join(place.folder, 'fleet.yaml'), 'utf8')).toBe(before);
  });

  it("ends with 8 if the page can't be written, because the reviewer would miss it", async () => {
    const { place, env } = await given();
    const { code, outputs } = await place.step({ env, inputs: { 'html-path': 'missing/report.html' } });
    expect([code, outputs['exit-code']]).toEqual([8, '8']);
  });

  it('labels its pull request with the verdict, and replaces only its own label', async () => {
    const { github, place, env } = await given();
    github.labels.push('bug', 'rampart/berlin/deletes', 'Rampart/No-Changes');
    const step = async (key = 'default') => {
      const inputs = { labels: 'true', 'comment-key': key, base: 'off' };
      const { annotations } = await place.step({ event: 'pull_request', env, inputs });
      expect(annotations.filter(({ kind }) => kind === 'notice')).toEqual([]);
      return [...github.labels].sort();
    };
    const others = ['bug', 'rampart/berlin/deletes'];
    expect(await step()).toEqual([...others, 'rampart/deletes']);
    expect(github.knownLabels).toEqual(['rampart/deletes']);
    const sent = github.requests.length;
    await step();
    const again = github.requests.slice(sent).filter(({ path }) => path.includes('/labels'));
    expect(again.map(({ method }) => method)).toEqual(['GET']);
    await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: ONE }]\n');
    expect(await step()).toEqual([...others, 'rampart/changes']);
    expect(await step('berlin')).toEqual(['bug', 'rampart/berlin/changes', 'rampart/changes']);
    await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, gruop: x }]\n');
    expect(await step()).toEqual(['bug', 'rampart/berlin/changes', 'rampart/failed']);
    await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 2, name: two }]\n');
    expect(await step()).toEqual(['bug', 'rampart/berlin/changes', 'rampart/no-changes']);
  });

  it('without the right to create labels gets none, and says which permission is missing', async () => {
    const { github, place, env } = await given();
    github.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('/labels')
        ? { status: 403, body: { message: 'You do not have permission to create labels' } }
        : undefined;
    const inputs = { labels: 'true' };
    const { code, annotations } = await place.step({ event: 'pull_request', env, inputs });
    expect(code).toBe(0);
    expect(github.comments).toHaveLength(1);
    expect(github.labels).toEqual([]);
    expect(annotations).toContainEqual(
      expect.objectContaining({ kind: 'notice', message: expect.stringContaining('issues: write') }),
    );
  });

  it('gets no label if it comes from a fork or the input is missing', async () => {
    const { github, place, env } = await given();
    for (const event of ['pull_request.fork', 'pull_request.deleted-fork'])
      await place.step({ event, env, inputs: { labels: 'true', 'trust-forks': 'true' } });
    await place.step({ event: 'pull_request', env });
    await place.step({ event: 'push', env, inputs: { labels: 'true' } });
    expect(github.requests.filter(({ path }) => path.includes('/labels'))).toEqual([]);
  });

  it('plans on a snapshot with no credentials', async () => {
    const { place, env } = await given();
    const { rampart, folder } = await (await import('../given/command-line.ts')).workplace();
    expect((await rampart(['hosts', 'snapshot', '--out', 'fleet.snapshot.json'], { env })).code).toBe(0);
    await place.write('fleet.snapshot.json', await readFile(join(folder, 'fleet.snapshot.json'), 'utf8'));
    const { code, outputs } = await place.step({
      event: 'pull_request.fork',
      inputs: { observed: 'fleet.snapshot.json' },
    });
    expect(code).toBe(0);
    expect(outputs['changes']).toBe('3');
  });
});

describe("what can't be planned", () => {
  it('is annotated in the file, shown in the comment, and fails the step', async () => {
    const { github, place, env } = await given('version: 1\nhosts:\n  - { id: 1, gruop: Berlin }\n');
    const { code, annotations, outputs, summary } = await place.step({ event: 'pull_request', env });
    expect(code).toBe(3);
    expect(outputs).toEqual({ 'exit-code': '3' });
    expect(annotations).toContainEqual({
      kind: 'error',
      title: 'Rampart: unknown-key',
      message: expect.stringContaining('gruop'),
      file: 'fleet.yaml',
      line: 3,
      column: 14,
    });
    expect(github.comments[0]?.body).toMatch(/^<!-- rampart plan key=default -->\n/);
    expect(github.comments[0]?.body).toContain('No plan could be made.');
    expect(summary).toContain('fleet.yaml:3:14');
  });

  it('for the fleet is marked too, in a folder of the repository', async () => {
    const { place, env } = await given();
    execFileSync('mkdir', [join(place.folder, 'sites')]);
    await place.write('sites/fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, group: Rome }\n');
    const { code, annotations } = await place.step({ env, inputs: { 'working-directory': 'sites' } });
    expect(code).toBe(3);
    expect(annotations).toContainEqual(
      expect.objectContaining({
        kind: 'error',
        title: 'Rampart: unknown-group',
        file: 'sites/fleet.yaml',
        line: 3,
      }),
    );
  });

  it('is annotated within the limit of GitHub, and the rest is counted', async () => {
    const entries = Array.from({ length: 25 }, (_, index) => `  - { id: ${index + 1}, gruop: x }\n`).join('');
    const { place, env } = await given(`version: 1\nhosts:\n${entries}`);
    const { annotations } = await place.step({ env });
    expect(annotations).toHaveLength(10);
    expect(annotations.at(-1)?.message).toBe('16 more errors: see the log');
  });

  it('is shown in full if a limit forbids it, and has no checksum to apply', async () => {
    const entries = [1, 2, 3].map((id) => `  - { id: ${id}, ensure: absent }\n`).join('');
    const { github, place, env } = await given(`version: 1\nhosts:\n${entries}`);
    const { code, outputs } = await place.step({ event: 'pull_request', env });
    expect(code).toBe(6);
    expect(outputs).toMatchObject({ deletions: '3', 'exit-code': '6' });
    expect(github.comments[0]?.body).toMatch(/^<!-- rampart plan key=default -->\n/);
    expect(github.comments[0]?.body).toContain('Delete 3 hosts');
    const agreed = await place.step({ event: 'pull_request', env, inputs: { flags: '--ack delete=3' } });
    expect(agreed.code).toBe(0);
  });

  it('without credentials says so', async () => {
    const { place } = await given();
    const { code, log } = await place.step({});
    expect(code).toBe(3);
    expect(log).toContain('RAMPART_BASE_URL');
  });

  it.each([
    ['mode', 'destroy', 'one of plan, apply, drift, validate'],
    ['comment', 'yes', 'one of update, recreate, off'],
    ['summary', 'maybe', 'one of true, false'],
    ['comment-key', 'a --> b', '1 to 64 letters'],
    ['checksum', 'abc', '64 hexadecimal digits'],
    ['labels', 'maybe', 'one of false, true'],
    ['flags', '--out=x', 'use the input plan-path'],
    ['flags', '-f other.yaml', 'use the input files'],
  ])('the input %s may not be %s', (name, value, message) => {
    expect(readInputs(inputVariables({ [name]: value }))).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining(message) }],
    });
  });

  it('because of an input ends with 3', async () => {
    const { place, env } = await given();
    expect((await place.step({ env, inputs: { mode: 'destroy' } })).code).toBe(3);
  });
});

describe('the base of a pull request', () => {
  async function repository(): Promise<{
    readonly place: Checkout;
    readonly env: object;
    readonly base: string;
  }> {
    const { place, env } = await given('version: 1\nhosts:\n  - { id: 1, name: ONE }\n');
    const { git } = place;
    git('init', '--initial-branch=main');
    git('add', 'fleet.yaml');
    git('commit', '--message=first');
    await place.write(
      'fleet.yaml',
      'version: 1\nhosts:\n  - { id: 1, name: ONE }\n  - { id: 2, name: TWO }\n',
    );
    return { place, env, base: git('rev-parse', 'HEAD') };
  }
  const recorded = 'c3d0be41ecbe669545ee3e94d31ed9a4bc91ee3c';

  it.each(['pull_request', 'merge_group'])('is what the plan is compared with, on %s', async (event) => {
    const { place, env, base } = await repository();
    const change = (payload: string) => payload.replaceAll(recorded, base);
    const { summary } = await place.step({ event, change, env: { ...env } });
    expect(summary).toContain('| this change |');
    expect(summary).toContain('## Rampart plan');
  });

  it('is left out on request', async () => {
    const { place, env, base } = await repository();
    const change = (payload: string) => payload.replaceAll(recorded, base);
    const ran = await place.step({ event: 'pull_request', change, env: { ...env }, inputs: { base: 'off' } });
    expect(ran.summary).not.toContain('| this change |');
    expect(ran.annotations).toEqual([]);
  });

  it('may be set', async () => {
    const { place, env } = await repository();
    const { summary } = await place.step({ env: { ...env }, inputs: { base: 'main' } });
    expect(summary).toContain('Compared with `main`');
  });

  it('is skipped if it is not in the checkout, but the plan is made', async () => {
    const { place, env } = await repository();
    const { code, annotations } = await place.step({ event: 'pull_request', env: { ...env } });
    expect(code).toBe(0);
    expect(annotations).toEqual([
      expect.objectContaining({ kind: 'notice', message: expect.stringContaining('not in the checkout') }),
    ]);
  });

  it('is skipped if it has no desired state yet, but the plan is made', async () => {
    const { place, env, base } = await repository();
    await place.write('new.yaml', 'version: 1\nhosts: [{ id: 2, name: TWO }]\n');
    const change = (payload: string) => payload.replaceAll(recorded, base);
    const inputs = { files: 'new.yaml' };
    const ran = await place.step({ event: 'pull_request', change, env: { ...env }, inputs });
    expect(ran.code).toBe(0);
    expect(ran.annotations[0]?.message).toContain('the file or folder new.yaml does not exist');
  });
});
