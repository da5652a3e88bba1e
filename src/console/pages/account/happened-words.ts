import type { TimelineRow } from '../../../api/accounts.ts';
import type { RunRow } from '../../../api/runs.ts';
import { capitalized, counted, figure } from '../../../output/components/numbers.ts';
import { isFolder, shortHash } from '../../../output/components/places.ts';
import { causeMark } from '../../words/cause.ts';
import { changesText } from '../../words/changes.ts';
import { healthMarks, type Mark } from '../../words/health.ts';
import { planMarks, runMarks } from '../../words/state-marks.ts';

interface Words {
  readonly text: (row: TimelineRow) => string;
  readonly mark: Mark;
}

const words: Readonly<Record<TimelineRow['kind'], Words>> = {
  proposed: { text: planText, mark: { ...planMarks.waiting, word: 'proposed' } },
  approved: { text: () => 'Plan approved', mark: planMarks.approved },
  rejected: { text: () => 'Plan rejected', mark: planMarks.rejected },
  'run-started': { text: () => 'Run started', mark: { ...runMarks.running, word: 'started' } },
  'run-ended': {
    text: ({ steps }) =>
      `Run ended: ${figure(steps?.done ?? 0)} of ${counted(steps?.total ?? 0, 'step')} done`,
    mark: runMarks.done,
  },
  drifted: {
    text: ({ text, hosts }) => `${capitalized(text ?? '')}, ${counted(hosts ?? 0, 'host')}`,
    mark: causeMark('fleet'),
  },
  ignored: {
    text: ({ hosts }) => `Differences of ${counted(hosts ?? 0, 'host')} ignored`,
    mark: healthMarks.ignored,
  },
  paused: { text: () => 'Account paused', mark: healthMarks.paused },
};

/** One line of the history of an account, with its mark and what a person wrote about it. */
export function happenedWords(row: TimelineRow) {
  const { text, mark } = words[row.kind];
  const isEnd = row.kind === 'run-ended' && row.state !== null;
  return {
    text: text(row),
    mark: isEnd ? runMarks[row.state as RunRow['state']] : mark,
    quote: row.kind === 'proposed' || row.kind === 'drifted' ? null : row.text,
  };
}

function planText({ counts, text: commit }: TimelineRow): string {
  const changes = counts === null ? 'unknown changes' : changesText(counts);
  if (commit === null) return `Plan: ${changes}`;
  return `Plan: ${changes}, ${isFolder(commit) ? 'from its folder' : `commit ${shortHash(commit)}`}`;
}
