import type { Mark } from '../../words/health.ts';

const marks: Readonly<Record<string, Mark>> = {
  failed: { word: 'failed', glyph: '▲', tone: 'red' },
  'in-doubt': { word: 'in doubt', glyph: '?', tone: 'violet' },
  in_doubt: { word: 'in doubt', glyph: '?', tone: 'violet' },
  running: { word: 'running', glyph: '▶', tone: 'blue' },
  waiting: { word: 'waiting', glyph: '◇', tone: 'blue' },
  pending: { word: 'pending', glyph: '○', tone: 'dim' },
  skipped: { word: 'skipped', glyph: '–', tone: 'dim' },
  done: { word: 'done', glyph: '●', tone: 'green' },
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
