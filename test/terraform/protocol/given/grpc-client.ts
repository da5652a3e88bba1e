import * as grpc from '@grpc/grpc-js';
import { methods, streams } from '../../../../src/terraform/protocol/generated/messages.ts';
import {
  type MethodName,
  messageCodec,
  type Received,
  type SentMessage,
  type StreamName,
} from '../../../../src/terraform/protocol/messages/messages.ts';
import type { ListenAddress } from '../../../../src/terraform/protocol/plugin/listener.ts';
import type { MutualTls } from '../../../../src/terraform/protocol/plugin/transport.ts';
import { plainMessage } from './plain-message.ts';

type Request<M extends MethodName> = SentMessage<(typeof methods)[M][0]>;
type Response<M extends MethodName> = Received<(typeof methods)[M][1]>;

type StreamRequest<M extends StreamName> = SentMessage<(typeof streams)[M][0]>;
type StreamEvent<M extends StreamName> = Received<(typeof streams)[M][1]>;

/** A caller like Terraform's core, for calls that the command line can't be made to send. */
export interface CoreClient {
  call<M extends MethodName>(method: M, request?: Request<M>, signal?: AbortSignal): Promise<Response<M>>;
  /** Any path and bytes; rejects with gRPC's error. */
  raw(path: string, request: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** The first messages of a stream, up to this number. */
  stream(path: string, count: number): Promise<readonly Uint8Array[]>;
  /** All events of a stream. `onEvent` may cancel the call, and the events until then are the result. */
  events<M extends StreamName>(
    method: M,
    request?: StreamRequest<M>,
    onEvent?: (event: StreamEvent<M>, cancel: () => void) => void,
  ): Promise<readonly StreamEvent<M>[]>;
  /** Resolves when the server ends the stream. */
  openStream(path: string): Promise<void>;
  close(): void;
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
const asIs = (bytes: Buffer): Uint8Array => bytes;

export function connect({ network, text }: ListenAddress, tls: MutualTls | null = null): CoreClient {
  const credentials =
    tls === null
      ? grpc.credentials.createInsecure()
      : grpc.credentials.createSsl(Buffer.from(tls.peer), Buffer.from(tls.key), Buffer.from(tls.certificate));
  const client = new grpc.Client(network === 'unix' ? `unix:${text}` : text, credentials, {
    'grpc.ssl_target_name_override': 'localhost',
    'grpc.default_authority': 'localhost',
    'grpc.max_receive_message_length': -1,
    'grpc.enable_retries': 0,
    'grpc.use_local_subchannel_pool': 1,
  });

  function raw(path: string, request: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const call = client.makeUnaryRequest(path, toBuffer, asIs, request, (error, response) => {
        if (error !== null) reject(error);
        else resolve(response ?? new Uint8Array());
      });
      signal?.addEventListener('abort', () => call.cancel());
    });
  }

  return {
    raw,
    call: async <M extends MethodName>(method: M, request?: Request<M>, signal?: AbortSignal) => {
      const [sent, received] = methods[method];
      const bytes = messageCodec.encode(sent, request ?? {});
      const answer = await raw(`/tfplugin6.Provider/${method}`, bytes, signal);
      return plainMessage(messageCodec.decode(received, answer)) as Response<M>;
    },
    stream: (path, count) =>
      new Promise((resolve, reject) => {
        const answers: Uint8Array[] = [];
        const call = client.makeServerStreamRequest(path, toBuffer, asIs, new Uint8Array());
        call.on('data', (each: Uint8Array) => {
          answers.push(each);
          if (answers.length === count) {
            call.cancel();
            resolve(answers);
          }
        });
        call.on('error', reject);
      }),
    events: <M extends StreamName>(
      method: M,
      request?: StreamRequest<M>,
      onEvent?: (event: StreamEvent<M>, cancel: () => void) => void,
    ) =>
      new Promise<readonly StreamEvent<M>[]>((resolve, reject) => {
        const [sent, received] = streams[method];
        const bytes = messageCodec.encode(sent, request ?? {});
        const all: StreamEvent<M>[] = [];
        let isCancelled = false;
        const call = client.makeServerStreamRequest(`/tfplugin6.Provider/${method}`, toBuffer, asIs, bytes);
        const cancel = () => {
          isCancelled = true;
          call.cancel();
        };
        call.on('data', (each: Uint8Array) => {
          if (isCancelled) return;
          const event = plainMessage(messageCodec.decode(received, each)) as StreamEvent<M>;
          all.push(event);
          onEvent?.(event, cancel);
        });
        call.on('end', () => resolve(all));
        call.on('error', (error: unknown) => (isCancelled ? resolve(all) : reject(error)));
      }),
    openStream: (path) =>
      new Promise((resolve, reject) => {
        const call = client.makeServerStreamRequest(path, toBuffer, asIs, new Uint8Array());
        call.on('data', () => undefined);
        call.on('end', resolve);
        call.on('error', reject);
      }),
    close: () => client.close(),
  };
}
