import { z } from 'zod';
import { type Json, type JsonRecord, ungroupedId } from './fleet-state.ts';

/** The file as it is written; ids come as bigints. */
const minimum = -(2n ** 63n);
const maximum = 2n ** 63n - 1n;
const int64 = z.bigint('expected an integer of 64 bits').min(minimum).max(maximum).transform(String);
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

const antivirus = z.strictObject(
  {
    installed: flag.optional(),
    supported: flag.optional(),
    /** When an install under way ends. */
    installEndsAt: moment.optional(),
    isMac: flag.optional(),
    buildNumber: whole.nullable().optional(),
    status: whole.nullable().optional(),
    product: text.nullable().optional(),
    realTimeProtection: flag.optional(),
    definitionsUpToDate: flag.nullable().optional(),
    definitionVersion: text.nullable().optional(),
    lastFullScan: text.nullable().optional(),
    threats: whole.optional(),
    severalProducts: flag.optional(),
    canReportThreatLog: flag.optional(),
    canReportRealTimeProtection: flag.optional(),
  },
  'expected installed, or a mapping',
);

const group = z.strictObject(
  {
    id: int64.refine((id) => id !== ungroupedId, 'group -1 is always there and has no name'),
    name: text.nullable(),
  },
  mapping,
);

const category = z.strictObject(
  {
    id: text.min(1),
    name: text.min(1),
    values: z.array(z.strictObject({ id: text.min(1), name: text }, mapping)),
  },
  mapping,
);

const host = z.strictObject(
  {
    id: int64,
    name: text.nullable().optional(),
    /** By id, or by the name that one group has; absent or null: ungrouped. */
    group: z
      .union([int64.transform((id) => ({ id })), z.string(), z.null()], 'expected a group’s id or name')
      .optional(),
    online: flag.optional(),
    computerName: text.nullable().optional(),
    stateChangedAt: moment.optional(),
    inSession: flag.optional(),
    antivirus: z
      .preprocess((value) => (value === 'installed' ? { installed: true } : value), antivirus)
      .optional(),
    /** Value by category, both by id or name. */
    customFields: z.record(z.string(), text, mapping).optional(),
    inventory: z.strictObject({ hardware: record.optional(), system: record.optional() }, mapping).optional(),
  },
  mapping,
);

export const seedSchema = z.strictObject(
  {
    companyId: int64.optional(),
    psk: text.min(1).optional(),
    groups: z.array(group, 'expected a list').optional(),
    customFields: z.array(category, 'expected a list').optional(),
    hosts: z.array(host, 'expected a list'),
  },
  mapping,
);

export type Seed = z.output<typeof seedSchema>;
export type SeedHost = Seed['hosts'][number];
export type SeedAntivirus = NonNullable<SeedHost['antivirus']>;
