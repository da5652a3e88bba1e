import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/service/client/create-client.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { createUndiciExchange, type HttpOptions } from '../../../src/service/client/undici-exchange.ts';
import type { RequestMessage } from '../../../src/service/contract/message.ts';
import { serveProxy } from '../../given/connect-proxy.ts';
import { listen } from '../../given/loopback.ts';
import { basicCredentials } from '../../given/scripted-service.ts';
import { selfSigned } from '../../given/self-signed.ts';
import { steadyPacer } from '../../given/steady-pacer.ts';

const get: RequestMessage = {
  method: 'GET',
  path: '/public-api/v2/hosts',
  headers: { accept: 'application/JSON', authorization: 'Basic c2VjcmV0' },
  body: null,
};
const put: RequestMessage = { ...get, method: 'PUT', body: '{"newDescription":"Zoë"}' };

function open(baseUrl: string, options: Partial<HttpOptions> = {}) {
  const opened = createUndiciExchange({ baseUrl, timeoutMs: 30_000, env: {}, ...options });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  onTestFinished(() => opened.value.close());
  return opened.value.exchange;
}

async function serve(listener: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  const port = await listen(server);
  return { server, requests, url: `http://127.0.0.1:${port}` };
}

async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

describe('over a socket', () => {
  it('checks again right before it writes, and writes nothing if it may not', async () => {
    const { url, requests } = await serve((_, response) => response.end('{}'));
    const exchange = open(url);
    await expect(exchange(put, { mayStart: () => false })).rejects.toMatchObject({ failure: 'not-sent' });
    expect(requests).toEqual([]);
    await exchange(put, { mayStart: () => true });
    expect(requests).toHaveLength(1);
  });
  it('a message is sent and returned unchanged', async () => {
    let body: Promise<string> = Promise.resolve('');
    const { url, requests } = await serve((request, response) => {
      body = text(request);
      response.writeHead(409, { 'Content-Type': 'text/html', 'Set-Cookie': ['a=1', 'b=2'], 'X-One': 'Two' });
      response.end('{"message":"in use: Zoë"}');
    });
    const response = await open(url)(put);
    expect(response.status).toBe(409);
    expect(response.headers).toMatchObject({
      'content-type': 'text/html',
      'set-cookie': 'a=1, b=2',
      'x-one': 'Two',
    });
    expect(new TextDecoder().decode(response.body)).toBe('{"message":"in use: Zoë"}');
    expect(await body).toBe(put.body);
    expect(requests[0]).toMatchObject({ method: 'PUT', url: get.path, headers: put.headers });
  });

  it('the path of the base address is kept as a prefix', async () => {
    const { url, requests } = await serve((_, response) => response.end());
    await open(`${url}/proxy/rampart/`)(get);
    expect(requests[0]?.url).toBe('/proxy/rampart/public-api/v2/hosts');
  });

  it('connections are reused and shared', async () => {
    const { url, server } = await serve((_, response) => response.end());
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    const exchange = open(url, { connections: 2 });
    for (let round = 0; round < 3; round += 1)
      await Promise.all([exchange(get), exchange(get), exchange(get)]);
    expect(connections).toBe(2);
  });

  it('early hints are not the response', async () => {
    const { url } = await serve((_, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.writeHead(204).end());
    });
    expect((await open(url)(get)).status).toBe(204);
  });

  it('a body in many parts is joined', async () => {
    const { url } = await serve((_, response) => {
      response.write('ab');
      response.write('cd', () => response.end('ef'));
    });
    expect(new TextDecoder().decode((await open(url)(get)).body)).toBe('abcdef');
  });

  it.each([
    ['whose length is told', true],
    ['whose length is not told', false],
  ])('so is a large body %s', async (_, isReported) => {
    const sent = Buffer.from(Uint32Array.from({ length: 800_000 }, (__, index) => index).buffer);
    const { url } = await serve((__, response) => {
      if (isReported) response.setHeader('content-length', sent.length);
      response.write(sent.subarray(0, 1_000_001));
      response.end(sent.subarray(1_000_001));
    });
    const { body } = await open(url)(get);
    expect(sent.equals(body)).toBe(true);
  });

  it.each([301, 302, 303, 307, 308])('a %i is returned and not followed', async (status) => {
    const elsewhere = await serve((_, response) => response.end('{"hosts":[]}'));
    const { url } = await serve((_, response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    );
    const response = await open(url)(get);
    expect(response).toMatchObject({ status, headers: { location: elsewhere.url } });
    expect(elsewhere.requests).toEqual([]);
  });

  it('the whole client works', async () => {
    const { url, requests } = await serve((request, response) => {
      if (request.method === 'DELETE') return response.writeHead(204).end();
      return response.end(
        `)]}',\n{"hosts":[{"description":"A","id":9223372036854775807,"isHostOnline":false}]}`,
      );
    });
    const client = createClient({
      exchange: open(url),
      credentials: basicCredentials,
      clock: systemClock,
      pacers: () => steadyPacer(systemClock),
      timeoutMs: 30_000,
    });
    const listed = await client.call('listHosts');
    expect(listed).toMatchObject({ ok: true, value: { hosts: [{ id: '9223372036854775807' }] } });
    expect(await client.call('deleteHosts', { body: { hostIds: ['5'] } })).toEqual({ ok: true, value: null });
    expect(requests[1]?.headers).toMatchObject({
      accept: 'application/JSON',
      'content-type': 'application/JSON; charset=utf-8',
      authorization: `Basic ${Buffer.from('1234567890:correct horse').toString('base64')}`,
    });
  });
});

