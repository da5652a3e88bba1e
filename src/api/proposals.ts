import { z } from 'zod';
import { hostsFilter } from './hosts.ts';
import { planProblem, reviewHost } from './plans.ts';
import { namedShapes, shape } from './resource.ts';

/** The most hosts of one proposal, and of how many accounts: each account is read once, while the caller waits. */
export const mostProposedHosts = 1_000;
export const mostProposedAccounts = 20;

const accountName = z.string().min(1).max(200).describe('The name of the account.');

/** What the desired state should request of the chosen hosts. */
const proposedChange = z.strictObject({
  kind: z
    .enum(['move', 'rename', 'antivirus', 'delete', 'adopt'])
    .describe('What to change. `adopt` takes what the fleet has where it differs.'),
  group: z
    .string()
    .min(1)
    .max(500)
    .nullable()
    .optional()
    .describe('For `move`: the name of the group; null for no group.'),
  find: z
    .string()
    .max(200)
    .optional()
    .describe('For `rename`: the part to replace; the whole name if absent.'),
  replace: z
    .string()
    .max(200)
    .optional()
    .describe('For `rename`: the new text. {nnn} numbers the hosts in the order of their names, as in 001.'),
});

const wanted = {
  hosts: z
    .array(
      z.strictObject({
        account: accountName,
        host_id: z.string().min(1).max(30).describe('The id of the host.'),
      }),
    )
    .min(1)
    .max(mostProposedHosts)
    .optional()
    .describe('The hosts. Give exactly one of `hosts`, `search` and `drift`.'),
  search: z.strictObject(hostsFilter.shape).optional().describe('All hosts that match, as in GET /hosts.'),
  drift: z
    .strictObject({
      account: accountName,
      cause: z.string().min(1).max(200).optional().describe('Only differences of this cause.'),
    })
    .optional()
    .describe('The hosts of an account that differ.'),
  change: proposedChange.describe('What the desired state should request of these hosts.'),
};

const example = {
  search: { account: 'contoso', q: 'KIOSK' },
  change: { kind: 'rename', replace: 'BER-KIOSK-{nnn}' },
};

export const proposalRequest = z
  .strictObject(wanted)
  .meta({ examples: [example] })
  .register(namedShapes, { id: 'ProposalRequest' });
export type ProposalRequest = z.infer<typeof proposalRequest>;

/** The new desired state as a patch, and the plan that it leads to in each account. */
export const proposal = shape('Proposal', {
  /** Names exactly these patches. Opening a pull request repeats it. */
  digest: z.string(),
  /** How many hosts were chosen. */
  hosts: z.int(),
  patches: z.array(
    z.object({
      source: z.string(),
      /** What the patch was made for: a commit, or the digest of a folder. */
      commit: z.string(),
      files: z.array(z.string()),
      /** For `git apply -p0 --unidiff-zero`, in the folder of the source. */
      patch: z.string(),
      /** Where a pull request can be opened; null for a folder, and without a token for the forge. */
      forge: z.object({ kind: z.string(), repository: z.string(), into: z.string() }).nullable(),
    }),
  ),
  plans: z.array(
    z.object({
      account: z.string(),
      source: z.string(),
      /** Null if the account could not be planned: `failure` explains why. */
      plan: z
        .object({
          verdict: z.string(),
          /** Whether it could be applied: no error, limit or policy prevents it. */
          applicable: z.boolean(),
          calls: z.int(),
          /** Changes of hosts that the patch adds, and those that waited before it. */
          introduced: z.int(),
          pending: z.int(),
          /** Hosts that the plan changes; at most 100 are listed. */
          host_count: z.int(),
          hosts: z.array(reviewHost),
          irreversible: z.int(),
          /** At most 100. */
          problems: z.array(planProblem),
          more_problems: z.int(),
        })
        .nullable(),
      failure: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).nullable(),
    }),
  ),
  /** Hosts that the patch leaves as they are, at most 100. */
  refused: z.array(
    z.object({ account: z.string(), host_id: z.string(), name: z.string().nullable(), why: z.string() }),
  ),
  more_refused: z.int(),
});
export type Proposal = z.infer<typeof proposal>;

const reviewed = {
  digest: z.string().min(8).max(100).describe('The digest of the proposal that you reviewed.'),
  reason: z.string().min(1).max(2_000).regex(/\S/).describe('Why, for the reviewers of the pull request.'),
};

export const openProposalRequest = z
  .strictObject({ ...wanted, ...reviewed })
  .meta({ examples: [{ ...example, digest: '906c382f1be04a7c', reason: 'Kiosks get their new names.' }] })
  .register(namedShapes, { id: 'OpenProposalRequest' });

/** The pull requests that were opened: one for each source. */
export const openedPulls = shape('OpenedPulls', {
  pulls: z.array(z.object({ source: z.string(), number: z.int(), page: z.string() })),
});
export type OpenedPulls = z.infer<typeof openedPulls>;
