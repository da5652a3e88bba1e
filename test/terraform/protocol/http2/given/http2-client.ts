import { duplexPair } from 'node:stream';
import { onTestFinished } from 'vitest';
import { encodeField } from '../../../../../src/terraform/protocol/http2/encode-field.ts';
import { flag, frameType } from '../../../../../src/terraform/protocol/http2/frame.ts';
import { Http2Session } from '../../../../../src/terraform/protocol/http2/session.ts';
import type { Stream } from '../../../../../src/terraform/protocol/http2/stream.ts';

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** How a client begins. */
export const hello = (...values: readonly (readonly [number, number])[]) =>
  Buffer.concat([preface, settings(...values)]);

/** A frame; the payload in bytes, or as numbers of 32 bits each. */
export function frame(
  type: keyof typeof frameType | number,
  { flags = 0, stream = 0, payload = [], words = [] }: FrameParts = {},
): Buffer {
  const numbers = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) numbers.writeUInt32BE(word, index * 4);
  const body = Buffer.concat([Buffer.from(payload), numbers]);
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head[3] = typeof type === 'number' ? type : frameType[type];
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}

interface FrameParts {
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: ArrayLike<number>;
  readonly words?: readonly number[];
}

export function settings(...values: readonly (readonly [number, number])[]): Buffer {
  const payload = Buffer.alloc(values.length * 6);
  for (const [index, [id, value]] of values.entries()) {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return frame('settings', { payload });
}

export const requestFields = [
  [':method', 'POST'],
  [':scheme', 'http'],
  [':path', '/echo'],
  ['te', 'trailers'],
] as const;

export function block(fields: readonly (readonly [string, string])[]): Buffer {
  return Buffer.concat(fields.map(([name, value]) => encodeField(name, value)));
}

/** The frames of a whole request, or with `flags: 0` the beginning of one. */
export function request(stream: number, body = '', fields = requestFields): Buffer {
  return Buffer.concat([
    frame('headers', { stream, flags: flag.endHeaders, payload: block(fields) }),
    frame('data', { stream, flags: flag.endStream, payload: Buffer.from(body) }),
  ]);
}

/** A frame in words: `headers 1`, `data 1 "text"`, `goaway protocol`. */
export type Seen = string;

const codeNames = new Map([
  [0, 'none'],
  [1, 'protocol'],
  [3, 'flowControl'],
  [5, 'streamClosed'],
  [6, 'frameSize'],
  [7, 'refusedStream'],
  [9, 'compression'],
  [11, 'enhanceYourCalm'],
]);

/** The frames in what a server sent, in words. */
export function inWords(bytes: Buffer): readonly Seen[] {
  const seen: Seen[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 9 + bytes.readUIntBE(at, 3);
    const payload = bytes.subarray(at + 9, end);
    const stream = bytes.readUInt32BE(at + 5);
    const flags = bytes[at + 4] as number;
    const type = Object.entries(frameType).find(([, value]) => value === bytes[at + 3])?.[0];
    const code = (offset: number) => codeNames.get(payload.readUInt32BE(offset));
    if (type === 'data') seen.push(`data ${stream} ${payload.toString('latin1')}`);
    else if (type === 'headers')
      seen.push(`${(flags & flag.endStream) === 0 ? 'header' : 'trailer'} ${stream}`);
    else if (type === 'goaway') seen.push(`goaway ${payload.readUInt32BE(0)} ${code(4)}`);
    else if (type === 'rstStream') seen.push(`rstStream ${stream} ${code(0)}`);
    else if (type === 'windowUpdate') seen.push(`windowUpdate ${stream} ${payload.readUInt32BE(0)}`);
    else seen.push(`${type}${(flags & flag.ack) === 0 ? '' : ' ack'} ${payload.toString('hex')}`.trim());
    at = end;
  }
  return seen;
}

export interface Http2Client {
  readonly session: Http2Session;
  /** Requests and how they ended: `open /echo`, `end 5`, `cancel`. */
  readonly events: readonly string[];
  readonly streams: readonly Stream[];
  /** Sends bytes, and resolves when nothing more happens. */
  send(...bytes: readonly Buffer[]): Promise<void>;
  /** What the server sent since the last call, in words; without its first frames. */
  received(): readonly Seen[];
  /** The chunks that it sent since the last call. */
  chunks(): readonly Buffer[];
  pause(): void;
  resume(): Promise<void>;
  /** Bytes that the server has written and the client has not taken. */
  waiting(): number;
  isEnded(): boolean;
  destroy(): Promise<void>;
}

/** The answer to a request, given its body; by default the body. */
export type Answering = (stream: Stream, body: Buffer) => void;

export const header = encodeField('content-type', 'application/grpc');
export const trailer = encodeField('grpc-status', '0');

export const echo: Answering = (stream, body) => {
  stream.begin(header);
  stream.write(body);
  stream.end(trailer);
};

/** A client that sends any bytes to a server's session. */
export async function openClient(answer: Answering = echo, first = hello()): Promise<Http2Client> {
  const [near, far] = duplexPair();
  const chunks: Buffer[] = [];
  const events: string[] = [];
  const streams: Stream[] = [];
  let isEnded = false;
  near.on('data', (chunk: Buffer) => chunks.push(chunk));
  near.on('end', () => (isEnded = true));
  near.on('error', () => undefined);
  const session = new Http2Session(far, (stream, path) => {
    const body: Buffer[] = [];
    events.push(`open ${path}`);
    streams.push(stream);
    return {
      data: (bytes) => body.push(Buffer.from(bytes)),
      end: () => {
        const whole = Buffer.concat(body);
        events.push(`end ${whole.length}`);
        answer(stream, whole);
      },
      cancel: () => events.push('cancel'),
    };
  });
  onTestFinished(() => {
    near.destroy();
    far.destroy();
  });
  const send = async (...bytes: readonly Buffer[]) => {
    near.write(Buffer.concat(bytes));
    await settle();
  };
  await send(first);
  chunks.length = 0;
  return {
    session,
    events,
    streams,
    send,
    chunks: () => chunks.splice(0),
    received: () => inWords(Buffer.concat(chunks.splice(0))),
    pause: () => near.pause(),
    resume: async () => {
      near.resume();
      await settle();
    },
    waiting: () => far.writableLength,
    isEnded: () => isEnded,
    destroy: async () => {
      near.destroy();
      far.destroy();
      await settle();
    },
  };
}

/** Long enough for everything that is ready. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}
