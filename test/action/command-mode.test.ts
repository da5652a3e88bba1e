import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCommentCommand } from '../../src/action/comment-command.ts';
import type { SignedHead } from '../../src/run/state/audit/signed-head.ts';
import { checkout, commentEvent } from '../given/action-step.ts';
import { givenService, testPsk } from '../given/command-line.ts';
import { newFolder } from '../given/folder.ts';
import { botLogin, githubStandIn, type StoredComment } from '../given/github-stand-in.ts';

const repo = { full_name: 'acme/fleet', default_branch: 'main' };
const hosts = [
  { id: '1', name: 'one' },
  { id: '2', name: 'two' },
];

/** A pull request whose head is checked out, and whose plan was commented on. */
async function given(files: Readonly<Record<string, string>> = {}) {
  const github = await githubStandIn();
  const place = await checkout(github);
  const { env, emulator } = await givenService({ hosts });
  for (const [name, text] of Object.entries({
    'fleet.yaml': 'version: 1\nhosts: [{ id: 1, name: ONE }]\n',
    ...files,
  }))
    await place.write(name, text);
  const { git } = place;
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'x');
  const head = git('rev-parse', 'HEAD');
  const request = { state: 'open', head: { sha: head, repo }, base: { sha: head, ref: 'main', repo } };
  github.request = request;
  github.permissions.set('mona', 'write').set('mallory', 'read');
  const more: Record<string, string> = {};
  const step = (comment: StoredComment, change: object = {}, inputs: Readonly<Record<string, string>> = {}) =>
    place.step({
      ...commentEvent(comment, repo, change),
      env: { ...env, ...more, GITHUB_SHA: head, GITHUB_REF: 'refs/heads/main' },
      inputs: { mode: 'command', ...inputs },
    });
  const reviewed = async () => {
    expect((await step(github.say('mona', '/rampart plan'))).code).toBe(0);
    return github.comments.at(-1) as StoredComment;
  };
  const names = () => [...emulator.state().hosts.values()].map(({ name }) => name);
  return { github, place, step, reviewed, request, names, head, env: more };
}

describe('a command in a comment', () => {
  it.each([
    ['/rampart plan', { kind: 'plan' }],
    ['/rampart plan\r\nthank you', { kind: 'plan' }],
    ['/rampart apply', { kind: 'apply' }],
    ['/rampart apply 0123ABCD', { kind: 'apply', checksum: '0123abcd' }],
    ['/rampart explain BER LT 01', { kind: 'explain', host: 'BER LT 01' }],
    ['/rampart explain --help', { kind: 'explain', host: '--help' }],
  ])('is read from %j', (body, expected) => expect(readCommentCommand(body)).toEqual(expected));

  it.each(['/rampart', '/rampartplan', ' /rampart apply', 'please\n/rampart apply', '> /rampart apply', ''])(
    'is not in %j',
    (body) => expect(readCommentCommand(body)).toBeUndefined(),
  );

  it.each([
    `/rampart approve ${'a1'.repeat(32)} delete=2`,
    '/rampart reject',
    '/rampart  approve x',
    '/rampart approve\nnow',
    '/rampart approved',
    '/rampart aprove x',
    '/rampart Reject x',
    '/rampart ',
  ])('leaves %j to a server', (body) => expect(readCommentCommand(body)).toBeUndefined());

  it.each([
    '/rampart  apply',
    '/rampart \tapply',
    '/rampart apply now',
    '/rampart destroy',
    '/rampart plan --auto-approve',
    '/rampart explain',
    `/rampart explain ${'x'.repeat(300)}`,
    `/rampart explain x${' '.repeat(60_000)}y`,
  ])('ignores %j, so that no workflow mistakes it for a command', (body) =>
    expect(readCommentCommand(body)).toBeNull(),
  );
});

