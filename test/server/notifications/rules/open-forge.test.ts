import { describe, expect, it } from 'vitest';
import type { CodeForge } from '../../../../src/forge/forge.ts';
import { openForge } from '../../../../src/server/notifications/rules/open-forge.ts';

const now = Date.parse('2026-11-23T10:00:00.000Z');
const since = new Date(now);
const status = { name: 'rampart/fleet', state: 'running', description: 'approved', link: null } as const;

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

type Answer = readonly [status: number, body?: string, headers?: Record<string, string>];

/** A forge without a socket. */
function given(kind: 'github' | 'gitlab', answer: Answer) {
  const requests: Sent[] = [];
  const [code, body = '', headers = {}] = answer;
  const http = {
    async send(url: string, request: Omit<Sent, 'url'>) {
      requests.push({ url, ...request });
      return { ok: true, value: { status: code, headers: new Headers(headers), body: Buffer.from(body) } };
    },
  } as never;
  const forge = {
    kind,
    host: 'git.example.com',
    api: 'https://forge.example.com/api',
    repository: 'acme/fleet',
    token: { kind: 'variable' as const, variable: 'T' },
  };
  return { requests, api: openForge({ source: 'fleet', forge, token: 'tok', http, now: () => now }) };
}

const everything = async (api: CodeForge) => [
  await api.readRepository(),
  await api.setStatus('c0', { ...status, link: 'https://r.example.com/x' }),
  await api.mergedPulls('c0'),
  await api.commentsOn(7).create('text'),
  await api.commentsOn(7).update('3', 'text'),
  await api.commentsOn(7).list(since),
];

describe('a forge that the server writes to', () => {
  it('gets each request at its address, with its token', async () => {
    const github = given('github', [200, '{"id":1}']);
    await everything(github.api);
    expect(github.requests.map(({ method, url }) => `${method} ${url.slice(29)}`)).toEqual([
      'GET /repos/acme/fleet',
      'POST /repos/acme/fleet/statuses/c0',
      'GET /repos/acme/fleet/commits/c0/pulls?per_page=100&page=1',
      'POST /repos/acme/fleet/issues/7/comments',
      'PATCH /repos/acme/fleet/issues/comments/3',
      'GET /repos/acme/fleet/issues/7/comments?since=2026-11-23T10%3A00%3A00.000Z&per_page=100&page=1',
    ]);
    const [read, write] = github.requests;
    expect(read?.headers).toEqual({
      'user-agent': 'Rampart',
      accept: 'application/vnd.github+json',
      authorization: 'Bearer tok',
    });
    expect(read?.body).toBeNull();
    expect(write?.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(JSON.parse(write?.body ?? '')).toEqual({
      state: 'pending',
      description: 'approved',
      context: 'rampart/fleet',
      target_url: 'https://r.example.com/x',
    });
    const gitlab = given('gitlab', [200, '{"id":1}']);
    await everything(gitlab.api);
    expect(gitlab.requests.map(({ method, url }) => `${method} ${url.slice(29)}`)).toEqual([
      'GET /projects/acme%2Ffleet',
      'POST /projects/acme%2Ffleet/statuses/c0',
      'GET /projects/acme%2Ffleet/repository/commits/c0/merge_requests?per_page=100&page=1',
      'POST /projects/acme%2Ffleet/merge_requests/7/notes',
      'PUT /projects/acme%2Ffleet/merge_requests/7/notes/3',
      'GET /projects/acme%2Ffleet/merge_requests/7/notes?sort=asc&order_by=created_at&per_page=100&page=1',
    ]);
    expect(gitlab.requests[0]?.headers).toEqual({
      'user-agent': 'Rampart',
      accept: 'application/json',
      'private-token': 'tok',
    });
    expect(JSON.parse(gitlab.requests[1]?.body ?? '')).toEqual({
      state: 'running',
      description: 'approved',
      name: 'rampart/fleet',
      target_url: 'https://r.example.com/x',
    });
  });

  it.each([
    [199, {}, 'bad-request'],
    [300, {}, 'redirected'],
    [399, {}, 'redirected'],
    [400, {}, 'bad-request'],
    [401, {}, 'not-authenticated'],
    [403, {}, 'forbidden'],
    [403, { 'retry-after': '1' }, 'rate-limited'],
    [401, { 'retry-after': '1' }, 'not-authenticated'],
    [404, {}, 'not-found'],
    [429, {}, 'rate-limited'],
    [499, {}, 'bad-request'],
    [500, {}, 'server-error'],
  ])('refuses with %i %o as %s, is asked once and never quoted', async (code, headers, expected) => {
    for (const kind of ['github', 'gitlab'] as const) {
      const { api, requests } = given(kind, [code, '{"message":"secret answer"}', headers]);
      for (const sent of await everything(api)) {
        expect(sent).toMatchObject({ ok: false, problems: [{ code: expected }] });
        expect(JSON.stringify(sent)).not.toContain('secret answer');
        expect(sent.problems[0]?.hint).toMatch(/\w/);
        expect('askedMs' in sent).toBe('retry-after' in headers);
      }
      expect(requests).toHaveLength(6);
    }
  });

  it('keeps the state at GitLab only if the response says that it is unchanged', async () => {
    const answer = async (code: number, body: string) =>
      (await given('gitlab', [code, body]).api.setStatus('c0', status)).ok;
    expect(await answer(400, '{"message":"Cannot transition status via :run"}')).toBe(true);
    expect(await answer(400, 'Cannot transition status via :run')).toBe(true);
    expect(await answer(400, 'the commit does not exist')).toBe(false);
    expect(await answer(500, 'Cannot transition status via :run')).toBe(false);
  });

  it.each([
    '{}',
    '[]',
    'null',
    '1',
    'no JSON',
    '{"id":0}',
    '{"id":-1}',
    '{"id":1.5}',
    '{"id":"1"}',
    '{"id":1e300}',
  ])('returns no id of a new comment in %s', async (body) => {
    for (const kind of ['github', 'gitlab'] as const)
      expect(await given(kind, [201, body]).api.commentsOn(7).create('text')).toMatchObject({
        ok: false,
        problems: [{ code: 'malformed-response', hint: 'check "forgeApi" of the source' }],
      });
  });

  it.each(['{}', 'null', 'no JSON', '[null]', '[7]', '[{}]', '[{"id":"x","body":"<!-- mark -->"}]'])(
    'reports comments neither as present nor as missing in %s',
    async (body) => {
      for (const kind of ['github', 'gitlab'] as const)
        expect(await given(kind, [200, body]).api.commentsOn(7).list(since)).toMatchObject({
          ok: false,
          problems: [{ code: 'malformed-response' }],
        });
    },
  );

  it('reports that nobody responds', async () => {
    const problems = [{ code: 'network', message: 'nobody answers', severity: 'error' }];
    const forge = {
      kind: 'github',
      host: 'forge.example.com',
      api: 'https://forge.example.com',
      repository: 'a/b',
      token: { kind: 'variable', variable: 'T' },
    } as const;
    const http = { send: async () => ({ ok: false, problems }) } as never;
    const api = openForge({ source: 'fleet', forge, token: 'tok', http, now: () => now });
    for (const each of await everything(api)) expect(each).toEqual({ ok: false, problems });
  });
});
