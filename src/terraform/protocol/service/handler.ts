import type { methods, streams } from '../generated/messages.ts';
import type { MethodName, Received, SentMessage, StreamName } from '../messages/messages.ts';
import type { Session } from './session.ts';

type RequestOf<M extends MethodName> = (typeof methods)[M][0];
type ResponseOf<M extends MethodName> = (typeof methods)[M][1];

/** The handler of one method; the signal aborts when the caller gives up. */
export type MethodHandler<M extends MethodName> = <Client>(
  session: Session<Client>,
  request: Received<RequestOf<M>>,
  signal: AbortSignal,
) => SentMessage<ResponseOf<M>> | Promise<SentMessage<ResponseOf<M>>>;

export type Handlers<M extends MethodName = MethodName> = { readonly [Name in M]: MethodHandler<Name> };

/** The handler of one method with a stream. A consumer that stops early ends the generator. */
export type StreamHandler<M extends StreamName> = <Client>(
  session: Session<Client>,
  request: Received<(typeof streams)[M][0]>,
  signal: AbortSignal,
) => AsyncGenerator<SentMessage<(typeof streams)[M][1]>, void>;

export type StreamHandlers<M extends StreamName = StreamName> = { readonly [Name in M]: StreamHandler<Name> };
