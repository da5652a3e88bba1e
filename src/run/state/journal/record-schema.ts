import { z } from 'zod';
import { isInt64 } from '../../../core/lib/int64.ts';
import { stepOutcomes } from '../../../core/model/run-event.ts';

const id = z.string().refine(isInt64);
const name = z.string().nullable();
const time = z.iso.datetime({ offset: true });

/** The change of one host by a step, as far as undo and later runs need it. */
export const changeSchema = z.object({
  host_id: id,
  /** The name that readers knew the host by, if the step does not change it. */
  known_as: name.optional(),
  /** The group that a deleted host was in. */
  was_in: id.optional(),
  name: z.object({ before: name, after: z.string() }).optional(),
  group: z.object({ before: id, after: id }).optional(),
});

const kind = z.enum(['rename', 'temporary-rename', 'move', 'antivirus', 'refresh', 'delete']);
/** Who ran it, and why; each field only if it is known. This is free text from outside: the printer escapes it. */
export const originSchema = z.object({
  /** The name of a person or a job, from the system that ran it. */
  actor: z.string(),
  host: z.string(),
  command: z.string().optional(),
  commit: z.string().optional(),
  branch: z.string().optional(),
  /** The address of the pull or merge request. */
  request: z.string().optional(),
  /** The address of the pipeline's job. */
  job: z.string().optional(),
  /** The reason that the person gave. */
  reason: z.string().optional(),
  /** The number of the change ticket. */
  ticket: z.string().optional(),
  /** Changes over a limit that were approved: exact counts by kind. */
  approvals: z.record(z.string(), z.int()).optional(),
});

const runRecord = z.looseObject({
  type: z.literal('run'),
  format_version: z.string(),
  run_id: z.string(),
  at: time,
  account: z.object({ company_id: z.string().nullable(), service: z.string() }),
  plan_checksum: z.string(),
  steps: z.int(),
  fleet_size: z.int(),
  /** The tables that the plan relied on; absent if there were none. */
  tables: z.array(z.object({ name: z.string(), rows: z.int(), hash: z.string() })).optional(),
  /** The highest number that this run or an earlier one gave, for each kind of name; absent if there were none. */
  numbers: z.array(z.object({ prefix: z.string(), digits: z.int(), last: z.int() })).optional(),
  /** The epoch of the run's lease. */
  epoch: z.int().optional(),
  origin: originSchema.optional(),
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
  outcome: z.enum(stepOutcomes),
  problem: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  failed_host_ids: z.array(id).optional(),
  /** Present if only some hosts of the step are in doubt. */
  in_doubt_host_ids: z.array(id).optional(),
});

/** Hosts whose install or refresh was requested, by the time of the record (RFC 3339). */
const requestSchema = z.object({
  host_id: id,
  kind: z.enum(['antivirus', 'refresh']),
  at: time,
  in_doubt: z.boolean(),
});

export const digestSchema = z.object({
  /** Steps that are done, by this run or before it. */
  done: z.int(),
  /** The number of deleted hosts. */
  deleted: z.int(),
  requests: z.array(requestSchema),
});

const endRecord = z.looseObject({
  type: z.literal('end'),
  at: time,
  exit_code: z.int(),
  /** The facts that later runs need, so that they need not read the whole run. */
  digest: digestSchema.optional(),
  pace: z.object({ rate: z.number(), latency: z.number() }).optional(),
});

/** One line of a run's file. Times are RFC 3339. */
export const recordSchema = z.discriminatedUnion('type', [runRecord, beginRecord, outcomeRecord, endRecord]);

/** The format version of a head, even if the rest of it has a later format. */
export const headVersionSchema = z.looseObject({ format_version: z.string() });
