import { htmlCode, markdownCode } from '../../core/lib/markdown-escape.ts';
import { ungroupedId } from '../../core/model/group.ts';
import type { Reason } from '../../core/plan/types/step.ts';
import { comparisonLine } from './comparison.ts';
import { comparisonSections } from './comparison-markdown.ts';
import { count } from './count.ts';
import { otherLists } from './lists-read.ts';
import { fitParts, type Part } from './markdown-budget.ts';
import { noteLines, problemBlock, problemLines } from './markdown-problems.ts';
import { blockOf, type Section } from './markdown-section.ts';
import { hostTable, nameOf, type PlaceWords, pendingTable, renameTable } from './markdown-tables.ts';
import { pendingCount, pendingMeaning, pendingStates } from './pending-words.ts';
import { liftedLimits, outlook } from './plan-foot.ts';
import { renamesTitle } from './rename-words.ts';
import type { HostRow, MoveRows, PlanRows } from './rows.ts';
import { callsLine, summaryLine } from './summary-line.ts';

export interface MarkdownOptions {
  /** The longest text, in characters. */
  readonly limit: number;
  /** Leaves out the tables of hosts, except that of the deletions. */
  readonly summary?: boolean;
}

/**
 * The plan as GitHub-flavoured Markdown, for a pull request: the totals first, then blocking problems, irreversible
 * changes, renames, moves, notes. Errors and deletions are never left out. Other rows that do not fit are counted.
 */
export function paintMarkdown(rows: PlanRows, { limit, summary = false }: MarkdownOptions): string {
  const place: PlaceWords = (reason) => (rows.inOneFile ? lineOnly : fileAndLine)(reason);
  if (summary)
    return fitParts(
      head(rows),
      [...errors(rows), ...warnings(rows), ...deletions(rows, place), ...pending(rows, place)],
      limit,
    );
  const parts = [
    ...errors(rows),
    ...(rows.plan.comparison === undefined ? [] : comparisonSections(rows.plan.comparison)),
    ...warnings(rows),
    ...deletions(rows, place),
    ...pending(rows, place),
    ...installs(rows, place),
    ...renames(rows, place),
    ...moves(rows, place),
    ...notes(rows),
  ];
  return fitParts(head(rows), parts, limit);
}

const lineOnly: PlaceWords = (reason) => `${ruleWords(reason)}line ${reason.line}`;
const fileAndLine: PlaceWords = (reason) => ruleWords(reason) + markdownCode(`${reason.file}:${reason.line}`);

function ruleWords({ rule }: Reason): string {
  return rule === undefined ? '' : `rule ${markdownCode(rule)}, `;
}

const mostFiles = 5;
/** Sections with at most this many rows are unfolded. */
const mostUnfolded = 10;

function head({ plan, standing, problems }: PlanRows): string {
  const { account, observed, files } = plan;
  const whose = account.companyId === null ? '' : ` of company ${markdownCode(account.companyId)}`;
  const named = files.slice(0, mostFiles).map(markdownCode).join(', ');
  const more = files.length <= mostFiles ? '' : ` and ${count(files.length - mostFiles, 'more file')}`;
  const calls = callsLine(plan);
  const also = otherLists(observed.lists);
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
      : [comparisonLine(plan.comparison, markdownCode(plan.comparison.base))]),
    `The fleet${whose} at ${markdownCode(account.service)}: ${count(observed.hosts, 'host')} and ` +
      `${count(observed.groups, 'group')} read at ${markdownCode(observed.takenAt)}; desired state from ${named}${more}.${also === undefined ? '' : ` Also read: ${also}.`}`,
  ];
  return ['## Rampart plan', ...lines.filter((line) => line !== '')].join('\n\n');
}

function errors({ problems: { error } }: PlanRows): readonly Part[] {
  if (error.length === 0) return [];
  const frame = { open: `### ${count(error.length, 'error')}`, rest: moreOf('error') };
  return [
    {
      kind: 'kept',
      section: { ...frame, blocks: [problemBlock(error)] },
      short: { ...frame, blocks: [problemLines(error)] },
    },
  ];
}

function warnings({ problems: { warning } }: PlanRows): readonly Part[] {
  if (warning.length === 0) return [];
  return [tail(count(warning.length, 'warning'), [problemBlock(warning)], moreOf('warning'))];
}

