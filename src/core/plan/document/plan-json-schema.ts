import { z } from 'zod';
import { planDocumentSchema } from './plan-schema.ts';

/** The JSON Schema (draft 2020-12) of the plan document. Members that it does not know are allowed: minor versions add. */
export function planJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(planDocumentSchema, { io: 'input' });
  return { $schema, title: 'Rampart: a plan, format 2', ...schema };
}
