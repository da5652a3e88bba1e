import { z } from 'zod';
import { isInt64 } from '../../core/lib/int64.ts';
import type { StepOutcome } from '../../core/model/run-event.ts';

const id = z.string().refine(isInt64);
const name = z.string().nullable();
const time = z.iso.datetime({ offset: true });

/** What a step does to one host, as far as undoing it and remembering it need. */
export const changeSchema = z.object({
  host_id: id,
  /** The name that a reader knew the host by, where the step does not change it. */
  known_as: name.optional(),
  /** The group that a deleted host was in. */
  was_in: id.optional(),
  name: z.object({ before: name, after: z.string() }).optional(),
  group: z.object({ before: id, after: id }).optional(),
});

const kind = z.enum(['rename', 'temporary-rename', 'move', 'antivirus', 'refresh', 'delete']);
const outcomes = [
  'done',
  'already',
  'failed',
  'unknown',
  'skipped',
  'not-started',
] as const satisfies readonly StepOutcome[];

const runRecord = z.looseObject({
  type: z.literal('run'),
  format_version: z.string(),
  run_id: z.string(),
  at: time,
  account: z.object({ company_id: z.string().nullable(), service: z.string() }),
  plan_checksum: z.string(),
  steps: z.int(),
  fleet_size: z.int(),
});

const beginRecord = z.looseObject({
  type: z.literal('begin'),
  at: time,
  step: z.string(),
  kind,
  changes: z.array(changeSchema),
});

const outcomeRecord = z.looseObject({
  type: z.literal('outcome'),
  at: time,
  step: z.string(),
  outcome: z.enum(outcomes),
  problem: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  failed_host_ids: z.array(id).optional(),
  /** Where only some hosts of the step are in doubt. Since 1.1. */
  in_doubt_host_ids: z.array(id).optional(),
});

const endRecord = z.looseObject({
  type: z.literal('end'),
  at: time,
  exit_code: z.int(),
  pace: z.object({ rate: z.number(), latency: z.number() }).optional(),
});

/** One line of a run's file. Times are RFC 3339. */
export const recordSchema = z.discriminatedUnion('type', [runRecord, beginRecord, outcomeRecord, endRecord]);

/** The format that a head names, also where the rest of it is of a later format. */
export const headVersionSchema = z.looseObject({ format_version: z.string() });
