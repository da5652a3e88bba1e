import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import * as grpc from '@grpc/grpc-js';

/** The handler of one gRPC method. Only this file knows the gRPC library. */
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

const options = {
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.enable_channelz': 0,
} as const;

/** Serves gRPC on an accepted connection; null: unencrypted. */
export function serveConnection(socket: Duplex, methods: Methods, tls: MutualTls | null): Connection {
  const server = new grpc.Server(options);
  const open = new Set<() => void>();
  for (const [path, method] of methods) register(server, path, method, open);
  server.createConnectionInjector(credentialsOf(tls)).injectConnection(socket);
  return {
    close: (graceMs) =>
      new Promise((resolve) => {
        for (const end of open) end();
        const late = setTimeout(() => {
          server.forceShutdown();
          resolve();
        }, graceMs);
        server.tryShutdown(() => {
          clearTimeout(late);
          resolve();
        });
      }),
  };
}

function credentialsOf(tls: MutualTls | null): grpc.ServerCredentials {
  if (tls === null) return grpc.ServerCredentials.createInsecure();
  const pair = { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.certificate) };
  return grpc.ServerCredentials.createSsl(Buffer.from(tls.peer), [pair], true);
}

function register(server: grpc.Server, path: string, method: Method, open: Set<() => void>): void {
  switch (method.kind) {
    case 'unary':
      server.register(path, unary(method.handle), toBuffer, asBytes, 'unary');
      return;
    case 'stream':
      server.register(path, streaming(method.handle), toBuffer, asBytes, 'serverStream');
      return;
    case 'answers': {
      const answer: grpc.handleServerStreamingCall<Uint8Array, Uint8Array> = (call) => {
        keepOpen(call, open);
        for (const each of method.first) call.write(each);
      };
      server.register(path, answer, toBuffer, asBytes, 'serverStream');
      return;
    }
    case 'silent': {
      const answer: grpc.handleBidiStreamingCall<Uint8Array, Uint8Array> = (call) => {
        const end = keepOpen(call, open);
        call.on('end', end);
        call.resume();
      };
      server.register(path, answer, toBuffer, asBytes, 'bidi');
      return;
    }
    default:
      method satisfies never;
  }
}

function keepOpen(
  call: grpc.ServerWritableStream<Uint8Array, Uint8Array> | grpc.ServerDuplexStream<Uint8Array, Uint8Array>,
  open: Set<() => void>,
): () => void {
  const end = (): void => {
    if (open.delete(end)) call.end();
  };
  open.add(end);
  call.on('error', () => open.delete(end));
  call.on('cancelled', () => open.delete(end));
  return end;
}

function unary(
  handle: (request: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>,
): grpc.handleUnaryCall<Uint8Array, Uint8Array> {
  return (call, callback) => {
    const cancel = new AbortController();
    // This event also comes at the end of every call, and aborting then would slow the call down.
    const onCancelled = (): void => cancel.abort();
    call.once('cancelled', onCancelled);
    handle(call.request, cancel.signal)
      .then(
        (response) => callback(null, response),
        (error: unknown) => callback(internalError(error)),
      )
      .finally(() => call.off('cancelled', onCancelled));
  };
}

/** Waits while the caller takes no more, so that a long answer is never kept as a whole. */
function streaming(
  handle: (request: Uint8Array, signal: AbortSignal) => AsyncIterable<Uint8Array>,
): grpc.handleServerStreamingCall<Uint8Array, Uint8Array> {
  return (call) => {
    const cancel = new AbortController();
    const onCancelled = (): void => cancel.abort();
    call.once('cancelled', onCancelled);
    const answer = async (): Promise<void> => {
      for await (const each of handle(call.request, cancel.signal)) {
        if (cancel.signal.aborted) return;
        if (!call.write(each)) await once(call, 'drain', { signal: cancel.signal });
      }
    };
    answer().then(
      () => call.end(),
      (error: unknown) => {
        if (!cancel.signal.aborted) call.emit('error', internalError(error));
      },
    );
  };
}

function internalError(error: unknown) {
  return {
    code: grpc.status.INTERNAL,
    details: error instanceof Error ? error.message : String(error),
  };
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function asBytes(bytes: Buffer): Uint8Array {
  return bytes;
}
