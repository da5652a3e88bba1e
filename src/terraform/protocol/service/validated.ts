import type { Received, SentMessage } from '../messages/messages.ts';
import type { Provider } from '../provider/provider.ts';
import { faultsOfConfig } from '../rules/check-config.ts';
import type { Schema } from '../schema/schema.ts';
import type { RecordValue } from '../value/value.ts';
import { configDiagnostics, guarded, sentDiagnostics, unknownTypeDiagnostic } from './diagnostics.ts';
import { receivedConfig } from './handler.ts';

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
