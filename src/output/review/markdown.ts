import { markdownCode, printable } from '../../core/lib/printable.ts';
import { count, grouped } from '../../core/lib/words.ts';
import type { Reason } from '../../core/plan/types/step.ts';
import { fileAndLine, formatPlace, noLine, type Problem } from '../../core/problem/problem.ts';
import type { ReportedCause } from './account-report.ts';
import { firstCauses, isCommon } from './causes.ts';
import { plainStyle } from './color.ts';
import { comparisonCounts, comparisonLine } from './comparison.ts';
import { revertedParts } from './comparison-markdown.ts';
import { groupChanges } from './group-changes.ts';
import { groupLabels, hostChanges, toCheck } from './host-changes.ts';
import { alsoRead } from './lists-read.ts';
import { fitParts, type Part } from './markdown-budget.ts';
import { deletionParts, installParts, otherParts, refreshParts } from './markdown-changes.ts';
import { folding, type Rest } from './markdown-folding.ts';
import { groupLabelWords, type PlaceWords } from './markdown-hosts.ts';
import { blockOf, type MarkdownBlock } from './markdown-section.ts';
import { pendingTable, table, unlessEmpty } from './markdown-tables.ts';
import { pendingCount, pendingMeaning, pendingStates } from './pending-words.ts';
import { liftedLimits, outlook } from './plan-foot.ts';
import { causeWords } from './plans-words.ts';
import { noteLine } from './problem-list.ts';
import { renderProblem } from './problem-text.ts';
import { reasonCells } from './reason-cells.ts';
import { callsLine, type PlanRows, summaryLine } from './rows.ts';

export interface MarkdownOptions {
  /** The longest text, in characters. */
  readonly limit: number;
  /** Leaves out the table of the changes that can be undone. */
  readonly summary?: boolean;
  /** The commit that the plan was made from. */
  readonly commit?: string;
  /** The address of the whole review, such as the artifacts of the pipeline. */
  readonly page?: string;
  /** The address of a line of the desired state; undefined if there is none. */
  readonly linkTo?: (place: Reason) => string | undefined;
}

/**
 * The plan as GitHub-flavoured Markdown, for a pull request, in the order in which a reviewer decides: the totals, what
 * can't be undone, problems, groups, causes, then one row for each host with everything about it. Rows that do not fit
 * are counted; deletions and errors are cut last.
 */
export function paintMarkdown(rows: PlanRows, options: MarkdownOptions): string {
  const place = placeWords(rows, options);
  const changes = hostChanges(rows);
  const checked = toCheck(changes);
  const rest = restWords(options);
  const parts = [
    ...deletionParts(changes, checked, place, rest),
    ...installParts(changes, place, rest),
    ...errors(rows, rest),
    ...warnings(rows, rest),
    ...pending(rows, rest),
    ...groups(rows, rest),
    ...causes(rows, rest),
    ...(options.summary === true
      ? []
      : [
          ...otherParts(rows, changes, checked, place, rest),
          ...refreshParts(changes, place, rest),
          ...revertedParts(rows.plan.comparison),
          ...notes(rows, rest),
        ]),
  ];
  return fitParts(head(rows, options), parts, options.limit);
}

function placeWords(rows: PlanRows, { linkTo }: MarkdownOptions): PlaceWords {
  return (reason) => {
    const { line, rule } = reason;
    const words = rows.inOneFile && line !== noLine ? `line ${line}` : markdownCode(fileAndLine(reason));
    const url = linkTo?.(reason);
    const by = rule === undefined ? [] : [`rule ${markdownCode(rule)}`];
    const cells = reasonCells(reason).map(markdownCode);
    return [...by, url === undefined ? words : `[${words}](${url})`, ...cells].join(', ');
  };
}

const mostFiles = 5;

function head({ plan, standing, problems }: PlanRows, { commit, page }: MarkdownOptions): string {
  const { account, observed, files, ticket } = plan;
  const whose = account.companyId === null ? '' : ` of account ${markdownCode(account.companyId)}`;
  const named = files.slice(0, mostFiles).map(markdownCode).join(', ');
  const more = files.length <= mostFiles ? '' : ` and ${count(files.length - mostFiles, 'more file')}`;
  const calls = callsLine(plan);
  const also = alsoRead(plan, markdownCode);
  const lines = [
    ...(standing === undefined ? [] : [standing.text]),
    ...(problems.error.length === 0
      ? []
      : [`**This plan can't be applied: ${count(problems.error.length, 'error')}.**`]),
    ...(plan.partial ? ['**This plan is partial: it covers only some hosts.**'] : []),
    `**${summaryLine(plan)}**`,
    [...(calls === undefined ? [] : [calls]), ...outlook(plan)].join(' '),
    ...liftedLimits(plan),
    ...(plan.comparison === undefined
      ? []
      : [comparisonLine(comparisonCounts(plan.comparison), markdownCode(plan.comparison.base))]),
    ...origin(commit, page),
    `The fleet${whose} at ${markdownCode(account.service)}: ${count(observed.hosts, 'host')} and ` +
      `${count(observed.groups, 'group')} read at ${markdownCode(observed.takenAt)}; desired state from ${named}${more}${ticket === undefined ? '' : `; change ticket ${markdownCode(ticket)}`}.${also === undefined ? '' : ` Also read: ${also}.`}`,
  ];
  return ['## Rampart plan', ...lines.filter((line) => line !== '')].join('\n\n');
}

