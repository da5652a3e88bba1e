import { defined } from '../../core/lib/defined.ts';
import { toDocument } from '../../core/plan/document/document-names.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import type { Comparison, Plan } from '../../core/plan/types/plan.ts';
import { asWarning, failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { type EditedSource, editableText, editedText } from '../../input/writing/edited-source.ts';
import type { FleetQuestions, PullRequestQuestion } from '../../mcp/fleet-questions.ts';
import { fenced } from '../../output/review/fenced.ts';
import { type PlanReview, toPlanReview } from '../../output/review/plan-review.ts';
import { coverage } from '../commands/coverage.ts';
import { explainCommand } from '../commands/explain.ts';
import { hosts } from '../commands/hosts.ts';
import { type PlanSources, planOnce } from '../planning/plan-once.ts';
import { readDesiredState } from '../planning/read-desired-state.ts';
import { rehearsalOf } from '../planning/rehearsal.ts';
import { forgeOfCheckout, openCheckoutPull, type PullTarget, pullTarget } from '../setup/checkout-forge.ts';
import { sourcesOf } from '../setup/edit-sources.ts';
import type { Context } from '../shell/context.ts';
import { type Asking, accountsToAsk, ask } from './asking-context.ts';
import { type ProposedState, proposedState } from './proposed-state.ts';

/** A plan of this conversation, and the account that it is for. */
interface KeptPlan {
  readonly plan: Plan;
  readonly review: PlanReview;
  readonly account: string | undefined;
  /** The change that led to it, and where it can be proposed. */
  readonly proposal?: Omit<ProposedState, 'desired'> & { readonly target: PullTarget };
}

/** The latest plans of a conversation. */
const mostPlans = 16;

/** How many characters of one file an answer contains at most. */
const longestFile = 100_000;

/** The most rows of one list in the summary of a plan. */
const mostRows = 50;

/** Answers questions about the desired state of `files` and the fleets of this machine's accounts. */
export function createFleetAnswers(context: Context, files: readonly string[]): FleetQuestions {
  const kept = new Map<string, KeptPlan>();
  const forge = forgeOfCheckout(context);
  const keep = (plan: Plan, account: string | undefined, proposal?: KeptPlan['proposal']): unknown => {
    const checksum = planChecksum(plan);
    const review = toPlanReview(plan);
    kept.delete(checksum);
    kept.set(checksum, { plan, review, account, ...(proposal === undefined ? {} : { proposal }) });
    for (const oldest of [...kept.keys()].slice(0, -mostPlans)) kept.delete(oldest);
    return planSummary(checksum, plan, review);
  };
  const planned = async ({ context: own }: Asking, sources: Omit<PlanSources, 'report'>, base?: string) =>
    planOnce(own, base === undefined ? {} : { base }, { ...sources, report: own.report });
  const keptPlan = (checksum: string) => kept.get(checksum) ?? null;

  return {
    async listAccounts() {
      const accounts = await accountsToAsk(context);
      if (!accounts.ok) return accounts;
      return ok(
        accounts.value.map(({ name, companyId, labels, mode, files: own }) => ({
          account: name,
          company_id: companyId ?? null,
          labels,
          mode,
          files: own,
        })),
      );
    },
    findHosts: ({ account, text, where, limit }) =>
      ask(context, account, ({ document }) =>
        document((own) => hosts(own, { limit, ...(where === undefined ? {} : { where }) }, text)),
      ),
    explainHost: ({ account, host }) =>
      ask(context, account, ({ document }) => document((own) => explainCommand(own, { file: files }, host))),
    showFiles: ({ account }) =>
      ask(context, account, async ({ context: own }) => {
        const opened = await sourcesOf(files, own);
        if (!opened.ok) return opened;
        const { sources, tables } = opened.value;
        return ok(
          [...sources, ...tables].map((source) => {
            const whole = editableText(source);
            const text = whole.slice(0, longestFile);
            return { file: source.file, text, is_whole: text.length === whole.length };
          }),
        );
      }),
    validate: ({ account }) =>
      ask(context, account, async ({ context: own }) => {
        const desired = await readDesiredState(files, own);
        if (!desired.ok) return desired;
        const { files: read, count: entries, rules } = desired.value;
        return ok({ files: read, entries, rules: rules.length }, desired.problems);
      }),
    plan: ({ account }) =>
      ask(context, account, async (asking) => {
        const plan = await planned(asking, { desired: () => readDesiredState(files, asking.context) });
        return plan.ok ? ok(keep(plan.value, account), plan.problems) : plan;
      }),
    async listPlannedHosts({ plan, only, offset, limit }) {
      const review = keptPlan(plan)?.review;
      if (review === undefined) return failed(noPlan);
      const rows = only === 'all' ? review.hosts : review[only];
      return ok({ total: rows.length, offset, hosts: rows.slice(offset, offset + limit) });
    },
    coverage: ({ account, table, by }) =>
      ask(context, account, ({ document }) =>
        document((own) =>
          coverage(own, {
            file: files,
            ...defined({ table, by }),
          }),
        ),
      ),
    async rehearse({ plan: checksum }) {
      const found = keptPlan(checksum);
      if (found === null) return failed(noPlan);
      const { plan, account } = found;
      return ask(context, account, async ({ context: own }) => {
        const rehearsal = await rehearsalOf(own, plan, { pace: plan.forecast?.pace });
        return rehearsal.ok ? ok(toDocument(rehearsal.value)) : rehearsal;
      });
    },
    proposeChange: ({ account, edits }) =>
      ask(context, account, async (asking): Promise<Result<unknown>> => {
        const { context: own } = asking;
        const proposed = await proposedState(own, files, edits);
        if (!proposed.ok) return proposed;
        const { patch, desired, edited } = proposed.value;
        const current = await readDesiredState(files, own);
        const plan = await planned(
          asking,
          {
            desired: async () => ok(desired, proposed.problems),
            ...(current.ok ? { base: async () => current } : {}),
          },
          'the current files',
        );
        if (!plan.ok) return plan;
        const target = await targetOf(edited, own);
        const proposal =
          target.ok && target.value !== null ? { patch, edited, target: target.value } : undefined;
        const summary = keep(plan.value, account, proposal);
        const place = proposal === undefined ? null : { ...repositoryOf(forge), into: proposal.target.into };
        return ok({ patch, apply_with: applyPatch, pull_request: place, plan: summary }, [
          ...plan.problems,
          ...target.problems.map(asWarning),
        ]);
      }),
    ...(forge.ok && forge.value === undefined ? {} : { openPullRequest }),
  };

  /** Null without a forge. */
  async function targetOf(edited: readonly EditedSource[], own: Context): Promise<Result<PullTarget | null>> {
    if (!forge.ok) return forge;
    return forge.value === undefined
      ? ok(null)
      : pullTarget(
          edited.map(({ source }) => source.file),
          own,
        );
  }

  async function openPullRequest({ plan, title, reason }: PullRequestQuestion): Promise<Result<unknown>> {
    const found = keptPlan(plan);
    if (found?.proposal === undefined) return failed(found === null ? noPlan : noProposal);
    if (!forge.ok || forge.value === undefined) return forge;
    const address = forge.value;
    const { patch, edited, target } = found.proposal;
    return ask(context, found.account, async ({ context: own }) => {
      const opened = await openCheckoutPull(
        address,
        target,
        {
          patch,
          title,
          base: target.base,
          into: target.into,
          body: `${fenced(reason, 3_000, 'start')}\nProposed by a program with the plan ${plan}: ${found.review.verdict}`,
          files: edited.map((each) => ({ path: each.source.file, text: editedText(each) })),
        },
        own,
      );
      return opened.ok ? ok({ number: opened.value.number, page: opened.value.page }) : opened;
    });
  }
}

function repositoryOf(forge: ReturnType<typeof forgeOfCheckout>): object {
  return forge.ok && forge.value !== undefined
    ? { forge: forge.value.kind, repository: forge.value.repository }
    : {};
}

const noProposal = problem('usage', 'no pull request can be opened for this plan', {
  hint: 'to open a pull request, pass the checksum from the result of propose_change in "pull_request"',
});

const applyPatch = 'git apply -p0 --unidiff-zero';

const noPlan = problem('not-found', 'this conversation has no plan with this checksum', {
  hint: 'make one with plan or propose_change; the latest 16 are kept',
});

function planSummary(checksum: string, plan: Plan, review: PlanReview): unknown {
  return {
    plan: checksum,
    verdict: review.verdict,
    applicable: plan.applicable,
    is_partial: plan.partial,
    summary: toDocument(plan.summary),
    calls: toDocument(plan.calls),
    hosts: review.hosts.length,
    irreversible_hosts: review.irreversible.length,
    unusual_hosts: review.unusual.length,
    problems: review.problems.slice(0, mostRows),
    groups: review.groups.slice(0, mostRows),
    causes: review.causes.slice(0, mostRows),
    ...(plan.comparison === undefined ? {} : { comparison: comparisonSummary(plan.comparison) }),
  };
}

/** How many changes the edits add, how many were pending before them, and the first of those that they add. */
function comparisonSummary({ introduced, pending, drift, reverted }: Comparison): unknown {
  return {
    introduced: introduced.length,
    pending: pending.length,
    drift: drift.length,
    reverted: reverted.length,
    first_introduced: toDocument(introduced.slice(0, mostRows)),
  };
}
