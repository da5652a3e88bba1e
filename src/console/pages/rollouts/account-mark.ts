import type { Mark } from '../../words/health.ts';
import { runMarks, waveMarks } from '../../words/state-marks.ts';

const marks: Readonly<Record<string, Mark>> = {
  failed: runMarks.failed,
  'undo-failed': { ...runMarks.failed, word: 'undo failed' },
  running: runMarks.running,
  pending: waveMarks.pending,
  skipped: { word: 'skipped', glyph: '–', tone: 'dim' },
  undone: { word: 'undone', glyph: '◌', tone: 'dim' },
  done: runMarks.done,
};

/** How the state of an account in a rollout appears. A state of a later server keeps its own word. */
export function accountMark(state: string): Mark {
  return marks[state] ?? { word: state, glyph: '○', tone: 'dim' };
}

const order = Object.keys(marks);

/** Accounts that need a person first, then those of earlier waves. */
export function accountsWorstFirst<Row extends { readonly state: string; readonly wave: number }>(
  accounts: readonly Row[],
): readonly Row[] {
  const rank = ({ state }: Row) => (order.includes(state) ? order.indexOf(state) : order.length);
  return accounts.toSorted((a, b) => rank(a) - rank(b) || a.wave - b.wave);
}
