import type { Mark } from './health.ts';

/** What became of a step. */
export function outcomeMark(outcome: string): Mark {
  if (outcome === 'done') return { word: 'done', glyph: '●', tone: 'green' };
  if (outcome === 'failed') return { word: 'failed', glyph: '▲', tone: 'red' };
  if (/doubt/.test(outcome)) return { word: 'in doubt', glyph: '?', tone: 'violet' };
  return { word: outcome.replaceAll('_', ' '), glyph: '◐', tone: 'dim' };
}
