import { once } from 'node:events';
import { type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { duplexPair } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type GrpcMethod,
  type PluginConnection,
  serveConnection,
} from '../../../src/terraform/protocol/plugin/transport.ts';

interface Answered {
  readonly headers: IncomingHttpHeaders;
  readonly status: unknown;
  readonly message: string;
  readonly bytes: Buffer;
}

/** A client with Node's own HTTP/2, which shares no code with the server. */
function open(methods: Readonly<Record<string, GrpcMethod>>) {
  const [near, far] = duplexPair();
  const connection: PluginConnection = serveConnection(far, new Map(Object.entries(methods)), null);
  const session = connect('http://localhost', { createConnection: () => near });
  session.on('error', () => undefined);
  onTestFinished(async () => {
    session.destroy();
    await connection.close(0);
  });
  const begin = (path = '/echo', headers = {}): ClientHttp2Stream =>
    session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', ...headers });
  const answerTo = async (stream: ClientHttp2Stream): Promise<Answered> => {
    const all: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on('response', (headers) => Object.assign(all, headers));
    stream.on('trailers', (headers) => Object.assign(all, headers));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(stream, 'close');
    const message = decodeURIComponent([all['grpc-message']].join());
    return { headers: all, status: all['grpc-status'], message, bytes: Buffer.concat(chunks) };
  };
  const call = (message: Uint8Array, path?: string, headers?: object) => {
    const stream = begin(path, headers);
    stream.end(framed(message));
    return answerTo(stream);
  };
  return { connection, session, begin, answerTo, call };
}

function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

const echo: GrpcMethod = { kind: 'unary', handle: async (sent) => sent };
const none = new Uint8Array();

