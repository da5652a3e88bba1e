import { count } from '../../core/lib/words.ts';
import type { ObservedHost } from '../../core/model/observed.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { Color } from '../../output/review/color.ts';
import type { Column } from '../../output/review/columns.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import { type FactedHost, hostColumns } from '../../output/review/host-columns.ts';
import type { RefreshOutcome } from '../../service/wire/send-refresh.ts';

/** The result of a refresh for one host. */
export interface RefreshRow {
  readonly host: ObservedHost;
  readonly outcome: RefreshOutcome;
  /** Whether the status in the list has changed since; null if it was not checked. */
  readonly reported: boolean | null;
}

export function refreshColumns(waited: boolean): readonly Column<RefreshRow>[] {
  const { id, name, online } = hostColumns;
  return [...[id, name, online].map(ofHost), outcomeColumn, ...(waited ? [reportedColumn] : [])];
}

const outcomeColumn: Column<RefreshRow> = {
  key: 'outcome',
  kind: 'fixed',
  value: ({ outcome }) => outcome,
  cell: ({ outcome }, color) => ({ text: outcome, paint: outcomePaint(outcome, color) }),
};

const reportedColumn: Column<RefreshRow> = {
  key: 'reported',
  kind: 'fixed',
  value: ({ reported }) => reported,
  cell: ({ reported }) => ({ text: reported === null ? '-' : reported ? 'something new' : 'nothing new' }),
};

function ofHost(column: Column<FactedHost>): Column<RefreshRow> {
  const toHostRow = ({ host }: RefreshRow): FactedHost => ({ host, group: undefined, fields: {} });
  const { cell } = column;
  return {
    key: column.key,
    kind: column.kind,
    ...(column.heading === undefined ? {} : { heading: column.heading }),
    value: (row) => column.value(toHostRow(row)),
    ...(cell === undefined ? {} : { cell: (row, color) => cell(toHostRow(row), color) }),
  };
}

function outcomePaint(outcome: RefreshOutcome, color: Color): (text: string) => string {
  switch (outcome) {
    case 'sent':
      return color.green;
    case 'not-delivered':
    case 'unknown':
      return color.yellow;
    case 'not-sent':
      return color.red;
  }
}

/** What is known about the reports after a wait. */
export function reportWords(rows: readonly RefreshRow[], waitMs: number): string {
  const sent = rows.filter(({ outcome }) => outcome === 'sent');
  const silent = sent.filter(({ reported }) => reported !== true).length;
  if (sent.length === 0) return 'No host received the command, so there was nothing to wait for.';
  if (silent === 0)
    return `All of the ${count(sent.length, 'host')} that received the command reported something new.`;
  return `${sent.length - silent} of ${count(sent.length, 'host')} that received the command reported something new within ${durationWords(waitMs)}. The result of the rest is unknown: the service does not show when a host answered, and a host that reports the same status as before looks like one that did not answer.`;
}

const shownHosts = 10;

/** The problems of whole calls, and the hosts that did not receive the command. */
export function problemsOf(rows: readonly RefreshRow[], calls: readonly Problem[]): readonly Problem[] {
  const unreached = rows.filter(({ outcome }) => outcome !== 'sent');
  const onlyCalls =
    unreached.every(({ outcome }) => outcome === 'not-sent') && unreached.length === rows.length;
  if (unreached.length === 0 || (onlyCalls && calls.length > 0)) return calls;
  const named = unreached.slice(0, shownHosts).map(hostWords).join(', ');
  const more = unreached.length > shownHosts ? ` and ${unreached.length - shownHosts} more` : '';
  return [
    ...calls,
    problem(
      'step-failed',
      `${unreached.length} of ${count(rows.length, 'host')} may not have received the command: ${named}${more}`,
      {
        hint: 'try again when the offline hosts are back online',
        hostIds: unreached.map(({ host }) => host.id),
      },
    ),
  ];
}

function hostWords({ host, outcome }: RefreshRow): string {
  return `${host.name ?? '(no name)'} (${host.id}, ${host.online ? outcome : 'offline'})`;
}
