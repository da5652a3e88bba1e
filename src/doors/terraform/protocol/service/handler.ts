import type { Received, Sent } from '../messages/messages.ts';
import type { MethodName, methods } from '../messages/methods.ts';
import type { Session } from './session.ts';

type RequestOf<M extends MethodName> = (typeof methods)[M][0];
type ResponseOf<M extends MethodName> = (typeof methods)[M][1];

/** The handler of one method; the signal aborts when the caller gives up. */
export type Handler<M extends MethodName> = <Client>(
  session: Session<Client>,
  request: Received<RequestOf<M>>,
  signal: AbortSignal,
) => Sent<ResponseOf<M>> | Promise<Sent<ResponseOf<M>>>;

export type Handlers<M extends MethodName = MethodName> = { readonly [Name in M]: Handler<Name> };
