import { describe, expect, it, onTestFinished } from 'vitest';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { createAzure } from '../../src/forge/azure.ts';
import { connectForge } from '../../src/forge/connect-forge.ts';
import type { CodeForge, Forge } from '../../src/forge/forge.ts';
import { askedWait, type ForgePlace, type ForgeTransport } from '../../src/forge/forge-client.ts';
import { createGithub } from '../../src/forge/github.ts';
import { createGitlab } from '../../src/forge/gitlab.ts';
import { azureStandIn } from '../given/azure-stand-in.ts';
import { githubStandIn } from '../given/github-stand-in.ts';
import { gitlabStandIn } from '../given/gitlab-stand-in.ts';
import { repository, startForge } from '../server/notifications/forge-stand-in.ts';

/** One forge on this machine, and the bodies of the requests that wrote to it. */
interface Given<F> {
  readonly forge: F;
  readonly comments: () => readonly string[];
  readonly openIssues: () => readonly string[];
  /** Responds to each request of the given method with this status. */
  readonly fail: (status: number, methods?: readonly string[]) => void;
}

function connect<F>(
  create: (place: ForgePlace, transport: ForgeTransport) => F,
  api: string | undefined,
  project: string | undefined,
  token: string | undefined,
): F {
  const clock = createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true });
  const place = { api: api ?? '', project: project ?? '', token: token ?? '' };
  const connected = connectForge(create, place, { env: {}, clock });
  if (!connected.ok) throw new Error(connected.problems[0]?.message);
  onTestFinished(() => connected.value.close());
  return connected.value.forge;
}

async function givenGithub(): Promise<Given<CodeForge>> {
  const github = await githubStandIn();
  return {
    forge: connect(createGithub, github.url, 'acme/fleet', 't'),
    comments: () => github.comments.map(({ body }) => body),
    openIssues: () => github.issues.filter(({ state }) => state === 'open').map(({ body }) => body),
    fail(status, methods = ['GET', 'POST', 'PATCH', 'DELETE']) {
      github.fault = ({ method, path }) =>
        methods.includes(method) && path !== '/graphql' ? { status, body: {} } : undefined;
    },
  };
}

async function givenGitlab(): Promise<Given<CodeForge>> {
  const gitlab = await gitlabStandIn();
  const { CI_API_V4_URL: api, CI_PROJECT_ID: project, RAMPART_GITLAB_TOKEN: token } = gitlab.env;
  return {
    forge: connect(createGitlab, api, project, token),
    comments: () => gitlab.notes.map(({ body }) => body),
    openIssues: () =>
      gitlab.issues.filter(({ state }) => state === 'opened').map(({ description }) => description),
    fail(status, methods = ['GET', 'POST', 'PUT', 'DELETE']) {
      gitlab.fault = (method) => (methods.includes(method) ? { status, body: {} } : undefined);
    },
  };
}

async function givenAzure(): Promise<Given<Forge>> {
  const azure = await azureStandIn();
  const { SYSTEM_COLLECTIONURI: api, SYSTEM_TEAMPROJECT: project, SYSTEM_ACCESSTOKEN: token } = azure.env;
  return {
    forge: connect(createAzure, api, project, token),
    comments: () => [],
    openIssues: () =>
      azure.items
        .filter(({ fields }) => fields['System.State'] !== 'Done')
        .map(({ fields }) => fields['System.Description'] ?? ''),
    fail(status) {
      azure.fault = () => ({ status, body: {} });
    },
  };
}

const codeForges = [
  ['GitHub', givenGithub, 'github'],
  ['GitLab', givenGitlab, 'gitlab'],
] as const;
const forges = [...codeForges, ['Azure DevOps', givenAzure, 'azure']] as const;

const value = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.value;
};

describe.each(codeForges)('comments at %s', (_name, given) => {
  it('are created, listed with their author, changed and removed', async () => {
    const { forge, comments } = await given();
    const on = forge.commentsOn(12);
    const id = value(await on.create('first'));
    value(await on.create('second'));
    value(await on.update(id, 'changed'));
    const listed = value(await on.list());
    expect(listed.map(({ body }) => body)).toEqual(['changed', 'second']);
    expect(new Set(listed.map(({ author }) => author))).toEqual(new Set([value(await on.author())]));
    value(await on.remove(id));
    expect(comments()).toEqual(['second']);
  });

  it('are read from every page, oldest first', async () => {
    const { forge } = await given();
    const on = forge.commentsOn(12);
    for (let at = 0; at < 101; at += 1) value(await on.create(`note ${at}`));
    const listed = value(await on.list());
    expect([listed.length, listed[0]?.body, listed[100]?.body]).toEqual([101, 'note 0', 'note 100']);
  });

  it('that someone deleted are not found', async () => {
    const { forge } = await given();
    expect(await forge.commentsOn(12).update('7', 'x')).toMatchObject({ problems: [{ code: 'not-found' }] });
  });

  it('are written at most once if the answer is an error of the forge', async () => {
    const { forge, comments, fail } = await given();
    fail(502, ['POST']);
    expect(await forge.commentsOn(12).create('x')).toMatchObject({ problems: [{ code: 'server-error' }] });
    expect(comments()).toEqual([]);
  });
});

