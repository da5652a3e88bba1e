import type { Duplex } from 'node:stream';
import { createServer, type TlsOptions } from 'node:tls';
import { encodeField } from '../http2/encode-field.ts';
import { Http2Session } from '../http2/session.ts';
import type { Receiver, Stream } from '../http2/stream.ts';

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
const status = { ok: 0, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const;

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

/** Serves gRPC over HTTP/2 on an accepted connection; null: unencrypted. */
export function serveConnection(socket: Duplex, methods: Methods, tls: MutualTls | null): Connection {
  const calls = new Set<Call>();
  let session: Http2Session | undefined;
  const begin = (readable: Duplex): void => {
    session = new Http2Session(
      readable,
      (stream, path) => new Call(new Answer(stream), methods.get(path), calls),
    );
  };
  if (tls === null) begin(socket);
  else createServer(trusting(tls)).on('secureConnection', begin).emit('connection', socket);
  return {
    close: async (graceMs) => {
      for (const call of calls) call.close();
      await session?.close(graceMs);
      socket.destroy();
    },
  };
}

function trusting({ certificate, key, peer }: MutualTls): TlsOptions {
  const required = { requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] };
  return { cert: certificate, key, ca: peer, ...required };
}

const prefixLength = 5;
/** In bytes. Terraform has the same limit. */
const longestRequest = 256 * 1024 * 1024;

/** Serves one call: collects its request, and sends what the handler answers. */
class Call implements Receiver {
  readonly #answer: Answer;
  readonly #method: Method | undefined;
  /** The calls that last until the connection closes. */
  readonly #lasting: Set<Call>;
  readonly #cancel = new AbortController();
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(answer: Answer, method: Method | undefined, lasting: Set<Call>) {
    this.#answer = answer;
    this.#method = method;
    this.#lasting = lasting;
    if (method === undefined)
      answer.end({ code: status.unimplemented, message: 'The server does not implement this method' });
    else if (method.kind === 'answers' || method.kind === 'silent') lasting.add(this);
  }

  data(bytes: Buffer): void {
    if (this.#answer.isEnded || this.#method?.kind === 'silent') return;
    this.#length += bytes.length;
    this.#chunks.push(bytes);
    if (this.#length <= prefixLength + longestRequest) return;
    this.#chunks = [];
    this.#answer.end({ code: status.resourceExhausted, message: 'The request is too large' });
  }

  end(): void {
    if (this.#answer.isEnded) return;
    this.#serve().catch((error: unknown) => this.#answer.end(statusOf(error)));
  }

  cancel(): void {
    this.#lasting.delete(this);
    this.#cancel.abort();
  }

  /** The connection closes. */
  close(): void {
    this.#lasting.delete(this);
    this.#answer.end({ code: status.ok });
  }

  async #serve(): Promise<void> {
    const method = this.#method;
    const answer = this.#answer;
    switch (method?.kind) {
      case 'unary':
        answer.write(await method.handle(this.#message(), this.#cancel.signal));
        break;
      case 'stream':
        for await (const each of method.handle(this.#message(), this.#cancel.signal)) {
          answer.write(each);
          await answer.drained();
          if (this.#cancel.signal.aborted) return;
        }
        break;
      case 'answers':
        this.#message();
        answer.begin();
        for (const each of method.first) answer.write(each);
        await answer.drained();
        return;
      case 'silent':
      case undefined:
        break;
      default:
        method satisfies never;
    }
    this.close();
  }

  /** The one message of a request: a byte for its compression, four for its length, and its bytes. */
  #message(): Uint8Array {
    const chunks = this.#chunks;
    this.#chunks = [];
    const [first] = chunks;
    const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    if (bytes.length < prefixLength) throw new Refused(status.internal, 'The request has no message');
    if (bytes[0] !== 0) throw new Refused(status.unimplemented, 'The server does not support compression');
    if (bytes.readUInt32BE(1) !== bytes.length - prefixLength)
      throw new Refused(status.internal, 'The request is not exactly one message');
    return bytes.subarray(prefixLength);
  }
}

/** The answer to one call: messages, and a status in the trailers. After the caller has left, all of it is dropped. */
class Answer {
  readonly #stream: Stream;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  get isEnded(): boolean {
    return this.#stream.isEnded;
  }

  begin(): void {
    if (!this.#stream.isBegun) this.#stream.begin(header);
  }

  write(message: Uint8Array): void {
    this.begin();
    const prefix = Buffer.alloc(prefixLength);
    prefix.writeUInt32BE(message.length, 1);
    this.#stream.write(prefix);
    this.#stream.write(message);
  }

  /** Waits while the caller takes no more, so that a long answer is never kept as a whole. */
  async drained(): Promise<void> {
    this.#stream.send();
    await this.#stream.drained();
  }

  end(ended: Status): void {
    if (ended.code === status.ok) this.begin();
    const trailer = trailerOf(ended);
    this.#stream.end(this.#stream.isBegun ? trailer : Buffer.concat([header, trailer]));
  }
}

/** In characters. Encoded, the message must fit into one frame. */
const longestMessage = 1_500;

/** The first byte empties the table of fields, which this server does not use; `:status: 200` is a byte of its own. */
const header = Buffer.concat([Buffer.from([0x20, 0x88]), encodeField('content-type', 'application/grpc')]);
const success = encodeField('grpc-status', String(status.ok));

function trailerOf({ code, message }: Status): Buffer {
  if (code === status.ok) return success;
  const shown = (message ?? '').slice(0, longestMessage).toWellFormed();
  return Buffer.concat([
    encodeField('grpc-status', String(code)),
    encodeField('grpc-message', encodeURIComponent(shown)),
  ]);
}

function statusOf(error: unknown): Status {
  if (error instanceof Refused) return { code: error.code, message: error.message };
  return { code: status.internal, message: error instanceof Error ? error.message : String(error) };
}
