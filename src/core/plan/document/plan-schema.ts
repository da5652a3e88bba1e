import { z } from 'zod';
import { sha256Id } from '../../lib/hex-ids.ts';
import { isInt64 } from '../../lib/int64.ts';
import { changeKinds } from '../../model/policy.ts';
import { ticketNumber } from '../../model/ticket-rule.ts';
import { severities } from '../../problem/problem.ts';
import { planFormatVersion } from '../types/plan.ts';

const id = z
  .string()
  .regex(/^-?\d{1,19}$/)
  .refine(isInt64, 'expected a 64-bit integer in quotation marks')
  .describe('A 64-bit integer as a string of decimal digits, because a JSON number could be rounded.');
const count = z.int().nonnegative();
const time = z.iso.datetime({ offset: true });
const stepId = z.string().regex(/^s[1-9]\d*$/);
const hazards = z
  .array(z.enum(['irreversible', 'no-previous-name', 'case-only', 'online']))
  .describe('Reasons to review the step carefully.');
const reason = z
  .looseObject({
    file: z.string(),
    line: count.describe('0 if the place has no lines, such as the run that an undo reverses.'),
    col: count.describe('1 if only the line is known, 0 if there is none.'),
    rule: z.string().optional().describe('The name of the rule; absent for an entry.'),
    cells: z
      .array(
        z.looseObject({ table: z.string(), column: z.string(), file: z.string(), line: count, col: count }),
      )
      .optional()
      .describe('The cells of tables that the name was made of; line is 0 if the source has no lines.'),
  })
  .describe('The place in the desired state that requests the change.');
const name = z.string().nullable().describe('Null if the service has no name for the host.');
const expects = z
  .looseObject({ host_id: id, name, group_id: id })
  .describe('Preconditions of the plan. If they no longer hold, the plan is stale.');
const place = z.looseObject({
  file: z.string(),
  line: count,
  col: count,
  width: count.optional(),
  text: z.string().optional().describe('The text of the line.'),
});

const member = z.looseObject({ host_id: id, name, reason, expects, hazards });
const base = { id: stepId, after: z.array(stepId), hazards };
const one = { host_id: id, to: z.string().min(1), reason, expects };
const batch = { ...base, hosts: z.array(member).min(1) };

const step = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('rename'), ...base, ...one, from: name }),
  z.looseObject({
    kind: z.literal('temporary-rename'),
    ...base,
    ...one,
    from: z.string(),
    why: z.enum(['cycle', 'deletion']),
    final_name: z
      .string()
      .describe('The final name of the host, or the previous name of a host to be deleted.'),
  }),
  z.looseObject({ kind: z.literal('move'), ...batch, group_id: id, group_name: name }),
  z.looseObject({ kind: z.literal('antivirus'), ...batch }),
  z
    .looseObject({ kind: z.literal('refresh'), ...batch })
    .describe('Asks hosts to report their anti-virus status, to resolve installs in doubt. Changes nothing.'),
  z.looseObject({ kind: z.literal('delete'), ...batch }),
]);

const problem = z.looseObject({
  code: z.string(),
  severity: z.enum(severities),
  message: z.string(),
  hint: z.string().optional(),
  place: place.optional(),
  related: z.array(place).optional(),
  host_ids: z.array(id).optional(),
  policy: z.string().optional(),
});

const pendingInstall = z.looseObject({
  host_id: id,
  name,
  state: z
    .enum(['in-progress', 'in-doubt'])
    .describe('In progress: the service accepted the install. In doubt: it may have been requested.'),
  requested_at: time,
  refreshed_at: time
    .optional()
    .describe('When a status refresh was last delivered to the host after the request.'),
});

const undo = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('rename'), host_id: id, from: z.string(), to: z.string() }),
  z.looseObject({ kind: z.literal('move'), host_id: id, from: id, to: id }),
]);

const pace = z.looseObject({ rate: z.number().positive(), latency: z.number().nonnegative() });

const rehearsed = z.looseObject({
  calls: count,
  conflicts: count,
  refusals: count,
  minutes: z.number().nonnegative(),
  converged: z.boolean(),
});

const constraints = z.looseObject({
  windows: z.array(
    z.looseObject({
      name: z.string(),
      kinds: z.array(z.enum(changeKinds)),
      only: z.array(z.string()),
      message: z.string().optional(),
      place,
    }),
  ),
  freezes: z.array(
    z.looseObject({
      name: z.string(),
      from: time.optional(),
      until: time.optional(),
      message: z.string().optional(),
      place,
    }),
  ),
});

const changes = z.array(z.looseObject({ kind: z.enum(changeKinds), host_id: id, name, to: name, reason }));
const comparison = z.looseObject({
  base: z.string(),
  introduced: changes,
  pending: changes,
  drift: changes,
  reverted: changes,
});

