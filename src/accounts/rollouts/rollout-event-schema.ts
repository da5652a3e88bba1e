import { z } from 'zod';
import { runEventLine } from '../../output/review/event-schema.ts';
import { rolloutAccountStatuses, rolloutStates } from '../../run/state/rollout/rollout.ts';
import { stopKinds } from '../../run/state/rollout/rollout-record.ts';

const count = z.int().nonnegative();
const at = z.iso.datetime();
const why = z.string().nullable().describe('The reason of a failure.');
const exitCode = count.describe('The exit code of the run.');
const runId = z.string().nullable().describe('Null if no run began.');
const account = z.string().describe('The name of the account.');
const reason = z.enum([...stopKinds, 'aborted']);

const endOfAccount = { at, account, exit_code: exitCode, run_id: runId, why };

const accountStatus = z.looseObject({
  account,
  status: z.enum(rolloutAccountStatuses),
  exit_code: count.nullable(),
  run_id: runId,
  why,
});

/** The events about a rollout itself, with what each of them means. */
const rolloutEvents = [
  z
    .looseObject({
      type: z.literal('rollout_start'),
      at,
      format_version: z.string(),
      rollout_id: z.string(),
      index_checksum: z.string().describe('The checksum of the plans that were approved.'),
      waves: z.array(z.looseObject({ name: z.string(), accounts: count })),
    })
    .describe('The first line: the waves, with the number of accounts of each.'),
  z
    .looseObject({ type: z.literal('wave_start'), at, wave: z.string(), accounts: count })
    .describe('A wave starts.'),
  z
    .looseObject({ type: z.literal('wave_pause'), at, wave: z.string(), ms: z.number().nonnegative() })
    .describe('The rollout waits this many milliseconds before the wave.'),
  z
    .looseObject({ type: z.literal('account_start'), at, account, wave: z.string() })
    .describe('The run of an account starts.'),
  z
    .looseObject({ type: z.literal('account_end'), ...endOfAccount })
    .describe('The run of an account has ended.'),
  z
    .looseObject({ type: z.literal('account_undone'), ...endOfAccount })
    .describe('`rampart rollout undo` has undone the runs of an account, or failed.'),
  z
    .looseObject({ type: z.literal('rollout_stopping'), at, reason, why: z.string() })
    .describe('No more accounts start; those that are running finish.'),
  z
    .looseObject({
      type: z.literal('rollout_end'),
      at,
      format_version: z.string(),
      rollout_id: z.string(),
      state: z.enum(rolloutStates),
      exit_code: count,
      stop: z.looseObject({ reason, account: z.string().nullable().optional(), why: z.string() }).nullable(),
      started_at: at,
      last_at: at,
      started_by: z.string().nullable(),
      index_checksum: z.string(),
      max_failed: z.union([count, z.string()]),
      run_by: z
        .looseObject({ machine: z.string(), process: count, user: z.string(), since: z.string() })
        .nullable(),
      totals: z.record(z.enum(rolloutAccountStatuses), count),
      waves: z.array(
        z.looseObject({ name: z.string(), is_canary: z.boolean(), accounts: z.array(accountStatus) }),
      ),
      left_out: z.array(
        z.looseObject({
          account,
          status: z.enum(['failed', 'skipped']),
          exit_code: count,
          why: z.string(),
        }),
      ),
      recorded: z
        .boolean()
        .describe('Whether every record of the rollout and the file of --summary-out could be written.'),
    })
    .describe('The last line: the document of `rampart rollout show --json`, and whether it is recorded.'),
] as const;

const event = z.discriminatedUnion('type', [
  ...rolloutEvents,
  ...runEventLine.options.map((option) =>
    option.extend({ account }).describe(`In the run of an account. ${option.description ?? ''}`.trim()),
  ),
]);

/** The JSON Schema (draft 2020-12) of one line of `apply --json` for several accounts. */
export function rolloutEventJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(event, { io: 'input' });
  return { $schema, title: 'Rampart: an event of a rollout, format 1', ...schema };
}

/** For the documentation: each event about the rollout itself, with its members and its meaning. */
export function rolloutEventRows(): readonly (readonly [type: string, members: string, meaning: string])[] {
  return rolloutEvents.map(({ shape, description = '' }) => {
    const { type, at: _, ...members } = shape;
    const names = Object.keys(members).map((name) => `\`${name}\``);
    return [`\`${type.value}\``, names.join(', '), description];
  });
}
