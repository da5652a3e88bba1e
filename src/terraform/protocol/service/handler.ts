import type { methods, streams } from '../generated/messages.ts';
import { decodeValue } from '../messagepack/decode-value.ts';
import { encodeMessagePack } from '../messagepack/encode-value.ts';
import type { MethodName, Received, SentMessage, StreamName } from '../messages/messages.ts';
import type { Provider } from '../provider/provider.ts';
import { faultsOfConfig } from '../rules/check-config.ts';
import { completeValue } from '../rules/complete.ts';
import { type BlockBody, type Schema, typeOfBody } from '../schema/schema.ts';
import type { RecordValue, Type, Value } from '../value/value.ts';
import { configDiagnostics, guarded, sentDiagnostics, unknownTypeDiagnostic } from './diagnostics.ts';
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

const nothing = new Uint8Array();

/** Terraform always sends MessagePack; empty input is null. */
export function receivedValue(value: Received<'DynamicValue'> | undefined, type: Type): Value {
  return decodeValue(value?.msgpack ?? nothing, type);
}

/** A value of a whole block, which is a record or null. */
export function receivedRecord(
  value: Received<'DynamicValue'> | undefined,
  body: BlockBody,
): RecordValue | null {
  return receivedValue(value, typeOfBody(body)) as RecordValue | null;
}

/** The configuration of an optional block. Terraform sends null if the block is absent. */
export function receivedConfig(value: Received<'DynamicValue'> | undefined, body: BlockBody): RecordValue {
  return completeValue(body, receivedRecord(value, body) ?? {}) as RecordValue;
}

export function sentValue(value: Value, type: Type): SentMessage<'DynamicValue'> {
  return { msgpack: encodeMessagePack(value, type) };
}

export function sentRecord(value: RecordValue | null, body: BlockBody): SentMessage<'DynamicValue'> {
  return sentValue(value, typeOfBody(body));
}

/** Private data as handlers see it; null if there is none. */
export function privateFrom(bytes: Uint8Array | undefined): unknown {
  return jsonFrom(bytes ?? nothing);
}

/** The handler's value, or else the previous one. */
export function privateTo(given: unknown, before: Uint8Array | undefined): Uint8Array {
  if (given === undefined) return before ?? nothing;
  return given === null ? nothing : jsonBytes(given);
}

/** Null for no bytes. Throws a SyntaxError. */
export function jsonFrom(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? null : JSON.parse(new TextDecoder().decode(bytes));
}

export function jsonBytes(json: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(json));
}

interface Validating {
  readonly schema: Schema;
  validate?: Provider<never>['validate'];
}

/** Validates the configuration of a type, which is null if the provider has none with this name. */
export async function validation(
  what: string,
  name: string,
  type: Validating | null,
  config: Received<'DynamicValue'> | undefined,
): Promise<SentMessage<'Diagnostics'>> {
  if (type === null) return unknownTypeDiagnostic(what, name);
  return { diagnostics: await validated(type, receivedConfig(config, type.schema)) };
}

/** The faults of the configuration, from its schema and the author's own check, ready to send. */
export async function validated(
  { schema, validate }: Validating,
  config: RecordValue,
): Promise<readonly SentMessage<'Diagnostic'>[]> {
  const ofSchema = configDiagnostics(faultsOfConfig(schema, config));
  const own =
    validate === undefined || ofSchema.length > 0
      ? []
      : ((await guarded('Validating', async () => ({ diagnostics: await validate(config) }))).diagnostics ??
        []);
  return sentDiagnostics(schema, [...ofSchema, ...own]);
}
