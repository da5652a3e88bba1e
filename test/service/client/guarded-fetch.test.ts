import { createServer, type RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AllowedAddress } from '../../../src/service/client/address-rules.ts';
import {
  createGuardedHttp,
  type GuardOptions,
  resolveAllowed,
} from '../../../src/service/client/guarded-fetch.ts';
import { listen, nobodyListens } from '../../given/loopback.ts';

const loopback: AllowedAddress = { kind: 'network', address: '127.0.0.0', prefix: 8 };
const localhost: AllowedAddress = { kind: 'host', host: 'localhost' };

function guarded(allowed: readonly AllowedAddress[], more: Partial<GuardOptions> = {}) {
  const http = createGuardedHttp({ allowed, env: {}, ...more });
  onTestFinished(() => http.close());
  return http;
}

async function serve(answer: RequestListener): Promise<{ readonly port: number; readonly seen: string[] }> {
  const seen: string[] = [];
  const port = await listen(
    createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      answer(request, response);
    }),
  );
  return { port, seen };
}

const hello: RequestListener = (_request, response) => {
  response.setHeader('set-cookie', ['a=1', 'b=2']);
  response.end('hello');
};

describe('guarded HTTP', () => {
  test('reaches an address that the operator allows', async () => {
    const { port } = await serve(hello);
    const reply = await guarded([loopback]).send(`http://127.0.0.1:${port}/x`);
    expect(reply).toMatchObject({ ok: true, value: { status: 200 } });
    expect(reply.ok && Buffer.from(reply.value.body).toString()).toBe('hello');
    expect(reply.ok && reply.value.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  test.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://2130706433',
    'http://0x7f.1',
    'https://[::ffff:127.0.0.1]',
  ])('connects to nothing at %s unless it is allowed', async (origin) => {
    const { port, seen } = await serve(hello);
    const reply = await guarded([]).send(`${origin}:${port}/x?token=secret`);
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'unpinned-origin' }] });
    expect(seen).toEqual([]);
    expect(JSON.stringify(reply)).not.toContain('secret');
  });

  test('checks what a name resolves to when it connects', async () => {
    const { port, seen } = await serve(hello);
    expect(await guarded([localhost]).send(`http://localhost:${port}/`)).toMatchObject({ ok: true });
    expect(await guarded([{ kind: 'host', host: 'other' }]).send(`http://localhost:${port}/`)).toMatchObject({
      ok: false,
      problems: [{ code: 'unpinned-origin', message: expect.stringMatching(/^localhost is refused/) }],
    });
    expect(seen).toEqual(['GET /']);
  });

  test('returns a redirect and does not follow it', async () => {
    const { port, seen } = await serve((_request, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const reply = await guarded([loopback]).send(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' });
    expect(reply).toMatchObject({ ok: true, value: { status: 307 } });
    expect(seen).toEqual(['POST /']);
  });

  test('ends a response that is too long, or does not come', async () => {
    const { port } = await serve((request, response) => {
      if (request.url === '/long') response.end('x'.repeat(5_000));
    });
    const at = `http://127.0.0.1:${port}`;
    expect(await guarded([loopback], { maxBytes: 4_000 }).send(`${at}/long`)).toMatchObject({
      ok: false,
      problems: [{ code: 'malformed-response' }],
    });
    expect(await guarded([loopback], { timeoutMs: 50 }).send(`${at}/never`)).toMatchObject({
      ok: false,
      problems: [{ code: 'timed-out' }],
    });
    const cancel = new AbortController();
    const reply = guarded([loopback]).send(`${at}/never`, { signal: cancel.signal });
    cancel.abort();
    expect(await reply).toMatchObject({ ok: false, problems: [{ code: 'cancelled' }] });
  });

  test.each([
    ['http://chat.example.com/hook', 'insecure-url'],
    ['file:///etc/passwd', 'configuration'],
    ['ftp://127.0.0.1/x', 'insecure-url'],
    ['https://user:secret@chat.example.com/', 'configuration'],
    ['https://secret@chat.example.com/', 'configuration'],
    ['chat.example.com', 'configuration'],
    ['https://169.254.169.254/latest/meta-data', 'unpinned-origin'],
  ])('refuses %s', async (url, code) => {
    const reply = await guarded([localhost]).send(url);
    expect(reply).toMatchObject({ ok: false, problems: [{ code }] });
    expect(JSON.stringify(reply)).not.toContain('secret');
  });

  test('an address that nobody answers is a problem of the network, without the path', async () => {
    const reply = await guarded([loopback]).send(`${nobodyListens}/hook/secret`);
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'network' }] });
    expect(JSON.stringify(reply)).not.toContain('secret');
  });

  test('speaks like fetch for libraries, and rejects what it refuses', async () => {
    const { port, seen } = await serve((request, response) => {
      if (request.url === '/none') response.writeHead(204).end();
      else request.pipe(response.setHeader('x-type', request.headers['content-type'] ?? ''));
    });
    const http = guarded([loopback]);
    const reply = await http.fetch(`http://127.0.0.1:${port}/token`, {
      method: 'POST',
      headers: new Headers({ 'content-type': 'application/x-www-form-urlencoded' }),
      body: new URLSearchParams({ code: 'a b' }),
    });
    expect([reply.status, reply.headers.get('x-type'), await reply.text()]).toEqual([
      200,
      'application/x-www-form-urlencoded',
      'code=a+b',
    ]);
    expect((await http.fetch(`http://127.0.0.1:${port}/none`)).status).toBe(204);
    await expect(guarded([]).fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('is refused');
    expect(seen).toEqual(['POST /token', 'GET /none']);
  });

  test('a proxy of the environment does not turn off the check of addresses in numbers', async () => {
    const { port, seen } = await serve(hello);
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` };
    const reply = await guarded([], { env }).send('https://10.0.0.1/');
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'unpinned-origin' }] });
    expect(seen).toEqual([]);
  });

  test('the check holds for hosts that NO_PROXY exempts', async () => {
    const { port, seen } = await serve(hello);
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: 'localhost.' };
    const reply = await guarded([], { env }).send(`https://localhost.:${port}/`);
    expect(reply).toMatchObject({ ok: false });
    expect(seen).toEqual([]);
  });
});

describe('the addresses of a host for other programs', () => {
  test('are given only if all may be reached', async () => {
    expect(await resolveAllowed('localhost', [localhost])).toMatchObject({ ok: true });
    expect(await resolveAllowed('localhost', [])).toMatchObject({
      ok: false,
      problems: [{ code: 'unpinned-origin' }],
    });
    expect(await resolveAllowed('127.0.0.1', [])).toMatchObject({ ok: false });
    expect(await resolveAllowed('[::1]', [{ kind: 'host', host: '::1' }])).toMatchObject({
      ok: true,
      value: ['::1'],
    });
  });
});
