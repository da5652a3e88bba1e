import { z } from 'zod';
import { originSchema } from '../journal/record-schema.ts';

export const rolloutFormatVersion = '1.0';

export const damagedRolloutHint =
  'finish it with the version that started it, restore it from a copy of the state, or start a new rollout';

const time = z.iso.datetime({ offset: true });

const maxFailedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('count'), count: z.int().min(0) }),
  z.object({ kind: z.literal('share'), percent: z.number().min(0).max(100) }),
]);

/** An account of a rollout with a saved plan. */
const plannedSchema = z.object({
  account: z.string(),
  company_id: z.string().nullable(),
  service: z.string(),
  plan_checksum: z.string(),
});

/** An account that has no wave: nothing changes in it, its plan failed, or its mode allows no changes. */
const leftOutSchema = z.object({
  account: z.string(),
  status: z.enum(['skipped', 'failed']),
  exit_code: z.int(),
  why: z.string(),
});

/** The part of a rollout that never changes. Accounts are named as in the configuration. */
export const rolloutHeadSchema = z.looseObject({
  format_version: z.string(),
  rollout_id: z.string(),
  at: time,
  origin: originSchema,
  /** The checksum of the index that was approved. */
  index_checksum: z.string(),
  max_failed: maxFailedSchema,
  pause_ms: z.number().min(0),
  parallel: z.int().min(1),
  waves: z.array(
    z.object({ name: z.string(), is_canary: z.boolean(), accounts: z.array(z.string()).min(1) }),
  ),
  accounts: z.array(plannedSchema),
  left_out: z.array(leftOutSchema),
});
export type RolloutHead = z.infer<typeof rolloutHeadSchema>;

export const stopKinds = [
  'failed-accounts',
  'failed-canary',
  'unverified',
  'closed-window',
  'budget-spent',
  'signal',
  'lost-lock',
  'state',
] as const;
export type RolloutStopKind = (typeof stopKinds)[number];

const endOfAccount = {
  at: time,
  account: z.string(),
  exit_code: z.int(),
  run_id: z.string().optional(),
  why: z.string().optional(),
};

/** An event of a rollout. The first is `begun`: a rollout without it has not saved all its plans. */
export const rolloutEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begun'), at: time }),
  z.object({
    type: z.literal('continued'),
    at: time,
    origin: originSchema,
    max_failed: maxFailedSchema.optional(),
  }),
  z.object({ type: z.literal('account-started'), at: time, account: z.string() }),
  /** `pending`: the account was not finished, and is applied again when the rollout is continued. */
  z.object({
    type: z.literal('account-ended'),
    status: z.enum(['done', 'failed', 'pending']),
    ...endOfAccount,
  }),
  z.object({
    type: z.literal('stopped'),
    at: time,
    reason: z.enum(stopKinds),
    account: z.string().optional(),
    why: z.string(),
  }),
  z.object({ type: z.literal('completed'), at: time }),
  z.object({ type: z.literal('aborted'), at: time, origin: originSchema }),
  z.object({ type: z.literal('undo-started'), at: time, origin: originSchema }),
  z.object({ type: z.literal('account-undone'), status: z.enum(['undone', 'failed']), ...endOfAccount }),
  z.object({ type: z.literal('undo-ended'), at: time }),
]);
export type RolloutEvent = z.infer<typeof rolloutEventSchema>;

/** The events that were appended together. */
export const rolloutEntrySchema = z.array(rolloutEventSchema).min(1);
