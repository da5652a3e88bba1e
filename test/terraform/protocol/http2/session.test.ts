import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flag, setting } from '../../../../src/terraform/protocol/http2/frame.ts';
import type { Stream } from '../../../../src/terraform/protocol/http2/stream.ts';
import {
  block,
  echo,
  frame,
  header,
  hello,
  inWords,
  openClient,
  preface,
  request,
  requestFields,
  settings,
  settle,
  trailer,
} from './given/http2-client.ts';

const { ack, endHeaders, endStream, padded, priority } = flag;
const begun = (stream: number) =>
  frame('headers', { stream, flags: endHeaders, payload: block(requestFields) });
const answered = (stream: number, body: string) => [
  `header ${stream}`,
  `data ${stream} ${body}`,
  `trailer ${stream}`,
];
const zeros = (length: number) => new Uint8Array(length);

test('a session begins with its settings and a larger window, and acknowledges those of the client', async () => {
  const client = await openClient(echo, Buffer.alloc(0));
  await client.send(hello([setting.initialWindowSize, 100_000], [0x99, 7]));
  expect(client.received()).toEqual(['settings ack']);
});

test('a request is answered with its header, its data and its trailer', async () => {
  const client = await openClient();
  await client.send(request(1, 'hello'));
  expect(client.received()).toEqual(answered(1, 'hello'));
  expect(client.events).toEqual(['open /echo', 'end 5']);
});

test('the answers of one turn are one chunk', async () => {
  const client = await openClient((stream, body) => void Promise.resolve().then(() => echo(stream, body)));
  await client.send(request(1, 'a'), request(3, 'b'), frame('ping', { payload: zeros(8) }));
  const chunks = client.chunks();
  expect(chunks).toHaveLength(1);
  expect(inWords(chunks[0] as Buffer)).toEqual([
    'ping ack 0000000000000000',
    ...answered(1, 'a'),
    ...answered(3, 'b'),
  ]);
});