/** The plan document. Unknown members from later minor versions pass. */
export const planDocumentSchema = z.looseObject({
  format_version: z
    .string()
    .describe('A minor version adds members, which readers ignore. A major version changes meanings.'),
  account: z.looseObject({ company_id: z.string().nullable(), service: z.string() }),
  files: z.array(z.string()),
  tables: z
    .array(
      z.looseObject({
        name: z.string(),
        origin: z.string(),
        rows: count,
        hash: z.string().describe('SHA-256 of the content of the table.'),
        changed_at: time.optional().describe('When the content was last changed, as its source reports it.'),
        named: count.describe('The number of hosts that get a name made of its cells.'),
      }),
    )
    .optional()
    .describe('The tables that the plan relies on. A saved plan does not read them again.'),
  numbers: z
    .array(z.looseObject({ prefix: z.string(), digits: count, first: count, last: count }))
    .optional()
    .describe('The numbers that next gives to hosts. A run does not start if another run gave one of them.'),
  ticket: z
    .string()
    .regex(ticketNumber)
    .optional()
    .describe('The change ticket that the plan is for. Applying it with another ticket is refused.'),
  created_at: time,
  observed: z.looseObject({
    taken_at: time,
    hosts: count,
    groups: count,
    lists: z.array(z.looseObject({ list: z.string(), at: time })),
    fingerprint: z.string().describe('A hash of ids, names and groups.'),
  }),
  groups: z
    .array(
      z.looseObject({
        id,
        name: z.string().nullable().describe('Null for no group, or if the list has no name for the group.'),
        hosts: count.describe('The number of hosts in the group before the plan.'),
      }),
    )
    .describe("The current and target groups of the plan's hosts."),
  host_states: z
    .array(
      z.looseObject({
        host_id: id,
        online: z.boolean(),
        state_changed_at: z
          .string()
          .optional()
          .describe("When the host last came online or went offline, in the service's own format."),
      }),
    )
    .describe('The hosts to be deleted or to get the anti-virus, as the list showed them.'),
  steps: z.array(step).describe('In an order in which they can be sent one after another.'),
  pending_installs: z
    .array(pendingInstall)
    .describe('Installs that earlier runs requested and that no read shows yet.'),
  problems: z.array(problem),
  limits: z
    .array(z.looseObject({ limit: z.enum(changeKinds), group_id: id.optional(), allowed: count }))
    .describe('Each limit in force, as a number of hosts. With a group, only its hosts count.'),
  breaches: z.array(
    z.looseObject({
      limit: z.enum([...changeKinds, 'missing']),
      group: z.string().optional(),
      place: place.optional(),
      count,
      allowed: count,
      acknowledged: z.boolean(),
    }),
  ),
  acks: z.looseObject({
    delete: count.optional(),
    rename: count.optional(),
    move: count.optional(),
    antivirus: count.optional(),
  }),
  constraints: constraints.optional(),
  applicable: z.boolean().describe('False if the problems include an error.'),
  delete_first: z.boolean(),
  batch_size: z.int().positive().describe('The most hosts in one call.'),
  summary: z.looseObject({
    rename: count,
    temporary_rename: count,
    move: count,
    antivirus: count,
    refresh: count.describe('Hosts that are asked to report. Not a change.'),
    delete: count,
    installs_in_progress: count.describe('Installs that the service accepted and that no read shows yet.'),
    installs_in_doubt: count.describe('Installs that may have been requested and that no read shows yet.'),
    unchanged: count,
    awaiting_enrollment: count,
    unmanaged: count,
  }),
  calls: z.looseObject({
    planned: count,
    minimum: count,
    by_action: z.looseObject({ rename: count, move: count, delete: count, antivirus: count, refresh: count }),
  }),
  undo: z.array(undo).describe('The renames and moves that revert the plan.'),
  partial: z.boolean().describe('True if flags leave out some hosts or steps.'),
  forecast: z.looseObject({ pace, seconds: z.number().nonnegative() }).optional(),
  comparison: comparison.optional(),
  rehearsal: z.looseObject({ without_faults: rehearsed, with_faults: rehearsed }).optional(),
  checksum: z
    .string()
    .regex(sha256Id)
    .describe('SHA-256 of the approved content: steps, files, limits, approvals and problems.'),
  digest: z
    .string()
    .regex(sha256Id)
    .describe(
      'SHA-256 of the checksum and of every member that the checksum does not cover, except the forecast.',
    ),
});

/**
 * The JSON Schema (draft 2020-12) of the plan document. Unknown members are allowed, because minor versions add some.
 */
export function planJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(planDocumentSchema, { io: 'input' });
  return { $schema, title: `Rampart: a plan, format ${Number.parseInt(planFormatVersion, 10)}`, ...schema };
}
