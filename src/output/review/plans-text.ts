import { displayWidth } from '../../core/lib/display-width.ts';
import { printable } from '../../core/lib/printable.ts';
import { count, firstFew } from '../../core/lib/words.ts';
import type { AccountReport, ReportedChange, ReportedProblem } from './account-report.ts';
import type { Color, TextStyle } from './color.ts';
import { type AccountGroup, type CauseRow, type PlansRows, type ProblemRow } from './plans-rows.ts';
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
  renamesAndMoves,
  verdicts,
} from './plans-words.ts';
import { severityTint } from './problem-text.ts';
import { type Cell, layOut, nameCell } from './table.ts';

export interface PlansTextOptions extends TextStyle {
  /** Leaves out the changes of each account, except those that can't be undone, and notes. */
  readonly summary?: boolean;
}

/** The most rows of changes over all accounts, and the fewest for one account. */
const mostRows = 500;
const fewestRows = 3;
const mostCauses = 20;
const mostProblems = 50;
const mostNames = 8;
/** The width of lines of names without a terminal. */
const widest = 100;

/**
 * The plans of many accounts for a terminal. The parts that need judgment are nearest to the prompt: each account's
 * changes first, then causes, changes that can't be undone, accounts by what happens in them, problems, and the totals.
 */
export function paintPlans(rows: PlansRows, options: PlansTextOptions): string {
  const blocks = [
    head(rows, options),
    ...(options.summary === true ? [] : changes(rows, options)),
    ...causes(rows, options),
    ...irreversible(rows, options),
    ...rows.groups.toReversed().map((group) => accountsOf(group, options)),
    ...problems(rows, options),
    foot(rows, options),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function head({ review }: PlansRows, { color }: PlansTextOptions): readonly string[] {
  const { selector, created_at } = review;
  const named = selector.names.map(printable).join(', ');
  const chosen = [
    ...(selector.where === null ? [] : [`where ${printable(selector.where)}`]),
    ...(named === '' ? [] : [named]),
  ];
  return [
    color.bold(`The plans of ${count(review.accounts.length, 'account')}`),
    color.dim(
      `${count(review.totals.hosts, 'host')}; planned at ${created_at}; accounts: ${chosen.length === 0 ? 'all' : chosen.join('; ')}`,
    ),
  ];
}

/** The first changes of each account. Each account shows the same number of rows. */
function changes({ accounts }: PlansRows, options: PlansTextOptions): readonly (readonly string[])[] {
  const { color } = options;
  const changed = accounts.filter(({ plan }) => (plan?.changes.count ?? 0) > 0);
  const most = Math.max(fewestRows, Math.floor(mostRows / Math.max(1, changed.length)));
  return changed.map(({ account, plan }) => {
    const { count: all = 0, first = [] } = plan?.changes ?? {};
    return [
      `${color.bold(printable(account.name))}: ${plan === undefined ? '' : renamesAndMoves(plan)}`,
      ...changeTable(first.slice(0, most), options),
      ...moreLine(all - Math.min(first.length, most), 'change', options),
    ];
  });
}

/** Every account in which something can't be undone, with its first such changes. */
function irreversible(rows: PlansRows, options: PlansTextOptions): readonly (readonly string[])[] {
  const { color } = options;
  if (rows.irreversible.length === 0) return [];
  const title = color.bold(color.red(irreversibleTitle(rows)));
  const most = Math.max(fewestRows, Math.floor(mostRows / rows.irreversible.length));
  return [
    [title],
    ...rows.irreversible.map(({ account, plan }) => {
      const { count: all = 0, first = [] } = plan?.irreversible ?? {};
      return [
        `  ${color.bold(printable(account.name))}: ${all}`,
        ...changeTable(first.slice(0, most), options),
        ...moreLine(
          all - Math.min(first.length, most),
          "change that can't be undone",
          options,
          "changes that can't be undone",
        ),
      ];
    }),
  ];
}

function changeTable(
  changes: readonly ReportedChange[],
  { color, columns }: PlansTextOptions,
): readonly string[] {
  const cells = changes.map((change): readonly Cell[] => [
    markOf(change, color),
    nameCell(change.name, color),
    { text: change.to === undefined ? '' : '→', paint: color.dim },
    change.to === undefined ? { text: '' } : targetCell(change, color),
    { text: change.host_id, paint: color.dim },
    { text: placeOf(change.reason), paint: color.dim },
    { text: change.online === true ? 'online now' : '', paint: color.yellow },
  ]);
  const kinds = ['fixed', 'name', 'fixed', 'name', 'fixed', 'extra', 'fixed'] as const;
  return layOut(cells, { columns: kinds, indent: 4, width: columns });
}

const marks: Readonly<Record<ReportedChange['kind'], readonly [string, keyof Color]>> = {
  delete: ['-', 'red'],
  antivirus: ['+', 'green'],
  rename: ['~', 'yellow'],
  move: ['>', 'cyan'],
};

function markOf({ kind }: ReportedChange, color: Color): Cell {
  const [text, paint] = marks[kind];
  return { text, paint: color[paint] };
}

function targetCell({ kind, to = null }: ReportedChange, color: Color): Cell {
  return kind === 'move' && to === null ? { text: 'no group', paint: color.dim } : nameCell(to, color);
}

function moreLine(
  left: number,
  noun: string,
  { color }: PlansTextOptions,
  nouns = `${noun}s`,
): readonly string[] {
  return left <= 0 ? [] : [color.dim(`    … and ${count(left, `more ${noun}`, `more ${nouns}`)}`)];
}

/** The rules and lines that change several accounts. */
function causes(rows: PlansRows, options: PlansTextOptions): readonly (readonly string[])[] {
  const { color, columns } = options;
  if (rows.causes.length === 0) return [];
  const shown = rows.causes.slice(0, mostCauses);
  const cells = shown.map((cause): readonly Cell[] => [
    { text: causeName(cause) },
    { text: `${causeWords(cause.changes)} in ${count(cause.accounts, 'account')}` },
    { text: cause.rule === undefined ? '' : placeOf(cause), paint: color.dim },
  ]);
  return [
    [
      color.bold('Rules and lines that change several accounts'),
      ...layOut(cells, { columns: ['name', 'fixed', 'extra'], indent: 2, width: columns }),
      ...moreLine(rows.causes.length - shown.length, 'rule or line', options, 'rules and lines'),
    ],
  ];
}

function causeName(cause: CauseRow): string {
  return cause.rule === undefined ? placeOf(cause) : `rule ${printable(cause.rule)}`;
}

function placeOf({ file, line }: Pick<CauseRow, 'file' | 'line'>): string {
  return line === undefined ? `${printable(file)} (several lines)` : `${printable(file)}:${line}`;
}

/** Every account of a group on its own line; accounts without changes only by name. */
function accountsOf(group: AccountGroup, options: PlansTextOptions): readonly string[] {
  const { kind, accounts } = group;
  const { color, columns } = options;
  const paint = { failed: color.red, refused: color.red, irreversible: color.yellow }[kind as string];
  const title = color.bold((paint ?? ((text: string) => text))(accountGroupTitle(group)));
  if (kind === 'no-changes') return [title, ...nameLines(accounts, columns ?? widest)];
  const cells = accounts.map(({ account, plan, problems }): readonly Cell[] => [
    { text: printable(account.name) },
    { text: plan === undefined ? '' : planWords(plan) },
    { text: kind === 'failed' ? firstError(problems.first) : problemWords({ problems }), paint: color.dim },
  ]);
  return [title, ...layOut(cells, { columns: ['name', 'fixed', 'extra'], indent: 2, width: columns })];
}

/** Names separated by commas, in lines of at most this width. */
function nameLines(accounts: readonly AccountReport[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const { account } of accounts) {
    const name = printable(account.name);
    if (line !== '' && displayWidth(`  ${line}, ${name},`) > width) {
      lines.push(`  ${line},`);
      line = name;
    } else line = line === '' ? name : `${line}, ${name}`;
  }
  return [...lines, `  ${line}`];
}

function firstError([first]: readonly ReportedProblem[]): string {
  return first === undefined ? '' : `${first.code}: ${printable(first.message)}`;
}

/** Each problem once, with the accounts that have it. */
function problems(rows: PlansRows, options: PlansTextOptions): readonly (readonly string[])[] {
  const { color } = options;
  const wanted = rows.problems.filter(
    ({ problem }) => options.summary !== true || problem.severity !== 'note',
  );
  const shown = wanted.slice(0, mostProblems);
  if (shown.length === 0) return [];
  const left = wanted.length - shown.length;
  const more = [
    ...(left === 0 ? [] : [color.dim(`… and ${count(left, 'more problem')} like these`)]),
    ...(rows.unreportedProblems === 0
      ? []
      : [
          color.dim(`… and ${count(rows.unreportedProblems, 'more problem')} in the plans of these accounts`),
        ]),
  ];
  const blocks = shown.toReversed().map((row) => problemLines(row, color));
  return more.length === 0 ? blocks : [more, ...blocks];
}

function problemLines({ problem, accounts }: ProblemRow, color: Color): readonly string[] {
  const { severity, code, message, hint, file, line } = problem;
  const paint = severityTint(severity, color);
  const where = file === undefined ? '' : ` (${printable(file)}:${line ?? 1})`;
  return [
    `${color.bold(paint(`${severity}[${code}]`))}${color.bold(`: ${printable(message)}`)}${color.dim(where)}`,
    color.dim(`    in ${count(accounts.length, 'account')}: ${firstFew(accounts, mostNames, printable)}`),
    ...(hint === undefined ? [] : [`    ${color.blue('=')} ${printable(hint)}`]),
  ];
}

function foot({ review }: PlansRows, { color }: PlansTextOptions): readonly string[] {
  const tints = { error: color.red, warning: color.yellow, good: color.green };
  const sums = plansTotalsLine(review);
  const calls = plansCallsLine(review);
  return [
    ...verdicts(review).map(({ tone, text }) => tints[tone](color.bold(text))),
    color.bold(accountsLine(review)),
    ...(sums === undefined ? [] : [color.bold(sums)]),
    ...(calls === undefined ? [] : [calls]),
    ...[plansComparison(review), plansRehearsal(review)].filter((line) => line !== undefined).map(color.dim),
  ];
}
