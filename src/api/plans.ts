import { z } from 'zod';
import { severities } from '../core/problem/problem.ts';
import { counts } from './accounts.ts';
import {
  checksumOfPlan,
  exactNumbers,
  pageQuery,
  shape,
  sourcePlace,
  strictShape,
  subject,
  time,
} from './resource.ts';
import { planStates } from './states.ts';

/** A problem of a plan. */
export const planProblem = z.object({
  severity: z.enum(severities),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  place: sourcePlace.optional(),
  /** The lines of the desired state that it is about, with marks below them. */
  excerpt: z.string().optional(),
  policy: z.string().optional(),
});

const changeKinds = ['rename', 'move', 'delete', 'install', 'refresh'] as const;

/** Query parameters of `GET /plans`, latest first. */
export const plansQuery = pageQuery.extend({
  account: z.string().max(200).optional(),
  /** States separated by commas, such as `waiting,approved`. */
  state: z.string().max(200).optional(),
  source: z.string().max(200).optional(),
  pull_request: z.string().max(500).optional(),
  /** Part of the account, the author, the commit or the pull request. */
  q: z.string().max(200).optional(),
  /** Only plans with changes that can't be undone, or those that exceed a limit. */
  risk: z.enum(['irreversible', 'limit']).optional(),
});

/** A limit that the plan exceeds. The approval must repeat `value` exactly. */
const requiredNumber = z.object({ limit: z.string(), value: z.int(), allowed: z.int() });

export const approval = shape('Approval', {
  by: subject,
  at: time,
  decision: z.enum(['approved', 'rejected']),
  numbers: z.record(z.string(), z.int()),
  comment: z.string().optional(),
  ticket: z.string().optional(),
  via: z.enum(['console', 'api', 'cli', 'pull-request', 'rollout']),
});
export type GivenApproval = z.infer<typeof approval>;
/** Where someone decided. */
export type ApprovalDoor = GivenApproval['via'];

export const planRow = shape('PlanRow', {
  id: z.string(),
  account: z.string(),
  checksum: z.string(),
  state: z.enum(planStates),
  /** Why it is stale, expired or rejected, or why it waits in mode correct. */
  reason: z.string().nullable(),
  /** The plan that replaced it. */
  replaced_by: z.string().nullable(),
  source: z.string(),
  commit: z.string().nullable(),
  author: z.string().nullable(),
  pull_request: z.string().nullable(),
  created_at: time,
  expires_at: time,
  counts,
  changes: z.int(),
  irreversible: z.int(),
  calls: z.int(),
  required: z.object({
    approvals: z.int(),
    not_author: z.boolean(),
    numbers: z.array(requiredNumber),
    /** Who may approve. Empty if people sign in with the link that the server prints. */
    approvers: z.array(z.object({ kind: z.enum(['group', 'person']), name: z.string() })),
  }),
  approvals: z.array(approval),
  /** Whether the reader may approve; `reason` explains why not. */
  may_approve: z.object({ allowed: z.boolean(), reason: z.string().optional() }),
});
export type PlanRow = z.infer<typeof planRow>;

/** Everything about one host, in one row. */
export const reviewHost = shape('ReviewHost', {
  host_id: z.string(),
  name: z.string().nullable(),
  new_name: z.string().nullable(),
  group: z.string(),
  new_group: z.string().nullable(),
  action: z.array(z.enum(changeKinds)),
  online: z.string().nullable(),
  /** When a host that is offline went offline; null if it is online, or if that is not known. */
  last_seen: z.string().nullable(),
  /** The rule, line or file that requests its changes. */
  reason: z.string(),
  place: sourcePlace,
  /** Why its change may be a mistake, such as `gets the name of a deleted host`. */
  remarks: z.array(z.string()),
  /** Its position among the renames that depend on each other, such as `swap 1: 1 of 2`. */
  order: z.string().optional(),
  /** The cells of tables that its new name was made of. */
  cells: z.array(z.string()),
  /** Positions in `problems` of the plan that are about this host. */
  problems: z.array(z.int()),
});
export type ReviewHost = z.infer<typeof reviewHost>;

/** Query parameters of `GET /plans/{id}/hosts`. The response is a page of `reviewHost` in the order of host ids. */
export const planHostsQuery = pageQuery.extend({
  /** Part of a name, a host id or a group. */
  q: z.string().max(200).optional(),
  action: z.enum(changeKinds).optional(),
  group: z.string().max(500).optional(),
  /** Only hosts with a change that can't be undone, or only the others. */
  irreversible: z.enum(['true', 'false']).optional(),
});

/** The rename of one host from its current name to its final one, however many calls that takes. */
const chainRename = z.object({
  host_id: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  /** `first`: gets a temporary name to break a cycle. `deletion`: gives up its name and is deleted later. */
  temporary: z.enum(['no', 'first', 'deletion']),
});

const rehearsalRuns = ['without_faults', 'with_faults'] as const;

