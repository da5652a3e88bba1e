import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect as connectSocket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { selfSigned } from '../../../src/terraform/protocol/plugin/certificate.ts';
import { crashText } from '../../../src/terraform/protocol/plugin/crash.ts';
import {
  handshakeLine,
  readInvitation,
  reattachment,
} from '../../../src/terraform/protocol/plugin/handshake.ts';
import { socketFolder } from '../../../src/terraform/protocol/plugin/listener.ts';
import { OrphanWatch } from '../../../src/terraform/protocol/plugin/orphan-watch.ts';
import { startPluginServer } from '../../../src/terraform/protocol/plugin/plugin-server.ts';
import {
  type GrpcMethod,
  type MutualTls,
  serveConnection,
} from '../../../src/terraform/protocol/plugin/transport.ts';
import { nullProvider } from '../null-provider/null-provider.ts';
import { connect } from './given/grpc-client.ts';

const cookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';

describe('the certificate', () => {
  test('is one that Terraform accepts', () => {
    const now = Date.parse('2026-11-21T08:00:00Z');
    const { certificate, key, der } = selfSigned({ hosts: ['localhost'] }, now);
    const parsed = new X509Certificate(certificate);
    expect(parsed.raw).toEqual(der);
    expect(parsed.subject).toBe('CN=localhost');
    expect(parsed.subjectAltName).toBe('DNS:localhost');
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.checkHost('localhost')).toBe('localhost');
    expect(parsed.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' });
    expect(parsed.validFromDate.getTime()).toBe(now - 3_600_000);
    expect(key).toContain('BEGIN PRIVATE KEY');
  });

  test('has dates of four digits from 2050 on', () => {
    const { certificate } = selfSigned({ hosts: ['localhost'] }, Date.parse('2045-01-01T00:00:00Z'));
    expect(new X509Certificate(certificate).validToDate.getUTCFullYear()).toBe(2054);
  });

  test('is different each time', () => {
    expect(selfSigned({ hosts: ['localhost'] }).der).not.toEqual(selfSigned({ hosts: ['localhost'] }).der);
  });
});

describe('the handshake', () => {
  test('contains the socket, and the certificate without padding', () => {
    for (const size of [300, 301, 302]) {
      const line = handshakeLine({ network: 'unix', text: '/tmp/p' }, Buffer.alloc(size, 7));
      const [core, plugin, network, text, kind, certificate, ...rest] = line.slice(0, -1).split('|');
      expect([core, plugin, network, text, kind, rest.length]).toEqual([
        '1',
        '6',
        'unix',
        '/tmp/p',
        'grpc',
        0,
      ]);
      expect(certificate).toMatch(/^[A-Za-z0-9+/]+$/);
      expect(Buffer.from(certificate ?? '', 'base64')).toHaveLength(size);
    }
  });

  test('unencrypted has an empty last field', () => {
    expect(handshakeLine({ network: 'tcp', text: '127.0.0.1:7' }, null)).toBe('1|6|tcp|127.0.0.1:7|grpc|\n');
  });

  test.each([
    ['by hand', {}, false],
    ['with another cookie', { TF_PLUGIN_MAGIC_COOKIE: 'x' }, false],
    [
      'by a Terraform that is too old',
      { TF_PLUGIN_MAGIC_COOKIE: cookie, PLUGIN_PROTOCOL_VERSIONS: '4,5' },
      false,
    ],
    ['by Terraform', { TF_PLUGIN_MAGIC_COOKIE: cookie, PLUGIN_PROTOCOL_VERSIONS: '6,5' }, true],
  ])('started %s', (_how, env, ok) => {
    expect(readInvitation(env).ok).toBe(ok);
  });

  test('requires a client certificate that is not empty', () => {
    const env = { TF_PLUGIN_MAGIC_COOKIE: cookie };
    expect(readInvitation({ ...env, PLUGIN_CLIENT_CERT: 'PEM' })).toEqual({
      ok: true,
      clientCertificate: 'PEM',
    });
    expect(readInvitation({ ...env, PLUGIN_CLIENT_CERT: '' })).toEqual({ ok: true, clientCertificate: null });
  });

  test('prints what to set to attach', () => {
    expect(
      JSON.parse(reattachment('registry.terraform.io/hashicorp/null', { network: 'unix', text: '/s' }, 7)),
    ).toEqual({
      'registry.terraform.io/hashicorp/null': {
        Protocol: 'grpc',
        ProtocolVersion: 6,
        Pid: 7,
        Test: true,
        Addr: { Network: 'unix', String: '/s' },
      },
    });
  });

  test('puts the socket where Terraform requests it, and uses none on Windows', () => {
    expect(socketFolder({ PLUGIN_UNIX_SOCKET_DIR: '/run/x' }, 'linux')).toBe('/run/x');
    expect(socketFolder({}, 'darwin')).toBe(tmpdir());
    expect(socketFolder({}, 'win32')).toBeNull();
  });
});

