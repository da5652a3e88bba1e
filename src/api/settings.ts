import { z } from 'zod';
import { grant } from './overview.ts';
import { namedShapes, pageQuery, reasonText, shape, strictShape, subject, time } from './resource.ts';

export const sourceRow = shape('SourceRow', {
  name: z.string(),
  kind: z.enum(['folder', 'git']),
  /** A folder, or an address without secrets. */
  location: z.string(),
  ref: z.string().nullable(),
  commit: z.string().nullable(),
  fetched_at: time.nullable(),
  allows_scripts: z.boolean(),
  has_webhook: z.boolean(),
  problem: z.object({ code: z.string(), message: z.string(), since: time }).nullable(),
});
export type SourceRow = z.infer<typeof sourceRow>;

export const notificationRow = shape('NotificationRow', {
  /** The forge of a source is `forge:` and the name of the source. */
  name: z.string(),
  kind: z.enum(['slack', 'teams', 'webhook', 'email', 'github', 'gitlab']),
  where: z.string().nullable(),
  kinds: z.array(z.string()),
  digest_seconds: z.int().nullable(),
  last_sent_at: time.nullable(),
  /** Messages that were given up and can be sent again. */
  dead: z.int(),
  problem: z.string().nullable(),
});
export type NotificationRow = z.infer<typeof notificationRow>;

/** A message to people or to a forge, with what became of it. */
export const deliveryRow = shape('DeliveryRow', {
  id: z.string(),
  /** The name of the notification. */
  name: z.string(),
  kind: z.string(),
  account: z.string().nullable(),
  /** `dead`: given up. `replaced`: a newer message about the same was sent instead. */
  state: z.enum(['pending', 'sending', 'sent', 'dead', 'replaced']),
  attempts: z.int(),
  created_at: time,
  sent_at: time.nullable(),
  /** When it is tried next; null if it does not wait. */
  due_at: time.nullable(),
  /** Why the latest attempt failed. */
  problem: z.string().nullable(),
});
export type DeliveryRow = z.infer<typeof deliveryRow>;

/** Query parameters of `GET /notifications/deliveries`, latest first. */
export const deliveriesQuery = pageQuery.extend({
  name: z.string().max(200).optional(),
  state: deliveryRow.shape.state.optional(),
});

export const tokenRow = shape('TokenRow', {
  id: z.string(),
  name: z.string(),
  grants: z.array(grant),
  created_by: subject,
  created_at: time,
  expires_at: time,
  revoked_at: time.nullable(),
  last_used_at: time.nullable(),
});
export type TokenRow = z.infer<typeof tokenRow>;

export const newToken = strictShape('NewToken', {
  name: z.string().min(1).max(100).describe('What the token is for, as lists show it.'),
  grants: z
    .array(z.strictObject(grant.shape))
    .min(1)
    .max(50)
    .describe('What the token may do: at most what you may.'),
  expires_in_days: z.int().min(1).max(366).describe('The days until the token expires.'),
});
/** The only response that ever contains the token. */
export const createdToken = shape('CreatedToken', {
  ...tokenRow.shape,
  token: z.string(),
});
export type CreatedToken = z.infer<typeof createdToken>;

export const settings = shape('Settings', {
  sources: z.array(sourceRow),
  notifications: z.array(notificationRow),
  roles: z.array(z.object({ group: z.string(), grants: z.array(grant) })),
  cadence_seconds: z.int(),
  retention_days: z.int(),
  /** The file that rules, so the console shows it and does not change it. */
  file: z.string(),
});
export type SettingsDetail = z.infer<typeof settings>;

export const auditRow = shape('AuditRow', {
  seq: z.int(),
  at: time,
  kind: z.string(),
  account: z.string().nullable(),
  by: z.string(),
  /** How the act ended, and the reason that a person gave. */
  text: z.string(),
  what: z.record(z.string(), z.unknown()),
  hash: z.string(),
});
export type AuditRow = z.infer<typeof auditRow>;

/** Query parameters of `GET /audit`, newest first. */
export const auditQuery = pageQuery.extend({
  /** Part of the text. */
  q: z.string().max(200).optional(),
  kind: z.string().max(100).optional(),
  account: z.string().max(200).optional(),
  by: z.string().max(200).optional(),
  from: time.optional(),
  to: time.optional(),
});

/** Query parameters of `GET /audit/export`: the filters of the list. */
export const auditExportQuery = auditQuery
  .omit({ cursor: true, limit: true })
  .extend({ format: z.enum(['jsonl', 'csv']).default('jsonl') });

/** What the latest records have, for the choices of a filter. */
export const auditChoices = shape('AuditChoices', {
  kinds: z.array(z.string()),
  /** People, programs and pipelines. */
  people: z.array(z.string()),
});
export type AuditChoices = z.infer<typeof auditChoices>;

/** Query parameters of `GET /audit/verify`. */
export const auditVerifyQuery = z.object({
  head: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'expected a hash of 64 digits')
    .optional()
    .describe('The hash of a record that you saved elsewhere: the log must still have this record.'),
});

const chainHead = z.object({ seq: z.int(), hash: z.string() });

/** Whether the audit log, and what it covers, is unchanged. */
export const auditVerification = shape('AuditVerification', {
  verdict: z
    .enum(['intact', 'unsigned', 'broken'])
    .describe(
      '`intact`: a signed head covers the log. `unsigned`: the server has no key, so the signature was not verified. `broken`: there are faults.',
    ),
  records: z.int(),
  head: chainHead.nullable().describe('The last record.'),
  signed_head: chainHead
    .extend({
      format_version: z.string(),
      at: time,
      first_seq: z.int(),
      key: z.string(),
      signature: z.string(),
    })
    .nullable()
    .describe('The last head that was signed. Save it elsewhere.'),
  fault_count: z.int(),
  faults: z
    .array(
      z.object({
        kind: z.enum(['changed', 'missing', 'added', 'replaced', 'cut-off', 'unsigned', 'not-as-recorded']),
        seq: z.int(),
        message: z.string(),
      }),
    )
    .describe('The first 100 faults.'),
  unnoticed: z.array(z.string()).describe('What this check cannot detect.'),
  at: time,
});
export type ShownVerification = z.infer<typeof auditVerification>;

/** The outcome of a test message. */
export const notificationTest = shape('NotificationTest', { sent: z.boolean(), message: z.string() });
/** How many given-up messages were put back into the queue. */
export const redriven = shape('Redriven', { redriven: z.int() });

const oneOfPause = 'Give exactly one of `account`, `where` and `all`.';

export const pauseRequest = z
  .strictObject({
    account: z.string().optional().describe(`The account to pause. ${oneOfPause}`),
    where: z
      .string()
      .optional()
      .describe(`The accounts to pause: a CEL expression over labels and \`name\`. ${oneOfPause}`),
    all: z.literal(true).optional().describe(`Pause all accounts. ${oneOfPause}`),
    reason: reasonText.describe('Why you pause them, for everyone whose account is paused.'),
    until: time.optional().describe('When the pause ends. Without it, someone must end the pause.'),
  })
  .refine(
    (given) => [given.account, given.where, given.all].filter((each) => each !== undefined).length === 1,
    {
      message: 'expected exactly one of account, where and all',
    },
  )
  .meta({ examples: [{ account: 'contoso', reason: 'The site moves.', until: '2026-11-24T08:00:00.000Z' }] })
  .register(namedShapes, { id: 'PauseRequest' });