/** A plan on emulated copies of the fleet, as the last check saw it: once without and once with faults. */
export const rehearsal = shape('Rehearsal', {
  state: z.enum(['queued', 'running', 'done', 'failed']),
  by: subject,
  asked_at: time,
  ended_at: time.nullable(),
  /** Whether both runs reached the planned state; null until it is done. */
  converged: z.boolean().nullable(),
  runs: z.array(
    z.object({
      kind: z.enum(rehearsalRuns),
      converged: z.boolean(),
      steps: z.object({
        total: z.int(),
        done: z.int(),
        failed: z.int(),
        in_doubt: z.int(),
        /** Steps that did not begin. */
        skipped: z.int(),
      }),
      /** Calls that change the fleet, including refused and repeated ones. */
      calls: z.int(),
      /** Answers of 409, and the hosts that got them: had the name already, got it by a repeated call, or failed. */
      conflicts: z.object({ answers: z.int(), already: z.int(), repeated: z.int(), failed: z.int() }),
      /** Answers of 429. */
      refusals: z.int(),
      /** How long the run takes at the pace of the service, or with replies after 0.1 s if no pace is known. */
      seconds: z.number(),
    }),
  ),
  /** At most 50 problems of the runs. */
  findings: z.array(
    z.object({
      run: z.enum(rehearsalRuns),
      severity: z.enum(severities),
      code: z.string(),
      message: z.string(),
      hint: z.string().optional(),
    }),
  ),
  more_findings: z.int(),
  /** Why there is no result. */
  failure: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).nullable(),
});
export type RehearsalDetail = z.infer<typeof rehearsal>;
export type RehearsalState = RehearsalDetail['state'];

export const planDetail = shape('PlanDetail', {
  ...planRow.shape,
  /** Whether a pause keeps its run from beginning. */
  is_paused: z.boolean(),
  verdict: z.string(),
  /** At most 500. The list of the plan's hosts has all of them. */
  irreversible_hosts: z.array(reviewHost),
  /** The other hosts whose change may be a mistake, at most 100. */
  unusual_hosts: z.array(reviewHost),
  /** How many are left out of lists that have a maximum length. */
  more: z.object({
    irreversible_hosts: z.int(),
    unusual_hosts: z.int(),
    problems: z.int(),
    chains: z.int(),
  }),
  problems: z.array(planProblem),
  groups: z.array(
    z.object({ name: z.string(), before: z.int(), after: z.int(), arrive: z.int(), leave: z.int() }),
  ),
  /** `hosts`: how many hosts a cause changes, each once. */
  causes: z.array(z.object({ title: z.string(), place: sourcePlace.optional(), hosts: z.int() })),
  /** Renames that depend on each other. */
  chains: z.array(
    z.object({
      is_ring: z.boolean(),
      /** How many hosts it renames. */
      hosts: z.int(),
      /** The renames in the order of the calls, at most 500, as the drawing shows them. */
      renames: z.array(chainRename),
    }),
  ),
  calls_by_kind: z.array(z.object({ kind: z.enum(changeKinds), calls: z.int() })),
  /** The smallest number of calls that any order of these changes needs. */
  minimum_calls: z.int(),
  seconds: z.object({ low: z.number(), high: z.number() }).nullable(),
  /** Null if nobody requested one. */
  rehearsal: rehearsal.nullable(),
  /** The latest run that applies the plan, or applied it. */
  run: z.string().nullable(),
  /** The latest plan that reverses that run. */
  undone_by: z.string().nullable(),
  /** Compared with the plan of the same account before it. */
  difference: z.object({ previous: z.string(), added: z.int(), removed: z.int(), same: z.int() }).nullable(),
  comments: z.array(z.object({ by: subject, at: time, text: z.string() })),
});
export type PlanDetail = z.infer<typeof planDetail>;

/** What people edited in the files of the account since its last change that was applied. */
export const planFiles = shape('PlanFiles', {
  source: z.string(),
  /** The version of the files that the plan was made from. */
  commit: z.string().nullable(),
  /** The change that was applied before, and its version of the files. Null if there is none. */
  before: z.object({ plan: z.string(), commit: z.string() }).nullable(),
  /** Null if it is not known: `why` explains that. Without a difference, its text is empty. */
  patch: z
    .object({
      /** A unified diff, at most 200,000 characters. */
      text: z.string(),
      /** All lines that were added and removed, also those that the text leaves out. */
      added: z.int(),
      removed: z.int(),
      /** Files whose lines the text does not have or does not have all of: each is large or not text. */
      incomplete: z.array(z.string()),
    })
    .nullable(),
  why: z.string().nullable(),
});
export type PlanFiles = z.infer<typeof planFiles>;

export const approvalRequest = strictShape('ApprovalRequest', {
  checksum: checksumOfPlan,
  numbers: exactNumbers,
  comment: z.string().max(2_000).optional().describe('What others should know about the approval.'),
  ticket: z
    .string()
    .max(64)
    .optional()
    .describe('The number of the change ticket, if the account requires one.'),
});
export const newComment = strictShape('NewComment', {
  text: z.string().min(1).max(2_000).regex(/\S/).describe('The comment, as plain text.'),
});
export const rejectionRequest = strictShape('RejectionRequest', {
  checksum: checksumOfPlan,
  reason: z.string().min(1).max(2_000).regex(/\S/).describe('Why the plan must not be applied.'),
});
