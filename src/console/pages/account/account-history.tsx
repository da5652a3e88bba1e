import type { AccountDetail, TimelineRow } from '../../../api/accounts.ts';
import type { RunRow } from '../../../api/runs.ts';
import { capitalized, counted, figure } from '../../../output/components/numbers.ts';
import { isFolder, shortHash } from '../../../output/components/places.ts';
import { consoleAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { usePages } from '../../data/pages.ts';
import { Listed } from '../../parts/listed.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { TimeLine } from '../../parts/time-line.tsx';
import { causeMarks } from '../../words/cause.ts';
import { changesText } from '../../words/changes.ts';
import { healthMarks, type Mark } from '../../words/health.ts';
import { planMarks, runMarks } from '../../words/state-marks.ts';

const keyOf = ({ key }: TimelineRow) => key;

/** What happened to an account, the newest first: plans, decisions, runs, drift, ignores and pauses. */
export function AccountHistory({ account }: { readonly account: AccountDetail }) {
  const store = usePages<TimelineRow>(pathOf`/accounts/${account.name}/timeline`, {
    keyOf,
    limit: 50,
    when: (event) => event.account === account.name && event.type !== 'run.event',
  });
  return (
    <Listed
      of={store}
      tried="Reading the history"
      empty={
        <EmptyState title="Nothing has happened yet">
          {account.mode === 'observe'
            ? 'The mode of this account is "observe", so the server does not plan automatically. "Plan" makes one now.'
            : 'Plans, decisions, runs and changes that people make in the fleet appear here.'}
        </EmptyState>
      }
    >
      {(rows) => (
        <TimeLine
          happenings={rows.map((row) => {
            const { text, mark, quote } = happenedWords(row);
            const link = row.plan === null ? text : <a href={consoleAddress.change(row.plan)}>{text}</a>;
            return { key: row.key, at: row.at, text: link, quote, mark, by: row.by };
          })}
        />
      )}
    </Listed>
  );
}

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
    mark: causeMarks['fleet'],
  },
  ignored: {
    text: ({ hosts }) => `Differences of ${counted(hosts ?? 0, 'host')} ignored`,
    mark: healthMarks.ignored,
  },
  paused: { text: () => 'Account paused', mark: healthMarks.paused },
};

/** One line of the history of an account, with its mark and what a person wrote about it. */
function happenedWords(row: TimelineRow) {
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
  return `Plan: ${changes}, ${isFolder(commit) ? 'version' : 'commit'} ${shortHash(commit)}`;
}