function deletions({ deletions: hosts }: PlanRows, place: PlaceWords): readonly Part[] {
  if (hosts.length === 0) return [];
  const frame = {
    open: `### Delete ${count(hosts.length, 'host')} (can't be undone)`,
    rest: moreOf('deletion'),
  };
  return [
    {
      kind: 'kept',
      section: { ...frame, blocks: [hostTable(hosts, place)] },
      short: { ...frame, blocks: [blockOf(hosts, { open: 'Name and id:\n', row: hostItem })] },
    },
  ];
}

function hostItem({ name, hostId }: HostRow): string {
  return `- ${nameOf(name)} ${hostId}`;
}

function installs({ installs: hosts }: PlanRows, place: PlaceWords): readonly Part[] {
  if (hosts.length === 0) return [];
  return [
    {
      kind: 'tail',
      section: {
        open: `### Install anti-virus on ${count(hosts.length, 'host')} (can't be undone)`,
        blocks: [hostTable(hosts, place)],
        rest: moreOf('install'),
      },
    },
  ];
}

/** Installs that no read shows yet, and the hosts that are asked to report. */
function pending({ plan, refreshes }: PlanRows, place: PlaceWords): readonly Part[] {
  return [
    ...pendingStates.flatMap((state) => {
      const installs = plan.pendingInstalls.filter((each) => each.state === state);
      if (installs.length === 0) return [];
      const title = `${pendingCount(installs.length, state)}: ${pendingMeaning[state]}`;
      return [tail(title, [pendingTable(installs)], moreOf('pending install'))];
    }),
    ...(refreshes.length === 0
      ? []
      : [
          tail(
            `Refresh the anti-virus status of ${count(refreshes.length, 'host')}`,
            [hostTable(refreshes, place)],
            moreOf('refresh', 'refreshes'),
          ),
        ]),
  ];
}

function renames(rows: PlanRows, place: PlaceWords): readonly Part[] {
  const { renames: components, renamingTemporarily } = rows;
  if (components.length === 0) return [];
  const more = renamingTemporarily === 0 ? moreOf('rename') : moreOf('rename', 'renames');
  return [tail(renamesTitle(rows), [renameTable(components, place)], more)];
}

function moves({ moves: groups }: PlanRows, place: PlaceWords): readonly Part[] {
  const [first] = groups;
  if (first === undefined) return [];
  const hosts = groups.reduce((sum, each) => sum + each.hosts.length, 0);
  if (groups.length === 1) {
    const title = `Move ${count(hosts, 'host')} ${target(first, htmlCode)}`;
    return [tail(title, [hostTable(first.hosts, place)], moreOf('move'))];
  }
  const blocks = groups.map((group) => {
    const table = hostTable(group.hosts, place);
    const title = `**${count(group.hosts.length, 'host')}** ${target(group, markdownCode)}`;
    return { ...table, open: `${title}\n\n${table.open}` };
  });
  return [
    tail(`Move ${count(hosts, 'host')} to ${groups.length} destinations`, blocks, (left, unseen) =>
      moreOf('move')(
        left,
        unseen,
        unseen === 0 ? '' : `, including all moves to ${count(unseen, 'more destination')}`,
      ),
    ),
  ];
}

function target({ groupId, groupName }: MoveRows, code: (text: string) => string): string {
  if (groupId === ungroupedId) return 'to no group';
  return groupName === null ? `to group ${groupId}` : `to ${code(groupName)} (group ${groupId})`;
}

function notes({ problems: { note } }: PlanRows): readonly Part[] {
  return note.length === 0 ? [] : [tail(count(note.length, 'note'), [noteLines(note)], moreOf('note'))];
}

/** A folding part. The title is HTML. */
function tail(title: string, blocks: Section['blocks'], rest: Section['rest']): Part {
  const rows = blocks.reduce((sum, each) => sum + each.count, 0);
  const details = rows <= mostUnfolded ? '<details open>' : '<details>';
  const open = `${details}\n<summary>${title}</summary>`;
  return { kind: 'tail', section: { open, blocks, close: '</details>', rest } };
}

function moreOf(
  noun: string,
  plural = `${noun}s`,
): (rows: number, blocks: number, detail?: string) => string {
  return (rows, _, detail = '') =>
    `**${count(rows, `more ${noun}`, `more ${plural}`)}**${detail}: see the plan file (\`rampart show\`).`;
}
