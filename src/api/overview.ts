import { z } from 'zod';
import { roles } from './access/action.ts';
import { cause, health, waitingReasons } from './accounts.ts';
import { planRow } from './plans.ts';
import { shape, subject, time } from './resource.ts';
import { rolloutRow, runRow } from './runs.ts';

export const overview = shape('Overview', {
  at: time,
  accounts: z.int(),
  unchecked: z.int(),
  hosts: z.int(),
  /** Hosts that differ from the desired state: the same hosts as `GET /hosts?drifted=true` lists. */
  drifted: z.int(),
  health: z.record(health, z.int()),
  /** The accounts with the health `waiting`, by whom or what they wait for. */
  waiting_for: z.record(z.enum(waitingReasons), z.int()),
  oldest_check: z.object({ account: z.string(), at: time }).nullable(),
  causes: z.array(cause),
  /** Accounts that a pause covers, whatever their health. */
  paused: z.int(),
  /** `is_paused`: a pause keeps the run of the plan from beginning. */
  waiting: z.array(planRow.extend({ is_paused: z.boolean() })),
  running: z.array(runRow),
  rollouts: z.array(rolloutRow),
  /** Whether there are more of them than these lists have. */
  more: z.object({ causes: z.boolean(), waiting: z.boolean(), running: z.boolean() }),
  /** Changes of hosts in the last 24 hours, and accounts with changes. A host that was renamed and moved has two. */
  changed: z.object({ changes: z.int(), accounts: z.int() }),
});
export type Overview = z.infer<typeof overview>;

/** Query parameters of `GET /history`: up to now, over all accounts that the caller may see or over one. */
export const historyQuery = z.object({
  days: z.coerce.number().int().min(1).max(90).default(7),
  account: z.string().max(200).optional(),
});

const historyKinds = ['drifted', 'changes', 'checks', 'rate_limited'] as const;

/** One value per bucket of time, oldest first. `drifted` is null if no check looked. */
export const history = shape('History', {
  from: time,
  bucket_seconds: z.int(),
  series: z.record(z.enum(historyKinds), z.array(z.number().nullable())),
});
export type History = z.infer<typeof history>;

const role = z.enum(roles);

/** A role for the accounts that `where` selects; all accounts without it. */
export const grant = shape('Grant', {
  role: role.describe('The role for these accounts.'),
  where: z
    .string()
    .optional()
    .describe('The accounts: a CEL expression over labels and `name`. All accounts without it.'),
});
export type ShownGrant = z.infer<typeof grant>;

export const me = shape('Me', {
  subject,
  email: z.string().nullable(),
  grants: z.array(grant),
  /** To be sent in the header X-Rampart-Csrf with every write of a session; null for tokens. */
  csrf: z.string().nullable(),
  session_expires_at: time.nullable(),
  server: z.object({ version: z.string(), is_emulator: z.boolean(), has_login: z.boolean() }),
});
export type Me = z.infer<typeof me>;

/** What the stream of events sends. A reader that needs more than ids reads the resource again. */
export const serverEvent = shape('ServerEvent', {
  id: z.string(),
  at: time,
  type: z.enum([
    'account.changed',
    'plan.changed',
    'run.changed',
    'run.event',
    'rollout.changed',
    'source.changed',
    'notification.changed',
  ]),
  account: z.string().nullable(),
  /** The id of the plan, run, rollout or source. */
  resource: z.string().nullable(),
  /** Small facts for live rows, such as `{ "done": 12, "total": 40 }`. */
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type ServerEvent = z.infer<typeof serverEvent>;
