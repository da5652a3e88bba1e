import type { z } from 'zod';
import {
  actionRoutes,
  changesFleet,
  type EmulatedAction,
  isRateLimited,
} from '../../src/service/emulator/emulated-action.ts';
import { effectSchemas, faultRuleSchema } from '../../src/service/emulator/fault-schema.ts';
import { realisticLimits } from '../../src/service/emulator/realistic-limits.ts';
import {
  seedAntivirusSchema,
  seedCategorySchema,
  seedGroupSchema,
  seedHostSchema,
  seedInventorySchema,
  seedSchema,
} from '../../src/service/emulator/seed-schema.ts';
import { moreSettings } from '../../src/service/emulator/service-settings.ts';
import { switchTable } from '../../src/service/emulator/switch-table.ts';
import type { WideTable } from './table.ts';

/** The tables of docs/guides/emulator.md, from the schemas that read seeds and settings. */
export const emulatorTables = {
  seed: describedKeys(seedSchema.shape),
  seedHost: describedKeys(seedHostSchema.shape),
  seedAntivirus: describedKeys(seedAntivirusSchema.shape),
  seedInventory: describedKeys(seedInventorySchema.shape),
  seedGroup: describedKeys(seedGroupSchema.shape),
  seedCategory: describedKeys(seedCategorySchema.shape),
  switches: switchRows(),
  moreSettings: describedKeys(moreSettings),
  faultRule: describedKeys(faultRuleSchema.shape),
  effects: effectRows(),
  actions: actionRows(),
} as const;

function describedKeys(shape: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(shape).map(([key, schema]) => [key, describe(key, schema)]));
}

function describe(key: string, { description }: z.ZodType): string {
  if (description === undefined) throw new Error(`the schema does not describe ${key}`);
  return description;
}

function switchRows(): WideTable {
  return {
    head: ['switch', 'values', 'default', 'certainty', 'meaning'],
    rows: Object.entries(switchTable).map(([name, { values, usual, certainty, meaning }]) => [
      `\`${name}\``,
      values,
      `\`${String(usual)}\``,
      certainty,
      meaning,
    ]),
  };
}

function effectRows(): WideTable {
  return {
    head: ['kind', 'fields', 'meaning'],
    rows: Object.entries(effectSchemas).map(([kind, schema]) => [
      `\`${kind}\``,
      membersOf(schema),
      describe(kind, schema),
    ]),
  };
}

/** Without its kind; optional properties have a question mark. */
function membersOf({ shape }: z.ZodObject): string {
  return Object.entries(shape)
    .filter(([name]) => name !== 'kind')
    .map(([name, schema]) => `\`${name}${schema._zod.optin === 'optional' ? '?' : ''}\``)
    .join(', ');
}

function actionRows(): WideTable {
  return {
    head: ['action', 'call', 'counts as', 'with realistic limits'],
    rows: actionRoutes.map(({ action, method, path }) => [
      `\`${action}\``,
      `\`${method} ${path}\``,
      changesFleet(action) ? 'write' : 'read',
      limitOf(action),
    ]),
  };
}

function limitOf(action: EmulatedAction): string {
  if (realisticLimits[action] !== undefined) return 'once a minute';
  return isRateLimited(action) ? 'while a token lives' : '';
}
