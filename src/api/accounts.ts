import { z } from 'zod';
import { attribute, namedShapes, pageQuery, shape, sourcePlace, subject, time } from './resource.ts';

/** Worst first. */
export const healths = [
  'failing',
  'in_doubt',
  'drifted',
  'waiting',
  'running',
  'in_progress',
  'paused',
  'ignored',
  'converged',
] as const;
export const health = z.enum(healths);

/** For whom or what an account with the health `waiting` waits. */
export const waitingReasons = ['approval', 'window', 'pause', 'rollout', 'worker', 'check'] as const;
export type WaitingFor = (typeof waitingReasons)[number];
export type Health = z.infer<typeof health>;

export const counts = shape('Counts', {
  rename: z.int(),
  move: z.int(),
  delete: z.int(),
  install: z.int(),
  refresh: z.int(),
});
export type Counts = z.infer<typeof counts>;

const failure = shape('Failure', {
  since: time,
  attempts: z.int(),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  place: sourcePlace.optional(),
  /** The circuit breaker is open until then. */
  retry_at: time.optional(),
});

export const pauseShape = shape('Pause', {
  id: z.string(),
  /** `account:contoso`, `where:region == "eu"`, or `all`. */
  scope: z.string(),
  by: subject,
  reason: z.string(),
  at: time,
  /** Null if someone must end it. */
  until: time.nullable(),
});
export type ShownPause = z.infer<typeof pauseShape>;

export const accountRow = shape('AccountRow', {
  name: z.string(),
  company_id: z.string().nullable(),
  service: z.string(),
  labels: z.record(z.string(), z.string()),
  mode: z.enum(['observe', 'propose', 'correct']),
  /** `converged` only if a read after the last write showed the desired state. Null before the first check. */
  health: health.nullable(),
  /**
   * For whom or what it waits: someone who approves its plan, a change window, the end of a pause, its turn in a rollout or
   * someone who continues or aborts that, a worker, or the check after its run. Null unless its health is `waiting`.
   */
  waiting_for: z.enum(waitingReasons).nullable(),
  /** Since when it has this health. */
  since: time.nullable(),
  hosts: z.int().nullable(),
  /**
   * Hosts that differ from the desired state in anything that nobody ignores, whoever changed it. The health `drifted` also
   * says that no plan or run is open.
   */
  drifted: z.int().nullable(),
  /** The plan that waits for approval. */
  plan: z
    .object({ id: z.string(), checksum: z.string(), changes: z.int(), irreversible: z.int() })
    .nullable(),
  run: z.string().nullable(),
  commit: z.string().nullable(),
  last_check_at: time.nullable(),
  next_check_at: time.nullable(),
  failure: failure.nullable(),
  /**
   * Why mode `correct` applies nothing by itself, until the desired state changes or someone plans again who may also run
   * or approve plans.
   */
  hold: z
    .object({
      kind: z.enum(['undo', 'stopped', 'failed-runs']),
      /** The run whose end caused it. */
      run: z.string(),
      at: time,
      reason: z.string(),
    })
    .nullable(),
  pause: pauseShape.nullable(),
});
export type AccountRow = z.infer<typeof accountRow>;

/**
 * What a host's attribute is in the file, before the difference (as the last run left it, or before the first run a check
 * found it as desired), and in the fleet.
 */
export const driftRow = shape('DriftRow', {
  account: z.string(),
  host_id: z.string(),
  name: z.string().nullable(),
  attribute,
  desired: z.string().nullable(),
  last: z.string().nullable(),
  live: z.string().nullable(),
  /** Someone changed the fleet, or the file changed. */
  changed: z.enum(['fleet', 'file', 'both']),
  since: time,
  cause: z.string(),
  /** Someone decided to ignore it until a time, so it does not count as drift. */
  ignored: z.boolean(),
});
export type DriftRow = z.infer<typeof driftRow>;

/** One row for each rule, file line or kind of failure, over all accounts. */
export const cause = shape('Cause', {
  id: z.string(),
  /** `assets` and `register`: rows of a table, or hosts, that do not match each other. */
  kind: z.enum(['file', 'fleet', 'failure', 'assets', 'register']),
  title: z.string(),
  rule: z.string().nullable(),
  place: sourcePlace.nullable(),
  hosts: z.int(),
  /** Rows of a table, of kind `assets`. */
  assets: z.int().nullable(),
  accounts: z.int(),
  since: time,
  /**
   * Of kind `file`: the first commit that had the difference and its author, or the run that left it and who started
   * it. `name` is null if nobody is known, `others` if other accounts have other authors. The service does not report
   * who changed the fleet.
   */
  by: z
    .object({
      kind: z.enum(['commit', 'run']),
      id: z.string(),
      name: z.string().nullable(),
      others: z.boolean(),
    })
    .nullable(),
});
export type Cause = z.infer<typeof cause>;