test('lets only the user connect to its socket, whatever the mask of new files allows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'socket-'));
  const mask = process.umask(0);
  onTestFinished(() => {
    process.umask(mask);
    rmSync(folder, { recursive: true, force: true });
  });
  const server = await startPluginServer(async () => nullProvider, { socketFolder: folder, tls: null });
  expect(statSync(server.address.text).mode & 0o777).toBe(0o600);
  expect(process.umask()).toBe(0);
  await server.close(0);
});

describe('mutual TLS', () => {
  async function start() {
    const folder = mkdtempSync(join(tmpdir(), 'tls-'));
    const own = selfSigned({ hosts: ['localhost'] });
    const core = selfSigned({ hosts: ['localhost'] });
    const closed: number[] = [];
    const server = await startPluginServer(async () => nullProvider, {
      socketFolder: folder,
      tls: { ...own, peer: core.certificate },
      onClosed: () => closed.push(1),
    });
    onTestFinished(async () => {
      await server.close(0);
      rmSync(folder, { recursive: true, force: true });
    });
    return { server, own, core, closed };
  }

  test('accepts the right caller, and notices when it disconnects', async () => {
    const { server, own, core, closed } = await start();
    const client = connect(server.address, { ...core, peer: own.certificate });
    expect((await client.call('GetMetadata')).resources).toEqual([{ name: 'null_resource' }]);
    expect(closed).toEqual([]);
    client.close();
    await expect.poll(() => closed).toEqual([1]);
  });

  test('refuses a caller with another certificate, and one without', async () => {
    const { server, own } = await start();
    const stranger = connect(server.address, {
      ...selfSigned({ hosts: ['localhost'] }),
      peer: own.certificate,
    });
    await expect(stranger.call('GetMetadata')).rejects.toMatchObject({ code: 14 });
    stranger.close();
    const plain = connect(server.address);
    await expect(plain.call('GetMetadata')).rejects.toMatchObject({ code: 14 });
    plain.close();
  });

  test('is refused by a caller that expects another certificate', async () => {
    const { server, core } = await start();
    const client = connect(server.address, {
      ...core,
      peer: selfSigned({ hosts: ['localhost'] }).certificate,
    });
    await expect(client.call('GetMetadata')).rejects.toMatchObject({ code: 14 });
    client.close();
  });
});

test('over TCP it is the same, and invalid bytes on the connection harm nobody', async () => {
  const closed: number[] = [];
  const server = await startPluginServer(async () => nullProvider, {
    socketFolder: null,
    tls: null,
    onClosed: () => closed.push(1),
  });
  expect(server.address.network).toBe('tcp');
  const noise = connectSocket(Number(server.address.text.split(':')[1]), '127.0.0.1');
  noise.on('error', () => undefined);
  noise.write('GET / HTTP/1.1\r\n\r\n');
  noise.resume();
  await once(noise, 'close');
  await expect.poll(() => closed).toHaveLength(1);
  const client = connect(server.address);
  expect((await client.call('GetMetadata')).dataSources).toEqual([{ name: 'null_data_source' }]);
  client.close();
  await server.close(1000);
});

describe('a request that gRPC does not allow', () => {
  const answerTo = async (path: string, body: Uint8Array) => {
    const server = await startPluginServer(async () => nullProvider, { socketFolder: null, tls: null });
    const session = connectHttp2(`http://${server.address.text}`);
    onTestFinished(async () => {
      session.destroy();
      await server.close(0);
    });
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc' });
    const seen: Record<string, string | string[] | number | undefined> = {};
    stream.on('response', (headers) => Object.assign(seen, headers));
    stream.on('trailers', (headers) => Object.assign(seen, headers));
    stream.resume().end(body);
    await once(stream, 'close');
    return [seen['grpc-status'], decodeURIComponent([seen['grpc-message']].join())];
  };
  const method = '/tfplugin6.Provider/GetMetadata';

  test.each([
    ['to a method that is not there', '/tfplugin6.Provider/Nothing', [0, 0, 0, 0, 0], '12', 'not implement'],
    ['without a message', method, [], '13', 'no message'],
    ['with a message that is cut off', method, [0, 0, 0, 0, 9, 1], '13', 'not exactly one message'],
    ['with two messages', method, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], '13', 'not exactly one message'],
    ['with a compressed message', method, [1, 0, 0, 0, 0], '12', 'compression'],
  ])('%s gets a status', async (_, path, bytes, code, words) => {
    const [status, message] = await answerTo(path, Uint8Array.from(bytes));
    expect(status).toBe(code);
    expect(message).toContain(words);
  });

  test('gets a status of success if it is allowed', async () => {
    expect(await answerTo(method, Uint8Array.from([0, 0, 0, 0, 0]))).toEqual(['0', '']);
  });
});

