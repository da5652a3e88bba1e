import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AllowedAddress } from '../../../src/service/client/address-rules.ts';
import {
  createGuardedHttp,
  type GuardOptions,
  resolveAllowed,
} from '../../../src/service/client/guarded-fetch.ts';
import { serveProxy } from '../../given/connect-proxy.ts';
import { listen, nobodyListens } from '../../given/loopback.ts';
import { selfSigned } from '../../given/self-signed.ts';

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

/** A server with its own certificate for `service.test`. `offered` are the protocols that its clients offered. */
async function serveTls() {
  const { cert, key } = selfSigned();
  const seen: string[] = [];
  const offered: string[] = [];
  const chooseProtocol = ({ protocols }: { readonly protocols: readonly string[] }) => {
    offered.push(...protocols);
    return 'http/1.1';
  };
  const server = createHttpsServer({ cert, key, ALPNCallback: chooseProtocol }, (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.end();
  });
  return { port: await listen(server), seen, offered, server, cert };
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

  test('checks the addresses of a name when it connects', async () => {
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

  test('ends a response that is too long, or does not arrive', async () => {
    const { port } = await serve((request, response) => {
      if (request.url === '/long') response.end('x'.repeat(5_000));
    });
    const at = `http://127.0.0.1:${port}`;
    expect(await guarded([loopback], { maxBytes: 4_999 }).send(`${at}/long`)).toMatchObject({
      ok: false,
      problems: [{ code: 'malformed-response' }],
    });
    const longest = await guarded([loopback], { maxBytes: 5_000 }).send(`${at}/long`);
    expect(longest.ok && longest.value.body.length).toBe(5_000);
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
    ['https://:secret@chat.example.com/', 'configuration'],
    ['chat.example.com', 'configuration'],
    ['https://169.254.169.254/latest/meta-data', 'unpinned-origin'],
  ])('refuses %s', async (url, code) => {
    const reply = await guarded([localhost]).send(url);
    expect(reply).toMatchObject({ ok: false, problems: [{ code }] });
    expect(JSON.stringify(reply)).not.toContain('secret');
  });

  test('an address where nothing responds is a network problem, without the path', async () => {
    const reply = await guarded([loopback]).send(`${nobodyListens}/hook/secret`);
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'network' }] });
    expect(JSON.stringify(reply)).not.toContain('secret');
  });

  test('works like fetch for libraries, and rejects what it refuses', async () => {
    const { port, seen } = await serve((request, response) => {
      request.pipe(response.setHeader('x-type', request.headers['content-type'] ?? ''));
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
    await expect(guarded([]).fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('is refused');
    expect(seen).toEqual(['POST /token']);
  });

  test.each([
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['text', 'a=b', 'a=b'],
    ['bytes', new Uint8Array([97, 44, 98]), 'a,b'],
  ])('sends %s as the body of fetch', async (_what, body, expected) => {
    const bodies: Promise<string>[] = [];
    const { port, seen } = await serve((request, response) => {
      bodies.push(text(request));
      response.end();
    });
    await guarded([loopback]).fetch(`http://127.0.0.1:${port}/`, {
      ...(body === undefined ? {} : { body, method: 'PUT' }),
      signal: null,
    });
    expect(await Promise.all(bodies)).toEqual([expected]);
    expect(seen).toEqual([body === undefined ? 'GET /' : 'PUT /']);
  });

  test.each([204, 205, 304])('returns the status %d without a body', async (status) => {
    const { port } = await serve((_request, response) => response.writeHead(status).end());
    const reply = await guarded([loopback]).fetch(`http://127.0.0.1:${port}/none`);
    expect([reply.status, reply.body]).toEqual([status, null]);
  });

  test('is cancelled by the signal of fetch', async () => {
    const { port } = await serve(() => {});
    const stop = new AbortController();
    const reply = guarded([loopback]).fetch(`http://127.0.0.1:${port}/`, { signal: stop.signal });
    stop.abort();
    await expect(reply).rejects.toThrow('was cancelled');
  });

  test.each(['directly', 'through a proxy'])('closes its connections to a host %s', async (way) => {
    const { port, server, cert } = await serveTls();
    const proxy = await serveProxy(port);
    const before = getCACertificates('default');
    setDefaultCACertificates([cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    const connections = () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
    const isDirect = way === 'directly';
    const http = guarded([loopback], { env: { HTTPS_PROXY: proxy.url } });
    const origin = isDirect ? `https://127.0.0.1:${port}` : 'https://service.test';
    expect(await http.send(`${origin}/x`)).toMatchObject({ ok: true, value: { status: 200 } });
    expect([await connections(), proxy.asked.length]).toEqual([1, isDirect ? 0 : 1]);
    await http.close();
    await expect.poll(connections, { interval: 5 }).toBe(0);
  });

  test('closes even if it was never used', async () => expect(await guarded([]).close()).toBe(undefined));

  test('accepts no untrusted certificate, whatever the environment allows', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => {
      vi.unstubAllEnvs();
      emitWarning.mockRestore();
    });
    const { port, seen, offered } = await serveTls();
    const proxy = await serveProxy(port);
    const untrusted = {
      ok: false,
      problems: [{ code: 'network', message: expect.stringContaining('certificate') }],
    };
    expect(await guarded([loopback]).send(`https://127.0.0.1:${port}/`)).toMatchObject(untrusted);
    const env = { HTTPS_PROXY: proxy.url };
    expect(await guarded([loopback], { env }).send('https://service.test/')).toMatchObject(untrusted);
    expect(proxy.asked).toEqual([expect.stringMatching(/^CONNECT service\.test:443 /)]);
    expect([seen, new Set(offered)]).toEqual([[], new Set(['http/1.1'])]);
  });

  test('uses the proxies of its own environment only', async () => {
    const { port, seen } = await serve(hello);
    const proxy = await serveProxy(port);
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('http_proxy', proxy.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await guarded([loopback]).send(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: true });
    expect([seen, proxy.asked]).toEqual([['GET /'], []]);
  });

  test("reports a proxy that it can't use", async () => {
    const reply = await guarded([], { env: { HTTPS_PROXY: 'socks5://127.0.0.1:1' } }).send(
      'https://chat.example.com/',
    );
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'configuration' }] });
  });

  test('a name that does not exist is a network problem', async () => {
    expect(await guarded([]).send(`https://${'x'.repeat(64)}/`)).toMatchObject({
      ok: false,
      problems: [{ code: 'network', message: expect.stringContaining('is unknown (ENOTFOUND)') }],
    });
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
    expect(await guarded([], { env }).send(`https://localhost.:${port}/`)).toMatchObject({ ok: false });
    expect(seen).toEqual([]);
  });
});

describe('the addresses of a host for other programs', () => {
  test('are a network problem if the host name does not exist', async () => {
    expect(await resolveAllowed('x'.repeat(64), [localhost])).toMatchObject({
      ok: false,
      problems: [{ code: 'network', message: expect.stringMatching(/^x{64} can't be resolved$/) }],
    });
  });

  test('are returned only if all of them are allowed', async () => {
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
