import type { AccountDetail, TimelineRow } from '../../../api/accounts.ts';
import { pageOf } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { usePages } from '../../data/pages.ts';
import { ShowMore } from '../../parts/show-more.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
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
  if (!store.isRead)
    return store.problem === null ? (
      <Skeleton lines={6} />
    ) : (
      <ErrorState problem={store.problem} tried="Reading the history" onRetry={() => store.restart()} />
    );
  if (store.length === 0)
    return (
      <EmptyState title="Nothing has happened yet">
        <p>
          {account.mode === 'observe'
            ? 'The mode of this account is "observe", so the server makes no plans by itself. "Plan" makes one now.'
            : 'Plans, decisions, runs and changes that people make in the fleet appear here.'}
        </p>
      </EmptyState>
    );
  return (
    <>
      <TimeLine
        happenings={store.rows.map((row) => {
          const { text, mark, quote } = happenedWords(row);
          const link = row.plan === null ? text : <a href={pageOf.change(row.plan)}>{text}</a>;
          return { key: row.key, at: row.at, text: link, quote, mark, by: row.by };
        })}
      />
      <ShowMore of={store} />
    </>
  );
}
