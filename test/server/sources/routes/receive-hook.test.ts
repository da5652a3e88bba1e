import { createHmac } from 'node:crypto';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { readCommentCommand } from '../../../../src/action/comment-command.ts';
import { failed, ok, problem } from '../../../../src/core/problem/problem.ts';
import type { CommentAnswer } from '../../../../src/forge/answer-comment.ts';
import type { ForgeKind } from '../../../../src/forge/forge.ts';
import { deliveryIds } from '../../../../src/forge/webhook.ts';
import type { CommentedDecision } from '../../../../src/server/approvals/routes/commented-decision.ts';
import type { GitSource } from '../../../../src/server/settings/server-settings.ts';
import { mountHooks } from '../../../../src/server/sources/routes/mount-hooks.ts';
import type { HookParts } from '../../../../src/server/sources/routes/receive-hook.ts';
import { inAWhile, place } from '../../jobs/given.ts';

const unsigned: GitSource = {
  kind: 'git',
  name: 'open',
  git: 'https://git.example.com/fleet.git',
  ref: 'main',
  path: '',
  commands: 'all',
  allowsScripts: false,
  place,
};
const source: GitSource = {
  ...unsigned,
  name: 'fleet',
  webhookSecret: { kind: 'variable', variable: 'HOOK_SECRET' },
};
const forge = {
  kind: 'github',
  host: 'github.com',
  api: 'https://api.github.com',
  repository: 'acme/fleet',
  token: { kind: 'variable', variable: 'FORGE_TOKEN' },
} as const;
const reviewers = [
  { id: 'oidc-zoe', name: 'Zoe', email: 'zoe@example.com', github: 'zoe', gitlab: '8', place },
];
const checksum = 'a1'.repeat(32);
let number = 0;

function givenHooks(changed: Partial<HookParts> = {}) {
  const seen = new Set<string>();
  const remembered = new Set<number>();
  const fetched: string[] = [];
  const decisions: CommentedDecision[] = [];
  const answers: [string, CommentAnswer][] = [];
  const hidden: string[] = [];
  const app = new Hono();
  mountHooks(app, {
    settings: {
      folder: '/nowhere',
      reviewers,
      sources: [
        source,
        unsigned,
        { kind: 'folder', name: 'files', folder: '/nowhere', allowsScripts: false, place },
      ],
    },
    store: {
      tickets: {
        put: async () => {},
        take: async () => undefined,
        useJti: async (issuer, id, until) => {
          remembered.add(until.getTime());
          const key = `${issuer} ${id}`;
          const isNew = !seen.has(key);
          seen.add(key);
          return isNew;
        },
      },
    },
    env: { HOOK_SECRET: 'shared-secret' },
    hide: (secrets) => hidden.push(...secrets),
    clock: { now: () => 1_000, sleep: async () => undefined },
    fetch: async (name) => {
      await inAWhile();
      fetched.push(name);
    },
    decide: async (decision) => {
      decisions.push(decision);
      return ok({ message: 'the plan of berlin is approved by Zoe', plan: 'p-1' });
    },
    answer: async (name, answer) => {
      await inAWhile();
      answers.push([name, answer]);
    },
    ...changed,
  });
  const post = async (path: string, body: string | null, headers: Readonly<Record<string, string>>) => {
    const answer = await app.fetch(new Request(`http://localhost${path}`, { method: 'POST', body, headers }));
    const { message } = (await answer.json()) as { message: string };
    return [answer.status, message];
  };
  const github = async (
    event: string,
    payload: unknown,
    { secret = 'shared-secret', name = 'fleet', id = `delivery-${(number += 1)}` } = {},
  ) => {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return post(`/hooks/github/${name}`, body, {
      'x-github-event': event,
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    });
  };
  const gitlab = async (event: string, payload: unknown, token = 'shared-secret') =>
    post('/hooks/gitlab/fleet', JSON.stringify(payload), {
      'x-gitlab-event': event,
      'x-gitlab-token': token,
      'x-gitlab-event-uuid': `uuid-${(number += 1)}`,
    });
  return { github, gitlab, post, fetched, decisions, hidden, answers, remembered };
}

