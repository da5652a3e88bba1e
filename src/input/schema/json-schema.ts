import { z } from 'zod';
import { fleetFile } from './fleet-file.ts';

/** The JSON Schema of a desired-state file (draft 2020-12), for completion and checks in an editor. */
export function fleetJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(fleetFile, { io: 'input', override: plainInteger });
  return {
    $schema,
    title: 'Rampart: the desired state of a fleet',
    ...schema,
  };
}

function plainInteger({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.multipleOf !== 1) return;
  delete jsonSchema.multipleOf;
  jsonSchema.type = 'integer';
}
