import { type MessageName, messageCodec, type Received, type Sent } from '../messages/messages.ts';
import { type MethodName, methods } from '../messages/methods.ts';
import { applyCalls } from './apply-calls.ts';
import { dataSourceCalls } from './data-source-calls.ts';
import { ephemeralCalls } from './ephemeral-calls.ts';
import { functionCalls } from './function-calls.ts';
import type { Handlers } from './handler.ts';
import { identityCalls } from './identity-calls.ts';
import { importCalls } from './import-calls.ts';
import { planCalls } from './plan-calls.ts';
import { providerCalls } from './provider-calls.ts';
import { resourceCalls } from './resource-calls.ts';
import type { Session } from './session.ts';
import { upgradeCalls } from './upgrade-calls.ts';

const handlers: Handlers = {
  ...providerCalls,
  ...resourceCalls,
  ...planCalls,
  ...applyCalls,
  ...importCalls,
  ...upgradeCalls,
  ...identityCalls,
  ...dataSourceCalls,
  ...ephemeralCalls,
  ...functionCalls,
};

export type AnyHandler = <Client>(
  session: Session<Client>,
  request: Received<MessageName>,
  signal: AbortSignal,
) => Sent<MessageName> | Promise<Sent<MessageName>>;

export const methodNames = Object.keys(methods) as readonly MethodName[];

/** Handles one call, from the bytes of its request to those of its response. */
export async function dispatch<Client>(
  session: Session<Client>,
  method: MethodName,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const [request, response] = methods[method];
  const handle = handlers[method] as AnyHandler;
  return messageCodec.encode(response, await handle(session, messageCodec.decode(request, bytes), signal));
}