const now = '1970-01-01T00:00:01Z';
const push = (ref: string) => ({ ref, after: number });
const comment = (body: string, parts: object = {}) => ({
  action: 'created',
  issue: { pull_request: {}, user: { id: 7, login: 'jane' } },
  comment: { body, user: { id: 8, login: 'zoe' }, created_at: now },
  ...parts,
});
const issue = { number: 7, pull_request: {}, user: { id: 7, login: 'jane' } };
/** A comment on a merge request at GitLab. */
const note = (text: string, parts: object = {}, attributes: object = {}) => ({
  user: { id: 8, username: 'zoe' },
  object_attributes: { note: text, noteable_type: 'MergeRequest', created_at: now, ...attributes },
  ...parts,
});
const approve = `/rampart approve ${checksum}`;
const reject = `/rampart reject ${checksum} no`;
const settingsOf = (...sources: readonly GitSource[]) => ({ settings: { folder: '/', reviewers, sources } });
const reporting: GitSource = { ...source, forge };
const atGitlab: GitSource = { ...source, forge: { ...forge, kind: 'gitlab' } };
const wrong = 'the signature or token of the webhook is wrong';

describe('a push webhook', () => {
  it('fetches its source if it is genuine and concerns the ref', async () => {
    const { github, gitlab, fetched, hidden } = givenHooks();
    expect(await github('push', push('refs/heads/main'))).toEqual([202, 'the source is fetched']);
    expect(await gitlab('Push Hook', push('refs/heads/main'))).toEqual([202, 'the source is fetched']);
    expect(fetched).toEqual(['fleet', 'fleet']);
    expect(hidden).toEqual(['shared-secret', 'shared-secret']);
  });
  for (const ref of ['refs/heads/other', 'refs/heads/main2', 'main', 'refs/heads/x/main']) {
    it(`is ignored for the ref ${ref}`, async () => {
      const { github, fetched } = givenHooks();
      expect(await github('push', push(ref))).toEqual([200, 'the push concerns another ref']);
      expect(fetched).toEqual([]);
    });
  }
  it('counts for a tag and for a full ref name', async () => {
    const full: GitSource = { ...source, ref: 'refs/heads/live' };
    const live = givenHooks({ settings: { folder: '/', sources: [full] } });
    expect(await live.github('push', push('refs/heads/live'))).toMatchObject([202, {}]);
    expect(await live.github('push', push('refs/tags/live'))).toMatchObject([200, {}]);
    expect(live.fetched).toEqual(['fleet']);
    expect(await givenHooks().github('push', push('refs/tags/main'))).toMatchObject([202, {}]);
    expect(await givenHooks().gitlab('Tag Push Hook', push('refs/tags/main'))).toMatchObject([202, {}]);
  });
  it('is refused with a wrong secret, without one, and before its body is read', async () => {
    const { github, gitlab, post, fetched } = givenHooks();
    expect(await github('push', push('refs/heads/main'), { secret: 'guess' })).toEqual([401, wrong]);
    expect(await github('push', 'no json', { secret: 'guess' })).toEqual([401, wrong]);
    expect(await gitlab('Push Hook', push('refs/heads/main'), 'guess')).toEqual([401, wrong]);
    expect(await gitlab('Push Hook', push('refs/heads/main'), '')).toEqual([401, wrong]);
    expect(await post('/hooks/github/fleet', '{}', { 'x-github-event': 'push' })).toEqual([401, wrong]);
    expect(await post('/hooks/gitlab/fleet', '{}', { 'x-gitlab-event': 'Push Hook' })).toEqual([401, wrong]);
    expect(await post('/hooks/github/fleet', '{}', { 'x-hub-signature-256': 'sha256=' })).toEqual([
      401,
      wrong,
    ]);
    expect(fetched).toEqual([]);
  });
  it('does not exist for a folder, an unknown source, and a source without a secret', async () => {
    const { github } = givenHooks();
    for (const name of ['files', 'gone', 'open'])
      expect(await github('push', push('refs/heads/main'), { name })).toEqual([
        404,
        'there is no such webhook',
      ]);
    const unset = givenHooks({ env: {} });
    expect(await unset.github('push', push('refs/heads/main'))).toEqual([
      404,
      'the secret of this webhook is not set up',
    ]);
  });
  it('is refused the second time, even under another delivery id, for a week', async () => {
    const { github, fetched, remembered } = givenHooks();
    const body = push('refs/heads/main');
    expect(await github('push', body, { id: 'delivery-a' })).toEqual([202, 'the source is fetched']);
    const again = [409, 'this delivery was received before'];
    expect(await github('push', body, { id: 'delivery-a' })).toEqual(again);
    expect(await github('push', body, { id: 'delivery-b' })).toEqual(again);
    expect(await github('push', { ...body, after: 'x' }, { id: 'delivery-a' })).toEqual(again);
    expect(fetched).toEqual(['fleet']);
    expect([...remembered]).toEqual([1_000 + 7 * 86_400_000]);
  });
  it('is identified by the id of its forge and by its event and body', () => {
    const body = Buffer.from('{}');
    const ids = (forge: ForgeKind, headers: Record<string, string>, of: Uint8Array = body) =>
      deliveryIds(forge, new Headers(headers), of);
    const github = { 'x-github-delivery': 'delivery-1', 'x-github-event': 'push' };
    expect(ids('github', github)).toEqual(['id:delivery-1', expect.stringMatching(/^body:[0-9a-f]{64}$/)]);
    const gitlab = { 'x-gitlab-event-uuid': 'uuid-0001', 'x-gitlab-event': 'Push Hook' };
    expect(ids('gitlab', gitlab)[0]).toBe('id:uuid-0001');
    expect(ids('gitlab', { ...github, ...gitlab })[0]).toBe('id:uuid-0001');
    expect(ids('github', { ...github, ...gitlab })[0]).toBe('id:delivery-1');
    for (const id of ['', 'short', 'a b c d e f', 'x'.repeat(101)])
      expect(ids('github', { ...github, 'x-github-delivery': id })).toHaveLength(1);
    const contents = [
      ids('github', github),
      ids('github', github, Buffer.from('{ }')),
      ids('github', { ...github, 'x-github-event': 'issue_comment' }),
      ids('gitlab', gitlab),
      ids('gitlab', { ...gitlab, 'x-gitlab-event': 'Note Hook' }),
    ].map((each) => each.at(-1));
    expect(new Set(contents).size).toBe(5);
    expect(ids('github', {})).toEqual(ids('gitlab', {}));
  });
  it('is refused if it is not JSON of its event, or too large', async () => {
    const { github, post } = givenHooks();
    const unread = [400, 'the body is not JSON of the announced event'];
    expect(await github('push', '{')).toEqual(unread);
    expect(await github('push', { ref: 1 })).toEqual(unread);
    const large = 'x'.repeat(5 * 1024 * 1024 + 1);
    const refused = [413, 'the webhook is larger than 5 MiB'];
    expect(await post('/hooks/github/fleet', large, {})).toEqual(refused);
    expect(await post('/hooks/github/fleet', large.slice(1), {})).toEqual([401, wrong]);
    const length = (bytes: number) => ({ 'content-length': String(bytes) });
    expect(await post('/hooks/github/fleet', '{}', length(large.length))).toEqual(refused);
    expect(await post('/hooks/github/fleet', '{}', length(large.length - 1))).toEqual([401, wrong]);
    expect(await post('/hooks/github/fleet', null, {})).toEqual([401, wrong]);
  });
  it('ignores other events', async () => {
    const { github, gitlab, fetched } = givenHooks();
    for (const event of ['ping', 'star'])
      expect(await github(event, {})).toEqual([200, 'this event is not used']);
    expect(await gitlab('Job Hook', {})).toEqual([200, 'this event is not used']);
    expect(fetched).toEqual([]);
  });
});

