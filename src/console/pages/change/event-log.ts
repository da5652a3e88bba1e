import type { RunEventRow } from '../../../api/runs.ts';
import { eventMark, isProblem } from './event-marks.ts';

/** Events of a run in their order, at most `mostKept`. */
export interface EventLog {
  readonly events: readonly RunEventRow[];
  /** Events that were forgotten at the start. The server still has them. */
  readonly forgotten: number;
}

export const emptyLog: EventLog = { events: [], forgotten: 0 };
export const mostKept = 5_000;

/** Adds events, each once and in the order of their numbers, and forgets the oldest ones beyond the bound. */
export function withEvents(log: EventLog, added: readonly RunEventRow[]): EventLog {
  const last = log.events.at(-1)?.seq ?? Number.NEGATIVE_INFINITY;
  const fresh = inOrder(added);
  if (fresh.length === 0) return log;
  const isAppend = (fresh[0]?.seq ?? 0) > last;
  const all = isAppend ? log.events.concat(fresh) : inOrder([...log.events, ...fresh]);
  const over = Math.max(0, all.length - mostKept);
  return { events: over === 0 ? all : all.slice(over), forgotten: log.forgotten + over };
}

export interface EventFilter {
  readonly text: string;
  readonly onlyProblems: boolean;
}

/** The events whose text, outcome or step contains the text. */
export function shownEvents(
  events: readonly RunEventRow[],
  { text, onlyProblems }: EventFilter,
): readonly RunEventRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' && !onlyProblems) return events;
  return events.filter(
    (event) =>
      (!onlyProblems || isProblem(event)) &&
      (wanted === '' ||
        `${event.text}\n${eventMark(event).word}\n${event.step ?? ''}`.toLowerCase().includes(wanted)),
  );
}

/** The events as lines to paste into a report. */
export function copiedText(events: readonly RunEventRow[]): string {
  return events.map(({ seq, at, type, text }) => `${seq}\t${at}\t${type}\t${text}\n`).join('');
}

function inOrder(events: readonly RunEventRow[]): readonly RunEventRow[] {
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}
