import { z } from 'zod';
import { stepOutcomes } from '../../core/model/run-event.ts';
import { severities } from '../../core/problem/problem.ts';

const count = z.int().nonnegative();
const hostIds = z.array(z.string().regex(/^-?\d{1,19}$/)).describe('64-bit integers in decimal digits.');
const step = z.string().regex(/^s[1-9]\d*$/);
const kind = z.enum(['rename', 'temporary-rename', 'move', 'antivirus', 'refresh', 'delete']);
const calls = z.looseObject({ rename: count, move: count, delete: count, antivirus: count, refresh: count });
const ended = { at: z.iso.datetime(), step, kind, done: count, of: count };

const problem = {
  code: z.string(),
  severity: z.enum(severities),
  message: z.string(),
  hint: z.string().optional().describe('How to fix the problem.'),
  file: z.string().optional(),
  line: count.optional(),
  col: count.optional(),
  part: z.string().optional().describe('The part of the file, if a line number is not enough.'),
  policy: z.string().optional().describe('The name of the policy that reports the problem.'),
};

/**
 * A line of `apply --json`, format 1. Readers should skip unknown members and types, which later minor versions may
 * add.
 */
export const runEventLine = z.discriminatedUnion('type', [
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
    .describe('A step of the run.'),
  z
    .looseObject({ type: z.literal('apply_start'), at: z.iso.datetime(), step, kind, hosts: count })
    .describe('A step starts.'),
  z
    .looseObject({
      type: z.literal('apply_progress'),
      at: z.iso.datetime(),
      waiting_for: z.string().describe('The rate-limited action.'),
      wait_ms: z.number().nonnegative().describe('Milliseconds until the next call is sent.'),
    })
    .describe('The run waits for a rate limit.'),
  z
    .looseObject({ type: z.literal('apply_complete'), outcome: z.enum(['done', 'already']), ...ended })
    .describe('A step is done: `done` of `of` steps have ended.'),
  z
    .looseObject({
      type: z.literal('apply_errored'),
      outcome: z.enum(['failed', 'unknown', 'skipped', 'not-started']),
      ...ended,
    })
    .describe('A step was not done.'),
  z
    .looseObject({
      type: z.literal('diagnostic'),
      at: z.iso.datetime(),
      ...problem,
      host_ids: hostIds.optional(),
    })
    .describe('A problem, when it occurs.'),
  z
    .looseObject({
      type: z.literal('change_summary'),
      at: z.iso.datetime(),
      run_id: z.string().nullable().describe('Null if there was nothing to do.'),
      steps: count,
      outcomes: z.partialRecord(z.enum(stepOutcomes), count),
      calls,
      calls_rate_limited: calls
        .optional()
        .describe('Calls that the service refused because of a rate limit.'),
      interrupted: z.boolean(),
      verified: z
        .boolean()
        .nullable()
        .describe(
          'Whether a read after the last call shows the plan done, except pending installs; null if nothing was read.',
        ),
      converged: z
        .boolean()
        .nullable()
        .describe(
          'The same, with no install pending; null if an install is pending or nothing was verified.',
        ),
      recorded: z
        .boolean()
        .describe('Whether every record of the run and every requested file could be written.'),
      installs_in_progress: hostIds.describe(
        'Hosts whose install the service accepted but no read shows yet.',
      ),
      installs_in_doubt: hostIds.describe(
        'Hosts whose install may have been requested but no read shows yet.',
      ),
      unverified: hostIds.describe(
        'Hosts that the run changed, and that a read after the last call shows otherwise.',
      ),
      problems: z.array(z.looseObject({ ...problem, host_ids: hostIds })),
      exit_code: count,
    })
    .describe('The last line.'),
]);

/** The JSON Schema (draft 2020-12) of one line of `apply --json`. */
export function eventJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(runEventLine, { io: 'input' });
  return { $schema, title: 'Rampart: an event of a run, format 1', ...schema };
}
