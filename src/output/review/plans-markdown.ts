import { markdownCode, printable } from '../../core/lib/printable.ts';
import { count, firstFew, grouped } from '../../core/lib/words.ts';
import type { AccountReport, ReportedChange } from './account-report.ts';
import { layOutParts, type Part } from './markdown-budget.ts';
import { folding, type Rest } from './markdown-folding.ts';
import { blockOf, type MarkdownSection } from './markdown-section.ts';
import { nameOrDash, table } from './markdown-tables.ts';
import { accountPlans } from './plans-markdown-accounts.ts';
import type { AccountGroup, CauseRow, PlansRows, ProblemRow } from './plans-rows.ts';
import {
  accountGroupTitle,
  accountsLine,
  causeWords,
  irreversibleTitle,
  plansCallsLine,
  plansComparison,
  plansRehearsal,
  plansTotalsLine,
  planWords,
  problemWords,
  verdicts,
} from './plans-words.ts';

export interface PlansMarkdownOptions {
  /** The longest text, in characters. */
  readonly limit: number;
  /** Leaves out the plans of single accounts. */
  readonly summary?: boolean;
}

const mostNames = 5;

/**
 * The plans of many accounts as GitHub-flavoured Markdown: the totals, the accounts by what happens in them, what can't
 * be undone, problems and causes, then the plan of each account. Every account gets its line first; the other parts
 * share the rest, and what is left out is counted.
 */
export function paintPlansMarkdown(
  rows: PlansRows,
  { limit, summary = false }: PlansMarkdownOptions,
): string {
  const top = [...facts(rows), ...origin(rows)].join('\n\n');
  const parts = [...rows.groups.map(accountPart), ...irreversible(rows), ...problems(rows), ...causes(rows)];
  const plans = summary ? undefined : accountPlans(rows);
  const text = layOutParts(top, parts, limit, { reserve: plans?.wanted ?? 0 });
  if (text === undefined)
    return `${[...facts(rows), 'The accounts do not fit: see the plan files (`rampart show`).'].join('\n\n')}\n`;
  const rest = plans?.fit(limit - text.length - 1) ?? '';
  return rest === '' ? text : `${text}\n${rest}`;
}

/** The lines that no limit removes. */
function facts({ review }: PlansRows): readonly string[] {
  const sums = plansTotalsLine(review);
  const calls = plansCallsLine(review);
  return [
    `## Rampart plans of ${count(review.accounts.length, 'account')}`,
    ...verdicts(review).map(({ tone, text }) => (tone === 'good' ? text : `**${text}**`)),
    `**${accountsLine(review)}**`,
    ...(sums === undefined ? [] : [`**${sums}**`]),
    ...(calls === undefined ? [] : [calls]),
  ];
}

function origin({ review }: PlansRows): readonly string[] {
  const { names, where } = review.selector;
  const named = [
    ...names.slice(0, mostNames).map(markdownCode),
    ...(names.length <= mostNames ? [] : [`${grouped(names.length - mostNames)} more`]),
  ].join(', ');
  const chosen = [...(where === null ? [] : [markdownCode(where)]), ...(named === '' ? [] : [named])];
  return [
    ...[plansComparison(review), plansRehearsal(review)].filter((line) => line !== undefined),
    `${count(review.totals.hosts, 'host')}, planned at ${markdownCode(review.created_at)}. Accounts: ${chosen.length === 0 ? 'all' : chosen.join('; ')}.`,
  ];
}

/** One line for every account of a group. */
function accountPart(group: AccountGroup): Part {
  const { kind, accounts } = group;
  const name = { title: 'account', cell: ({ account }: AccountReport) => markdownCode(account.name) };
  const found = { title: 'problems', cell: problemsCell };
  const columns =
    kind === 'no-changes'
      ? [name, ...(accounts.some((each) => problemsCell(each) !== '') ? [found] : [])]
      : kind === 'failed'
        ? [name, { ...found, title: 'reason' }]
        : [
            name,
            {
              title: 'changes',
              cell: ({ plan }: AccountReport) => (plan === undefined ? '' : planWords(plan)),
            },
            { title: 'calls', cell: ({ plan }: AccountReport) => String(plan?.calls.planned ?? 0) },
            found,
          ];
  return folding('first', accountGroupTitle(group), table(accounts, columns), more('account'));
}

