import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ok } from '../../src/core/problem/problem.ts';
import { type AnswerFacts, route } from '../../src/server/http/route.ts';
import { createHttp, type Http } from '../../src/server/start/create-http.ts';
import { httpParts, settingsOf } from './http/given.ts';

/** One route that reads and writes, so that the attacks test the server and not what a route does. */
const echo = [
  route({
    id: 'readEcho',
    method: 'get',
    path: '/api/v1/echo/{name}',
    tag: 'Test',
    summary: 'Echo a name.',
    access: { action: 'read', on: 'self' },
    params: z.object({ name: z.string() }),
    query: z.object({ q: z.string().optional() }),
    answer: z.object({ name: z.string(), q: z.string().nullable() }),
    handle: async ({ params: { name }, query: { q = null } }) => ok({ name, q }),
  }),
  route({
    id: 'writeEcho',
    method: 'post',
    path: '/api/v1/echo/{name}',
    tag: 'Test',
    summary: 'Echo numbers.',
    access: { action: 'read', on: 'self' },
    params: z.object({ name: z.string() }),
    body: z.strictObject({ numbers: z.record(z.string(), z.int()).default({}) }),
    answer: z.object({ numbers: z.record(z.string(), z.int()) }),
    handle: async ({ body }) => ok(body),
  }),
  route({
    id: 'failEcho',
    method: 'delete',
    path: '/api/v1/echo/{name}',
    tag: 'Test',
    summary: 'Fail.',
    access: { action: 'read', on: 'self' },
    params: z.object({ name: z.string() }),
    answer: null,
    handle: async ({ params: { name } }) => {
      throw new Error(`a secret about ${name}`);
    },
  }),
];

const outside = mkdtempSync(join(tmpdir(), 'rampart-console-'));
const consoleFolder = join(outside, 'console');
const answers: AnswerFacts[] = [];
const many = { burst: 1_000_000, perSecond: 1_000_000 };
let http: Http;
let port = 0;

beforeAll(async () => {
  mkdirSync(join(consoleFolder, 'assets'), { recursive: true });
  mkdirSync(join(consoleFolder, '.vite'));
  writeFileSync(join(outside, 'secret.txt'), 'the secret');
  writeFileSync(join(consoleFolder, 'index.html'), '<!doctype html><title>console</title>');
  writeFileSync(join(consoleFolder, 'assets/app.js'), 'export {};');
  writeFileSync(join(consoleFolder, '.vite/manifest.json'), '"the secret"');
  symlinkSync(join(outside, 'secret.txt'), join(consoleFolder, 'assets/link.txt'));
  http = createHttp(
    httpParts({
      consoleFolder,
      limits: { caller: many, stranger: many },
      onAnswer: (each) => answers.push(each),
    }),
    echo,
  );
  const listening = await http.listen({ host: '127.0.0.1', port: 0 });
  port = listening.ok ? listening.value.port : 0;
});
afterAll(() => http.close());

/** The server's response to exactly these bytes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece) => {
      answer += String(piece);
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
  });
}

const viewer = 'authorization: Bearer viewer';
/** One request with these headers, and what follows them. */
const send = (line: string, headers: readonly string[], body = '', host = `127.0.0.1:${port}`) =>
  raw([`${line} HTTP/1.1`, `host: ${host}`, 'connection: close', ...headers, '', body].join('\r\n'));
const get = (path: string, headers: readonly string[] = [], method = 'GET') =>
  send(`${method} ${path}`, headers);
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
const post = (body: string, headers: readonly string[] = ['content-type: application/json']) =>
  send(
    'POST /api/v1/echo/x',
    [viewer, `content-length: ${Buffer.byteLength(body, 'latin1')}`, ...headers],
    body,
  );

describe('the files of the console', () => {
  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/..\\..\\secret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '//secret.txt',
    '/./../secret.txt',
    '/assets/link.txt',
    '/.vite/manifest.json',
    '/%2evite/manifest.json',
    '/assets/app.js%00.txt',
    '/assets/',
    '/assets',
    '/file:///etc/passwd',
    '/%c0%ae%c0%ae/secret.txt',
    '/%',
  ])('%s leads to no other file', async (path) => {
    const answer = await get(path, ['accept: text/html']);
    expect(answer).not.toContain('the secret');
    expect([200, 400, 404]).toContain(statusOf(answer));
  });

  test('the page responds to its own paths, and not to a missing file or an unknown part of the API', async () => {
    expect(statusOf(await get('/plans/7', ['accept: text/html']))).toBe(200);
    expect(statusOf(await get('/assets/app.js'))).toBe(200);
    expect(statusOf(await get('/assets/old.js', ['accept: text/html']))).toBe(404);
    expect(statusOf(await get('/api/v1/nothing', ['accept: text/html']))).toBe(404);
    expect(statusOf(await get('/plans/7', [], 'POST'))).toBe(404);
  });
});

