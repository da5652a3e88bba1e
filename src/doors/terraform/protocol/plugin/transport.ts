import { once } from 'node:events';
import {
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Duplex } from 'node:stream';

/** The handler of one gRPC method. Only this file knows gRPC. */
export type Method =
  | { readonly kind: 'unary'; handle(request: Uint8Array, signal: AbortSignal): Promise<Uint8Array> }
  /** A stream of answers to one request, which ends when they do. */
  | { readonly kind: 'stream'; handle(request: Uint8Array, signal: AbortSignal): AsyncIterable<Uint8Array> }
  /** A stream of answers to one request: these, and nothing more until the connection closes. */
  | { readonly kind: 'answers'; readonly first: readonly Uint8Array[] }
  /** A bidirectional stream without messages; it ends when the caller ends it. */
  | { readonly kind: 'silent' };

/** By path, such as `/tfplugin6.Provider/ReadResource`. Any other path is answered as unimplemented. */
export type Methods = ReadonlyMap<string, Method>;

/** Both sides present a certificate, and trust exactly that of the other. PEM. */
export interface MutualTls {
  readonly certificate: string;
  readonly key: string;
  readonly peer: string;
}

export interface Connection {
  /** Lets calls in progress finish, for at most this long. */
  close(graceMs: number): Promise<void>;
}

/** The status codes of gRPC that this server sends. */
const status = { ok: 0, unimplemented: 12, internal: 13 } as const;

interface Status {
  readonly code: number;
  readonly message?: string;
}

class Refused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** One message must fit, however large it is: Node would end a session with more than 10 MB in flight. */
const options = { maxSessionMemory: Number.MAX_SAFE_INTEGER };

/** Serves gRPC over HTTP/2 on an accepted connection; null: unencrypted. */
export function serveConnection(socket: Duplex, methods: Methods, tls: MutualTls | null): Connection {
  const server = tls === null ? createServer(options) : createSecureServer({ ...options, ...trusting(tls) });
  const open = new Set<Answer>();
  let session: ServerHttp2Session | undefined;
  server.on('session', (opened: ServerHttp2Session) => {
    session = opened;
    // The socket closes with the session, and its end is what counts.
    opened.on('error', () => undefined);
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const answer = new Answer(stream);
    serveCall(answer, methods.get(String(headers[':path'])), open).catch((error: unknown) => {
      answer.end(statusOf(error));
    });
  });
  server.emit('connection', socket);
  return {
    close: async (graceMs) => {
      for (const answer of open) answer.end({ code: status.ok });
      if (session === undefined || session.destroyed) {
        socket.destroy();
        return;
      }
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      session.close(resolve);
      const late = setTimeout(() => {
        session?.destroy();
        resolve();
      }, graceMs);
      await closed;
      clearTimeout(late);
    },
  };
}

function trusting({ certificate, key, peer }: MutualTls) {
  return { cert: certificate, key, ca: peer, requestCert: true, rejectUnauthorized: true };
}

async function serveCall(answer: Answer, method: Method | undefined, open: Set<Answer>): Promise<void> {
  const { stream } = answer;
  switch (method?.kind) {
    case 'unary': {
      const response = await handled(stream, (request, signal) => method.handle(request, signal));
      await answer.write(response);
      answer.end({ code: status.ok });
      return;
    }
    case 'stream':
      await handled(stream, async (request, signal) => {
        for await (const each of method.handle(request, signal)) {
          if (signal.aborted) return;
          await answer.write(each, signal);
        }
      });
      answer.end({ code: status.ok });
      return;
    case 'answers':
      keepOpen(answer, open);
      await messageOf(stream);
      for (const each of method.first) await answer.write(each);
      return;
    case 'silent':
      keepOpen(answer, open);
      stream.once('end', () => answer.end({ code: status.ok }));
      stream.resume();
      return;
    case undefined:
      stream.resume();
      throw new Refused(status.unimplemented, 'The server does not implement this method');
    default:
      method satisfies never;
  }
}

function keepOpen(answer: Answer, open: Set<Answer>): void {
  open.add(answer);
  answer.stream.once('close', () => open.delete(answer));
}

/** Gives the request to a handler, with a signal that aborts if the caller cancels the call. */
async function handled<T>(
  stream: ServerHttp2Stream,
  handle: (request: Uint8Array, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const request = await messageOf(stream);
  const cancel = new AbortController();
  // Every call closes its stream in the end, and aborting then would slow the call down.
  const onClose = (): void => cancel.abort();
  stream.once('close', onClose);
  try {
    return await handle(request, cancel.signal);
  } finally {
    stream.off('close', onClose);
  }
}

const prefixLength = 5;

/** The one message of a request: a byte for its compression, four for its length, and its bytes. */
async function messageOf(stream: ServerHttp2Stream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!stream.readableEnded) await once(stream, 'end');
  const [first] = chunks;
  const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
  if (bytes.length < prefixLength) throw new Refused(status.internal, 'The request has no message');
  if (bytes[0] !== 0) throw new Refused(status.unimplemented, 'The server does not support compression');
  if (bytes.readUInt32BE(1) !== bytes.length - prefixLength)
    throw new Refused(status.internal, 'The request is not exactly one message');
  return bytes.subarray(prefixLength);
}

const headers = { ':status': 200, 'content-type': 'application/grpc' };

/** The answer to one call: messages, and a status in the trailers. After the caller has left, all of it is dropped. */
class Answer {
  readonly stream: ServerHttp2Stream;
  #status: Status = { code: status.ok };

  constructor(stream: ServerHttp2Stream) {
    this.stream = stream;
    // A caller that cancels resets the stream, which is an error here only if it came in the middle of a write.
    stream.on('error', () => undefined);
  }

  /** Waits while the caller takes no more, so that a long answer is never kept as a whole. */
  async write(message: Uint8Array, signal?: AbortSignal): Promise<void> {
    const { stream } = this;
    if (!isOpen(stream)) return;
    this.#begin();
    const prefix = Buffer.alloc(prefixLength);
    prefix.writeUInt32BE(message.length, 1);
    const hasRoom = stream.write(Buffer.concat([prefix, message]));
    if (!hasRoom && signal !== undefined) await once(stream, 'drain', { signal });
  }

  end(ended: Status): void {
    const { stream } = this;
    if (!isOpen(stream)) return;
    this.#status = ended;
    if (stream.headersSent) stream.end();
    else if (ended.code === status.ok) {
      this.#begin();
      stream.end();
    } else stream.respond({ ...headers, ...trailersOf(ended) }, { endStream: true });
  }

  #begin(): void {
    const { stream } = this;
    if (stream.headersSent) return;
    stream.respond(headers, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers(trailersOf(this.#status)));
  }
}

function isOpen(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed && !stream.writableEnded;
}

/** In characters. Headers that are too long would end the session, and with it all other calls. */
const longestMessage = 4_000;

function trailersOf({ code, message }: Status): Readonly<Record<string, string>> {
  const shown = message?.slice(0, longestMessage).toWellFormed();
  return {
    'grpc-status': String(code),
    ...(shown === undefined ? {} : { 'grpc-message': encodeURIComponent(shown) }),
  };
}

function statusOf(error: unknown): Status {
  if (error instanceof Refused) return { code: error.code, message: error.message };
  return { code: status.internal, message: error instanceof Error ? error.message : String(error) };
}
