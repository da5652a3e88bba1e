import { printable } from '../../../core/lib/printable.ts';
import { count, grouped } from '../../../core/lib/words.ts';
import type { ShownStatus } from '../../../forge/forge.ts';
import { cutText } from '../../../output/review/cut-text.ts';
import type { CommitPlans, PlanOutcome } from '../../plans/records/commit-plans.ts';
import { changePath } from '../../plans/rules/change-path.ts';

/** What a forge shows at a commit. */
export interface CommitStatus extends Pick<ShownStatus, 'state' | 'description'> {
  /** A path of the console. */
  readonly path: string;
}

const words: Readonly<Record<PlanOutcome, readonly [one: string, many: string]>> = {
  in_doubt: ['the run ended in doubt', 'ended in doubt'],
  failed: ['the run failed', 'failed'],
  stopped: ['the run was stopped', 'stopped'],
  rejected: ['rejected', 'rejected'],
  expired: ['expired', 'expired'],
  stale: ['stale', 'stale'],
  running: ['the run is in progress', 'in progress'],
  waiting: ['waits for approval', 'waiting for approval'],
  approved: ['approved', 'approved'],
  done: ['applied', 'applied'],
};
const worstFirst = Object.keys(words) as readonly PlanOutcome[];
/** GitHub accepts no longer description. */
const mostText = 140;

/** One status for all plans of a commit, with their numbers. Undefined if the commit has no plan. */
export function commitStatus(given: readonly CommitPlans[]): CommitStatus | undefined {
  const groups = given.toSorted((a, b) => worstFirst.indexOf(a.outcome) - worstFirst.indexOf(b.outcome));
  const [first] = groups;
  if (first === undefined) return undefined;
  const plans = groups.reduce((sum, group) => sum + group.plans, 0);
  return {
    state: stateOf(groups),
    // The reason of a stale plan may quote a host.
    description: cutText(
      printable(plans === 1 ? describeOne(first) : `${plans} plans: ${groups.map(describe).join('; ')}`),
      mostText,
    ),
    path: plans === 1 ? changePath(first.plan.id) : '/approvals',
  };
}

/** As long as a plan waits or runs, the commit has no end. Only plans that were applied make it a success. */
function stateOf(groups: readonly CommitPlans[]): CommitStatus['state'] {
  const has = (...outcomes: readonly PlanOutcome[]) =>
    groups.some(({ outcome }) => outcomes.includes(outcome));
  if (has('waiting')) return 'pending';
  if (has('approved', 'running')) return 'running';
  if (has('in_doubt')) return 'error';
  if (has('failed', 'stopped', 'rejected')) return 'failure';
  return has('expired', 'stale') ? 'error' : 'success';
}

function describeOne(group: CommitPlans): string {
  const { outcome, plan } = group;
  const { numbers, approvals } = plan.required;
  const exact = numbers.map(({ limit, value }) => `${limit}=${value}`).join(' ');
  const needs = outcome === 'waiting' && exact !== '' ? `; approval needs ${exact}` : '';
  const count = outcome === 'waiting' && approvals > 1 ? `, ${plan.approvals} of ${approvals} approvals` : '';
  const why = outcome === 'stale' && plan.reason !== null ? `: ${plan.reason}` : '';
  return `${plan.account}: ${words[outcome][0]}${count}, ${changesOf(group)}${needs}${why}`;
}

function describe(group: CommitPlans): string {
  return `${group.plans} ${words[group.outcome][1]} (${changesOf(group)})`;
}

function changesOf({ changes, irreversible }: CommitPlans): string {
  const all = count(changes, 'change');
  return irreversible === 0 ? all : `${all} (${grouped(irreversible)} irreversible)`;
}
