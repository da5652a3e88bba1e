import type { Health, WaitingFor } from '../../api/accounts.ts';
import type { Tone } from '../../output/components/tone.ts';

/** How a state appears: always a word, a glyph and a hue together. */
export interface Mark {
  readonly word: string;
  readonly glyph: string;
  readonly tone: Tone;
}

/** Every health an account may have, worst first. */
export const healthMarks: Readonly<Record<Health, Mark>> = {
  failing: { word: 'failing', glyph: '▲', tone: 'red' },
  in_doubt: { word: 'in doubt', glyph: '?', tone: 'violet' },
  drifted: { word: 'drifted', glyph: '◆', tone: 'amber' },
  waiting: { word: 'waiting', glyph: '◇', tone: 'blue' },
  running: { word: 'running', glyph: '▶', tone: 'blue' },
  in_progress: { word: 'in progress', glyph: '◐', tone: 'blue' },
  paused: { word: 'paused', glyph: '‖', tone: 'dim' },
  ignored: { word: 'ignored', glyph: '◌', tone: 'dim' },
  converged: { word: 'converged', glyph: '●', tone: 'green' },
};

export const worstFirst = Object.keys(healthMarks) as readonly Health[];

/** A host that differs from the desired state, whoever changed it. An account with such a host need not be `drifted`. */
export const differsMark: Mark = { ...healthMarks.drifted, word: 'differs' };

/** An account that no check has read yet. */
export const uncheckedMark: Mark = { word: 'not checked', glyph: '○', tone: 'dim' };

/** For whom or what an account waits. */
export const waitingWords: Readonly<Record<WaitingFor, string>> = {
  approval: 'waiting for approval',
  window: 'waiting for a change window',
  pause: 'waiting for the end of a pause',
  rollout: 'waiting for a rollout',
  worker: 'waiting for a worker',
  check: 'waiting for a check',
};

export function healthMark(health: Health | null, waitingFor: WaitingFor | null = null): Mark {
  if (health === null) return uncheckedMark;
  const mark = healthMarks[health];
  return waitingFor === null ? mark : { ...mark, word: waitingWords[waitingFor] };
}

/** A sentence that says what a health means. */
export const healthMeanings: Readonly<Record<Health, string>> = {
  failing: 'Checks or runs fail.',
  in_doubt: 'It is unknown whether a write call changed the fleet.',
  drifted: 'Hosts differ from the desired state, and no plan or run covers the difference.',
  waiting: 'A plan waits for approval or for its run, or a run waits for the check after it.',
  running: 'A run is changing the fleet.',
  in_progress: 'The service accepted a change that no read shows yet.',
  paused: 'A person paused this account.',
  ignored: 'Something differs, and a person chose to ignore it for some time.',
  converged: 'The last read after the last write shows the desired state.',
};
