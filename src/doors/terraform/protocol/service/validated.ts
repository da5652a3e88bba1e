import type { Sent } from '../messages/messages.ts';
import type { Provider } from '../provider/provider.ts';
import { faultsOfConfig } from '../rules/check-config.ts';
import type { Schema } from '../schema/schema.ts';
import type { RecordValue } from '../value/value.ts';
import { configDiagnostics, sentDiagnostics } from './diagnostics.ts';
import { guarded } from './guard.ts';

interface Validating {
  readonly schema: Schema;
  validate?: Provider<never>['validate'];
}

/** What a schema and its author's own check say of configuration, ready to be sent. */
export async function validated(
  { schema, validate }: Validating,
  config: RecordValue,
  isWriteOnlyAllowed = true,
): Promise<readonly Sent<'Diagnostic'>[]> {
  const ofSchema = configDiagnostics(faultsOfConfig(schema, config, { isWriteOnlyAllowed }));
  const own =
    validate === undefined || ofSchema.length > 0
      ? []
      : ((await guarded('Validating', async () => ({ diagnostics: await validate(config) }))).diagnostics ??
        []);
  return sentDiagnostics(schema, [...ofSchema, ...own]);
}