describe('the headers of every response', () => {
  test.each([
    ['/', 'GET', [], 200],
    ['/assets/app.js', 'GET', [], 200],
    ['/assets/none.js', 'GET', [], 404],
    ['/api/v1/echo/x', 'GET', [], 401],
    ['/api/v1/echo/x', 'GET', [viewer], 200],
    ['/api/v1/echo/x', 'HEAD', [], 401],
    ['/api/v1/echo/x', 'PUT', [viewer], 405],
    ['/api/v1/echo/x', 'DELETE', [viewer], 500],
    ['/api/v1/echo/x?more=1', 'GET', [viewer], 400],
    ['/api/v1/openapi.json', 'GET', [], 200],
  ] as const)(
    '%s %s forbids foreign scripts, frames, guessing and caching by proxies',
    async (path, method, headers, status) => {
      const answer = (await get(path, headers, method)).split('\r\n\r\n')[0] ?? '';
      if (status !== 400) expect(statusOf(answer)).toBe(status);
      else expect(statusOf(answer)).toBeGreaterThanOrEqual(400);
      expect(answer).toMatch(
        /^content-security-policy: default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/im,
      );
      expect(answer).not.toMatch(/unsafe-inline|unsafe-eval|data:|https?:/i);
      expect(answer).toMatch(/^x-content-type-options: nosniff/im);
      expect(answer).toMatch(/^referrer-policy: no-referrer/im);
      expect(answer).toMatch(/^x-frame-options: DENY/im);
      expect(answer).toMatch(/^cross-origin-opener-policy: same-origin/im);
      expect(answer).not.toMatch(
        /^(?:server|x-powered-by|access-control-allow-[a-z]+|strict-transport-security):/im,
      );
      if (path.startsWith('/api/v1/echo'))
        expect(answer).toMatch(/^cache-control: (?:no-store|private, no-cache)/im);
    },
  );

  test('behind TLS, a header makes browsers use TLS from then on', async () => {
    const secure = createHttp(
      httpParts({ settings: settingsOf({ url: 'https://rampart.example.com' }) }),
      echo,
    );
    const answer = await secure.fetch(
      new Request('https://rampart.example.com/nothing', { headers: { host: 'rampart.example.com' } }),
    );
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });

  test('a defect reveals nothing about itself', async () => {
    const answer = await get('/api/v1/echo/x', [viewer], 'DELETE');
    expect(statusOf(answer)).toBe(500);
    expect(answer).not.toMatch(/secret|\.ts:|at /);
  });

  test('no other site can read a response, even with a preflight request', async () => {
    const headers = ['origin: https://evil.example.com', 'access-control-request-method: POST', viewer];
    for (const method of ['OPTIONS', 'GET']) {
      expect(await get('/api/v1/echo/x', headers, method)).not.toMatch(/access-control/i);
    }
  });
});

