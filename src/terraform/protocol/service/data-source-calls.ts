import { defined } from '../../../core/lib/defined.ts';
import type { Received, SentMessage } from '../messages/messages.ts';
import {
  type Diagnostic,
  hasErrorDiagnostics,
  type Promised,
  type ProviderCall,
  type Reply,
} from '../provider/call.ts';
import { faultsOfState } from '../rules/check-state.ts';
import { completeValue } from '../rules/complete.ts';
import type { Schema } from '../schema/schema.ts';
import type { RecordValue } from '../value/value.ts';
import {
  defectDiagnostics,
  guarded,
  notConfigured,
  nothingGiven,
  sentDiagnostics,
  unknownTypeDiagnostic,
} from './diagnostics.ts';
import type { Handlers } from './handler.ts';
import { validation } from './validated.ts';
import { receivedRecord, sentRecord } from './wire-value.ts';

export const dataSourceCalls: Handlers<'ValidateDataResourceConfig' | 'ReadDataSource'> = {
  ValidateDataResourceConfig: (session, { typeName, config }) =>
    validation('data source', typeName, session.dataSource(typeName), config),

  ReadDataSource: async (session, { typeName, config }, signal) => {
    const source = session.dataSource(typeName);
    if (source === null) return unknownTypeDiagnostic('data source', typeName);
    const read = await producedValue(session.callWith(signal), {
      schema: source.schema,
      config,
      doing: `Reading ${typeName}`,
      what: `data of ${typeName}`,
      make: (given, call) => source.read(given, call),
    });
    return defined({ state: read.value, diagnostics: read.diagnostics });
  },
};

interface Asked<Client> {
  readonly schema: Schema;
  readonly config: Received<'DynamicValue'> | undefined;
  readonly doing: string;
  readonly what: string;
  make(config: RecordValue, call: ProviderCall<Client>): Promised<Reply & { readonly state?: RecordValue }>;
}

/** A value that a handler makes of a configuration, ready to send; none after an error. */
export async function producedValue<Client>(
  call: ProviderCall<Client> | null,
  { schema, config, doing, what, make }: Asked<Client>,
): Promise<SentMessage<'Diagnostics'> & { readonly value?: SentMessage<'DynamicValue'> }> {
  const report = (diagnostics: readonly Diagnostic[]) => ({
    diagnostics: sentDiagnostics(schema, diagnostics),
  });
  if (call === null) return report([notConfigured]);
  const given = receivedRecord(config, schema) ?? {};
  const { state, diagnostics = [] } = await guarded(doing, () => make(given, call));
  if (hasErrorDiagnostics(diagnostics)) return report(diagnostics);
  const whole = state && (completeValue(schema, state) as RecordValue);
  const faults = whole === undefined ? [nothingGiven] : faultsOfState(schema, whole);
  if (whole === undefined || faults.length > 0)
    return report([...diagnostics, ...defectDiagnostics(`Invalid ${what}`, faults)]);
  return { value: sentRecord(whole, schema), ...report(diagnostics) };
}