describe('a comment webhook', () => {
  it('is passed on as a decision about a plan of its source', async () => {
    const { github, gitlab, decisions } = givenHooks();
    const command = `/rampart approve ${checksum} deletions=12`;
    expect(await github('issue_comment', comment(command))).toEqual([
      202,
      'the plan of berlin is approved by Zoe',
    ]);
    const created = { created_at: '1970-01-01 00:00:01 UTC', action: 'create' };
    await gitlab('Note Hook', note(reject, { merge_request: { author_id: 7 } }, created));
    expect(decisions).toMatchObject([
      {
        forge: 'github',
        source: 'fleet',
        command: { decision: 'approved', checksum, numbers: { delete: 12 } },
        author: { id: 8, login: 'zoe' },
        opener: { id: 7, login: 'jane' },
      },
      {
        forge: 'gitlab',
        command: { decision: 'rejected', comment: 'no' },
        author: { id: 8, login: 'zoe' },
        opener: { id: 7 },
      },
    ]);
  });
  it('gets one reply on its pull request if the source reports to this forge', async () => {
    const { github, gitlab, answers } = givenHooks(settingsOf(reporting));
    await github('issue_comment', comment(approve, { issue }));
    await github('issue_comment', comment('/rampart approve', { issue }));
    await github('issue_comment', comment('looks good', { issue }));
    await github('issue_comment', comment(reject));
    await gitlab('Note Hook', note(reject, { merge_request: { iid: 7 } }));
    const other = givenHooks(settingsOf(atGitlab));
    await other.gitlab('Note Hook', note(reject, { merge_request: { iid: 9 } }));
    await other.gitlab('Note Hook', note(`${reject}r`, { merge_request: {} }));
    expect(other.answers.map(([, { pull }]) => pull)).toEqual([9]);
    expect(other.decisions.map(({ opener }) => opener)).toEqual([null, null]);
    const accepted = { message: 'the plan of berlin is approved by Zoe', path: '/changes/p-1' };
    const message: unknown = expect.stringContaining('the full checksum of the plan');
    expect(answers).toEqual([
      ['fleet', { pull: 7, login: 'zoe', accepted: true, ...accepted }],
      ['fleet', { pull: 7, login: 'zoe', accepted: false, message }],
    ]);
  });
  it('decides nothing once its delivery is old enough to be forgotten and sent again', async () => {
    const written = Date.parse(now);
    const body = comment(approve);
    for (const [days, answer] of [
      [6, [202, 'the plan of berlin is approved by Zoe']],
      [6.01, [200, 'the comment is too old']],
      [400, [200, 'the comment is too old']],
    ] as const) {
      const clock = { now: () => written + days * 86_400_000, sleep: async () => undefined };
      expect(await givenHooks({ clock }).github('issue_comment', body)).toEqual(answer);
    }
    for (const created_at of [undefined, null, '', 'soon', 0]) {
      const undated = comment('', { comment: { ...body.comment, created_at } });
      expect(await givenHooks().github('issue_comment', undated)).toEqual([200, 'this event is not used']);
    }
  });
  it.each([
    ['acme/fleet', 202],
    ['ACME/Fleet', 202],
    ['mallory/fleet', 200],
    ['acme/fleet2', 200],
    ['acme', 200],
    ['x/acme/fleet', 200],
    ['../acme/fleet', 200],
    ['', 200],
  ])(
    'of the repository %j gets %i, because one secret may serve a whole organization',
    async (name, status) => {
      const git = 'https://git.example.com/acme/fleet.git';
      const { github, gitlab, decisions } = givenHooks(settingsOf({ ...source, git }));
      const approval = comment(approve, { repository: { full_name: name } });
      expect((await github('issue_comment', approval))[0]).toBe(status);
      expect((await github('push', { ...push('refs/heads/main'), repository: { full_name: name } }))[0]).toBe(
        status,
      );
      const about = { project: { path_with_namespace: name } };
      expect((await gitlab('Note Hook', note(approve, about)))[0]).toBe(status);
      expect(decisions).toHaveLength(status === 202 ? 2 : 0);
    },
  );
  it('of a stranger is refused without a reply, which would replace the one to a reviewer', async () => {
    const { github, gitlab, answers, decisions } = givenHooks(settingsOf(reporting));
    const refused = [
      403,
      'the user mallory is not a reviewer of this server; an operator can add them under "reviewers" of "server"',
    ];
    for (const text of [approve, '/rampart approve', '/rampart', '/rampart aprove <!-- x -->']) {
      const by = { issue, comment: { body: text, user: { id: 666, login: 'mallory' }, created_at: now } };
      expect(await github('issue_comment', comment('', by))).toEqual(refused);
    }
    const mallory = { id: 666, username: 'zoe' };
    await gitlab('Note Hook', note(approve, { user: mallory, merge_request: { iid: 7 } }));
    expect([answers, decisions]).toEqual([[], []]);
  });
  it.each([
    ['all', ['approve', 'reject', 'aprove', 'Rejct', 'plan at GitLab']],
    ['approvals', ['approve', 'reject', 'aprove', 'Rejct']],
    ['none', []],
  ] as const)('is processed by one program if the source has commands: %s', async (commands, answered) => {
    const { github, gitlab, answers } = givenHooks(settingsOf({ ...reporting, commands }));
    const heard: string[] = [];
    for (const [word, rest] of [
      ['approve', checksum],
      ['reject', `${checksum} no`],
      ['plan', ''],
      ['apply', checksum],
      ['explain', 'HOST-1'],
      ['bogus', ''],
      ['aprove', checksum],
      ['Rejct', ''],
      ['plam', ''],
    ] as const) {
      const before = answers.length;
      const text = `/rampart ${word} ${rest}`.trim();
      const [status] = await github('issue_comment', comment(text, { issue }));
      if (answers.length > before) heard.push(word);
      // One of the two replies to each command, even if neither knows it.
      const byAction = readCommentCommand(text) !== undefined;
      expect([word, byAction || commands === 'none']).toEqual([word, status === 200]);
    }
    const gitlabOnly = givenHooks(settingsOf({ ...atGitlab, commands }));
    await gitlabOnly.gitlab('Note Hook', note('/rampart plan', { merge_request: { iid: 7 } }));
    if (gitlabOnly.answers.length > 0) heard.push('plan at GitLab');
    await gitlab('Push Hook', push('refs/heads/main'));
    expect(heard).toEqual(answered);
  });
  it('is ignored if it is not a command, edited, or not on a pull request', async () => {
    const { github, gitlab, decisions } = givenHooks();
    const isNone = [200, 'the comment is not a command'];
    expect(await github('issue_comment', comment('looks good'))).toEqual(isNone);
    const unused = [200, 'this event is not used'];
    expect(await github('pull_request_review_comment', comment(approve))).toEqual(unused);
    expect(await gitlab('Confidential Note Hook', note(approve))).toEqual(unused);
    for (const parts of [{ action: 'edited' }, { issue: { user: issue.user } }])
      expect(await github('issue_comment', comment(approve, parts))).toEqual(unused);
    expect(await gitlab('Note Hook', note(approve, {}, { noteable_type: 'Issue' }))).toEqual(unused);
    expect(decisions).toEqual([]);
  });
  it('explains why a command is refused', async () => {
    const { github } = givenHooks();
    expect(await github('issue_comment', comment('/rampart approve abc'))).toEqual([
      403,
      'the command must contain the full checksum of the plan; write, for example: /rampart approve <checksum> delete=12',
    ]);
    const refusing = givenHooks({ decide: async () => failed(problem('stale-plan', 'the plan is stale')) });
    expect(await refusing.github('issue_comment', comment(approve))).toEqual([403, 'the plan is stale']);
  });
});
