import { count, countIfAny, grouped, listed } from '../../core/lib/words.ts';
import { severities } from '../../core/problem/problem.ts';
import type { ChangeCounts, ReportedPlan } from './account-report.ts';
import { type ComparisonCounts, comparisonLine } from './comparison.ts';
import { durationWords } from './duration-words.ts';
import { standingOfFleets } from './pending-words.ts';
import type { PlansReview } from './plans-review.ts';
import { type AccountGroup, type GroupKind, type PlansRows, summaryOf } from './plans-rows.ts';
import { callWords, changeCountWords, heldWords, totalsLine } from './rows.ts';

/** `31 accounts: 2 without a plan, 1 refused, 12 with changes, 16 without changes.` */
export function accountsLine({ totals }: PlansReview): string {
  const { outcomes } = totals;
  const words = [
    ...(outcomes.failed === 0 ? [] : [`${outcomes.failed} without a plan`]),
    ...(outcomes.refused === 0 ? [] : [`${outcomes.refused} refused`]),
    `${grouped(outcomes.changes)} with changes`,
    `${grouped(outcomes['no-changes'])} without changes`,
  ];
  return `${count(totals.accounts, 'account')}: ${words.join(', ')}.`;
}

/** The totals as in the plan of one account; undefined if there is no plan, as "no changes" would be false. */
export function plansTotalsLine({ totals }: PlansReview): string | undefined {
  if (totals.accounts === totals.outcomes.failed) return undefined;
  return totalsLine(summaryOf(totals.summary), totals.blocked);
}

/** The calls of all plans; undefined if there is nothing to send. */
export function plansCallsLine({ totals }: PlansReview): string | undefined {
  return totals.calls.planned === 0 ? undefined : callWords(totals.calls);
}

export interface VerdictLine {
  readonly tone: 'error' | 'warning' | 'good';
  readonly text: string;
}

/** What a reader must know before any number: failures, refusals, or that no account needs attention. */
export function verdicts({ interrupted, totals, accounts }: PlansReview): readonly VerdictLine[] {
  const { failed, refused, changes } = totals.outcomes;
  const partial = accounts.filter(({ plan }) => plan?.partial === true).length;
  const line = (tone: VerdictLine['tone'], isShown: boolean, text: string) =>
    isShown ? [{ tone, text }] : [];
  const their = (number: number) => (number === 1 ? 'its' : 'their');
  return [
    ...line(
      'error',
      interrupted,
      'A signal stopped planning: accounts that were not planned yet have no plan.',
    ),
    ...line(
      'error',
      failed > 0,
      `${count(failed, 'account has', 'accounts have')} no plan: nothing is known about ${their(failed)} changes.`,
    ),
    ...line(
      'error',
      refused > 0,
      `${count(refused, 'plan')} can't be applied because of errors. The totals include ${their(refused)} changes.`,
    ),
    ...line(
      'warning',
      partial > 0,
      `${count(partial, 'plan is', 'plans are')} partial: only some hosts are covered.`,
    ),
    ...(failed + refused + changes > 0 || totals.accounts === 0
      ? []
      : [standingOfFleets(totals.accounts, summaryOf(totals.summary))]),
  ];
}

const groupWords: Readonly<Record<GroupKind, string>> = {
  failed: 'without a plan',
  refused: "with a plan that can't be applied",
  irreversible: "with changes that can't be undone",
  changes: 'with changes',
  'no-changes': 'without changes',
};

export function accountGroupTitle({ kind, isRest, accounts }: AccountGroup): string {
  return `${count(accounts.length, 'account')} ${isRest ? 'with other changes' : groupWords[kind]}`;
}

/**
 * `3 renames, 1 deletion, 1 install in doubt`; `no changes` if there are none, and nothing if errors are the reason for
 * that.
 */
export function planWords({ applicable, summary: reported, blocked }: ReportedPlan): string {
  const summary = summaryOf(reported);
  const words = [...changeCountWords(summary), ...heldWords(summary, blocked)];
  return words.length === 0 && applicable ? 'no changes' : words.join(', ');
}

/** `3 renames, 2 moves`. */
export function renamesAndMoves({ summary: { rename, move } }: ReportedPlan): string {
  return [...countIfAny(rename, 'rename'), ...countIfAny(move, 'move')].join(', ');
}

/** `2 errors, 1 warning`; empty if there are no problems. */
export function problemWords({ problems }: { readonly problems: PlansReview['totals']['problems'] }): string {
  return severities.flatMap((severity) => countIfAny(problems[severity], severity)).join(', ');
}

/** `renames 212 hosts and deletes 3 hosts`. */
export function causeWords({ rename, move, antivirus, delete: deleted }: ChangeCounts): string {
  const hosts = (number: number) => count(number, 'host');
  const words = [
    ...(rename === 0 ? [] : [`renames ${hosts(rename)}`]),
    ...(move === 0 ? [] : [`moves ${hosts(move)}`]),
    ...(antivirus === 0 ? [] : [`installs anti-virus on ${hosts(antivirus)}`]),
    ...(deleted === 0 ? [] : [`deletes ${hosts(deleted)}`]),
  ];
  return listed(words);
}

/** `Compared with main: 3 changes added by this change, 1 already pending.`, summed over all accounts. */
export function plansComparison({ accounts }: PlansReview): string | undefined {
  const all = accounts.flatMap(({ plan }) => (plan?.comparison === undefined ? [] : [plan.comparison]));
  if (all.length === 0) return undefined;
  const sum = (key: keyof ComparisonCounts) => all.reduce((total, each) => total + each[key], 0);
  const [introduced, pending] = [sum('introduced'), sum('pending')];
  return comparisonLine({ introduced, pending, drift: sum('drift'), reverted: sum('reverted') }, 'the base');
}

/** The outcome of the rehearsals; undefined if there were none. */
export function plansRehearsal({ accounts }: PlansReview): string | undefined {
  const all = accounts.flatMap(({ plan }) => (plan?.rehearsal === undefined ? [] : [plan.rehearsal]));
  if (all.length === 0) return undefined;
  const failed = all.filter((each) => !each.without_faults.converged || !each.with_faults.converged).length;
  const minutes = Math.max(...all.map((each) => each.without_faults.minutes));
  const result = failed === 0 ? 'all converged' : `${failed} did not converge`;
  return `Rehearsed ${count(all.length, 'plan')}: ${result}; the longest takes about ${durationWords(minutes * 60_000)}.`;
}

/** `Delete 3 hosts, install anti-virus on 2 hosts in 4 accounts (can't be undone)`. */
export function irreversibleTitle({ review, irreversible }: PlansRows): string {
  const { delete: deleted, antivirus } = review.totals.summary;
  const words = [
    ...(deleted === 0 ? [] : [`delete ${count(deleted, 'host')}`]),
    ...(antivirus === 0 ? [] : [`install anti-virus on ${count(antivirus, 'host')}`]),
  ].join(', ');
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return `${title} in ${count(irreversible.length, 'account')} (can't be undone)`;
}
