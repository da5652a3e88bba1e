import { describe, expect, it } from 'vitest';
import { openForge } from '../../../src/server/notifications/rules/forge-api.ts';
import { sendMessage } from '../../../src/server/notifications/rules/send-message.ts';
import type { SendParts } from '../../../src/server/notifications/rules/send-parts.ts';
import { askedWait, retryAfter } from '../../../src/server/notifications/rules/sent.ts';
import { channelOf, mailChannel } from './given.ts';

const now = Date.parse('2026-11-23T10:00:00.000Z');
const message = { title: 'x', sections: [], more: 0, link: null };

interface Request {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A receiver without a socket. */
function receiver(
  answer: (request: Request) => readonly [status: number, body?: string, headers?: Record<string, string>],
) {
  const requests: Request[] = [];
  return {
    requests,
    http: {
      send: async (url: string, request: Omit<Request, 'url'> = {}) => {
        requests.push({ url, ...request });
        const [status, body = '', headers = {}] = answer({ url, ...request });
        return {
          ok: true,
          value: { status, headers: new Headers(headers), body: Buffer.from(body) },
        };
      },
    } as never,
  };
}

describe('what a chat or a webhook answers', () => {
  const sendTo = async (status: number, headers: Record<string, string> = {}) => {
    const { http, requests } = receiver(() => [status, 'the answer', headers]);
    const parts = { env: { HOOK_URL: 'https://chat.example.com/x' }, folder: '/', hide: () => {}, allow: [] };
    const sent = await sendMessage(channelOf('ops'), message, 'd1', { ...parts, http, now: () => now });
    return { sent, requests };
  };

  it.each([199, 200, 204, 299, 300])('is success from 200 to 299: %i', async (status) => {
    expect((await sendTo(status)).sent.ok).toBe(status >= 200 && status < 300);
  });

  it.each([
    [300, 'redirected'],
    [399, 'redirected'],
    [400, 'bad-request'],
    [401, 'not-authenticated'],
    [403, 'not-authenticated'],
    [404, 'not-authenticated'],
    [410, 'not-authenticated'],
    [422, 'bad-request'],
    [429, 'rate-limited'],
    [499, 'bad-request'],
    [500, 'server-error'],
    [503, 'server-error'],
  ])('says what to do after %i: %s', async (status, code) => {
    const { sent, requests } = await sendTo(status);
    expect(sent).toMatchObject({ ok: false, problems: [{ code }] });
    expect(sent.ok ? '' : sent.problems[0]?.hint).not.toBe('');
    expect(JSON.stringify(sent)).not.toContain('the answer');
    expect(requests).toMatchObject([{ method: 'POST', headers: { 'User-Agent': 'Rampart' } }]);
  });

  it('may ask for a time to wait', async () => {
    expect((await sendTo(503, { 'retry-after': '60' })).sent).toMatchObject({ askedMs: 60_000 });
    expect((await sendTo(503)).sent).not.toHaveProperty('askedMs');
  });

  it('is nothing if a secret is missing: the message is not sent unsigned or without a login', async () => {
    const { http, requests } = receiver(() => [200]);
    const parts: SendParts = {
      env: { HOOK_URL: 'https://chat.example.com/x' },
      folder: '/',
      hide: () => {},
      allow: [],
      http,
      now: () => now,
    };
    const missing = { kind: 'variable', variable: 'RAMPART_NOT_SET_SECRET' } as const;
    const unsigned = await sendMessage(channelOf('ops', { secret: missing }), message, 'd1', parts);
    const mail = mailChannel(1, { user: 'ops', password: missing });
    expect([unsigned, await sendMessage(mail, message, 'd1', parts)]).toMatchObject([
      { ok: false, problems: [{ code: 'missing-credentials' }] },
      { ok: false, problems: [{ code: 'missing-credentials' }] },
    ]);
    expect(requests).toEqual([]);
  });
});

describe('the time before the next attempt', () => {
  it('is at least what the receiver asks for, at most an hour, and ends after twelve attempts', () => {
    expect([0, 1, 2, 3, 7, 8, 11].map((attempts) => (retryAfter(attempts) ?? 0) / 1000)).toEqual([
      30, 30, 60, 120, 1920, 3600, 3600,
    ]);
    expect([retryAfter(1, 29_999), retryAfter(1, 31_000), retryAfter(1, 9e9)]).toEqual([
      30_000, 31_000, 3_600_000,
    ]);
    expect([retryAfter(12), retryAfter(13, 1)]).toEqual([null, null]);
  });

  it('comes from Retry-After, or from the limit of GitHub if nothing is left of it', () => {
    const reset = String(now / 1000 + 90);
    const asked = (headers: Record<string, string>) => askedWait(new Headers(headers), now);
    expect(asked({ 'retry-after': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset })).toEqual({
      askedMs: 5_000,
    });
    expect(asked({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset })).toEqual({ askedMs: 90_000 });
    expect(asked({ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': reset })).toEqual({});
    expect(asked({ 'x-ratelimit-remaining': '0' })).toEqual({});
    expect(asked({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000) })).toEqual({});
  });
});

describe('the API of a forge', () => {
  const open = (kind: 'github' | 'gitlab', answer: Parameters<typeof receiver>[0]) => {
    const { http, requests } = receiver(answer);
    const forge = {
      kind,
      host: 'git.example.com',
      api: 'https://forge.example.com/api',
      repository: 'acme/fleet',
      token: { kind: 'variable' as const, variable: 'T' },
    };
    return { requests, api: openForge({ source: 'fleet', forge, token: 'tok', http, now: () => now }) };
  };
  const status = { state: 'running', description: 'berlin: approved', path: '/x' } as const;
  const since = new Date(now);

  it('gets each request at its address, with the token of the forge', async () => {
    const github = open('github', () => [200, '{"id":1}']);
    await github.api.readRepository();
    await github.api.setStatus('c0', status, 'https://r.example.com/x');
    await github.api.findPull('c0');
    await github.api.addComment(7, 'text');
    await github.api.changeComment(7, 3, 'text');
    await github.api.findComment(7, 'mark', since);
    expect(github.requests.map(({ method, url }) => `${method} ${url.slice(29)}`)).toEqual([
      'GET /repos/acme/fleet',
      'POST /repos/acme/fleet/statuses/c0',
      'GET /repos/acme/fleet/commits/c0/pulls?per_page=30',
      'POST /repos/acme/fleet/issues/7/comments',
      'PATCH /repos/acme/fleet/issues/comments/3',
      'GET /repos/acme/fleet/issues/7/comments?per_page=30&since=2026-11-23T10%3A00%3A00.000Z',
    ]);
    const [read, write] = github.requests;
    expect(read?.headers).toEqual({
      'User-Agent': 'Rampart',
      Accept: 'application/vnd.github+json',
      Authorization: 'Bearer tok',
    });
    expect(read).not.toHaveProperty('body');
    expect(write?.headers).toMatchObject({ 'Content-Type': 'application/json' });
    expect(JSON.parse(write?.body ?? '')).toEqual({
      state: 'pending',
      description: 'berlin: approved',
      context: 'rampart/fleet',
      target_url: 'https://r.example.com/x',
    });
    const gitlab = open('gitlab', () => [200, '{"id":1}']);
    await gitlab.api.readRepository();
    await gitlab.api.setStatus('c0', status, null);
    await gitlab.api.findPull('c0');
    await gitlab.api.addComment(7, 'text');
    await gitlab.api.changeComment(7, 3, 'text');
    await gitlab.api.findComment(7, 'mark', since);
    expect(gitlab.requests.map(({ method, url }) => `${method} ${url.slice(29)}`)).toEqual([
      'GET /projects/acme%2Ffleet',
      'POST /projects/acme%2Ffleet/statuses/c0',
      'GET /projects/acme%2Ffleet/repository/commits/c0/merge_requests?per_page=30',
      'POST /projects/acme%2Ffleet/merge_requests/7/notes',
      'PUT /projects/acme%2Ffleet/merge_requests/7/notes/3',
      'GET /projects/acme%2Ffleet/merge_requests/7/notes?per_page=30&order_by=created_at&sort=desc',
    ]);
    expect(gitlab.requests[0]?.headers).toEqual({
      'User-Agent': 'Rampart',
      Accept: 'application/json',
      'PRIVATE-TOKEN': 'tok',
    });
    expect(JSON.parse(gitlab.requests[1]?.body ?? '')).toEqual({
      state: 'running',
      description: 'berlin: approved',
      name: 'rampart/fleet',
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
  ])('refuses with %i %o as %s', async (code, headers, expected) => {
    for (const kind of ['github', 'gitlab'] as const) {
      const { api } = open(kind, () => [code, 'secret answer', headers]);
      const sent = await api.setStatus('c0', status, null);
      expect(sent).toMatchObject({ ok: false, problems: [{ code: expected }] });
      expect(JSON.stringify(sent)).not.toContain('secret answer');
      if (!sent.ok) expect(sent.problems[0]?.hint).toMatch(/\w/);
    }
  });

  it('keeps the state at GitLab only if the answer is that it is the same', async () => {
    const answer = async (code: number, body: string) =>
      (await open('gitlab', () => [code, body]).api.setStatus('c0', status, null)).ok;
    expect(await answer(400, 'Cannot transition status via :run')).toBe(true);
    expect(await answer(400, 'the commit does not exist')).toBe(false);
    expect(await answer(500, 'Cannot transition status via :run')).toBe(false);
  });

  it('says whether a comment exists', async () => {
    const change = async (code: number) => open('github', () => [code]).api.changeComment(7, 3, 'text');
    expect(await change(200)).toEqual({ ok: true, value: true });
    for (const code of [404, 410]) expect(await change(code)).toEqual({ ok: true, value: false });
    for (const code of [401, 409, 500]) expect(await change(code)).toMatchObject({ ok: false });
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
  ])('gives no id of a new comment in %s', async (body) => {
    const added = await open('github', () => [201, body]).api.addComment(7, 'text');
    expect(added).toMatchObject({ ok: false, problems: [{ code: 'malformed-response' }] });
  });

  it('gives the id of a new comment, unless it refuses it', async () => {
    expect(await open('github', () => [201, '{"id":9}']).api.addComment(7, 'x')).toEqual({
      ok: true,
      value: 9,
    });
    expect(await open('github', () => [403, '{"id":9}']).api.addComment(7, 'x')).toMatchObject({
      ok: false,
      problems: [{ code: 'forbidden' }],
    });
  });

  it('finds the oldest comment that begins with the mark, whatever else the list has', async () => {
    const find = async (body: string, code = 200) =>
      open('github', () => [code, body]).api.findComment(7, '<!-- mark -->', since);
    const list = [
      null,
      7,
      {},
      { id: 1, body: 4 },
      { id: 2, body: 'quoted <!-- mark -->' },
      { id: 9, body: '<!-- mark --> newer' },
      { id: 5, body: '<!-- mark --> older' },
      { id: 'x', body: '<!-- mark -->' },
      { body: '<!-- mark -->' },
    ];
    expect(await find(JSON.stringify(list))).toEqual({ ok: true, value: 5 });
    expect(await find('[]')).toEqual({ ok: true, value: undefined });
    for (const body of ['{}', 'null', 'no JSON'])
      expect(await find(body)).toMatchObject({ ok: false, problems: [{ code: 'malformed-response' }] });
    expect(await find('[]', 500)).toMatchObject({ ok: false, problems: [{ code: 'server-error' }] });
  });

  it('passes on that nobody answers', async () => {
    const problems = [{ code: 'network', message: 'nobody answers', severity: 'error' }];
    const api = openForge({
      source: 'fleet',
      forge: {
        kind: 'github',
        host: 'forge.example.com',
        api: 'https://forge.example.com',
        repository: 'a/b',
        token: { kind: 'variable', variable: 'T' },
      },
      token: 'tok',
      http: { send: async () => ({ ok: false, problems }) } as never,
      now: () => now,
    });
    const answers = [
      await api.readRepository(),
      await api.setStatus('c0', status, null),
      await api.findPull('c0'),
      await api.addComment(7, 'x'),
      await api.changeComment(7, 1, 'x'),
      await api.findComment(7, 'x', since),
    ];
    for (const each of answers) expect(each).toEqual({ ok: false, problems });
  });
});