describe.each(codeForges)('labels at %s', (_name, given) => {
  it('are created, added and removed, in any order of jobs', async () => {
    const { forge } = await given();
    const on = forge.labelsOn(12);
    const add = { name: 'rampart/changes', color: '1d76db', description: 'x' };
    value(await on.change({ add, remove: [] }));
    value(await on.change({ add, remove: ['rampart/missing'] }));
    expect(value(await on.list())).toEqual(['rampart/changes']);
    value(await on.change({ add: { ...add, name: 'rampart/deletes' }, remove: ['rampart/changes'] }));
    expect(value(await on.list())).toEqual(['rampart/deletes']);
  });
});

describe.each(codeForges)('a commit at %s', (_name, _given, kind) => {
  const open = async () => {
    const standIn = await startForge(kind);
    const create = kind === 'github' ? createGithub : createGitlab;
    return { standIn, forge: connect<CodeForge>(create, standIn.api, repository, 't') };
  };
  const commit = 'c0'.repeat(20);
  const pull = { number: 7, iid: 7, html_url: 'https://x.test/7', web_url: 'https://x.test/7' };

  it.each([
    ['merge_commit_sha', true],
    ['squash_commit_sha', kind === 'gitlab'],
    ['sha', kind === 'gitlab'],
  ])('belongs to merged pull requests only, and %s says which one made it', async (key, isExact) => {
    const { standIn, forge } = await open();
    standIn.pulls = [
      { ...pull, merged_at: null, [key]: commit },
      { ...pull, merged_at: '2026-11-22T10:00:00Z', [key]: commit },
      { ...pull, merged_at: '2026-11-23T10:00:00.000+01:00' },
    ];
    const at = { number: 7, page: 'https://x.test/7' };
    expect(value(await forge.mergedPulls(commit))).toEqual([
      { ...at, mergedAt: Date.parse('2026-11-22T10:00:00Z'), isExact },
      { ...at, mergedAt: Date.parse('2026-11-23T09:00:00Z'), isExact: false },
    ]);
  });

  it.each([[null], [7], [{}], [{ ...pull, merged_at: 'soon' }], [{ ...pull, number: 'x', iid: 'x' }]])(
    'is reported neither with nor without a pull request if the list has %j',
    async (wrong) => {
      const { standIn, forge } = await open();
      standIn.pulls = [wrong];
      expect(await forge.mergedPulls(commit)).toMatchObject({ problems: [{ code: 'malformed-response' }] });
    },
  );

  it('keeps the status that was written last', async () => {
    const { standIn, forge } = await open();
    const status = { name: 'rampart/fleet', description: 'x', link: null } as const;
    for (const state of ['pending', 'pending', 'success'] as const)
      value(await forge.setStatus(commit, { ...status, state }));
    expect(standIn.statuses.at(-1)?.body).toMatchObject({ state: 'success', description: 'x' });
  });
});

describe.each(forges)('issues at %s', (_name, given) => {
  const content = { title: 'Drift', summary: '1 host', report: 'N1 & <b>', job: 'https://ci.test/1' };

  it('are opened, found by their key alone, changed and closed', async () => {
    const { forge, openIssues } = await given();
    const berlin = forge.issues('berlin');
    const paris = forge.issues('paris');
    value(await berlin.create(content));
    value(await paris.create(content));
    const [id = '', ...others] = value(await berlin.listOpen());
    expect(others).toEqual([]);
    value(await berlin.update(id, { ...content, summary: '2 hosts' }));
    expect(openIssues().filter((text) => text.includes('2 hosts'))).toHaveLength(1);
    value(await berlin.close(id, content));
    expect(value(await berlin.listOpen())).toEqual([]);
    expect(value(await paris.listOpen())).toHaveLength(1);
  });

  it.each([
    [401, 'not-authenticated'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [410, 'not-found'],
    [302, 'redirected'],
    [413, 'too-large'],
    [422, 'bad-request'],
    [429, 'rate-limited'],
    [503, 'server-error'],
  ])('are not reported as missing after a response %i: %s', async (status, code) => {
    const { forge, fail } = await given();
    fail(status);
    expect(await forge.issues('berlin').listOpen()).toMatchObject({ ok: false, problems: [{ code }] });
  });

  it('are not reported as missing if the response has an undocumented shape', async () => {
    const { forge, fail } = await given();
    fail(200);
    expect(await forge.issues('berlin').listOpen()).toMatchObject({
      ok: false,
      problems: [{ code: 'malformed-response' }],
    });
  });
});

describe('the wait that a forge requests', () => {
  it('comes from Retry-After, or from a limit that is used up', () => {
    const now = Date.parse('2026-11-23T10:00:00.000Z');
    const asked = (headers: Record<string, string>) => askedWait(headers, now);
    const reset = String(now / 1000 + 90);
    const spent = { 'x-ratelimit-remaining': '0' };
    expect(asked({ ...spent, 'retry-after': '5', 'x-ratelimit-reset': reset })).toEqual({ askedMs: 5_000 });
    expect(asked({ ...spent, 'x-ratelimit-reset': reset })).toEqual({ askedMs: 90_000 });
    expect(asked({ 'ratelimit-remaining': '0', 'ratelimit-reset': reset })).toEqual({ askedMs: 90_000 });
    expect(asked({ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': reset })).toEqual({});
    expect(asked(spent)).toEqual({});
    expect(asked({ ...spent, 'x-ratelimit-reset': String(now / 1000) })).toEqual({});
  });
});
