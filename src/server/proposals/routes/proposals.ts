import {
  openedPulls,
  openProposalRequest,
  type Proposal,
  type ProposalRequest,
  proposal,
  proposalRequest,
} from '../../../api/proposals.ts';
import { count } from '../../../core/lib/words.ts';
import { failed, ok, problem } from '../../../core/problem/problem.ts';
import { fenced } from '../../../output/review/fenced.ts';
import { toPlanReview } from '../../../output/review/plan-review.ts';
import { failureOf } from '../../accounts/rules/check-result.ts';
import { firstOf } from '../../database/page.ts';
import { type Answered, type RouteCall, recordAct, route } from '../../http/route.ts';
import { shownProblems, withStates } from '../../plans/routes/plan-detail.ts';
import { branchOf, proposalSource } from '../rules/open-proposal.ts';
import { type Asked, type Drafted, draftOf } from './draft-of-request.ts';

const mostShown = 100;

export const proposalRoutes = [
  route({
    id: 'proposeChange',
    method: 'post',
    path: '/api/v1/proposals',
    tag: 'Proposals',
    summary: 'Make a patch of the desired state from a choice of hosts, and plan it. Writes nothing.',
    access: { action: 'plan', on: 'accounts' },
    body: proposalRequest,
    answer: proposal,
    async handle(call) {
      const drafted = await draftOf(call.body, call);
      return drafted.ok ? ok(await toProposal(drafted.value, call)) : drafted;
    },
  }),
  route({
    id: 'openProposal',
    method: 'post',
    path: '/api/v1/proposals/open',
    tag: 'Proposals',
    summary: 'Open a pull request with a proposed patch on the forge of each source.',
    access: { action: 'plan', on: 'accounts' },
    body: openProposalRequest,
    answer: openedPulls,
    status: 201,
    async handle(call) {
      const { body, parts, identity } = call;
      const drafted = await draftOf(body, call);
      if (!drafted.ok) return drafted;
      const { draft, hosts } = drafted.value;
      if (draft.digest !== body.digest) return failed(changed);
      if (draft.patches.length === 0) return failed(nothing);
      const title = titleOf(body.change, hosts.length - draft.refused.length);
      const recorded = await recordAct(
        call,
        'change-proposed',
        {
          title,
          accounts: draft.accounts.map(({ config }) => config.name),
          sources: draft.patches.map(({ source, commit }) => ({ source, commit })),
        },
        body.reason,
      );
      if (!recorded.ok) return recorded;
      const opened = await parts.work.openProposal(draft, {
        title,
        body: `${fenced(body.reason, 3_000, 'start')}\nProposed by\n\n${fenced(identity.subject.name, 200, 'start')}`,
      });
      return opened.ok
        ? ok({ pulls: opened.value.map(({ source, number, page }) => ({ source, number, page })) })
        : opened;
    },
  }),
];

async function toProposal({ hosts, draft }: Drafted, call: RouteCall): Promise<Answered<Proposal>> {
  const { parts, signal } = call;
  const { settings, work, store } = parts;
  const plans: Answered<Proposal['plans'][number]>[] = [];
  const isChanged = new Set(draft.patches.map(({ source }) => source));
  for (const each of draft.accounts.filter(({ source }) => isChanged.has(source))) {
    const { config, source } = each;
    const planned = (await isRunning(config.name, store))
      ? failed(running)
      : await work.planProposal(each, signal);
    plans.push({
      account: config.name,
      source,
      ...(planned.ok
        ? { plan: await toPlan(planned.value, config.name, call), failure: null }
        : { plan: null, failure: failureOf(planned.problems, (text) => text) }),
    });
  }
  return {
    digest: draft.digest,
    hosts: hosts.length,
    patches: draft.patches.map(({ source, commit, edited, patch }) => {
      const on = proposalSource(source, settings);
      return {
        source,
        commit,
        files: edited.map(({ source: { file } }) => file),
        patch,
        forge:
          on === undefined
            ? null
            : { kind: on.forge.kind, repository: on.forge.repository, into: branchOf(on) ?? '' },
      };
    }),
    plans,
    refused: draft.refused
      .slice(0, mostShown)
      .map(({ account, hostId, name, why }) => ({ account, host_id: hostId, name, why })),
    more_refused: Math.max(0, draft.refused.length - mostShown),
  };
}

/** A read in the middle of a run would see half of its changes. */
async function isRunning(account: string, { runs }: RouteCall['parts']['store']): Promise<boolean> {
  const query = { visible: 'all', account, states: ['running', 'stopping'], limit: 1 } as const;
  return firstOf(await runs.list(query)) !== undefined;
}

type Planned = Extract<
  Awaited<ReturnType<RouteCall['parts']['work']['planProposal']>>,
  { ok: true }
>['value'];

async function toPlan(
  { plan, comparison }: Planned,
  account: string,
  { parts, visible }: Asked,
): Promise<Answered<NonNullable<Proposal['plans'][number]['plan']>>> {
  const review = toPlanReview(plan);
  return {
    verdict: review.verdict,
    applicable: plan.applicable,
    calls: plan.calls.planned,
    introduced: comparison.introduced.length,
    pending: comparison.pending.length + comparison.drift.length,
    host_count: review.hosts.length,
    hosts: await withStates(parts, account, review.hosts.slice(0, mostShown), visible),
    irreversible: review.irreversible.length,
    problems: shownProblems(review).slice(0, mostShown),
    more_problems: review.more.problems + Math.max(0, review.problems.length - mostShown),
  };
}

function titleOf(change: ProposalRequest['change'], hosts: number): string {
  const subject = count(hosts, 'host');
  switch (change.kind) {
    case 'move':
      return change.group === null
        ? `Remove ${subject} from their groups`
        : `Move ${subject} to ${change.group}`;
    case 'rename':
      return `Rename ${subject}`;
    case 'antivirus':
      return `Install the anti-virus on ${subject}`;
    case 'delete':
      return `Delete ${subject}`;
    case 'adopt':
      return `Adopt what the fleet has on ${subject}`;
  }
}

const changed = problem('stale-plan', 'The proposal is no longer what you reviewed', {
  hint: 'propose the change again: the desired state, the hosts or the drift changed meanwhile',
});
const nothing = problem('usage', 'The desired state already requests this', {
  hint: 'there is nothing to propose',
});
const running = problem('state', 'a run of this account is in progress', {
  hint: 'plan again after that run',
});
