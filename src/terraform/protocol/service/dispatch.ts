import { methods, streams } from '../generated/messages.ts';
import type { MethodName, StreamName } from '../messages/messages.ts';
import { type MessageName, messageCodec, type Received, type SentMessage } from '../messages/messages.ts';
import { isLogged, log } from '../plugin/log.ts';
import { actionCalls, actionStreams } from './action-calls.ts';
import { ephemeralCalls } from './ephemeral-calls.ts';
import { functionCalls } from './function-calls.ts';
import type { Handlers, StreamHandlers } from './handler.ts';
import { providerCalls } from './provider-calls.ts';
import { dataSourceCalls, generateCalls, importCalls, listCalls, listStreams } from './read-calls.ts';
import { applyCalls, planCalls, resourceCalls, upgradeCalls } from './resource-calls.ts';
import type { Session } from './session.ts';

const handlers: Handlers = {
  ...providerCalls,
  ...resourceCalls,
  ...planCalls,
  ...applyCalls,
  ...importCalls,
  ...upgradeCalls,
  ...dataSourceCalls,
  ...ephemeralCalls,
  ...functionCalls,
  ...generateCalls,
  ...listCalls,
  ...actionCalls,
};

const streamHandlers: StreamHandlers = { ...listStreams, ...actionStreams };

export type AnyHandler = <Client>(
  session: Session<Client>,
  request: Received<MessageName>,
  signal: AbortSignal,
) => SentMessage<MessageName> | Promise<SentMessage<MessageName>>;

type AnyStreamHandler = <Client>(
  session: Session<Client>,
  request: Received<MessageName>,
  signal: AbortSignal,
) => AsyncGenerator<SentMessage<MessageName>, void>;

/** Handles one call, from the bytes of its request to those of its response. */
export async function dispatch<Client>(
  session: Session<Client>,
  method: MethodName,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const [request, response] = methods[method];
  const handle = handlers[method] as AnyHandler;
  const received = messageCodec.decode(request, bytes);
  const logged = isLogged('debug') ? logCall(method, received) : undefined;
  const answer = await handle(session, received, signal);
  logged?.(answer);
  return messageCodec.encode<MessageName>(response, answer);
}

/** The same for a call with a stream of messages. The handler ends when nobody accepts further events. */
export async function* dispatchStream<Client>(
  session: Session<Client>,
  method: StreamName,
  bytes: Uint8Array,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const [request, event] = streams[method];
  const handle = streamHandlers[method] as AnyStreamHandler;
  const received = messageCodec.decode(request, bytes);
  const logged = isLogged('debug') ? logCall(method, received) : undefined;
  const reported: SentMessage<'Diagnostic'>[] = [];
  try {
    for await (const each of handle(session, received, signal)) {
      const { diagnostic = [], completed } = each as SentMessage<'ListResource.Event'> &
        SentMessage<'InvokeAction.Event'>;
      reported.push(...diagnostic, ...(completed?.diagnostics ?? []));
      yield messageCodec.encode<MessageName>(event, each);
    }
  } finally {
    logged?.({ diagnostics: reported });
  }
}

let calls = 0;

/** Logs the start of a call. Call the result when it has ended. */
function logCall(
  method: MethodName | StreamName,
  request: Received<MessageName>,
): (answer: SentMessage<MessageName>) => void {
  calls += 1;
  const { typeName, actionType = typeName } = request as Partial<Received<'ValidateActionConfig.Request'>> &
    Partial<Received<'ValidateConfig.Request'>>;
  const type = actionType === undefined ? {} : { tf_type: actionType };
  const fields = { tf_rpc: method, tf_req_id: String(calls), ...type };
  const startedAt = performance.now();
  log('trace', 'Received a call', fields, 'rpc');
  return (answer) => {
    const { diagnostics = [] } = answer as Partial<SentMessage<'Diagnostics'>>;
    const counts = {
      tf_req_duration_ms: Math.round(performance.now() - startedAt),
      diagnostics: diagnostics.length,
    };
    log('debug', 'Answered a call', { ...fields, ...counts }, 'rpc');
  };
}
