import type { AccountDetail, TimelineRow } from '../../../api/accounts.ts';
import { consoleAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { usePages } from '../../data/pages.ts';
import { Listed } from '../../parts/listed.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { TimeLine } from '../../parts/time-line.tsx';
import { happenedWords } from './happened-words.ts';

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
          <p>
            {account.mode === 'observe'
              ? 'The mode of this account is "observe", so the server makes no plans by itself. "Plan" makes one now.'
              : 'Plans, decisions, runs and changes that people make in the fleet appear here.'}
          </p>
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
