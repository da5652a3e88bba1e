import { z } from 'zod';
import { writeActions } from '../core/model/write-action.ts';
import { counts } from './accounts.ts';
import {
  checksumOfPlan,
  exactNumbers,
  pageQuery,
  reasonText,
  shape,
  strictShape,
  subject,
  time,
} from './resource.ts';
import { runStates, shownRolloutStates } from './states.ts';

/** Query parameters of `GET /runs`, latest first. */
export const runsQuery = pageQuery.extend({
  account: z.string().max(200).optional(),
  /** States separated by commas, such as `queued,running`. */
  state: z.string().max(200).optional(),
  plan: z.string().max(100).optional(),
});

export const runRow = shape('RunRow', {
  id: z.string(),
  account: z.string(),
  plan: z.string().nullable(),
  state: z.enum(runStates),
  by: subject.nullable(),
  reason: z.string().nullable(),
  started_at: time.nullable(),
  ended_at: time.nullable(),
  exit_code: z.int().nullable(),
  steps: z.object({
    total: z.int(),
    done: z.int(),
    failed: z.int(),
    in_doubt: z.int(),
    in_progress: z.int(),
    skipped: z.int(),
  }),
  /**
   * At its end: hosts for which no read shows whether an anti-virus install happened that this run or an earlier one
   * requested. A run with such a host ends `in_doubt`, even if all its steps are done.
   */
  installs_in_doubt: z.int().optional(),
  /**
   * At its end: hosts that the run changed and that a read after its last call shows otherwise. A run with such a host is
   * never `done`, even if all its steps are.
   */
  unverified: z.int().optional(),
  /** Why a queued run can't begin yet. */
  waits_for: z
    .object({ kind: z.enum(['window', 'pause']), message: z.string(), until: z.string().optional() })
    .nullable(),
  /** Who lets it begin and go on while a change window is closed, and why. */
  override: z.object({ by: subject, reason: z.string(), at: time }).nullable(),
});
export type RunRow = z.infer<typeof runRow>;

export const runDetail = shape('RunDetail', {
  ...runRow.shape,
  /** Steps of each kind, and the hosts that they change: one step may change many hosts. */
  by_kind: z.array(
    z.object({
      kind: z.string(),
      total: z.int(),
      done: z.int(),
      failed: z.int(),
      in_doubt: z.int(),
      hosts: z.int(),
      hosts_done: z.int(),
      hosts_failed: z.int(),
      /** Hosts with an unknown state. */
      hosts_in_doubt: z.int(),
    }),
  ),
  counts,
  /** Calls per second, measured over the last 10 seconds. */
  pace: z
    .object({
      rate: z.number(),
      /** Calls per second that the service allows, as far as it is known. Null while it has refused none. */
      limit: z.number().nullable(),
      rate_limited: z.int(),
      /** Why calls are waiting; absent if none waits. */
      bound: z
        .object({
          action: z.enum(writeActions),
          /**
           * `pace`: each waits for its turn, at `allowed` calls per second. `refusal`: the service would refuse a call
           * before `until`. `answers`: the service has to respond to the calls in flight first.
           */
          kind: z.enum(['pace', 'refusal', 'answers']),
          allowed: z.number(),
          until: time.optional(),
        })
        .optional(),
      /** Calls per second so far, one value per bucket of time, oldest first; at most 120. */
      curve: z.object({ bucket_seconds: z.number(), rate: z.array(z.number()) }),
    })
    .nullable(),
  seconds_left: z.object({ low: z.number(), high: z.number() }).nullable(),
  /** Steps that were not sent yet. A long list ends with the number of the others. */
  waiting: z.array(
    z.object({
      /** Empty if several steps wait for the same. */
      step: z.string(),
      title: z.string(),
      /** What comes after the words "waits for". */
      for: z.string(),
      /**
       * `step`: another step ends first, such as the one that frees a name. `phase`: all steps of a kind end first, such as
       * renames before deletions. `pace`: the limit of the service. `back-off`: a refusal or a failure of the service.
       */
      why: z.enum(['step', 'phase', 'pace', 'back-off', 'window', 'pause']).optional(),
      /** The step that it waits for. */
      on: z.string().optional(),
      until: time.optional(),
      /** How many steps wait; 1 if absent. */
      steps: z.int().optional(),
    }),
  ),
  problems: z.array(z.object({ code: z.string(), message: z.string(), hint: z.string().optional() })),
  audit: z.string().nullable(),
});
export type RunDetail = z.infer<typeof runDetail>;

