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

/** How the state of an account in a roll-out appears. A state of a later server keeps its own word. */
export function accountMark(state: string): Mark {
  return marks[state] ?? { word: state, glyph: '○', tone: 'dim' };
}
