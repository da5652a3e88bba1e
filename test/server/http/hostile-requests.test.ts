import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { givenApi } from './given-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'console-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Rampart</title>');
writeFileSync(join(folder, 'assets/app-1.js'), 'let a = 1;');
writeFileSync(join(folder, 'assets/app-1.js.br'), brotliCompressSync('let a = 1;'));

const api = givenApi({ consoleFolder: folder });

/** Sends exactly these bytes, and returns everything that is received. */
async function raw(text: string, { end = true } = {}): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (piece) => {
    answer += piece.toString();
  });
  socket.write(text);
  if (end) socket.end();
  await once(socket, 'close');
  return answer;
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(api.url + path, { headers: { authorization: 'Bearer admin', ...headers } });

/** The path as it is: fetch would resolve its dots. */
async function exactly(path: string, headers: Record<string, string> = {}) {
  const sent = send(api.url, { path, headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const piece of response) body += String(piece);
  return { status: response.statusCode, headers: response.headers, body };
}

describe('hostile requests', () => {
  test('headers larger than 16 kB and bytes that are not HTTP get a problem', async () => {
    const large = await raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 [\s\S]*"code":"too-large"/);
    expect(await raw('\u0016\u0003\u0001 hello\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*"code":"bad-request"/,
    );
  });

  test.each([
    ['malformed JSON', '{"names": [', 'application/json', 400, 'not-json'],
    ['another type', '{"all":true}', 'text/plain', 415, 'bad-request'],
    ['a form', 'all=true', 'application/x-www-form-urlencoded', 415, 'bad-request'],
    ['the wrong shape', '[]', 'application/json', 422, 'invalid-value'],
    ['deep nesting', '['.repeat(5_000) + ']'.repeat(5_000), 'application/json', 422, 'invalid-value'],
  ])('%s in a body is refused', async (_, body, type, status, code) => {
    const answer = await fetch(`${api.url}/api/v1/accounts/check`, {
      method: 'POST',
      headers: { authorization: 'Bearer admin', 'content-type': type },
      body,
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    expect(((await answer.json()) as { code: string }).code).toBe(code);
  });

  test.each([
    ['/accounts/check', { all: true, names: ['berlin'] }, 'expected exactly one of names, where and all'],
    [
      '/pauses',
      { all: true, account: 'berlin', reason: 'x' },
      'expected exactly one of account, where and all',
    ],
    ['/rollouts', { waves: [50] }, 'expected increasing shares that end at 100'],
    [
      '/accounts/berlin/ignores',
      { reason: 'known', until: '2099-01-01T00:00:00Z' },
      'expected exactly one of differences and cause',
    ],
  ])(
    'a body of %s that breaks a rule between fields gets an error that names the rule',
    async (path, given, rule) => {
      const { status, body } = await api.post(path, given);
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(rule)]);
    },
  );

  test.each([
    ['/accounts?limit=1&limit=2'],
    ['/accounts?limit=0'],
    ['/accounts?limit=1e9'],
    ['/accounts?unknown=1'],
    ['/accounts?health=sick'],
    ['/accounts?cursor=%00'],
    ['/accounts?cursor=bm90LWpzb24'],
    ['/hosts?cursor=WyJhIiwiYiIsImMiLCJkIl0'],
    [`/hosts?q=${'a'.repeat(201)}`],
    ['/accounts?where=name.matches("(a%2B)%2B%24")%20%26%26%20('],
    ['/audit?cursor=-1'],
    ['/rollouts?cursor=nothing'],
    ['/plans?state=waiting,%27%20or%201%3D1'],
  ])('the query of %s is refused with the reason', async (path) => {
    const { status, body } = await api.get(path);
    expect([status, body.detail?.length > 0]).toEqual([422, true]);
    expect(api.faults).toEqual([]);
  });

  test.each([
    ["'; drop table rampart_server.account; --"],
    ['%'],
    ['_'],
    ['\\'],
    ['.*(a+)+$'],
    ['\u0000'],
    ['\ud800'],
    ['‮nosrep'],
    ['🦜'.repeat(40)],
  ])('the search %j is only text', async (text) => {
    const query = encodeURIComponent(text.toWellFormed());
    for (const path of [
      `/hosts?q=${query}`,
      `/accounts?q=${query}`,
      `/audit?q=${query}`,
      `/hosts?group=${query}`,
    ]) {
      const { status, body } = await api.get(path);
      expect([path, status === 200 || status === 422]).toEqual([path, true]);
      if (status === 200) expect(body.items).toEqual([]);
    }
    expect(api.faults).toEqual([]);
    expect((await api.get('/accounts')).body.items).toHaveLength(3);
  });

  test('another method gets a 405 with the allowed methods, an unknown address a 404, and neither gets the page', async () => {
    const put = await fetch(`${api.url}/api/v1/accounts`, { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of ['/api/v1/nothing', '/api/v1', '/api/', '/assets/missing.js', '/missing.css']) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'application/problem+json']);
    }
  });

  test('an id that no database can store is treated as missing', async () => {
    for (const path of ['/plans/%00', '/runs/%00/events', '/accounts/%00', '/rollouts/%00']) {
      const { status } = await api.get(path);
      expect([path, [404, 422].includes(status)]).toEqual([path, true]);
    }
    expect(api.faults).toEqual([]);
  });

  test('blanks do not count as a reason, wherever a reason is required', async () => {
    const { id, checksum } = await api.propose('lisbon');
    const until = new Date(Date.now() + 60_000).toISOString();
    for (const [path, body] of [
      ['/rollouts', { plans: [{ id, checksum }] }],
      [`/plans/${id}/reject`, { checksum }],
      ['/accounts/lisbon/ignores', { cause: 'x', until }],
      ['/pauses', { account: 'lisbon', until }],
      [`/plans/${id}/comments`, { text: ' \t\n ' }],
    ] as const) {
      const { status } = await api.post(path, 'text' in body ? body : { ...body, reason: ' \t\n ' });
      expect([path, status]).toEqual([path, 422]);
    }
    expect((await api.get(`/plans/${id}`)).body.state).toBe('waiting');
  });

  test('of several people who override the windows of a run at once, one succeeds, and only that is recorded', async () => {
    const { id: plan } = await api.propose('lisbon');
    const by = { kind: 'person', id: 'zoe', name: 'Zoe' } as const;
    const run = await api.store.runs.queue({ account: 'lisbon', plan, by, reason: null, steps: 1 });
    const id = run?.id ?? '';
    await api.store.runs.change(id, { state: 'running' });
    const answers = await Promise.all(
      ['one', 'two', 'three', 'four'].map((reason, index) =>
        api.post(`/runs/${id}/override`, { reason }, index % 2 === 0 ? 'admin' : 'european'),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409, 409, 409]);
    const won = answers.find(({ status }) => status === 202)?.body.override.reason;
    const audit = await api.get('/audit?kind=window-overridden');
    expect(audit.body.items).toHaveLength(1);
    expect(JSON.stringify(audit.body.items)).toContain(won);
    expect((await api.post(`/runs/${id}/stop`, { reason: ' ' })).status).toBe(422);
    const lines = await api.get(`/runs/${id}/events`);
    expect(lines.body.items).toHaveLength(1);
    await api.post(`/runs/${id}/stop`, { reason: 'enough' });
    const late = await api.post(`/runs/${id}/override`, { reason: 'late' });
    expect(late.status).toBe(409);
    expect(JSON.stringify(late.body)).toContain('someone asked the run to stop');
  });

  test('a person who plans again does not make mode correct repeat what an operator undid or stopped', async () => {
    const names = ['berlin', 'denver'];
    const at = '2026-11-23T08:00:00.000Z';
    const hold = {
      kind: 'stopped',
      run: 'r1',
      at,
      commit: null,
      runs: 0,
      isInDoubt: false,
      reason: '',
    } as const;
    const held = async () => {
      const found = await Promise.all(names.map((name) => api.store.accounts.find(name, 'all')));
      return found.flatMap((account) => (account?.hold ? [account.name] : []));
    };
    for (const [who, left] of [
      ['planner', ['berlin', 'denver']],
      ['european', ['denver']],
      ['admin', []],
    ] as const) {
      await api.store.accounts.setHold(names, hold);
      api.asked.length = 0;
      const asked = who === 'european' ? ['berlin'] : names;
      const { status, body } = await api.post('/accounts/plan', { names: asked }, who);
      const { length } = asked;
      expect([status, body, api.asked]).toEqual([
        202,
        { accounts: length, queued: length },
        [`check ${asked.join(',')}`],
      ]);
      expect([who, await held()]).toEqual([who, left]);
    }
  });

  test('no token is in a response, a header or a log line', async () => {
    const answer = await get('/api/v1/accounts/secret-token', { authorization: 'Bearer secret-token' });
    expect(answer.status).toBe(401);
    expect(JSON.stringify([...answer.headers])).not.toContain('secret-token');
    expect(await answer.text()).not.toContain('secret-token');
  });
});

describe('the files of the console', () => {
  test('come with a policy that allows nothing but themselves', async () => {
    const { status, headers } = await get('/', { accept: 'text/html' });
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  test('are compressed if the browser accepts it, and cached forever only below /assets', async () => {
    const plain = await exactly('/assets/app-1.js');
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    const { headers } = await exactly('/assets/app-1.js', { 'accept-encoding': 'gzip, br' });
    expect(headers['content-encoding']).toBe('br');
    const never = await exactly('/assets/app-1.js', { 'accept-encoding': 'br;q=0' });
    expect(never.headers['content-encoding']).toBeUndefined();
    expect(headers.etag).not.toBe(plain.headers.etag);
    const page = await get('/accounts/contoso.eu', { accept: 'text/html' });
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  });
});
