import { z } from 'zod';

const count = z.int().nonnegative();
const hostIds = z.array(z.string().regex(/^-?\d{1,19}$/)).describe('64-bit integers in decimal digits.');
const step = z.string().regex(/^s[1-9]\d*$/);
const kind = z.enum(['rename', 'temporary-rename', 'move', 'antivirus', 'refresh', 'delete']);
const calls = z.looseObject({ rename: count, move: count, delete: count, antivirus: count, refresh: count });
const ended = { at: z.iso.datetime(), step, kind, done: count, of: count };

const problem = {
  code: z.string(),
  severity: z.enum(['error', 'warning', 'note']),
  message: z.string(),
  hint: z.string().optional().describe('The way out.'),
  file: z.string().optional(),
  line: count.optional(),
  col: count.optional(),
  part: z.string().optional().describe('Which part of the file, where lines are not enough.'),
  policy: z.string().optional().describe('The name of the policy that says so.'),
};

/** A line of `apply --json`, format 1. Members and types that a later minor version adds are to be passed over. */
const event = z.discriminatedUnion('type', [
  z
    .looseObject({
      type: z.literal('version'),
      at: z.iso.datetime(),
      format_version: z.string(),
      plan_format_version: z.string(),
    })
    .describe('The first line.'),
  z
    .looseObject({
      type: z.literal('planned_change'),
      at: z.iso.datetime(),
      step,
      kind,
      host_ids: hostIds,
      from: z.string().nullable().optional(),
      to: z.string().optional(),
      group_id: z.string().optional(),
      group_name: z.string().nullable().optional(),
    })
    .describe('A step that the run is to carry out.'),
  z
    .looseObject({ type: z.literal('apply_start'), at: z.iso.datetime(), step, kind, hosts: count })
    .describe('A step begins.'),
  z
    .looseObject({
      type: z.literal('apply_progress'),
      at: z.iso.datetime(),
      waiting_for: z.string().describe('The action that the service limits.'),
      wait_ms: z.number().nonnegative().describe('When its next call goes out, in milliseconds from now.'),
    })
    .describe('The run waits for its turn.'),
  z
    .looseObject({ type: z.literal('apply_complete'), outcome: z.enum(['done', 'already']), ...ended })
    .describe('A step is done: `done` of `of` are over.'),
  z
    .looseObject({
      type: z.literal('apply_errored'),
      outcome: z.enum(['failed', 'unknown', 'skipped', 'not-started']),
      ...ended,
    })
    .describe('A step did not get done.'),
  z
    .looseObject({
      type: z.literal('diagnostic'),
      at: z.iso.datetime(),
      ...problem,
      host_ids: hostIds.optional(),
    })
    .describe('A problem, as it comes up.'),
  z
    .looseObject({
      type: z.literal('change_summary'),
      at: z.iso.datetime(),
      run_id: z.string().nullable().describe('Null where there was nothing to do.'),
      steps: count,
      outcomes: z.partialRecord(
        z.enum(['done', 'already', 'failed', 'unknown', 'skipped', 'not-started']),
        count,
      ),
      calls,
      calls_rate_limited: calls.optional().describe('Calls that the service refused by its limit of rate.'),
      interrupted: z.boolean(),
      verified: z
        .boolean()
        .nullable()
        .describe(
          'Whether a read after the last call shows the plan done, pending installs aside; null: not read.',
        ),
      converged: z
        .boolean()
        .nullable()
        .describe('The same with no install pending; null where one is, and where nothing was verified.'),
      installs_in_progress: hostIds.describe(
        'Hosts whose install the service accepted, and no read shows yet.',
      ),
      installs_in_doubt: hostIds.describe(
        'Hosts whose install may have been requested, and no read shows yet.',
      ),
      problems: z.array(z.looseObject({ ...problem, host_ids: hostIds })),
      exit_code: count,
    })
    .describe('The last line.'),
]);

/** The JSON Schema (draft 2020-12) of one line of `apply --json`. */
export function eventJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(event, { io: 'input' });
  return { $schema, title: 'Rampart: an event of a run, format 1', ...schema };
}