describe('one of several calls on a connection', () => {
  const noMessage = Uint8Array.from([0, 0, 0, 0, 0]);

  async function openSession(methods: Readonly<Record<string, GrpcMethod>>) {
    const server = createServer(
      (socket) => void serveConnection(socket, new Map(Object.entries(methods)), null),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => {
      session.destroy();
      server.close();
    });
    return (path: string) => session.request({ ':method': 'POST', ':path': path });
  }

  test('does not end the others with an error of any length', async () => {
    const request = await openSession({
      '/fail': { kind: 'unary', handle: () => Promise.reject(new Error('\u{1f600}'.repeat(100_000))) },
      '/echo': { kind: 'unary', handle: async (sent) => sent },
    });
    const statusOf = async (path: string) => {
      const stream = request(path);
      let status: unknown;
      stream.on('response', (headers) => {
        status = headers['grpc-status'];
      });
      stream.on('trailers', (headers) => {
        status = headers['grpc-status'];
      });
      stream.resume().end(noMessage);
      await once(stream, 'close');
      return status;
    };
    expect(await statusOf('/fail')).toBe('13');
    expect(await statusOf('/echo')).toBe('0');
  });
});

describe('while the provider is still being loaded', () => {
  async function startSlowly() {
    const folder = mkdtempSync(join(tmpdir(), 'slow-'));
    const own = selfSigned({ hosts: ['localhost'] });
    const core = selfSigned({ hosts: ['localhost'] });
    const loading = Promise.withResolvers<typeof nullProvider>();
    const opened = Promise.withResolvers<void>();
    const start = (tls: MutualTls | null) =>
      startPluginServer(() => loading.promise, { socketFolder: folder, tls, onOpened: opened.resolve });
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return { start, own, core, loading, opened: opened.promise };
  }

  test.each(['in the clear', 'over TLS'])('calls wait, %s', async (how) => {
    const { start, own, core, loading, opened } = await startSlowly();
    const isSecure = how === 'over TLS';
    const server = await start(isSecure ? { ...own, peer: core.certificate } : null);
    const client = connect(server.address, isSecure ? { ...core, peer: own.certificate } : undefined);
    const answer = client.call('GetMetadata');
    await opened;
    // Long enough for the caller's first bytes to arrive before anything reads them.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    loading.resolve(nullProvider);
    expect((await answer).resources).toEqual([{ name: 'null_resource' }]);
    client.close();
    await server.close(0);
  });

  test('a caller can hang up', async () => {
    const { start, loading, opened } = await startSlowly();
    const server = await start(null);
    const gone = connectSocket(server.address.text);
    await opened;
    gone.destroy();
    await once(gone, 'close');
    loading.resolve(nullProvider);
    await server.load();
    const client = connect(server.address);
    expect((await client.call('GetMetadata')).resources).toHaveLength(1);
    client.close();
    await server.close(0);
  });
});

test('the socket is removed when the server is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gone-'));
  const server = await startPluginServer(async () => nullProvider, { socketFolder: folder, tls: null });
  expect(existsSync(server.address.text)).toBe(true);
  await server.close(0);
  expect(existsSync(server.address.text)).toBe(false);
  rmSync(folder, { recursive: true });
});

describe('an orphaned process', () => {
  test('is one that nobody ever called', async () => {
    const clock = createVirtualClock();
    let orphaned = 0;
    new OrphanWatch(clock, () => (orphaned += 1));
    await clock.advance(89_000);
    expect(orphaned).toBe(0);
    await clock.advance(2_000);
    expect(orphaned).toBe(1);
  });

  test('is one whose last connection closed some seconds ago', async () => {
    const clock = createVirtualClock();
    let orphaned = 0;
    const watch = new OrphanWatch(clock, () => (orphaned += 1));
    watch.opened();
    watch.opened();
    watch.closed();
    await clock.advance(1_000_000);
    expect(orphaned).toBe(0);
    watch.closed();
    await clock.advance(2_000);
    watch.opened();
    await clock.advance(1_000_000);
    expect(orphaned).toBe(0);
    watch.closed();
    await clock.advance(3_000);
    expect(orphaned).toBe(1);
  });
});

test('a crash begins with the text that Terraform searches for', () => {
  expect(crashText(new Error('a\nb'))).toMatch(/^panic: a b\n\nError: a\nb\n {4}at /);
  expect(crashText('no error')).toBe('panic: no error\n\n\n');
});

test('a record of the log is one line of JSON, and its time has six digits after the second', () => {
  const file = join(import.meta.dirname, '../../../src/terraform/protocol/plugin/log.ts');
  const script = `import { log } from ${JSON.stringify(pathToFileURL(file).href)}; log('warn', 'late', { calls: 2 });`;
  const printed = (level: string) =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      env: { ...process.env, TF_LOG_PROVIDER: level },
    }).stderr;
  expect(printed('ERROR')).toBe('');
  const stderr = printed('WARN');
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(JSON.parse(stderr)).toEqual({
    '@level': 'warn',
    '@message': 'late',
    '@module': 'provider',
    '@timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    calls: 2,
  });
});