describe('a failure of the transport', () => {
  it('is not-sent when nobody listens', async () => {
    await expect(open(`http://127.0.0.1:${await closedPort()}`)(put)).rejects.toMatchObject({
      failure: 'not-sent',
      message: 'the server refused the connection (ECONNREFUSED)',
    });
  });

  it.each<readonly [string, RequestListener, object]>([
    ['the connection is reset', (request) => request.socket.resetAndDestroy(), { failure: 'reply-lost' }],
    ['the connection is closed after reading', (request) => request.socket.end(), { failure: 'reply-lost' }],
    [
      'the body is cut short',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"hosts":[', () => response.socket?.destroy());
      },
      { failure: 'reply-lost' },
    ],
    [
      'a chunked body is cut short',
      (_, response) => {
        response.write('{"hosts":[', () => response.socket?.destroy());
      },
      { failure: 'reply-lost' },
    ],
    [
      'the answer is not HTTP',
      (request) => {
        request.socket.end('SSH-2.0-OpenSSH_9.6\r\n');
      },
      { failure: 'reply-lost', message: 'the server does not speak HTTP', permanent: true },
    ],
  ])('is reply-lost when %s', async (_, listener, error) => {
    const { url } = await serve(listener);
    await expect(open(url)(put)).rejects.toMatchObject({ name: 'TransportError', timedOut: false, ...error });
  });

  it("is reply-lost if the connection breaks before the request is read, because that can't be known here", async () => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await expect(open(`http://127.0.0.1:${await listen(server)}`)(put)).rejects.toMatchObject({
      failure: 'reply-lost',
    });
  });

  it.each<readonly [string, RequestListener]>([
    ['no response begins', () => {}],
    ['the response stops coming', (_, response) => void response.write('{')],
  ])('is a timeout if %s', async (_, listener) => {
    const { url } = await serve(listener);
    await expect(open(url, { timeoutMs: 50 })(put)).rejects.toMatchObject({
      failure: 'reply-lost',
      timedOut: true,
    });
  });

  it('is a response over the limit', async () => {
    const { url } = await serve((_, response) => response.end('x'.repeat(1_001)));
    await expect(open(url, { maxResponseBytes: 1_000 })(get)).rejects.toMatchObject({
      failure: 'reply-lost',
      message: 'the response is larger than 1000 bytes',
    });
    expect((await open(url, { maxResponseBytes: 1_001 })(get)).body).toHaveLength(1_001);
  });
});

describe('cancelling', () => {
  it('in flight leaves it unknown whether the request was carried out, and closes the connection', async () => {
    const stop = new AbortController();
    let closed: Promise<unknown> = Promise.resolve();
    const { url } = await serve((request) => {
      closed = once(request.socket, 'close');
      stop.abort();
    });
    await expect(open(url)(put, { signal: stop.signal })).rejects.toMatchObject({ failure: 'reply-lost' });
    await closed;
  });

  it('in the queue sends nothing', async () => {
    const stop = new AbortController();
    const { url, requests } = await serve((_, response) => {
      stop.abort();
      void queued.catch(() => response.end());
    });
    const exchange = open(url, { connections: 1 });
    const first = exchange(get);
    const queued = exchange(put, { signal: stop.signal });
    await expect(queued).rejects.toMatchObject({ failure: 'not-sent' });
    expect((await first).status).toBe(200);
    expect((await exchange(get)).status).toBe(200);
    expect(requests.map((each) => each.method)).toEqual(['GET', 'GET']);
  });

  it('before the call sends no request', async () => {
    const { url, requests } = await serve((_, response) => response.end());
    await expect(open(url)(put, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      failure: 'not-sent',
    });
    expect(requests).toEqual([]);
  });

  it('by closing loses the calls in flight', async () => {
    const opened = createUndiciExchange({
      baseUrl: (await serve(() => void (opened.ok && opened.value.close()))).url,
      env: {},
    });
    if (!opened.ok) throw new Error('not opened');
    await expect(opened.value.exchange(put)).rejects.toMatchObject({ failure: 'reply-lost' });
  });
});