const share = z.object({ label: z.string(), hosts: z.int() });

/** How well a table and the fleet of an account agree. */
const tableCoverage = z.object({
  table: z.string(),
  origin: z.string(),
  assets: z.int(),
  assets_with_host: z.int(),
  /** The rows by the values of each column with few values. */
  groups: z.array(
    z.object({
      column: z.string(),
      value: z.string().nullable(),
      assets: z.int(),
      assets_with_host: z.int(),
    }),
  ),
  /** What has no counterpart. `findings` are the first ones of each kind. */
  gaps: z.array(
    z.object({
      gap: z.string(),
      /** `12 assets without a host` */
      title: z.string(),
      count: z.int(),
      findings: z.array(
        z.object({
          key: z.string().nullable(),
          host: z.object({ id: z.string(), name: z.string().nullable() }).optional(),
          place: sourcePlace.optional(),
        }),
      ),
    }),
  ),
});

export const accountDetail = shape('AccountDetail', {
  ...accountRow.shape,
  windows: z.array(
    z.object({
      name: z.string(),
      is_open: z.boolean(),
      changes_at: time.optional(),
      place: sourcePlace.optional(),
    }),
  ),
  causes: z.array(cause),
  /** Who rejected the latest plan and why, while checks make no new plan because of it. */
  rejection: z.object({ plan: z.string(), by: subject, at: time, reason: z.string().nullable() }).nullable(),
  coverage: z.object({
    inventory: z.array(share),
    antivirus: z.array(share),
    tables: z.array(tableCoverage).default([]),
  }),
  policies: z.array(
    z.object({ kind: z.string(), title: z.string(), place: sourcePlace.optional(), acted: z.int() }),
  ),
});
export type AccountDetail = z.infer<typeof accountDetail>;

/** Query parameters of `GET /accounts`. The response has the worst health first, then names in order. */
export const accountsQuery = pageQuery.extend({
  /** Part of the name. */
  q: z.string().max(200).optional(),
  /** Healths separated by commas, such as `failing,drifted`. `unchecked` selects accounts without one. */
  health: z.string().max(200).optional(),
  /** A CEL expression over labels, such as `region == "eu"`. */
  where: z.string().max(1_000).optional(),
  /** The accounts that a cause concerns. */
  cause: z.string().max(200).optional(),
});

/** Something that happened to an account. */
export const timelineRow = shape('TimelineRow', {
  /** Its own, among those of the account. */
  key: z.string(),
  at: time,
  kind: z.enum([
    'proposed',
    'approved',
    'rejected',
    'run-started',
    'run-ended',
    'drifted',
    'ignored',
    'paused',
  ]),
  /** The plan that it is about. */
  plan: z.string().nullable(),
  /** Who did it, if that is known. */
  by: z.string().nullable(),
  /** The commit of a plan, the comment or reason of a person, or the cause of differences. */
  text: z.string().nullable(),
  /** Of a plan. */
  counts: counts.nullable(),
  /** How a run ended. */
  state: z.string().nullable(),
  steps: z.object({ done: z.int(), total: z.int() }).nullable(),
  /** How many hosts differ. */
  hosts: z.int().nullable(),
});
export type TimelineRow = z.infer<typeof timelineRow>;

/** Query parameters of `GET /causes`. The response has failures first, then the causes with most hosts. */
export const causesQuery = pageQuery.extend({
  account: z.string().max(200).optional(),
  id: z.string().max(200).optional(),
});

/** Query parameters of `GET /accounts/{name}/drift`. */
export const driftQuery = pageQuery.extend({
  cause: z.string().max(200).optional(),
  attribute: attribute.optional(),
  host_id: z.string().max(200).optional(),
  ignored: z.enum(['true', 'false']).optional(),
});

const oneOfAccounts = 'Give exactly one of `names`, `where` and `all`.';

/** The accounts to check or plan: by name, by a CEL expression over labels, or all that the caller may check or plan. */
export const accountsRequest = z
  .strictObject({
    names: z
      .array(z.string().min(1))
      .min(1)
      .max(1_000)
      .optional()
      .describe(`The names of the accounts. ${oneOfAccounts}`),
    where: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe(`The accounts: a CEL expression over labels and \`name\`. ${oneOfAccounts}`),
    all: z.literal(true).optional().describe(`All accounts that you may see. ${oneOfAccounts}`),
    reason: z.string().max(500).optional().describe('Why, for the audit log.'),
  })
  .refine(
    (given) => [given.names, given.where, given.all].filter((each) => each !== undefined).length === 1,
    { message: 'expected exactly one of names, where and all' },
  )
  .meta({ examples: [{ names: ['contoso'], reason: 'After the move.' }] })
  .register(namedShapes, { id: 'AccountsRequest' });
