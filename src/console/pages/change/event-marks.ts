import type { RunEventRow } from '../../../api/runs.ts';
import type { Mark } from '../../words/health.ts';

const marks: Readonly<Record<string, Mark>> = {
  done: { word: 'done', glyph: '✓', tone: 'green' },
  already: { word: 'already done', glyph: '✓', tone: 'green' },
  failed: { word: 'failed', glyph: '▲', tone: 'red' },
  unknown: { word: 'in doubt', glyph: '?', tone: 'violet' },
  skipped: { word: 'skipped', glyph: '▷', tone: 'amber' },
  'not-started': { word: 'not started', glyph: '○', tone: 'dim' },
  error: { word: 'problem', glyph: '▲', tone: 'red' },
  warning: { word: 'warning', glyph: '◆', tone: 'amber' },
  retry: { word: 'sent again', glyph: '↻', tone: 'dim' },
  stop: { word: 'stopping', glyph: '■', tone: 'amber' },
  override: { word: 'override', glyph: '◆', tone: 'amber' },
};

const problems: ReadonlySet<string> = new Set(['failed', 'unknown', 'skipped', 'error', 'warning']);

/** How an event appears. A type of a later server keeps its own name. */
export function eventMark({ type }: Pick<RunEventRow, 'type'>): Mark {
  return marks[type] ?? { word: type, glyph: '·', tone: 'dim' };
}

/** Is the event one that a reader must look at? */
export function isProblem({ type }: Pick<RunEventRow, 'type'>): boolean {
  return problems.has(type);
}