describe('a mistake on the connection ends it with GOAWAY:', () => {
  const headers = (parts: Parameters<typeof frame>[1]) =>
    frame('headers', { stream: 1, flags: endHeaders, payload: block(requestFields), ...parts });
  const incomplete = headers({ flags: 0 });

  test.each([
    ['a frame that is too long', [frame('data', { stream: 1, payload: zeros(16_385) })], 'frameSize'],
    ['data on no stream', [frame('data')], 'protocol'],
    ['data on a stream that has not begun', [frame('data', { stream: 1 })], 'protocol'],
    ['data on a stream of the server', [begun(3), frame('data', { stream: 2 })], 'protocol'],
    [
      'data with too much padding',
      [begun(1), frame('data', { stream: 1, flags: padded, payload: [2, 0] })],
      'protocol',
    ],
    ['data without its padding', [begun(1), frame('data', { stream: 1, flags: padded })], 'frameSize'],
    ['a header on no stream', [headers({ stream: 0 })], 'protocol'],
    ['a header on a stream of the server', [headers({ stream: 2 })], 'protocol'],
    ['a header without its priority', [headers({ flags: endHeaders | priority, payload: [0] })], 'frameSize'],
    ['a header with too much padding', [headers({ flags: endHeaders | padded, payload: [9] })], 'protocol'],
    ['a header that can not be decoded', [headers({ payload: [0x80] })], 'compression'],
    ['another frame within a header', [incomplete, frame('ping', { payload: zeros(8) })], 'protocol'],
    ['another header within a header', [incomplete, headers({ stream: 3 })], 'protocol'],
    ['a continuation on another stream', [incomplete, frame('continuation', { stream: 3 })], 'protocol'],
    ['a continuation of nothing', [frame('continuation', { stream: 1 })], 'protocol'],
    [
      'a continuation that is too long',
      [incomplete, frame('continuation', { stream: 1, payload: zeros(16_384) })],
      'enhanceYourCalm',
    ],
    ['a priority on no stream', [frame('priority', { payload: zeros(5) })], 'protocol'],
    ['a priority of another length', [frame('priority', { stream: 1, payload: zeros(4) })], 'frameSize'],
    ['a reset of no stream', [frame('rstStream', { words: [8] })], 'protocol'],
    ['a reset of a stream that has not begun', [frame('rstStream', { stream: 1, words: [8] })], 'protocol'],
    ['a reset of another length', [begun(1), frame('rstStream', { stream: 1 })], 'frameSize'],
    ['settings on a stream', [frame('settings', { stream: 1 })], 'protocol'],
    ['settings of another length', [frame('settings', { payload: zeros(5) })], 'frameSize'],
    ['an acknowledgment with settings', [frame('settings', { flags: ack, payload: zeros(6) })], 'frameSize'],
    ['a setting of pushes that is neither 0 nor 1', [settings([setting.enablePush, 2])], 'protocol'],
    ['a setting of frames that is too small', [settings([setting.maxFrameSize, 16_383])], 'protocol'],
    ['a setting of frames that is too large', [settings([setting.maxFrameSize, 2 ** 24])], 'protocol'],
    [
      'a setting of windows that is too large',
      [settings([setting.initialWindowSize, 2 ** 31])],
      'flowControl',
    ],
    [
      'a setting that makes the window of a stream too large',
      [
        begun(1),
        frame('windowUpdate', { stream: 1, words: [100] }),
        settings([setting.initialWindowSize, 2 ** 31 - 1]),
      ],
      'flowControl',
    ],
    ['a push', [frame('pushPromise', { stream: 1, flags: endHeaders, words: [2] })], 'protocol'],
    ['a ping on a stream', [frame('ping', { stream: 1, payload: zeros(8) })], 'protocol'],
    ['a ping of another length', [frame('ping', { payload: zeros(7) })], 'frameSize'],
    ['a GOAWAY frame on a stream', [frame('goaway', { stream: 1, words: [0, 0] })], 'protocol'],
    ['a GOAWAY frame of another length', [frame('goaway', { words: [0] })], 'frameSize'],
    ['a window that grows by nothing', [frame('windowUpdate', { words: [0] })], 'protocol'],
    ['a window that grows too large', [frame('windowUpdate', { words: [2 ** 31 - 1] })], 'flowControl'],
    ['a window of another length', [frame('windowUpdate', { payload: zeros(3) })], 'frameSize'],
    [
      'a window of a stream that has not begun',
      [frame('windowUpdate', { stream: 1, words: [1] })],
      'protocol',
    ],
  ])('%s', async (_, frames, code) => {
    const client = await openClient();
    await client.send(...frames, request(9, 'unread'));
    expect(client.received().at(-1)).toMatch(new RegExp(`^goaway \\d+ ${code}$`));
    expect(client.isEnded()).toBe(true);
    expect(client.events.filter((each) => each !== 'open /echo')).toEqual(
      client.events.length === 0 ? [] : ['cancel'],
    );
  });

  test.each([
    ['bytes of another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['another frame before the settings', Buffer.concat([preface, frame('ping', { payload: zeros(8) })])],
    ['an acknowledgment before the settings', Buffer.concat([preface, frame('settings', { flags: ack })])],
  ])('%s', async (_, bytes) => {
    const client = await openClient(echo, Buffer.alloc(0));
    await client.send(bytes);
    expect(client.received()).toEqual(['goaway 0 protocol']);
    expect(client.isEnded()).toBe(true);
  });
});

describe('a mistake on a stream ends only that stream:', () => {
  const malformed = (...fields: readonly (readonly [string, string])[]) => [request(1, '', fields as never)];
  const [method, scheme, path, te] = requestFields;

  test.each([
    ['a request without a path', malformed(method, scheme, te), 'protocol'],
    ['a request with an empty path', malformed(method, scheme, [':path', '']), 'protocol'],
    ['a request without a method', malformed(scheme, path), 'protocol'],
    ['a request without a scheme', malformed(method, path), 'protocol'],
    ['a request with two paths', malformed(method, scheme, path, path), 'protocol'],
    ['a request with a status', malformed(method, scheme, path, [':status', '200']), 'protocol'],
    ['a request whose path follows a field', malformed(method, scheme, te, path), 'protocol'],
    ['a request with a name in capitals', malformed(method, scheme, path, ['A', 'b']), 'protocol'],
    ['a request with an empty name', malformed(method, scheme, path, ['', 'b']), 'protocol'],
    ['a request with a line break in a value', malformed(method, scheme, path, ['a', 'b\n']), 'protocol'],
    ['a request with a space before a value', malformed(method, scheme, path, ['a', ' b']), 'protocol'],
    ['a request with a space after a value', malformed(method, scheme, path, ['a', 'b ']), 'protocol'],
    ['a request with a zero in its path', malformed(method, scheme, [':path', '/\0']), 'protocol'],
    ['a request of HTTP/1.1', malformed(method, scheme, path, ['connection', 'close']), 'protocol'],
    ['a request for other encodings', malformed(method, scheme, path, ['te', 'gzip']), 'protocol'],
    [
      'a request with fields that are too long together',
      malformed(method, scheme, path, ...Array.from({ length: 500 }, (_, at) => [`a${at}`, ''] as const)),
      'protocol',
    ],
    ['a second header that does not end the request', [begun(1), begun(1)], 'protocol'],
    [
      'a trailer with a path',
      [
        begun(1),
        frame('headers', { stream: 1, flags: endHeaders | endStream, payload: block([[':path', '/']]) }),
      ],
      'protocol',
    ],
    [
      'a window that grows by nothing',
      [begun(1), frame('windowUpdate', { stream: 1, words: [0] })],
      'protocol',
    ],
    [
      'a window that grows too large',
      [begun(1), frame('windowUpdate', { stream: 1, words: [2 ** 31 - 1] })],
      'flowControl',
    ],
    ['data after its end', [request(1), frame('data', { stream: 1 })], 'streamClosed'],
    ['a header after its end', [request(1), begun(1)], 'streamClosed'],
  ])('%s', async (_, frames, code) => {
    let held: Stream | null = null;
    const client = await openClient((stream, body) => {
      if (stream.id === 1) held = stream;
      else echo(stream, body);
    });
    await client.send(...frames, request(3, 'next'));
    expect(client.received()).toEqual([`rstStream 1 ${code}`, ...answered(3, 'next')]);
    expect(client.events.filter((each) => each === 'cancel')).toHaveLength(
      client.events.filter((each) => each === 'open /echo').length - 1,
    );
    // An answer that comes too late is dropped.
    if (held !== null) echo(held, Buffer.from('late'));
    await settle();
    expect(client.received()).toEqual([]);
  });
});

describe('without an effect are', () => {
  test.each([
    ['a frame of an unknown type', [frame(0x42, { stream: 7, flags: 255, payload: zeros(20) })]],
    [
      'a priority, also of a stream that has not begun',
      [frame('priority', { stream: 9, payload: zeros(5) })],
    ],
    ['an acknowledgment of settings', [frame('settings', { flags: ack })]],
    ['an acknowledgment of a ping', [frame('ping', { flags: ack, payload: zeros(8) })]],
    ['a farewell', [frame('goaway', { words: [0, 0], payload: Buffer.from('') })]],
    [
      'a reset and a window of a stream after its end',
      [frame('rstStream', { stream: 1, words: [8] }), frame('windowUpdate', { stream: 1, words: [0] })],
    ],
  ])('%s', async (_, frames) => {
    const client = await openClient();
    await client.send(request(1, 'one'));
    await client.send(...frames, request(3, 'two'));
    expect(client.received()).toEqual([...answered(1, 'one'), ...answered(3, 'two')]);
  });

  test('data and headers on a stream that the server has reset', async () => {
    const client = await openClient();
    await client.send(begun(1), frame('windowUpdate', { stream: 1, words: [0] }));
    await client.send(frame('data', { stream: 1, payload: [1] }), begun(1), request(3, 'next'));
    expect(client.received()).toEqual(['rstStream 1 protocol', ...answered(3, 'next')]);
  });
});

test('padding, a priority, continuations and a trailer are allowed in a request', async () => {
  const client = await openClient();
  const whole = block(requestFields);
  await client.send(
    frame('headers', {
      stream: 1,
      flags: padded | priority,
      payload: [3, 0, 0, 0, 0, 9, ...whole.subarray(0, 10), 0, 0, 0],
    }),
    frame('continuation', { stream: 1, payload: whole.subarray(10, 20) }),
    frame('continuation', { stream: 1, flags: endHeaders, payload: whole.subarray(20) }),
    frame('data', { stream: 1, flags: padded, payload: [2, 104, 105, 0, 0] }),
    frame('headers', { stream: 1, flags: endHeaders | endStream, payload: block([['sum', '1']]) }),
  );
  expect(client.events).toEqual(['open /echo', 'end 2']);
  expect(client.received()).toEqual(answered(1, 'hi'));
});

test('an answer may come before the request is complete, and its rest is ignored', async () => {
  const client = await openClient();
  await client.send(begun(1));
  echo(client.streams[0] as Stream, Buffer.from('early'));
  await client.send(frame('data', { stream: 1, flags: endStream, payload: [1] }));
  expect(client.received()).toEqual([...answered(1, 'early'), 'rstStream 1 none']);
  expect(client.events).not.toContain('cancel');
});

describe('the windows of the client', () => {
  test('hold the data of an answer back, and then its trailer', async () => {
    const client = await openClient(echo, hello([setting.initialWindowSize, 4]));
    await client.send(request(1, 'abcdefgh'), request(3, 'xy'));
    expect(client.received()).toEqual(['header 1', 'data 1 abcd', ...answered(3, 'xy')]);
    await client.send(frame('windowUpdate', { stream: 1, words: [3] }));
    expect(client.received()).toEqual(['data 1 efg']);
    await client.send(settings([setting.initialWindowSize, 2]));
    expect(client.received()).toEqual(['settings ack']);
    await client.send(frame('windowUpdate', { stream: 1, words: [2] }));
    expect(client.received()).toEqual([]);
    await client.send(settings([setting.initialWindowSize, 3]));
    expect(client.received()).toEqual(['settings ack', 'data 1 h', 'trailer 1']);
  });

  test('of the connection hold all answers back', async () => {
    const client = await openClient(echo, hello([setting.initialWindowSize, 1_000_000]));
    const body = 'x'.repeat(40_000);
    const whole = (stream: number) => [
      frame('headers', { stream, flags: endHeaders, payload: block(requestFields) }),
      ...[0, 16_000, 32_000].map((at) =>
        frame('data', {
          stream,
          flags: at === 32_000 ? endStream : 0,
          payload: Buffer.from(body.slice(at, at + 16_000)),
        }),
      ),
    ];
    await client.send(...whole(1), ...whole(3));
    const sent = () =>
      client
        .received()
        .filter((each) => each.startsWith('data'))
        .reduce((sum, each) => sum + each.length - 'data 1 '.length, 0);
    expect(sent()).toBe(65_535);
    await client.send(frame('windowUpdate', { words: [100_000] }));
    expect(sent()).toBe(80_000 - 65_535);
  });

  test('let a writer wait until its data is sent, or nobody wants it', async () => {
    const seen: string[] = [];
    const client = await openClient(
      (stream) => {
        stream.begin(header);
        stream.write(Buffer.from('abc'));
        stream.send();
        void stream.drained().then(() => {
          seen.push(`${stream.id} went on`);
          stream.end(trailer);
        });
      },
      hello([setting.initialWindowSize, 2]),
    );
    await client.send(request(1), request(3));
    expect(seen).toEqual([]);
    await client.send(frame('windowUpdate', { stream: 1, words: [1] }));
    expect(seen).toEqual(['1 went on']);
    await client.send(frame('rstStream', { stream: 3, words: [8] }));
    expect(seen).toEqual(['1 went on', '3 went on']);
    expect(client.received().at(-1)).toBe('trailer 1');
  });
});

test('the client may send any amount of data, because its windows grow again', async () => {
  const client = await openClient();
  await client.send(begun(1));
  const data = Array.from({ length: 600 }, () => frame('data', { stream: 1, payload: zeros(16_000) }));
  await client.send(...data);
  expect(client.received()).toEqual(['windowUpdate 0 8400000']);
});

test('a client that reads nothing makes its answers wait, and not gather', async () => {
  const length = 200_000;
  const client = await openClient(
    (stream) => echo(stream, Buffer.alloc(length, 'x')),
    hello([setting.initialWindowSize, 2 ** 31 - 1]),
  );
  await client.send(frame('windowUpdate', { words: [2 ** 30] }));
  client.received();
  client.pause();
  for (let stream = 1; stream < 200; stream += 2) await client.send(request(stream));
  expect(client.waiting()).toBeLessThan(400_000);
  await client.resume();
  await expect.poll(() => client.chunks().length).toBe(0);
});

describe('a client that wants no more', () => {
  test('cancels a call with a reset, once', async () => {
    const client = await openClient(() => undefined);
    await client.send(request(1), frame('rstStream', { stream: 1, words: [8] }));
    await client.destroy();
    expect(client.events).toEqual(['open /echo', 'end 0', 'cancel']);
  });

  test('cancels all calls when it closes the connection', async () => {
    const client = await openClient(() => undefined);
    await client.send(request(1), begun(3));
    await client.destroy();
    expect(client.events.slice(-2)).toEqual(['cancel', 'cancel']);
  });

  test('cancels nothing that is answered', async () => {
    const client = await openClient();
    await client.send(request(1));
    await client.destroy();
    expect(client.events).toEqual(['open /echo', 'end 0']);
  });
});

describe('a flood', () => {
  const ten = (one: Buffer) => Array.from({ length: 10_100 }, () => one);
  const canceled = Array.from({ length: 10_100 }, (_, at) => [
    request(2 * at + 1),
    frame('rstStream', { stream: 2 * at + 1, words: [8] }),
  ]).flat();

  test.each([
    ['of pings', ten(frame('ping', { payload: zeros(8) }))],
    ['of settings', ten(settings())],
    ['of priorities', ten(frame('priority', { stream: 1, payload: zeros(5) }))],
    ['of unknown frames', ten(frame(0x42))],
    ['of windows', ten(frame('windowUpdate', { words: [1] }))],
    ['of empty data', [begun(1), ...ten(frame('data', { stream: 1 }))]],
    [
      'of empty continuations',
      [frame('headers', { stream: 1 }), ...ten(frame('continuation', { stream: 1 }))],
    ],
    ['of requests that are canceled', canceled],
    [
      'of data after the end',
      [begun(1), frame('windowUpdate', { stream: 1, words: [0] }), ...ten(frame('data', { stream: 1 }))],
    ],
  ])('%s ends the connection', async (_, frames) => {
    const client = await openClient(() => undefined);
    await client.send(...frames);
    expect(client.received().at(-1)).toMatch(/^goaway \d+ enhanceYourCalm$/);
    expect(client.isEnded()).toBe(true);
  });

  test('is not one if calls are answered in between', async () => {
    const client = await openClient();
    const pings = Array.from({ length: 6_000 }, () => frame('ping', { payload: zeros(8) }));
    await client.send(...pings, request(1));
    await client.send(...pings, request(3));
    expect(client.received().at(-1)).toBe('trailer 3');
  });

  test('of requests that nobody answers is refused, and the first ones stay', async () => {
    const client = await openClient(() => undefined);
    await client.send(...Array.from({ length: 10_001 }, (_, at) => request(2 * at + 1)));
    expect(client.received()).toEqual(['rstStream 20001 refusedStream']);
    echo(client.streams[0] as Stream, Buffer.from('first'));
    await settle();
    expect(client.received()).toEqual(answered(1, 'first'));
  });
});

describe('closing a session', () => {
  test('lets calls in progress finish, and refuses new ones', async () => {
    const client = await openClient(() => undefined);
    await client.send(request(1));
    const closed = client.session.close(60_000);
    await client.send(request(3));
    expect(client.received()).toEqual(['goaway 1 none', 'rstStream 3 refusedStream']);
    expect(client.isEnded()).toBe(false);
    echo(client.streams[0] as Stream, Buffer.from('done'));
    await closed;
    await settle();
    expect(client.received()).toEqual(answered(1, 'done'));
    expect(client.isEnded()).toBe(true);
    expect(client.events).not.toContain('cancel');
  });

  test('cancels calls that take longer than that', async () => {
    const client = await openClient(() => undefined);
    await client.send(request(1));
    await client.session.close(1);
    expect(client.events.at(-1)).toBe('cancel');
  });

  test('that is lost already does nothing', async () => {
    const client = await openClient();
    await client.destroy();
    await client.session.close(60_000);
    expect(client.received()).toEqual([]);
  });
});

test('chunks of any length give the same answers', async () => {
  const bytes = Buffer.concat([
    request(1, 'one'),
    frame('ping', { payload: Buffer.from('12345678') }),
    frame('headers', { stream: 3, payload: block(requestFields) }),
    frame('continuation', { stream: 3, flags: endHeaders }),
    frame('data', { stream: 3, flags: endStream, payload: Buffer.alloc(16_384, 'x') }),
    request(5, 'last'),
  ]);
  const answersTo = async (cuts: readonly number[]) => {
    const client = await openClient();
    let from = 0;
    for (const cut of [...cuts].sort((a, b) => a - b)) {
      await client.send(bytes.subarray(from, cut));
      from = cut;
    }
    await client.send(bytes.subarray(from));
    return createHash('sha256').update(client.received().join()).digest('hex');
  };
  const expected = await answersTo([]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(300), { maxLength: 12 }), async (cuts) => {
      expect(await answersTo(cuts)).toBe(expected);
    }),
    { numRuns: 25 },
  );
});

test('any frames end the connection with GOAWAY, or leave it working', async () => {
  const payload = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.constant(block(requestFields)),
    fc.constantFrom(Buffer.from([0, 0, 0, 8]), zeros(5), zeros(8)),
  );
  const frames = fc.array(
    fc.record({
      type: fc.nat(11),
      flags: fc.constantFrom(0, ack, endHeaders, endHeaders | endStream, padded, priority, 255),
      stream: fc.constantFrom(0, 1, 1, 3, 5, 2, 0x7fff_ffff),
      payload,
    }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(frames, async (sent) => {
      const client = await openClient();
      await client.send(...sent.map(({ type, ...parts }) => frame(type, parts)));
      await client.send(frame('ping', { payload: Buffer.from('12345678') }));
      const last = client.received().at(-1) ?? '';
      expect(last).toMatch(/^goaway \d+ \w+$|^ping ack 3132333435363738$/);
      expect(client.isEnded()).toBe(last.startsWith('goaway'));
      await client.destroy();
    }),
    { numRuns: 200 },
  );
});