describe('TLS', () => {
  const { cert, key } = selfSigned();

  async function serveTls() {
    const requests: IncomingMessage[] = [];
    const offered: string[] = [];
    const ALPNCallback = ({ protocols }: { readonly protocols: readonly string[] }) => {
      offered.push(...protocols);
      return 'http/1.1';
    };
    const server = createHttpsServer({ cert, key, ALPNCallback }, (request, response) => {
      requests.push(request);
      response.end('{"hosts":[]}');
    });
    const port = await listen(server);
    return { port, requests, offered };
  }

  function trust(): void {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, cert]);
    onTestFinished(() => setDefaultCACertificates(before));
  }

  it('refuses an untrusted certificate, whatever the environment says', async () => {
    const { port, requests } = await serveTls();
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    });
    await expect(open(`https://127.0.0.1:${port}`)(put)).rejects.toMatchObject({
      failure: 'not-sent',
      message: "the server's certificate was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)",
      permanent: true,
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(requests).toEqual([]);
  });

  it('refuses a certificate for another name', async () => {
    trust();
    const { port, requests } = await serveTls();
    await expect(open(`https://localhost:${port}`)(put)).rejects.toMatchObject({
      failure: 'not-sent',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
      permanent: true,
      hint: expect.stringContaining('RAMPART_BASE_URL'),
    });
    expect(requests).toEqual([]);
  });

  it('accepts a certificate that the machine trusts', async () => {
    trust();
    const { port } = await serveTls();
    expect((await open(`https://127.0.0.1:${port}`)(get)).status).toBe(200);
  });

  it('is not-sent when the other side does not speak TLS', async () => {
    const { url } = await serve((_, response) => response.end());
    await expect(open(url.replace('http:', 'https:'))(put)).rejects.toMatchObject({
      failure: 'not-sent',
      permanent: true,
      message: 'the TLS handshake failed (ERR_SSL_WRONG_VERSION_NUMBER)',
    });
  });

  it('goes through the proxy of the environment, which sees no credentials', async () => {
    trust();
    const { port, requests } = await serveTls();
    const proxy = await serveProxy(port);
    for (const env of [{ HTTPS_PROXY: proxy.url }, { https_proxy: proxy.url }, { HTTP_PROXY: proxy.url }]) {
      expect((await open('https://service.test', { env })(get)).status).toBe(200);
    }
    expect(requests).toHaveLength(3);
    expect(proxy.asked).toHaveLength(3);
    for (const head of proxy.asked) {
      expect(head).toMatch(/^CONNECT service\.test:443 HTTP\/1\.1\r\n/);
      expect(head.toLowerCase()).not.toContain('authorization: basic');
    }
  });

  it('offers only HTTP/1.1, even through a proxy', async () => {
    trust();
    const { port, offered } = await serveTls();
    const proxy = await serveProxy(port);
    await open(`https://127.0.0.1:${port}`)(get);
    await open('https://service.test', { env: { HTTPS_PROXY: proxy.url } })(get);
    expect(offered).toEqual(['http/1.1', 'http/1.1']);
  });

  it('sends the proxy the user of its own address', async () => {
    trust();
    const { port } = await serveTls();
    const proxy = await serveProxy(port);
    const env = { HTTPS_PROXY: proxy.url.replace('//', '//user:word@') };
    expect((await open('https://service.test', { env })(get)).status).toBe(200);
    expect(proxy.asked[0]).toContain(
      `proxy-authorization: Basic ${Buffer.from('user:word').toString('base64')}`,
    );
  });

  it("verifies the service's certificate even through a proxy", async () => {
    const { port, requests } = await serveTls();
    const proxy = await serveProxy(port);
    await expect(
      open('https://service.test', { env: { HTTPS_PROXY: proxy.url } })(put),
    ).rejects.toMatchObject({
      failure: 'not-sent',
      message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    });
    expect(requests).toEqual([]);
  });

  it.each([
    [407, 'asks for a user and a password (407)', true, 'user:password@'],
    [403, 'blocks the call (403)', true, 'HTTPS_PROXY'],
    [502, 'blocks the call (502)', false, 'HTTPS_PROXY'],
  ])('is not-sent if the proxy returns %i, and names the proxy', async (status, words, permanent, hint) => {
    const proxy = await serveProxy(0, status);
    const env = { HTTPS_PROXY: proxy.url.replace('//', '//user:hidden-word@') };
    const error = await open('https://service.test', { env })(put).catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      failure: 'not-sent',
      message: `the proxy ${proxy.url} ${words}`,
      permanent,
      hint: expect.stringContaining(hint),
    });
    expect(JSON.stringify([error, String(error)])).not.toContain('hidden-word');
  });

  it('is not-sent if the proxy is down or breaks, and names it', async () => {
    const cases = [
      [`http://127.0.0.1:${await closedPort()}`, 'refused the connection (ECONNREFUSED)'],
      [(await serveProxy(await closedPort())).url, 'broke the connection (UND_ERR_PRX_CONN)'],
    ] as const;
    for (const [url, words] of cases) {
      await expect(open('https://service.test', { env: { HTTPS_PROXY: url } })(put)).rejects.toMatchObject({
        failure: 'not-sent',
        message: `the proxy ${url} ${words}`,
        permanent: false,
        hint: expect.stringContaining('NO_PROXY'),
      });
    }
  });

  it('does not mention a proxy that NO_PROXY bypasses', async () => {
    const dead = `http://127.0.0.1:${await closedPort()}`;
    const port = await closedPort();
    const env = { HTTPS_PROXY: dead, NO_PROXY: '0.0.0.0' };
    await expect(open(`https://0.0.0.0:${port}`, { env })(put)).rejects.toMatchObject({
      message: 'the server refused the connection (ECONNREFUSED)',
    });
  });

  it('bypasses the proxy if NO_PROXY says so', async () => {
    trust();
    const { port } = await serveTls();
    const proxy = await serveProxy(port);
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: 'other.test,0.0.0.0' };
    expect((await open(`https://0.0.0.0:${port}`, { env })(get)).status).toBe(200);
    expect(proxy.asked).toEqual([]);
  });
});