/** Long enough for everything that is ready. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

test('a call gets its message, its type and its status', async () => {
  const { call } = open({ '/echo': echo });
  const { headers, status, bytes } = await call(Buffer.from('hello'));
  expect(headers).toMatchObject({ ':status': 200, 'content-type': 'application/grpc' });
  expect(status).toBe('0');
  expect(bytes).toEqual(framed(Buffer.from('hello')));
});

test('a call may have metadata of every kind that a client encodes', async () => {
  const { call } = open({ '/echo': echo });
  const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, at) => at + 33));
  for (let round = 0; round < 80; round += 1) {
    const headers = {
      'x-round': `${round}`.repeat(20),
      'x-all': printable,
      te: 'trailers',
      'grpc-timeout': '1S',
    };
    expect((await call(Buffer.from([round]), '/echo', headers)).bytes.at(-1)).toBe(round);
  }
});

test('a message of 30 MB is received and sent', async () => {
  const { call } = open({ '/echo': echo });
  const message = Buffer.alloc(30 * 1024 * 1024, 'abcdefg');
  const { bytes, status } = await call(message);
  expect(status).toBe('0');
  expect(bytes.subarray(5).equals(message)).toBe(true);
});

test('a request beyond the limit is refused while it arrives', async () => {
  const { begin, answerTo } = open({ '/echo': echo });
  const stream = begin();
  const answer = answerTo(stream);
  // A client of gRPC leaves a call when its status arrives.
  stream.on('response', () => stream.destroy());
  const chunk = Buffer.alloc(1024 * 1024);
  for (let sent = 0; sent <= 256 && !stream.closed; sent += 1) {
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), answer]);
  }
  expect(await answer).toMatchObject({ status: '8', message: 'The request is too large' });
});

describe('an error of a handler', () => {
  test.each([
    ['with any characters', 'Größe 100 %\n😀', 'Größe 100 %\n😀'],
    ['without a message', '', ''],
    ['of half a character', 'a\ud83d', 'a\ufffd'],
    ['that is long', 'é'.repeat(9_000), 'é'.repeat(1_500)],
    ['that is long, of three bytes each', '€'.repeat(9_000), '€'.repeat(1_500)],
  ])('%s is a status and its message', async (_, message, shown) => {
    const { call } = open({ '/fail': { kind: 'unary', handle: () => Promise.reject(new Error(message)) } });
    const answer = await call(none, '/fail');
    expect([answer.status, answer.message]).toEqual(['13', shown]);
    expect(answer.headers[':status']).toBe(200);
  });

  test('in the middle of a stream follows the sent messages', async () => {
    const { call } = open({
      '/list': {
        kind: 'stream',
        handle: async function* () {
          yield Buffer.from('one');
          throw new Error('no more');
        },
      },
    });
    const { bytes, status, message } = await call(none, '/list');
    expect([bytes, status, message]).toEqual([framed(Buffer.from('one')), '13', 'no more']);
  });

  test('that is not an Error becomes its text', async () => {
    const { call } = open({ '/fail': { kind: 'unary', handle: () => Promise.reject('plain') } });
    expect((await call(none, '/fail')).message).toBe('plain');
  });
});

test('a caller that cancels aborts the signal of its call, and of no other', async () => {
  const signals: AbortSignal[] = [];
  const { begin } = open({
    '/wait': {
      kind: 'unary',
      handle: (_request, signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    },
  });
  const calls = [begin('/wait'), begin('/wait')];
  for (const each of calls) each.on('error', () => undefined).end(framed(none));
  await expect.poll(() => signals.length).toBe(2);
  calls[0]?.close(8);
  await expect.poll(() => signals.map((each) => each.aborted)).toEqual([true, false]);
});

test('a finished call never aborts its signal', async () => {
  const signals: AbortSignal[] = [];
  const { call, session } = open({
    '/keep': {
      kind: 'unary',
      handle: async (sent, signal) => {
        signals.push(signal);
        return sent;
      },
    },
  });
  await call(none, '/keep');
  session.destroy();
  await settle();
  expect(signals.map((each) => each.aborted)).toEqual([false]);
});

describe('a long stream', () => {
  function openLong() {
    const seen = { produced: 0, isDone: false };
    const message = Buffer.alloc(100_000);
    const opened = open({
      '/list': {
        kind: 'stream',
        handle: async function* () {
          try {
            for (; seen.produced < 1_000; seen.produced += 1) yield message;
          } finally {
            seen.isDone = true;
          }
        },
      },
    });
    const stream = opened.begin('/list');
    stream.on('error', () => undefined).end(framed(none));
    return { ...opened, stream, seen };
  }

  test('waits for a caller that reads slowly', async () => {
    const { stream, seen } = openLong();
    await once(stream, 'response');
    await settle();
    expect(seen.produced).toBeLessThan(20);
    let received = 0;
    stream.on('data', (chunk: Buffer) => (received += chunk.length));
    await once(stream, 'end');
    expect(received).toBe(1_000 * 100_005);
  });

  test('ends when the caller cancels', async () => {
    const { stream, seen } = openLong();
    await once(stream, 'response');
    stream.close(8);
    await expect.poll(() => seen.isDone).toBe(true);
    expect(seen.produced).toBeLessThan(20);
  });
});

describe('a long-lived stream', () => {
  const methods: Readonly<Record<string, GrpcMethod>> = {
    '/answers': { kind: 'answers', first: [Buffer.from('a'), Buffer.from('b')] },
    '/silent': { kind: 'silent' },
  };

  test('sends its messages at once, and ends when the connection closes', async () => {
    const { begin, answerTo, connection } = open(methods);
    const stream = begin('/answers');
    stream.end(framed(none));
    const answer = answerTo(stream);
    await once(stream, 'data');
    await connection.close(1_000);
    const { bytes, status } = await answer;
    expect([bytes, status]).toEqual([
      Buffer.concat([framed(Buffer.from('a')), framed(Buffer.from('b'))]),
      '0',
    ]);
  });

  test('is silent until the caller ends it', async () => {
    const { begin, answerTo } = open(methods);
    const stream = begin('/silent');
    const answer = answerTo(stream);
    stream.write(framed(none));
    await settle();
    expect(stream.closed).toBe(false);
    stream.end(framed(none));
    expect(await answer).toMatchObject({ status: '0', bytes: Buffer.alloc(0) });
  });

  test('is silent until the connection closes', async () => {
    const { begin, answerTo, connection } = open(methods);
    const answer = answerTo(begin('/silent'));
    await settle();
    await connection.close(1_000);
    expect((await answer).status).toBe('0');
  });
});

test('closing a connection lets a call finish', async () => {
  const waiting = Promise.withResolvers<Uint8Array>();
  const started = Promise.withResolvers<void>();
  const { call, connection } = open({
    '/wait': {
      kind: 'unary',
      handle: () => {
        started.resolve();
        return waiting.promise;
      },
    },
  });
  const answer = call(none, '/wait');
  await started.promise;
  const closed = connection.close(60_000);
  waiting.resolve(Buffer.from('late'));
  expect((await answer).bytes).toEqual(framed(Buffer.from('late')));
  await closed;
});
