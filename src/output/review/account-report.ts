import { z } from 'zod';
import { sha256Id } from '../../core/lib/hex-ids.ts';
import { isInt64 } from '../../core/lib/int64.ts';
import { changeKinds } from '../../core/model/policy.ts';
import { severities } from '../../core/problem/problem.ts';

/** What happens in an account, in the order in which a review shows it. */
export const accountOutcomes = ['failed', 'refused', 'changes', 'no-changes'] as const;
export type AccountOutcome = (typeof accountOutcomes)[number];

/** The most rows of each list in a report. The size of a report does not depend on the size of the fleet. */
export const mostReported = { irreversible: 50, changes: 20, problems: 10, causes: 50 } as const;

const count = z.int().nonnegative();
const time = z.iso.datetime({ offset: true });
const sha256 = z.string().regex(sha256Id);
const id = z.string().refine(isInt64);

/** The first rows of a list, and the number of all its rows. */
function listOf<T extends z.ZodType>(row: T, most: number) {
  return z.strictObject({
    count: count.describe('The number of all rows.'),
    first: z.array(row).max(most).describe('The first rows.'),
  });
}

const place = { file: z.string(), line: z.int().positive() };

const change = z.strictObject({
  kind: z.enum(changeKinds),
  host_id: id,
  name: z.string().nullable().describe('The name before the plan. Null if the host has none.'),
  to: z
    .string()
    .nullable()
    .optional()
    .describe('The new name of a rename, or the group of a move (null for no group).'),
  online: z.literal(true).optional().describe('The host is online while it is deleted.'),
  reason: z.strictObject({ ...place, rule: z.string().optional() }),
});
export type ReportedChange = z.infer<typeof change>;

const problem = z.strictObject({
  code: z.string(),
  severity: z.enum(severities),
  message: z.string(),
  hint: z.string().optional(),
  file: z.string().optional(),
  line: count.optional(),
});
export type ReportedProblem = z.infer<typeof problem>;

const changeCounts = z.strictObject({
  rename: count,
  move: count,
  antivirus: count,
  delete: count,
});
export type ChangeCounts = z.infer<typeof changeCounts>;

const cause = z
  .strictObject({
    file: z.string().optional().describe('Absent if the cause stands for several files.'),
    line: z.int().positive().optional().describe('Absent if the cause stands for several lines.'),
    rule: z.string().optional().describe('The name of the rule; absent for entries.'),
    changes: changeCounts,
  })
  .describe('A rule or a line of the desired state, and the number of changes that it requests.');
export type ReportedCause = z.infer<typeof cause>;

const summary = z.strictObject({
  rename: count,
  temporary_rename: count,
  move: count,
  antivirus: count,
  refresh: count,
  delete: count,
  installs_in_progress: count,
  installs_in_doubt: count,
  unchanged: count,
  awaiting_enrollment: count,
  unmanaged: count,
});
export type ReportedSummary = z.infer<typeof summary>;

const comparison = z.strictObject({
  base: z.string(),
  introduced: count,
  pending: count,
  drift: count,
  reverted: count,
});

const run = z.strictObject({
  calls: count,
  conflicts: count,
  refusals: count,
  minutes: z.number().nonnegative(),
  converged: z.boolean(),
});

const plan = z.strictObject({
  checksum: sha256.describe('The checksum of the plan.'),
  file: z
    .strictObject({ name: z.string(), sha256 })
    .optional()
    .describe('The plan file next to the index, and the SHA-256 of its bytes. Absent if no plan was saved.'),
  applicable: z.boolean(),
  partial: z.boolean().describe('True if flags leave out some hosts or steps.'),
  taken_at: time.describe('When the lists were read.'),
  hosts: count,
  groups: count,
  summary,
  changed_hosts: count.describe('Hosts that change and are not deleted.'),
  blocked: count.describe('Renames that name conflicts block.'),
  calls: z.strictObject({ planned: count, minimum: count }),
  approved: z
    .array(z.strictObject({ limit: z.string(), count, allowed: count }))
    .describe('Limits that --ack lifted.'),
  irreversible: listOf(change, mostReported.irreversible).describe('Deletions, then anti-virus installs.'),
  changes: listOf(change, mostReported.changes).describe('Renames and moves.'),
  causes: listOf(cause, mostReported.causes).describe(
    'What requests the changes. The counts of all causes are the counts of all changes.',
  ),
  comparison: comparison.optional(),
  rehearsal: z.strictObject({ without_faults: run, with_faults: run }).optional(),
});
export type ReportedPlan = z.infer<typeof plan>;

/** What the plan of one account shows, in a bounded size. Names and messages are raw: painters escape them. */
export const accountReportSchema = z.strictObject({
  account: z.strictObject({
    name: z.string().min(1),
    company_id: z.string().nullable(),
    service: z.string().nullable().describe('Null if the service is not known.'),
    labels: z.record(z.string(), z.string()),
  }),
  outcome: z
    .enum(accountOutcomes)
    .describe(
      'failed: there is no plan. refused: there is a plan, and its errors block it. no-changes: the fleet matches the desired state.',
    ),
  exit_code: count.describe('The exit code of this account alone.'),
  plan: plan.optional().describe('Absent if the outcome is "failed".'),
  problems: z
    .strictObject({
      error: count,
      warning: count,
      note: count,
      first: z.array(problem).max(mostReported.problems),
    })
    .describe('How many there are, and the first ones: errors, then warnings, then notes.'),
});
export type AccountReport = z.infer<typeof accountReportSchema>;
