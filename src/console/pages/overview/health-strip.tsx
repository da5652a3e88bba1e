import type { WaitingFor } from '../../../api/accounts.ts';
import type { Overview } from '../../../api/overview.ts';
import { figure } from '../../../output/components/numbers.ts';
import { consoleAddress } from '../../browser/address.ts';
import { StateMark } from '../../parts/mark.tsx';
import '../../parts/segments.css';
import { healthMarks, healthMeanings, uncheckedMark, waitingWords, worstFirst } from '../../words/health.ts';

/** Accounts by health, worst first: their number, which leads to them, below their share as a bar. */
export function HealthStrip({ overview }: { readonly overview: Overview }) {
  const entries = [
    ...worstFirst.map((health) => ({
      key: health as string,
      mark: healthMarks[health],
      meaning: healthMeanings[health],
      count: overview.health[health] ?? 0,
    })),
    {
      key: 'unchecked',
      mark: uncheckedMark,
      meaning: 'No check has read this account yet.',
      count: overview.unchecked,
    },
  ].filter(({ key, count }) => count > 0 || (key !== 'unchecked' && key !== 'ignored'));
  return (
    <div class="card health">
      <ul class="health-strip" aria-label="Accounts by health">
        {entries.map(({ key, mark, meaning, count }) => (
          <li key={key} class={count === 0 ? 'zero' : undefined}>
            <a
              href={consoleAddress.accounts({ health: key })}
              title={key === 'waiting' ? waitingMeaning(meaning, overview) : meaning}
            >
              <span class="share" aria-hidden="true">
                <span
                  class={`segment ${mark.tone}`}
                  style={{ width: `${(100 * count) / overview.accounts}%` }}
                />
              </span>
              <span class="health-count">{figure(count)}</span>{' '}
              <StateMark mark={count === 0 ? { ...mark, tone: 'dim' } : mark} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the accounts wait for, the largest number first. */
function waitingMeaning(meaning: string, overview: Overview): string {
  const parts = (Object.entries(overview.waiting_for) as [WaitingFor, number][])
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, count]) => `${figure(count)} ${waitingWords[what]}`);
  return parts.length === 0 ? meaning : `${parts.join(', ')}.`;
}
