import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Clock } from '../../../../src/core/lib/surroundings.ts';
import { systemClock } from '../../../../src/service/client/system-clock.ts';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
} from '../../../../src/service/emulator/emulator.ts';
import { type FleetParts, fleetState } from '../../../../src/service/emulator/fleet-state.ts';
import { type Served, serve } from '../../../../src/service/emulator/serve.ts';
import { methods, streams } from '../../../../src/terraform/protocol/generated/messages.ts';
import { encodeMessagePack } from '../../../../src/terraform/protocol/messagepack/encode-value.ts';
import {
  messageCodec,
  type Received,
  type SentMessage,
} from '../../../../src/terraform/protocol/messages/messages.ts';
import type { Provider } from '../../../../src/terraform/protocol/provider/provider.ts';
import { type Schema, typeOfBody } from '../../../../src/terraform/protocol/schema/schema.ts';
import { dispatch, dispatchStream } from '../../../../src/terraform/protocol/service/dispatch.ts';
import { receivedRecord } from '../../../../src/terraform/protocol/service/handler.ts';
import { Session } from '../../../../src/terraform/protocol/service/session.ts';
import type { RecordValue } from '../../../../src/terraform/protocol/value/value.ts';
import { rampartProvider } from '../../../../src/terraform/provider/rampart-provider.ts';
import { faultsOfApplied } from '../../protocol/given/check-applied.ts';
import { faultsOfPlan } from '../../protocol/given/check-plan.ts';
import type { CoreClient } from '../../protocol/given/grpc-client.ts';
import { plainMessage } from '../../protocol/given/plain-message.ts';

export interface CoreOptions extends Pick<Partial<EmulatorOptions>, 'faults' | 'switches'> {
  /** More environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The provider's clock; the time of day when absent. */
  readonly clock?: Clock;
  /** Arguments of the provider block. */
  readonly config?: RecordValue;
}

/**
 * The provider on its own fleet, configured by its environment, and called like Terraform's core, except for the
 * transport.
 */
export interface RampartCore {
  readonly emulator: Emulator;
  /** The address of its service. */
  readonly url: string;
  readonly call: CoreClient['call'];
  readonly events: CoreClient['events'];
  /** The configuration of a list resource or an action. Attributes that it leaves out are null. */
  configOf(name: string, config: RecordValue): SentMessage<'DynamicValue'>;
  valueOf(type: string, record: RecordValue | null): SentMessage<'DynamicValue'>;
  recordOf(type: string, value: Received<'DynamicValue'> | undefined): RecordValue | null;
}

export async function rampartCore(
  parts: FleetParts,
  { clock = systemClock, config: block = {}, env: more = {}, ...options }: CoreOptions = {},
  serveIt: (emulator: Emulator) => Promise<Served> = serve,
): Promise<RampartCore> {
  const emulator = createEmulator({
    ...options,
    state: fleetState({ ...parts, psk: 'a-key' }),
    clock: systemClock,
  });
  const service = await serveIt(emulator);
  onTestFinished(() => service.close());
  const env = {
    RAMPART_BASE_URL: service.url,
    RAMPART_COMPANY_ID: emulator.credentials.companyId,
    RAMPART_PSK: 'a-key',
    ...more,
  };
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'plans-'));
  onTestFinished(() => rmSync(temporaryFolder, { recursive: true, force: true }));
  const provider = rampartProvider({ env, clock, pollMs: 20, settleMs: 5, temporaryFolder });
  const session = new Session(provider);
  onTestFinished(() => session.close());
  const call: RampartCore['call'] = async (method, request) => {
    const [sent, received] = methods[method];
    const bytes = messageCodec.encode(sent, request ?? {});
    const answer = await dispatch(session, method, bytes, new AbortController().signal);
    const response = plainMessage(messageCodec.decode(received, answer));
    expectRulesKept(provider, { ...(request as object), ...(response as object) });
    return response as never;
  };
  const events: RampartCore['events'] = async (method, request, onEvent) => {
    const [sent, received] = streams[method];
    const cancel = new AbortController();
    const all = [];
    const bytes = messageCodec.encode(sent, request ?? {});
    for await (const each of dispatchStream(session, method, bytes, cancel.signal)) {
      const event = plainMessage(messageCodec.decode(received, each));
      all.push(event);
      onEvent?.(event as never, () => cancel.abort());
    }
    return all as never;
  };
  const schemaOf = (type: string) => provider.resources?.[type]?.schema as Schema;
  const core: RampartCore = {
    emulator,
    url: service.url,
    call,
    events,
    configOf(name, given) {
      const schema = (provider.actions?.[name] ?? provider.lists?.[name])?.schema as Schema;
      return { msgpack: encodeMessagePack({ ...emptyOf(schema), ...given }, typeOfBody(schema)) };
    },
    valueOf: (type, record) => ({ msgpack: encodeMessagePack(record, typeOfBody(schemaOf(type))) }),
    recordOf: (type, value) => receivedRecord(value, schemaOf(type)),
  };
  const given = { ...emptyOf(provider.schema), ...block };
  const config = { msgpack: encodeMessagePack(given, typeOfBody(provider.schema)) };
  const configured = await call('ConfigureProvider', { terraformVersion: '1.5.0', config });
  expect(configured.diagnostics).toEqual([]);
  return core;
}

/** The configured value if configuration is silent. */
export function emptyOf(schema: Schema): RecordValue {
  const blocks = Object.entries(schema.blocks ?? {}).map(
    ([name, { nesting }]) => [name, nesting === 'single' ? null : []] as const,
  );
  return Object.fromEntries([
    ...Object.keys(schema.attributes ?? {}).map((name) => [name, null] as const),
    ...blocks,
  ]);
}

type Exchange = Partial<Received<'PlanResourceChange.Request'> & Received<'PlanResourceChange.Response'>> &
  Partial<Received<'ApplyResourceChange.Response'>>;

/** Terraform's core refuses a plan or a state that breaks its rules, unless an error explains it. */
function expectRulesKept<Client>(provider: Provider<Client>, exchange: Exchange): void {
  const schema = provider.resources?.[exchange.typeName ?? '']?.schema;
  if (schema === undefined || exchange.diagnostics?.some(({ severity }) => severity === 1)) return;
  const planned = receivedRecord(exchange.plannedState, schema);
  if (planned === null) return;
  const config = receivedRecord(exchange.config, schema);
  const prior = receivedRecord(exchange.priorState, schema);
  const done = receivedRecord(exchange.newState, schema);
  if (done !== null) expect(faultsOfApplied(typeOfBody(schema), planned, done)).toEqual([]);
  if (done === null && config !== null) expect(faultsOfPlan(schema, { config, prior, planned })).toEqual([]);
}