it('this machine is never reached through a proxy', async () => {
  const { url } = await serve((_, response) => response.end());
  const dead = `http://127.0.0.1:${await closedPort()}`;
  const env = { HTTP_PROXY: dead, HTTPS_PROXY: dead };
  expect((await open(url, { env })(get)).status).toBe(200);
});

describe('an address', () => {
  it.each([
    ['http://remote.example.com', 'insecure-url'],
    ['http://10.0.0.1:8080', 'insecure-url'],
    ['http://0.0.0.0:8080', 'insecure-url'],
    ['http://127.0.0.1.example.com', 'insecure-url'],
    ['http://localhost.example.com', 'insecure-url'],
    ['http://[::2]', 'insecure-url'],
    ['ftp://127.0.0.1', 'insecure-url'],
    ['https://user:hunter2@remote.example.com', 'insecure-url'],
    ['http://hunter2@127.0.0.1', 'insecure-url'],
    ['https://remote.example.com/?key=hunter2', 'configuration'],
    ['https://remote.example.com/#hunter2', 'configuration'],
    ['remote.example.com', 'configuration'],
    ['https://', 'configuration'],
    ['', 'configuration'],
  ])('%s is refused with %s before anything is sent', (baseUrl, code) => {
    const opened = createUndiciExchange({ baseUrl, env: {} });
    expect(opened.ok).toBe(false);
    expect(opened.problems.map((each) => each.code)).toEqual([code]);
    expect(opened.problems[0]?.hint).toMatch(/\w{3}/);
    expect(JSON.stringify(opened.problems)).not.toContain('hunter2');
  });

  it.each([
    'https://remote.example.com',
    'https://remote.example.com:8443/base/',
    'http://127.0.0.1:1',
    'http://127.8.9.10',
    'http://127.1',
    'http://localhost:8080',
    'http://[::1]:8080',
  ])('%s is accepted', (baseUrl) => expect(createUndiciExchange({ baseUrl, env: {} }).ok).toBe(true));

  it.each(['proxy.example.com:3128', 'socks5://127.0.0.1', 'nonsense'])('of a proxy fails: %s', (proxy) => {
    const opened = createUndiciExchange({
      baseUrl: 'https://remote.example.com',
      env: { HTTPS_PROXY: proxy },
    });
    expect(opened.problems.map((each) => each.code)).toEqual(['configuration']);
  });
});

describe('a slow body', () => {
  it.each([
    ['of the transport', { bound: { ms: 300, msPerMiB: 0 } }, {}],
    ['of this one exchange', {}, { atMostMs: 300 }],
  ])('is a timeout if it takes longer than the limit %s', async (_, options, exchangeOptions) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    });
    await expect(open(url, options)(get, exchangeOptions)).rejects.toMatchObject({
      failure: 'reply-lost',
      timedOut: true,
      message: 'the response was not complete after 0.3 s',
    });
  });

  it('does not time out if enough data arrives to allow more time', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200);
      let parts = 0;
      const timer = setInterval(() => {
        parts += 1;
        if (parts <= 8) response.write('x'.repeat(200_000));
        else {
          clearInterval(timer);
          response.end();
        }
      }, 50);
    });
    const reply = await open(url, { bound: { ms: 200, msPerMiB: 2_000 } })(get);
    expect(reply.body.length).toBe(1_600_000);
  });
});
