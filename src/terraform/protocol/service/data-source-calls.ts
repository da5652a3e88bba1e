import { type Diagnostic, hasErrorDiagnostics } from '../provider/diagnostic.ts';
import { faultsOfState } from '../rules/check-state.ts';
import { completeValue } from '../rules/complete.ts';
import type { Schema } from '../schema/schema.ts';
import type { Fault } from '../value/conformity.ts';
import type { RecordValue } from '../value/value.ts';
import { defectDiagnostics, sentDiagnostics } from './diagnostics.ts';
import { guarded } from './guard.ts';
import type { Handlers } from './handler.ts';
import { notConfigured, nothingGiven, unknownTypeDiagnostic } from './refusals.ts';
import { validated } from './validated.ts';
import { receivedRecord, sentRecord } from './wire-value.ts';

export const dataSourceCalls: Handlers<'ValidateDataResourceConfig' | 'ReadDataSource'> = {
  ValidateDataResourceConfig: async (session, request) => {
    const source = session.dataSource(request.typeName);
    if (source === null) return unknownTypeDiagnostic('data source', request.typeName);
    return { diagnostics: await validated(source, receivedRecord(request.config, source.schema) ?? {}) };
  },

  ReadDataSource: async (session, request, signal) => {
    const source = session.dataSource(request.typeName);
    if (source === null) return unknownTypeDiagnostic('data source', request.typeName);
    const { schema } = source;
    const refuse = (diagnostics: readonly Diagnostic[]) => ({
      diagnostics: sentDiagnostics(schema, diagnostics),
    });
    const call = session.callWith(signal);
    if (call === null) return refuse([notConfigured]);
    const config = receivedRecord(request.config, schema) ?? {};
    const reply = await guarded(`Reading ${request.typeName}`, () => source.read(config, call));
    const diagnostics = reply.diagnostics ?? [];
    if (hasErrorDiagnostics(diagnostics)) return refuse(diagnostics);
    const { state, faults } = completedState(schema, reply.state);
    if (state === null)
      return refuse([...diagnostics, ...defectDiagnostics(`Invalid data of ${request.typeName}`, faults)]);
    return { state: sentRecord(state, schema), ...refuse(diagnostics) };
  },
};

/** A complete result, or what its schema refuses in it. */
export function completedState(
  schema: Schema,
  given: RecordValue | undefined,
): { readonly state: RecordValue | null; readonly faults: readonly Fault[] } {
  if (given === undefined) return { state: null, faults: [nothingGiven] };
  const state = completeValue(schema, given) as RecordValue;
  const faults = faultsOfState(schema, state);
  return { state: faults.length > 0 ? null : state, faults };
}
