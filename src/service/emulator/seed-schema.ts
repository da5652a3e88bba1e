import { z } from 'zod';
import { type Json, type JsonRecord, ungrouped } from './fleet-state.ts';

/** The shape of the file; ids are bigints. The descriptions are also the tables of docs/guides/emulator.md. */
const minimum = -(2n ** 63n);
const maximum = 2n ** 63n - 1n;
export const seedInt64 = z.bigint('expected a 64-bit integer').min(minimum).max(maximum).transform(String);
/** A whole number that fits a JSON number. */
const whole = z.union(
  [
    z
      .bigint()
      .min(-(2n ** 53n))
      .max(2n ** 53n)
      .transform(Number),
    z.int(),
  ],
  'expected a whole number',
);
const text = z.string('expected text');
const flag = z.boolean('expected true or false');
const mapping = 'expected a mapping';
const moment = z.iso.datetime({ error: 'expected a time such as 2026-01-31T00:00:00Z' });

const json: z.ZodType<Json> = z.lazy(() =>
  z.union(
    [z.string(), z.number(), whole, z.boolean(), z.null(), z.array(json), record],
    'expected text, a number within 2^53, true, false, null, a list or a mapping',
  ),
);
const record: z.ZodType<JsonRecord> = z.record(z.string(), json, mapping);

export const seedAntivirusSchema = z.strictObject(
  {
    installed: flag.optional().describe("Whether the vendor's product is installed (false)."),
    supported: flag.optional().describe('Whether it can be installed (true).'),
    installEndsAt: moment.optional().describe('When an install in progress ends.'),
    isMac: flag.optional().describe('Whether the computer is a Mac (false).'),
    buildNumber: whole.nullable().optional().describe('The build of Windows, or null (17763).'),
    status: whole
      .nullable()
      .optional()
      .describe('`AvStatus` as a number, or null: 2 (unknown), or 3 (ok) with `installed: true`.'),
    product: text.nullable().optional().describe('The name of the product that runs, or null.'),
    realTimeProtection: flag.optional().describe('Whether it protects in real time.'),
    definitionsUpToDate: flag
      .nullable()
      .optional()
      .describe('Whether its definitions are up to date, or null.'),
    definitionVersion: text.nullable().optional().describe('The version of its definitions, or null.'),
    lastFullScan: text.nullable().optional().describe('The time of its last full scan, as text, or null.'),
    threats: whole.optional().describe('How many threats it has found (0).'),
    severalProducts: flag.optional().describe('Whether more than one product was detected (false).'),
    canReportThreatLog: flag.optional().describe('Whether the host reports this capability (true).'),
    canReportRealTimeProtection: flag.optional().describe('Whether the host reports this capability (true).'),
  },
  'expected installed, or a mapping',
);

export const seedGroupSchema = z.strictObject(
  {
    id: seedInt64
      .refine((id) => id !== ungrouped, 'group -1 always exists and has no name')
      .describe('The id, a 64-bit integer.'),
    name: text.nullable().describe('The name, or null.'),
  },
  mapping,
);

export const seedCategorySchema = z.strictObject(
  {
    id: text.min(1).describe('The id, any text.'),
    name: text.min(1).describe('The name of the column.'),
    values: z
      .array(z.strictObject({ id: text.min(1), name: text }, mapping))
      .describe('The values that the column can have, each with `id` and `name`.'),
  },
  mapping,
);

export const seedInventorySchema = z.strictObject(
  {
    hardware: record.optional().describe('The hardware record as it appears in reports, without `hostId`.'),
    system: record.optional().describe('The system record as it appears in reports, without `hostId`.'),
  },
  mapping,
);

export const seedHostSchema = z.strictObject(
  {
    id: seedInt64.describe('The id, a 64-bit integer. JavaScript programs round ids beyond 2^53.'),
    name: text.nullable().optional().describe('The name (`description` on the wire), or null.'),
    group: z
      .union(
        [seedInt64.transform((id) => ({ id })), z.string(), z.null()],
        'expected the id or the name of a group',
      )
      .optional()
      .describe('The name or the id of its group. Null or absent means no group.'),
    online: flag.optional().describe('Whether it is online (true).'),
    computerName: text
      .nullable()
      .optional()
      .describe('The computer name (`hostName` on the wire), or null. Default: `name`.'),
    stateChangedAt: moment.optional().describe('When it last came online or went offline.'),
    inSession: flag
      .optional()
      .describe('Whether someone is connected to it (false): a connection can then be refused with 409.'),
    antivirus: z
      .preprocess((value) => (value === 'installed' ? { installed: true } : value), seedAntivirusSchema)
      .optional()
      .describe('`installed`, or a mapping with the keys below.'),
    customFields: z
      .record(z.string(), text, mapping)
      .optional()
      .describe('The value in each category. Refer to categories and values by id or by name.'),
    inventory: seedInventorySchema
      .optional()
      .describe('Its inventory. A host without one is missing in reports.'),
  },
  mapping,
);

export const seedSchema = z.strictObject(
  {
    companyId: seedInt64.optional().describe('The id of the account (1234567890).'),
    psk: text
      .min(1)
      .optional()
      .describe('The key of the account. By default, it is derived from the company ID.'),
    now: moment
      .optional()
      .describe(
        'The time of this file. Each `stateChangedAt` has the same age, whenever the emulator starts.',
      ),
    groups: z.array(seedGroupSchema, 'expected a list').optional().describe('The groups.'),
    customFields: z
      .array(seedCategorySchema, 'expected a list')
      .optional()
      .describe('The categories of custom fields.'),
    hosts: z.array(seedHostSchema, 'expected a list').describe('The hosts.'),
  },
  mapping,
);

export type Seed = z.output<typeof seedSchema>;
export type SeedHost = Seed['hosts'][number];
export type SeedAntivirus = NonNullable<SeedHost['antivirus']>;