describe('a command of a person with write access', () => {
  it('applies the plan whose checksum the author names', async () => {
    const { github, step, reviewed, names } = await given();
    const shown = (await reviewed()).body;
    const checksum = /checksum=([0-9a-f]{64})/.exec(shown)?.[1] ?? '';
    expect((await step(github.say('mona', '/rampart apply 00000000'))).code).toBe(6);
    expect(github.comments.at(-1)?.body).toContain('not 00000000');
    const { code, log } = await step(github.say('mona', `/rampart apply ${checksum.slice(0, 12)}`));
    expect({ code, log }).toMatchObject({ code: 0 });
    expect(names()).toEqual(['ONE', 'two']);
    expect(JSON.stringify(github.comments) + log).not.toContain(testPsk);
  });

  it('gets a reply with the signed head of the audit log, which is stored outside the log', async () => {
    const { github, place, step, reviewed, env } = await given();
    const keys = newFolder();
    env['RAMPART_AUDIT_KEY_FILE'] = join(keys, 'audit-key.pem');
    const { privateKey } = generateKeyPairSync('ed25519');
    await writeFile(env['RAMPART_AUDIT_KEY_FILE'], privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await reviewed();
    expect((await step(github.say('mona', '/rampart apply'))).code).toBe(0);
    const stored = await readFile(join(place.folder, '.rampart/audit-head.json'), 'utf8');
    const { seq, hash } = JSON.parse(stored) as SignedHead;
    const answers = github.comments.filter(({ body }) => body.startsWith('**`/rampart apply` by mona**'));
    expect(answers.map(({ body }) => body)).toEqual([
      expect.stringContaining(`Audit head: record ${seq}, ${hash}`),
    ]);
  });

  it('can contain no flags for the command line', async () => {
    const { github, step } = await given();
    await step(github.say('mona', '/rampart explain --format=json'));
    expect(github.comments.at(-1)?.body).toContain('--format=json');
    expect(github.comments.at(-1)?.body).not.toContain('"problems"');
  });
});

describe('a command is refused', () => {
  it('of a stranger, and of somebody who may only read', async () => {
    const { github, step, names } = await given();
    for (const login of ['nobody', 'mallory']) {
      expect((await step(github.say(login, '/rampart apply'), { comment: undefined })).code).toBe(3);
      const comment = github.say(login, '/rampart apply');
      // The event's data about the author is ignored.
      expect((await step({ ...comment, user: { login: 'mona' } })).code).toBe(6);
      expect(github.comments.at(-1)?.body).toContain('has no write access');
      expect(github.reactions.splice(0)).toEqual([`${comment.id} -1`]);
    }
    expect(names()).toEqual(['one', 'two']);
  });

  it('without an answer if a bot wrote it, or on an issue', async () => {
    const { github, step } = await given();
    const byBot = github.say(botLogin, '/rampart apply', 'Bot');
    expect((await step(byBot)).code).toBe(6);
    const onIssue = await step(github.say('mona', '/rampart plan'), { issue: { number: 12 } });
    expect(onIssue.code).toBe(6);
    expect(onIssue.annotations[0]?.message).toContain('on an issue, not on a pull request');
    expect(github.comments).toHaveLength(2);
    expect(github.reactions).toEqual([]);
  });

  it('if it was edited or deleted before it ran', async () => {
    const { github, step, names } = await given();
    const edited = { ...github.say('mona', '/rampart plan') };
    (github.comments.at(-1) as StoredComment).body = '/rampart apply';
    expect((await step(edited)).code).toBe(6);
    expect(github.comments.at(-1)?.body).toContain('the comment was edited');
    const touched = github.say('mona', '/rampart apply');
    touched.updated_at = '2027-01-01T00:00:00Z';
    expect((await step(touched)).code).toBe(6);
    const deleted = github.say('mona', '/rampart apply');
    github.comments.splice(github.comments.indexOf(deleted), 1);
    expect((await step(deleted)).code).toBe(6);
    expect(github.comments.at(-1)?.body).toContain('the comment was deleted');
    expect(names()).toEqual(['one', 'two']);
  });

  it('if a commit was pushed after the review or after the checkout', async () => {
    const { github, step, reviewed, request, names } = await given();
    const shown = await reviewed();
    const pushed = 'b'.repeat(40);
    github.request = { ...request, head: { sha: pushed, repo } };
    expect((await step(github.say('mona', '/rampart apply'))).code).toBe(6);
    expect(github.comments.at(-1)?.body).toContain('the checkout is not the head of the pull request');
    github.request = request;
    shown.body = shown.body.replace(/head=[0-9a-f]{40}/, `head=${pushed}`);
    expect((await step(github.say('mona', '/rampart apply'))).code).toBe(6);
    expect(github.comments.at(-1)?.body).toContain('is not for the head of the pull request');
    expect(names()).toEqual(['one', 'two']);
  });

  it('if the plan changed after the command, or was never shown', async () => {
    const { github, step, reviewed, names } = await given();
    const early = github.say('mona', '/rampart apply');
    expect((await step(early)).code).toBe(6);
    expect(github.comments.at(-1)?.body).toContain('no comment shows a plan that can be applied');
    const late = github.say('mona', '/rampart apply');
    await reviewed();
    expect((await step(late)).code).toBe(6);
    expect(github.comments.at(-1)?.body).toContain('changed after the command was written');
    expect(names()).toEqual(['one', 'two']);
  });

  it('if the plan of the comment is not the one of the fleet and the files anymore', async () => {
    const { github, step, reviewed, place, names } = await given();
    await reviewed();
    await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 2, name: TWO }]\n');
    expect((await step(github.say('mona', '/rampart apply'))).code).toBe(7);
    expect(names()).toEqual(['one', 'two']);
  });

  it('if the pull request to apply is closed, from a fork or for another branch', async () => {
    const { github, step, reviewed, request, names } = await given();
    await reviewed();
    for (const [change, message] of [
      [{ state: 'closed' }, 'the pull request is closed'],
      [{ head: { ...request.head, repo: { full_name: 'mallory/fleet' } } }, 'comes from a fork'],
      [{ base: { ...request.base, ref: 'release' } }, 'not for the default branch'],
    ] as const) {
      github.request = { ...request, ...change };
      expect((await step(github.say('mona', '/rampart apply'))).code).toBe(6);
      expect(github.comments.at(-1)?.body).toContain(message);
    }
    expect(names()).toEqual(['one', 'two']);
  });

  it('if it would run a program of the pull request, even if the workflow trusts forks', async () => {
    const { github, step } = await given({ 'fleet.ts': 'export default {};\n' });
    const inputs = { files: 'fleet.ts' };
    expect((await step(github.say('mona', '/rampart plan'), {}, inputs)).code).toBe(6);
    expect(github.comments.at(-1)?.body).toContain('fleet.ts is a program and is not run');
    const trusting = { ...inputs, 'trust-forks': 'true' };
    expect((await step(github.say('mona', '/rampart plan'), {}, trusting)).code).toBe(3);
  });

  it('if GitHub does not say who may do what', async () => {
    const { github, step } = await given();
    github.fault = ({ path }) => (path.endsWith('/permission') ? { status: 500, body: {} } : undefined);
    expect((await step(github.say('mona', '/rampart plan'))).code).toBe(1);
    github.fault = ({ path }) => (path.endsWith('/permission') ? { status: 200, body: {} } : undefined);
    expect((await step(github.say('mona', '/rampart plan'))).code).toBe(1);
  });
});

describe('an issue about drift', () => {
  it("fails the step if it can't be written, because nobody would learn of the drift", async () => {
    const { github, place } = await given();
    const { env } = await givenService({ hosts });
    github.fault = ({ path }) =>
      path.endsWith('/issues') ? { status: 403, body: { message: 'no' } } : undefined;
    const { code, annotations } = await place.step({ env, inputs: { mode: 'drift', issue: 'update' } });
    expect(code).not.toBe(0);
    expect(annotations.at(-1)?.message).toContain("the issues can't be read");
  });

  it('of somebody else is left unchanged', async () => {
    const { github, place } = await given();
    const { env } = await givenService({ hosts });
    const body = '<!-- rampart drift key=default -->\nnot ours';
    github.issues.push({ number: 1, user: { login: 'mallory' }, title: 'x', body, state: 'open' });
    expect((await place.step({ env, inputs: { mode: 'drift', issue: 'update' } })).code).toBe(0);
    expect(github.issues[0]).toMatchObject({ body, state: 'open' });
  });
});