/** Commits are shown as Git shortens them. */
const shortCommit = 12;

function origin(commit: string | undefined, page: string | undefined): readonly string[] {
  const words = [
    ...(commit === undefined ? [] : [`Planned at commit ${markdownCode(commit.slice(0, shortCommit))}.`]),
    ...(page === undefined ? [] : [`[The whole review](${page}).`]),
  ];
  return words.length === 0 ? [] : [words.join(' ')];
}

/** The description of rows that are left out, with the place that has them all. */
function restWords({ page }: MarkdownOptions): Rest {
  const where = page === undefined ? 'see the plan file (`rampart show`)' : `see [the whole review](${page})`;
  return (noun, plural = `${noun}s`) =>
    (rows) =>
      `**${count(rows, `more ${noun}`, `more ${plural}`)}**: ${where}.`;
}

function errors({ problems: { error } }: PlanRows, rest: Rest): readonly Part[] {
  if (error.length === 0) return [];
  const frame = { open: `### ${count(error.length, 'error')}`, rest: rest('error') };
  return [
    {
      kind: 'kept',
      section: { ...frame, blocks: [problemBlock(error)] },
      short: { ...frame, blocks: [problemLines(error)] },
    },
  ];
}

function warnings({ problems: { warning } }: PlanRows, rest: Rest): readonly Part[] {
  if (warning.length === 0) return [];
  return [folding('second', count(warning.length, 'warning'), problemBlock(warning), rest('warning'))];
}

/** Installs that no read shows yet. */
function pending({ plan }: PlanRows, rest: Rest): readonly Part[] {
  return pendingStates.flatMap((state) => {
    const waiting = plan.pendingInstalls.filter((each) => each.state === state);
    if (waiting.length === 0) return [];
    const title = `${pendingCount(waiting.length, state)}: ${pendingMeaning[state]}`;
    return [folding('second', title, pendingTable(waiting), rest('pending install'))];
  });
}

function groups({ plan }: PlanRows, rest: Rest): readonly Part[] {
  const counts = groupChanges(plan);
  if (counts.length === 0) return [];
  const labels = groupLabels(plan);
  const block = table(counts, [
    { title: 'group', cell: ({ groupId }) => groupLabelWords(labels(groupId)) },
    { title: 'before', cell: ({ before }) => grouped(before) },
    { title: 'after', cell: ({ after }) => grouped(after) },
    { title: 'arrive', cell: ({ arrivals }) => grouped(arrivals) },
    { title: 'leave', cell: ({ departures }) => grouped(departures) },
    ...unlessEmpty(counts, {
      title: 'deleted',
      cell: ({ deleted }) => (deleted === 0 ? '' : grouped(deleted)),
    }),
  ]);
  return [folding('second', `Hosts of ${count(counts.length, 'group')}`, block, rest('group'))];
}

/** Rules and lines are listed up to this number; from there on the lines of a file count as one. */
const mostCauses = 20;

function causes({ plan }: PlanRows, rest: Rest): readonly Part[] {
  const first = firstCauses(plan, mostCauses);
  // A single cause, or one cause for each host, would only repeat the other tables.
  if (first.length < 2 || !first.some(isCommon)) return [];
  const block = table(first, [
    { title: 'cause', cell: causeName },
    { title: 'effect', cell: ({ changes }) => causeWords(changes) },
  ]);
  return [folding('second', 'Causes', block, rest('cause'))];
}

function causeName({ file, line, rule }: ReportedCause): string {
  if (file === undefined) return 'other rules and lines';
  const where = markdownCode(fileAndLine({ file, line }));
  return rule === undefined ? where : `rule ${markdownCode(rule)}, ${where}`;
}

function notes({ problems: { note } }: PlanRows, rest: Rest): readonly Part[] {
  return note.length === 0
    ? []
    : [folding('tail', count(note.length, 'note'), noteLines(note), rest('note'))];
}

// Every line within starts with a severity, a line number or an arrow, so untrusted text can't close the fence.
const fence = { open: '```text', close: '```' };

/** With the source line and a mark below it, as compilers show it. */
function problemBlock(problems: readonly Problem[]): MarkdownBlock {
  return blockOf(problems, {
    ...fence,
    row: (each) => renderProblem(each, plainStyle).trimEnd(),
  });
}

/** One line for each problem. */
function problemLines(problems: readonly Problem[]): MarkdownBlock {
  return blockOf(problems, {
    ...fence,
    row: ({ severity, code, message, place }) => {
      const where = place === undefined ? '' : ` (${printable(formatPlace(place))})`;
      return `${severity}[${code}]: ${printable(message)}${where}`;
    },
  });
}

function noteLines(notes: readonly Problem[]): MarkdownBlock {
  return blockOf(notes, { ...fence, row: (each) => noteLine(each, plainStyle) });
}