export const runEvent = shape('RunEvent', {
  seq: z.int(),
  at: time,
  type: z.string(),
  /** The id of the step that it is about. */
  step: z.string().nullable(),
  text: z.string(),
});
export type RunEventRow = z.infer<typeof runEvent>;

/**
 * Query parameters of `GET /runs/{id}/events`. The response is in the order of `seq`. Without `after` and `before` it
 * has the last `limit` events.
 */
export const runEventsQuery = pageQuery.omit({ cursor: true }).extend({
  after: z.coerce.number().int().optional(),
  before: z.coerce.number().int().optional(),
});

export const rolloutRow = shape('RolloutRow', {
  id: z.string(),
  name: z.string(),
  state: z.enum(shownRolloutStates),
  reason: z.string().nullable(),
  by: subject.nullable(),
  started_at: time,
  ended_at: time.nullable(),
  /** The index of the current wave, from 0. */
  wave: z.int(),
  waves: z.array(
    z.object({
      name: z.string(),
      accounts: z.int(),
      done: z.int(),
      failed: z.int(),
      running: z.int(),
      state: z.enum(['pending', 'running', 'done', 'stopped']),
    }),
  ),
  /** The hosts that its runs have changed so far, by kind of change. */
  changed: counts,
});
export type RolloutRow = z.infer<typeof rolloutRow>;

export const rolloutDetail = shape('RolloutDetail', {
  ...rolloutRow.shape,
  /** `wave` is the index of the wave, from 0. */
  accounts: z.array(
    z.object({
      account: z.string(),
      wave: z.int(),
      state: z.string(),
      run: z.string().nullable(),
      /** Why it failed, was skipped or is pending again. */
      why: z.string().nullable(),
      changed: counts,
    }),
  ),
});
export type RolloutDetail = z.infer<typeof rolloutDetail>;

/** Why someone stops, continues or aborts a run or a rollout, or overrides its change windows. */
export const reasonRequest = strictShape('ReasonRequest', {
  reason: reasonText.describe('Why, for the audit log and for those who follow.'),
});
/** The plan that reverses a run. It waits for approval like any other. */
export const createdPlan = shape('CreatedPlan', { plan: z.string() });

/** The plans of a rollout, at most one for each account, and how it goes through them. */
export const rolloutRequest = z.strictObject({
  plans: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(100).describe('The id of the plan.'),
        checksum: checksumOfPlan,
        numbers: exactNumbers,
      }),
    )
    .min(1)
    .max(1_000)
    .describe('The plans, at most one for each account. Starting the rollout approves them.'),
  reason: reasonText.describe('Why you start the rollout.'),
  canary: z.array(z.string()).max(1_000).optional().describe('The accounts of the first wave.'),
  waves: z
    .array(z.number().gt(0).max(100))
    .min(1)
    .max(20)
    .refine(
      (shares) =>
        shares.at(-1) === 100 && shares.every((share, at) => at === 0 || share > (shares[at - 1] ?? 0)),
      { message: 'expected increasing shares that end at 100' },
    )
    .optional()
    .describe(
      'The shares of the other accounts after each wave, in percent. They increase, and the last is 100. Without it: one wave.',
    ),
  by: z.string().max(100).optional().describe('The label that separates failure domains.'),
  max_failed: z
    .int()
    .min(0)
    .max(1_000)
    .optional()
    .describe('How many accounts may fail before the rollout stops. Without it: 0.'),
  parallel: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('How many accounts change at the same time. Without it: 4.'),
  pause_seconds: z
    .int()
    .min(0)
    .max(86_400)
    .optional()
    .describe('The time between two waves, in seconds. Without it: 0.'),
});
export type RolloutRequest = z.output<typeof rolloutRequest>;
export const createdRollout = z.object({ id: z.string() });
