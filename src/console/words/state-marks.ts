import type { PlanRow } from '../../api/plans.ts';
import type { RolloutRow, RunRow } from '../../api/runs.ts';
import type { DeliveryRow } from '../../api/settings.ts';
import type { Mark } from './health.ts';

/** How the state of a plan appears. */
export const planMarks: Readonly<Record<PlanRow['state'], Mark>> = {
  waiting: { word: 'waiting', glyph: '◇', tone: 'blue' },
  approved: { word: 'approved', glyph: '✓', tone: 'green' },
  running: { word: 'running', glyph: '▶', tone: 'blue' },
  done: { word: 'applied', glyph: '●', tone: 'green' },
  rejected: { word: 'rejected', glyph: '✕', tone: 'dim' },
  stale: { word: 'stale', glyph: '◌', tone: 'amber' },
  expired: { word: 'expired', glyph: '◌', tone: 'dim' },
};

/** How a person's decision about a plan appears. */
export const decisionMark = (decision: string): Mark =>
  planMarks[decision === 'approved' ? 'approved' : 'rejected'];

/** How the state of a run appears. */
export const runMarks: Readonly<Record<RunRow['state'], Mark>> = {
  queued: { word: 'queued', glyph: '○', tone: 'dim' },
  running: { word: 'running', glyph: '▶', tone: 'blue' },
  stopping: { word: 'stopping', glyph: '◐', tone: 'amber' },
  done: { word: 'done', glyph: '●', tone: 'green' },
  failed: { word: 'failed', glyph: '▲', tone: 'red' },
  in_doubt: { word: 'in doubt', glyph: '?', tone: 'violet' },
  stopped: { word: 'stopped', glyph: '■', tone: 'dim' },
};

/** How the state of a rollout appears. */
export const rolloutMarks: Readonly<Record<RolloutRow['state'], Mark>> = {
  running: { word: 'running', glyph: '▶', tone: 'blue' },
  waiting: { word: 'waiting', glyph: '◇', tone: 'blue' },
  stopped: { word: 'stopped', glyph: '■', tone: 'amber' },
  aborted: { word: 'aborted', glyph: '✕', tone: 'red' },
  done: { word: 'done', glyph: '●', tone: 'green' },
};

/** How the state of a wave appears. */
export const waveMarks: Readonly<Record<RolloutRow['waves'][number]['state'], Mark>> = {
  pending: { word: 'not started', glyph: '○', tone: 'dim' },
  running: { word: 'running', glyph: '▶', tone: 'blue' },
  done: { word: 'done', glyph: '●', tone: 'green' },
  stopped: { word: 'stopped', glyph: '■', tone: 'amber' },
};

/** What became of a message. */
export const deliveryMarks: Readonly<Record<DeliveryRow['state'], Mark>> = {
  pending: { word: 'queued', glyph: '○', tone: 'dim' },
  sending: { word: 'sending', glyph: '▶', tone: 'blue' },
  sent: { word: 'sent', glyph: '●', tone: 'green' },
  dead: { word: 'given up', glyph: '▲', tone: 'red' },
  replaced: { word: 'replaced by a newer one', glyph: '◌', tone: 'dim' },
};

/** What became of a step. */
export function outcomeMark(outcome: string): Mark {
  if (outcome === 'done' || outcome === 'failed') return runMarks[outcome];
  if (/doubt/.test(outcome)) return runMarks.in_doubt;
  return { word: outcome.replaceAll('_', ' '), glyph: '◐', tone: 'dim' };
}
