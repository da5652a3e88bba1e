import { useEffect } from 'preact/hooks';
import type { AccountRow } from '../../../api/accounts.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { consoleAddress } from '../../browser/address.ts';
import { announce } from '../../browser/announce.ts';
import type { PageBody } from '../../data/page-store.ts';
import { type PageResource, useResource } from '../../data/resource.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Banner } from '../../parts/states.tsx';
import { type CheckNews, checkNews } from './check-news.ts';

const pause = 5_000;

/** Watches for the first account and its first check. */
export function FirstCheck() {
  const accounts: PageResource<PageBody<AccountRow>> = useResource<PageBody<AccountRow>>('/accounts', {
    query: { limit: 20 },
    when: ({ type }) => type === 'account.changed',
  });
  const news = checkNews(accounts.value?.items ?? []);
  const { reload } = accounts;
  const isOver = news.state === 'checked';
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(reload, pause);
    return () => clearInterval(timer);
  }, [isOver, reload]);
  useEffect(() => {
    if (isOver) announce('The first check is complete.');
  }, [isOver]);
  return (
    <div aria-live="polite">
      <News news={news} />
    </div>
  );
}

function News({ news }: { readonly news: CheckNews }) {
  switch (news.state) {
    case 'none':
      return <p class="waiting-line">Waiting for the first account…</p>;
    case 'unchecked':
      return <p class="waiting-line">The server knows {news.account}. Its first check is under way…</p>;
    case 'failing':
      return (
        <Banner tone="red">
          The first check of {news.account} failed: {news.message} {news.hint}
        </Banner>
      );
    case 'checked':
      return (
        <Banner
          tone="green"
          action={
            <ButtonLink kind="primary" href={consoleAddress.overview()}>
              Open the overview
            </ButtonLink>
          }
        >
          The first check of {news.account} is complete: {counted(news.hosts, 'host')}
          {news.drifted === 0
            ? ', none differs.'
            : `, ${figure(news.drifted)} differ from the desired state.`}
        </Banner>
      );
  }
}
