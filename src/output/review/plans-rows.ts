import { compareNaturally } from '../../core/lib/natural-order.ts';
import { withoutAccount } from '../../core/model/account-placeholders.ts';
import { countChanges } from '../../core/model/policy.ts';
import { fromDocument } from '../../core/plan/document/document-names.ts';
import type { Summary } from '../../core/plan/types/plan.ts';
import { severities } from '../../core/problem/problem.ts';
import type { AccountReport, ChangeCounts, ReportedProblem, ReportedSummary } from './account-report.ts';
import type { PlansReview } from './plans-review.ts';

/** What happens in some accounts, in the order in which a reviewer needs it. */
export type GroupKind = 'failed' | 'refused' | 'irreversible' | 'changes' | 'no-changes';

export interface AccountGroup {
  readonly kind: GroupKind;
  /** Is it the rest of the accounts with changes, next to those with changes that can't be undone? */
  readonly isRest: boolean;
  /** Those with the most changes first, then by name. */
  readonly accounts: readonly AccountReport[];
}

/** A problem that one or several accounts have. */
export interface ProblemRow {
  /** With placeholders such as `{name}` where it differs by account. */
  readonly problem: ReportedProblem;
  /** By name. */
  readonly accounts: readonly string[];
}

/** A rule or a line of the desired state that changes several accounts. */
export interface CauseRow {
  readonly file: string;
  /** Undefined if several lines of the file apply. */
  readonly line: number | undefined;
  /** Undefined for entries. */
  readonly rule: string | undefined;
  readonly changes: ChangeCounts;
  readonly accounts: number;
}

/** The plans of many accounts in the form that a reviewer reads, computed once for all painters. Names are raw. */
export interface PlansRows {
  readonly review: PlansReview;
  /** By name, as people sort names. */
  readonly accounts: readonly AccountReport[];
  /** Groups without accounts are left out. */
  readonly groups: readonly AccountGroup[];
  /** The accounts with deletions or anti-virus installs, those with the most first. */
  readonly irreversible: readonly AccountReport[];
  /** Errors first, then those that most accounts have. */
  readonly problems: readonly ProblemRow[];
  /** Problems that the reports count and do not contain. */
  readonly unreportedProblems: number;
  /** Those with the most changes first. */
  readonly causes: readonly CauseRow[];
  /** Rules and lines that change only one account. */
  readonly singleCauses: number;
}

export function toPlansRows(review: PlansReview): PlansRows {
  const { totals } = review;
  const accounts = review.accounts.toSorted((a, b) => compareNaturally(a.account.name, b.account.name));
  const problems = problemRows(accounts);
  const causes = causeRows(accounts);
  const reported = accounts.reduce((sum, each) => sum + each.problems.first.length, 0);
  const { error, warning, note } = totals.problems;
  return {
    review,
    accounts,
    groups: groupsOf(accounts),
    irreversible: accounts
      .filter(({ plan }) => (plan?.irreversible.count ?? 0) > 0)
      .sort((a, b) => (b.plan?.irreversible.count ?? 0) - (a.plan?.irreversible.count ?? 0)),
    problems,
    unreportedProblems: error + warning + note - reported,
    causes: causes.filter((each) => each.accounts > 1),
    singleCauses: causes.filter((each) => each.accounts === 1).length,
  };
}

export function summaryOf(summary: ReportedSummary): Summary {
  return fromDocument(summary) as Summary;
}

function changesIn({ plan }: AccountReport): number {
  return plan === undefined ? 0 : plan.irreversible.count + plan.changes.count;
}

const groupOrder = ['failed', 'refused', 'irreversible', 'changes', 'no-changes'] as const;

function groupsOf(accounts: readonly AccountReport[]): readonly AccountGroup[] {
  const byKind = Map.groupBy(accounts, groupOf);
  return groupOrder.flatMap((kind) => {
    const those = byKind.get(kind) ?? [];
    if (those.length === 0) return [];
    const isRest = kind === 'changes' && byKind.has('irreversible');
    return [{ kind, isRest, accounts: those.sort((a, b) => changesIn(b) - changesIn(a)) }];
  });
}

function groupOf({ outcome, plan }: AccountReport): GroupKind {
  return outcome === 'changes' && (plan?.irreversible.count ?? 0) > 0 ? 'irreversible' : outcome;
}

/** Problems that differ only in the name of their account are one. */
function problemRows(accounts: readonly AccountReport[]): readonly ProblemRow[] {
  const rows = new Map<string, { problem: ReportedProblem; readonly accounts: Set<string> }>();
  for (const { account, problems } of accounts) {
    for (const each of problems.first) {
      // Without an account, the number is the sum over all of them.
      const hint = each.hint?.replace(/--ack (?=\w+=)/, `--ack ${account.name}:`);
      const problem = hint === undefined ? each : { ...each, hint };
      const general = generalized(problem, account);
      const { severity, code, message, file, line } = general;
      const key = JSON.stringify([severity, code, message, file, line]);
      const row = rows.get(key);
      if (row === undefined) rows.set(key, { problem, accounts: new Set([account.name]) });
      else {
        row.accounts.add(account.name);
        if (!isSame(row.problem, problem)) row.problem = general;
      }
    }
  }
  const rank = ({ severity }: ReportedProblem) => severities.indexOf(severity);
  return [...rows.values()]
    .map((row) => ({ problem: row.problem, accounts: [...row.accounts] }))
    .sort((a, b) => rank(a.problem) - rank(b.problem) || b.accounts.length - a.accounts.length);
}

function generalized(
  problem: ReportedProblem,
  { name, company_id }: AccountReport['account'],
): ReportedProblem {
  const general = (text: string) => withoutAccount(text, { name, companyId: company_id });
  const { message, hint, file } = problem;
  return {
    ...problem,
    message: general(message),
    ...(hint === undefined ? {} : { hint: general(hint) }),
    ...(file === undefined ? {} : { file: general(file) }),
  };
}

function isSame(one: ReportedProblem, other: ReportedProblem): boolean {
  return one.message === other.message && one.hint === other.hint && one.file === other.file;
}

function causeRows(accounts: readonly AccountReport[]): readonly CauseRow[] {
  const rows = new Map<string, CauseRow & { accounts: number; readonly changes: ChangeCounts }>();
  for (const { plan } of accounts) {
    for (const { changes, file, line, rule } of plan?.causes.first ?? []) {
      // The rest of an account's causes, without a file, has no identity in other accounts.
      if (file === undefined) continue;
      const key = JSON.stringify([file, line, rule]);
      const row = rows.get(key);
      if (row === undefined) rows.set(key, { file, line, rule, changes: { ...changes }, accounts: 1 });
      else {
        row.accounts += 1;
        for (const kind of Object.keys(changes) as (keyof ChangeCounts)[]) row.changes[kind] += changes[kind];
      }
    }
  }
  return [...rows.values()].sort((a, b) => countChanges(b.changes) - countChanges(a.changes));
}