describe('a deceptive request', () => {
  test.each([
    ['two lengths', 'content-length: 0\r\ncontent-length: 5'],
    ['a length and chunks', 'content-length: 5\r\ntransfer-encoding: chunked'],
    ['chunks twice', 'transfer-encoding: chunked, chunked'],
    ['an unknown encoding', 'transfer-encoding: gzip'],
    ['a length with a sign', 'content-length: +5'],
    ['a folded header', 'x: a\r\n b: c'],
    ['a space before the colon', 'content-length : 5'],
  ])('is refused, and its connection ends: %s', async (_what, headers) => {
    const smuggled = 'GET /api/v1/echo/smuggled HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
    const before = answers.length;
    const answer = await send('POST /api/v1/echo/x', [viewer, headers], `0\r\n\r\n${smuggled}`);
    expect(answer.match(/HTTP\/1\.1 \d{3}/g) ?? []).toEqual(answer === '' ? [] : ['HTTP/1.1 400']);
    expect(answers.slice(before).filter(({ status }) => status < 400)).toEqual([]);
  });

  test('with two hosts is read as for the first one', async () => {
    const own = `host: 127.0.0.1:${port}`;
    expect(statusOf(await send('GET /api/v1/echo/x', [own, viewer], '', 'evil.example.com'))).toBe(400);
  });

  test.each([
    'evil.example.com',
    `evil.example.com:1`,
    '127.0.0.1.evil.example.com',
    'localhost.evil.example.com',
    '',
  ])('for the host %j is refused, because a foreign name may point to this machine', async (host) => {
    expect(statusOf(await send('GET /api/v1/echo/x', [viewer], '', host))).toBe(400);
  });

  test('adds only the pattern of its route to the log', async () => {
    const before = answers.length;
    await get('/api/v1/echo/a%0a%7b%22level%22%3a%22error%22%7d?q=%1b[31m', [viewer]);
    await get('/nothing%0d%0aset-cookie:%20a=b');
    const logged = answers.slice(before);
    expect(logged.map((each) => each.route)).toEqual(['/api/v1/echo/{name}', 'console']);
    expect(JSON.stringify(logged)).not.toMatch(/level|set-cookie|\\u001b/);
  });

  test('sets no header of the response', async () => {
    for (const path of ['/login?return=%0d%0aset-cookie:%20a=b', '/api/v1/echo/%0d%0aset-cookie:%20a=b']) {
      expect((await get(path, [viewer])).split('\r\n\r\n')[0]).not.toMatch(/set-cookie/i);
    }
  });

  test("can't override its method with a header", async () => {
    const headers = [viewer, 'x-http-method-override: DELETE', 'x-method: DELETE'];
    expect(statusOf(await get('/api/v1/echo/x', headers))).toBe(200);
  });
});

describe('a body', () => {
  test('with a declared size above the limit is refused before it arrives', async () => {
    const headers = [viewer, 'content-type: application/json', 'content-length: 99999999999'];
    expect(statusOf(await send('POST /api/v1/echo/x', headers))).toBe(413);
  });

  test('that grows too large in chunks is refused as soon as it does', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const headers = [viewer, 'content-type: application/json', 'transfer-encoding: chunked'];
    expect(statusOf(await send('POST /api/v1/echo/x', headers, chunk.repeat(20)))).toBe(413);
  });

  test.each([
    ['{"numbers":{"__proto__":{"isAdmin":true}}}'],
    ['{"__proto__":{"isAdmin":true}}'],
    ['{"numbers":{"__proto__":1,"constructor":1}}'],
    ['{"constructor":{"prototype":{"isAdmin":true}}}'],
  ])('changes no object of the program: %s', async (body) => {
    const answer = await post(body);
    expect(statusOf(answer)).toBeLessThan(500);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect(answer).not.toContain('isAdmin":true');
  });

  test.each([
    ['deep lists', '['.repeat(500_000)],
    ['deep lists that are closed', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['deep objects', '{"numbers":'.repeat(50_000)],
    ['a number that is too large', `{"numbers":{"a":${'9'.repeat(100_000)}}}`],
    ['not UTF-8', '\xff\xfe'],
    ['nothing', ''],
    ['many keys', `{"numbers":{${Array.from({ length: 50_000 }, (_, at) => `"k${at}":"x"`).join(',')}}}`],
  ])('with %s gets a response', async (_what, body) => {
    const status = statusOf(await post(body));
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(500);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])(
    'of the type %s, which a foreign page could send, is refused',
    async (type) => {
      expect(statusOf(await post('{}', [`content-type: ${type}`]))).toBe(415);
    },
  );
});

describe('a client that wastes time', () => {
  test.each([
    ['accept-encoding', `${','.repeat(5_000)} br`],
    ['accept-encoding', `br${' '.repeat(10_000)};q`],
    ['accept-encoding', `br;q=0.${'0'.repeat(10_000)}`],
    ['if-none-match', `"${'a'.repeat(10_000)}`],
    ['if-none-match', `${'W/"a", '.repeat(1_400)}`],
    ['cookie', `${'rampart-session=a; '.repeat(500)}`],
    ['authorization', `Bearer ${'a'.repeat(10_000)}`],
    ['x-forwarded-for', `${'1, '.repeat(3_000)}`],
  ])('with a hostile header %s gets a response', async (name, value) => {
    const status = statusOf(await get('/', [`${name}: ${value}`]));
    expect([200, 304]).toContain(status);
  });
});
