import { z } from 'zod';
import type { RampartClient } from '../api/client/generated/rampart-client.ts';
import type { ServerAnswer } from '../api/client/send.ts';
import { openProposalRequest, proposalRequest } from '../api/proposals.ts';
import type { Clock } from '../core/lib/surroundings.ts';
import { type Tool, type ToolAnswer, toolFor } from './tool.ts';

/**
 * What a program may ask a Rampart server: it reads, rehearses on emulated copies, and proposes changes, which people
 * review as pull requests. No operation that decides, applies, pauses or creates a token is in this type, so no tool can
 * call one.
 */
export type AskingClient = Pick<
  RampartClient,
  | 'getMe'
  | 'getOverview'
  | 'listAccounts'
  | 'getAccount'
  | 'listHosts'
  | 'getHost'
  | 'listPlans'
  | 'getPlan'
  | 'listPlanHosts'
  | 'rehearsePlan'
  | 'proposeChange'
  | 'openProposal'
>;

/** Clients of the protocol give up after a minute. */
const longestWaitSeconds = 50;
const lookMs = 1_000;

const text = z.string().min(1).max(200);
const id = text.describe('The id of a plan of list_plans.');
const page = {
  cursor: z.string().max(1_000).optional().describe('"next" of the page before.'),
  limit: z.int().min(1).max(200).default(50),
};

/** The tools for a Rampart server, which shows what the roles of the caller allow. */
export function serverTools(client: AskingClient, clock: Clock): readonly Tool[] {
  return [
    toolFor('show_roles', 'Show who you are and which roles you have.', z.strictObject({}), async () =>
      toAnswer(await client.getMe()),
    ),
    toolFor(
      'show_overview',
      'Show whether everything is as it should be, and what waits, runs and differs.',
      z.strictObject({}),
      async () => toAnswer(await client.getOverview()),
    ),
    toolFor(
      'list_accounts',
      'List accounts, those with the worst health first.',
      z.strictObject({
        ...page,
        q: text.optional().describe('Part of a name.'),
        where: z.string().min(1).max(1_000).optional().describe('A CEL expression over labels.'),
      }),
      async (query) => toAnswer(await client.listAccounts(query)),
    ),
    toolFor(
      'show_account',
      'Show one account.',
      z.strictObject({ account: text }),
      async ({ account: name }) => toAnswer(await client.getAccount({ name })),
    ),
    toolFor(
      'find_hosts',
      'Search the hosts of all accounts.',
      z.strictObject({
        ...page,
        q: text.optional().describe('Part of a name, an id or a group.'),
        account: text.optional(),
        drifted: z
          .enum(['true', 'false'])
          .optional()
          .describe('Only hosts that differ from the desired state.'),
      }),
      async (query) => toAnswer(await client.listHosts(query)),
    ),
    toolFor(
      'explain_host',
      'Show one host: its facts, its differences, what decides each attribute, and its history.',
      z.strictObject({ account: text, host: text.describe('The id of the host.') }),
      async ({ account: name, host }) => toAnswer(await client.getHost({ name, id: host })),
    ),
    toolFor(
      'list_plans',
      'List plans, latest first.',
      z.strictObject({
        ...page,
        account: text.optional(),
        state: text.optional().describe('States separated by commas, such as waiting,approved.'),
      }),
      async (query) => toAnswer(await client.listPlans(query)),
    ),
    toolFor(
      'show_plan',
      'Show what a plan changes, what it needs, and who approved it.',
      z.strictObject({ plan: id }),
      async ({ plan }) => toAnswer(await client.getPlan({ id: plan })),
    ),
    toolFor(
      'list_planned_hosts',
      "List the hosts that a plan changes. With irreversible=true, list what can't be undone.",
      z.strictObject({ ...page, plan: id, irreversible: z.enum(['true', 'false']).optional() }),
      async ({ plan, ...query }) => toAnswer(await client.listPlanHosts({ ...query, id: plan })),
    ),
    toolFor(
      'rehearse',
      'Start to run a plan on emulated copies of the fleet. show_plan shows the result. Nothing is sent to the service.',
      z.strictObject({ plan: id }),
      async ({ plan }) => toAnswer(await client.rehearsePlan({ id: plan })),
    ),
    toolFor(
      'propose_change',
      'Turn a change of chosen hosts into a patch of the desired state, and plan it. Writes nothing.',
      proposalRequest,
      async (body) => toAnswer(await client.proposeChange({ body })),
    ),
    toolFor(
      'open_pull_request',
      'Open a pull request with the patch of propose_change, for people to review. Repeats its arguments, and its digest.',
      openProposalRequest,
      async (body) => toAnswer(await client.openProposal({ body })),
      'proposes',
    ),
    toolFor(
      'wait_for_decision',
      `Wait until people have decided about a plan, for at most ${longestWaitSeconds} seconds. Ask again while its state is "waiting".`,
      z.strictObject({ plan: id, seconds: z.int().min(0).max(longestWaitSeconds).default(30) }),
      ({ plan, seconds }) => waitForDecision(client, clock, plan, seconds),
    ),
  ];
}

async function waitForDecision(
  client: AskingClient,
  clock: Clock,
  id: string,
  seconds: number,
): Promise<ToolAnswer> {
  const giveUpAt = clock.now() + seconds * 1_000;
  for (;;) {
    const plan = await client.getPlan({ id });
    if (!plan.ok) return toAnswer(plan);
    const { state, reason, approvals, required, replaced_by } = plan.value;
    if (state !== 'waiting' || clock.now() >= giveUpAt)
      return { ok: true, value: { id, state, reason, replaced_by, approvals, required }, problems: [] };
    await clock.sleep(lookMs);
  }
}

function toAnswer(answer: ServerAnswer<unknown>): ToolAnswer {
  if (answer.ok) return { ok: true, value: answer.value, problems: [] };
  const { code, detail, title, hint, problems = [] } = answer.problem;
  return { ok: false, problems: problems.length > 0 ? problems : [{ code, message: detail ?? title, hint }] };
}
