import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { Context } from '../shell/context.ts';

export const printableSchemas = ['fleet', 'config', 'plan', 'plans', 'event', 'rollout-event'] as const;
export type SchemaName = (typeof printableSchemas)[number];

export async function schema(context: Context, _flags: unknown, name: SchemaName): Promise<ExitCode> {
  context.printJson(await load(name));
  return exitCodes.success;
}

async function load(name: SchemaName): Promise<Readonly<Record<string, unknown>>> {
  switch (name) {
    case 'fleet':
      return (await import('../../input/schema/json-schema.ts')).fleetJsonSchema();
    case 'config':
      return (await import('../../server/settings/server-section.ts')).configJsonSchema();
    case 'plan':
      return (await import('../../core/plan/document/plan-schema.ts')).planJsonSchema();
    case 'plans':
      return (await import('../../accounts/plans/plans-index.ts')).plansJsonSchema();
    case 'event':
      return (await import('../../output/review/event-schema.ts')).eventJsonSchema();
    case 'rollout-event':
      return (await import('../../accounts/rollouts/rollout-event-schema.ts')).rolloutEventJsonSchema();
  }
}
