import { once } from 'node:events';
import {
  constants,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type TlsOptions } from 'node:tls';

/** The handler of one gRPC method. Only this file knows gRPC. */
export type GrpcMethod =
  | { readonly kind: 'unary'; handle(request: Uint8Array, signal: AbortSignal): Promise<Uint8Array> }
  /** A stream of messages for one request, which ends when they do. */
  | { readonly kind: 'stream'; handle(request: Uint8Array, signal: AbortSignal): AsyncIterable<Uint8Array> }
  /** A stream of messages for one request: these, and nothing more until the connection closes. */
  | { readonly kind: 'answers'; readonly first: readonly Uint8Array[] }
  /** A bidirectional stream without messages; it ends when the caller ends it. */
  | { readonly kind: 'silent' };

/** By path, such as `/tfplugin6.Provider/ReadResource`. Any other path gets UNIMPLEMENTED. */
export type Methods = ReadonlyMap<string, GrpcMethod>;

/** Both sides present a certificate, and trust exactly that of the other. PEM. */
export interface MutualTls {
  readonly certificate: string;
  readonly key: string;
  readonly peer: string;
}

export interface PluginConnection {
  /** Lets calls in progress finish, for at most this long. */
  close(graceMs: number): Promise<void>;
}

/** The status codes of gRPC that this server sends. */
const status = { ok: 0, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const;

interface Status {
  readonly code: number;
  readonly message: string;
}

const success: Status = { code: status.ok, message: '' };

class Refused extends Error implements Status {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Of data that has not been read, in bytes: large states arrive without pauses. */
const window = 16 * 1024 * 1024;

const options: ServerOptions = {
  /** In megabytes. Node refuses new calls while responses of more than this wait. */
  maxSessionMemory: 10_000,
  settings: { initialWindowSize: window, maxConcurrentStreams: 10_000 },
};

/** Serves gRPC over HTTP/2 on an accepted connection; null: unencrypted. */
export function serveConnection(socket: Duplex, methods: Methods, tls: MutualTls | null): PluginConnection {
  /** The calls that last until the connection closes. */
  const lasting = new Set<ServerHttp2Stream>();
  let session: ServerHttp2Session | undefined;
  const begin = (readable: Duplex): void => {
    session = performServerHandshake(readable, options);
    session.setLocalWindowSize(window);
    // The socket closes with the session.
    session.on('error', () => undefined);
    session.on('stream', (stream, headers) => {
      const method = methods.get(headers[':path'] ?? '');
      if (method?.kind === 'answers' || method?.kind === 'silent') lasting.add(stream);
      stream.once('close', () => lasting.delete(stream));
      // The signal notifies the handler that the caller has left.
      stream.on('error', () => undefined);
      serve(stream, method).catch((error: unknown) => end(stream, failureOf(error)));
    });
  };
  if (tls === null) begin(socket);
  else createServer(trusting(tls)).on('secureConnection', begin).emit('connection', socket);
  return {
    close: async (graceMs) => {
      for (const stream of lasting) end(stream);
      const left = session;
      if (left !== undefined && !left.closed) {
        const finished = new Promise<void>((resolve) => left.close(resolve));
        await Promise.race([finished, sleep(graceMs, undefined, { ref: false })]);
        left.destroy();
      }
      socket.destroy();
    },
  };
}

function trusting({ certificate, key, peer }: MutualTls): TlsOptions {
  const required = { requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] };
  return { cert: certificate, key, ca: peer, ...required };
}

async function serve(stream: ServerHttp2Stream, method: GrpcMethod | undefined): Promise<void> {
  if (method === undefined)
    throw new Refused(status.unimplemented, 'The server does not implement this method');
  if (method.kind === 'silent') {
    stream.resume();
    await once(stream, 'end');
    end(stream);
    return;
  }
  const cancel = new AbortController();
  stream.once('aborted', () => cancel.abort());
  const request = await requestOf(stream);
  switch (method.kind) {
    case 'unary':
      send(stream, await method.handle(request, cancel.signal));
      break;
    case 'stream':
      for await (const each of method.handle(request, cancel.signal)) {
        // A long response is never kept as a whole.
        if (!send(stream, each)) await once(stream, 'drain', { signal: cancel.signal });
        if (cancel.signal.aborted) return;
      }
      break;
    case 'answers':
      begin(stream);
      for (const each of method.first) send(stream, each);
      return;
    default:
      method satisfies never;
  }
  end(stream);
}

const prefixLength = 5;
/** In bytes. Terraform has the same limit. */
const longestRequest = 256 * 1024 * 1024;

/** The one message of a request: a byte for its compression, four for its length, and its bytes. */
async function requestOf(stream: ServerHttp2Stream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= prefixLength + longestRequest) chunks.push(chunk);
      else reject(new Refused(status.resourceExhausted, 'The request is too large'));
    });
    stream.once('end', resolve);
  });
  const bytes = Buffer.concat(chunks);
  if (bytes.length < prefixLength) throw new Refused(status.internal, 'The request has no message');
  if (bytes[0] !== 0) throw new Refused(status.unimplemented, 'The server does not support compression');
  if (bytes.readUInt32BE(1) !== bytes.length - prefixLength)
    throw new Refused(status.internal, 'The request is not exactly one message');
  return bytes.subarray(prefixLength);
}

const header = { ':status': 200, 'content-type': 'application/grpc' } as const;

function begin(stream: ServerHttp2Stream): void {
  if (!stream.headersSent) stream.respond(header, { waitForTrailers: true });
}

/** Sends one message. False: the caller accepts no more for now. */
function send(stream: ServerHttp2Stream, message: Uint8Array): boolean {
  if (hasLeft(stream)) return true;
  begin(stream);
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32BE(message.length, 1);
  return stream.write(Buffer.concat([prefix, message]));
}

/** Ends a response with its status, and makes a caller that is still sending stop. */
function end(stream: ServerHttp2Stream, ended = success): void {
  if (hasLeft(stream)) return;
  const leave = (): void => {
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  };
  const trailer = trailerOf(ended);
  if (ended === success) begin(stream);
  if (stream.headersSent) {
    stream.once('wantTrailers', () => {
      stream.sendTrailers(trailer);
      leave();
    });
    stream.end();
  } else {
    stream.respond({ ...header, ...trailer }, { endStream: true });
    leave();
  }
}

function hasLeft({ closed, destroyed, writableEnded }: ServerHttp2Stream): boolean {
  return closed || destroyed || writableEnded;
}

/** In characters. Encoded, all trailers must fit into the header that the caller accepts. */
const longestMessage = 1_500;

function trailerOf({ code, message }: Status): Readonly<Record<string, string>> {
  if (code === status.ok) return { 'grpc-status': String(code) };
  const shown = message.slice(0, longestMessage).toWellFormed();
  return { 'grpc-status': String(code), 'grpc-message': encodeURIComponent(shown) };
}

function failureOf(error: unknown): Status {
  if (error instanceof Refused) return error;
  return { code: status.internal, message: error instanceof Error ? error.message : String(error) };
}