/** The reason for an account without a plan; the number of problems for others. */
function problemsCell(report: AccountReport): string {
  const [first] = report.problems.first;
  if (report.outcome !== 'failed' || first === undefined) return problemWords(report);
  return `${first.code}: ${markdownCode(first.message)}`;
}

interface AccountChange {
  readonly name: string;
  readonly change: ReportedChange;
}

function irreversible(rows: PlansRows): readonly Part[] {
  if (rows.irreversible.length === 0) return [];
  const shown = fairly(rows.irreversible);
  const all = rows.irreversible.reduce((sum, { plan }) => sum + (plan?.irreversible.count ?? 0), 0);
  const block = table(shown, [
    { title: 'account', cell: ({ name }) => markdownCode(name) },
    {
      title: 'change',
      cell: ({ change }) => (change.kind === 'delete' ? 'delete' : 'install anti-virus'),
    },
    { title: 'host', cell: ({ change }) => nameOrDash(change.name) },
    { title: 'id', cell: ({ change }) => change.host_id },
    { title: 'requested by', cell: ({ change }) => placeCell(change.reason) },
    { title: 'remark', cell: ({ change }) => (change.online === true ? 'online now' : '') },
  ]);
  const unreported = all - shown.length;
  const section: MarkdownSection = {
    open: `### ${irreversibleTitle(rows)}`,
    blocks: [block],
    rest: more("change that can't be undone", "changes that can't be undone"),
    ...(unreported === 0 ? {} : { close: moreReported(unreported) }),
  };
  return [{ kind: 'second', section }];
}

/** The first change of each account, then the second of each, so that a cut leaves out no account before others. */
function fairly(accounts: readonly AccountReport[]): readonly AccountChange[] {
  const lists = accounts.map(({ account, plan }) => ({
    name: account.name,
    first: plan?.irreversible.first ?? [],
  }));
  const longest = Math.max(...lists.map(({ first }) => first.length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap(({ name, first }) => {
      const change = first[index];
      return change === undefined ? [] : [{ name, change }];
    }),
  ).flat();
}

function problems(rows: PlansRows): readonly Part[] {
  if (rows.problems.length === 0) return [];
  // Every line within starts with a severity, so untrusted text can't close the fence.
  const block = blockOf(rows.problems, { open: '```text', close: '```', row: problemLine });
  const title = `Problems: ${problemWords({ problems: { ...rows.review.totals.problems } })}`;
  return [folding('tail', title, block, more('problem'))];
}

function problemLine({ problem, accounts }: ProblemRow): string {
  const { severity, code, message, file, line } = problem;
  const where = file === undefined ? '' : ` (${printable(file)}:${line ?? 1})`;
  return `${severity}[${code}]: ${printable(message)}${where}, in ${firstFew(accounts, mostNames, printable)}`;
}

function causes({ causes: all }: PlansRows): readonly Part[] {
  if (all.length === 0) return [];
  const block = table(all, [
    { title: 'rule or line', cell: causeCell },
    { title: 'effect', cell: ({ changes }) => causeWords(changes) },
    { title: 'accounts', cell: ({ accounts }) => String(accounts) },
  ]);
  const title = `${count(all.length, 'rule or line changes', 'rules and lines change')} several accounts`;
  return [folding('tail', title, block, more('rule or line', 'rules and lines'))];
}

function causeCell(cause: CauseRow): string {
  const place = placeCell(cause);
  return cause.rule === undefined ? place : `rule ${markdownCode(cause.rule)}, ${place}`;
}

function placeCell({ file, line }: Pick<CauseRow, 'file' | 'line'>): string {
  return line === undefined ? `several lines of ${markdownCode(file)}` : markdownCode(`${file}:${line}`);
}

const more: Rest =
  (noun, nouns = `${noun}s`) =>
  (left) =>
    `**${count(left, `more ${noun}`, `more ${nouns}`)}**: see the plan files (\`rampart show\`).`;

function moreReported(left: number): string {
  return `The review has the first changes of each account; ${left} more are in the plan files (\`rampart show\`).`;
}
