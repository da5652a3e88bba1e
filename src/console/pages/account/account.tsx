import { useRoute } from 'preact-iso/router';
import type { AccountDetail } from '../../../api/accounts.ts';
import { Name } from '../../../output/components/text.tsx';
import { consoleAddress, useAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { useResource } from '../../data/resource.ts';
import { StateMark } from '../../parts/mark.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Since } from '../../parts/time.tsx';
import { healthMark } from '../../words/health.ts';
import { AccountActions } from './account-actions.tsx';
import { AccountHeader } from './account-facts.tsx';
import { AccountHistory } from './account-history.tsx';
import { AccountNotices } from './account-notices.tsx';
import { Coverage } from './coverage.tsx';
import { Drift } from './drift.tsx';
import { Policies } from './policies.tsx';
import './account.css';

const tabs = [
  ['drift', 'Drift'],
  ['history', 'History'],
  ['hosts', 'Hosts'],
  ['coverage', 'Coverage'],
  ['policies', 'Policies'],
] as const;
type TabName = (typeof tabs)[number][0];

/** One account: its state, what differs and why, what waits, what happened. */
export function AccountPage() {
  const { params } = useRoute();
  const name = params['name'] ?? '';
  const address = useAddress();
  const account = useResource<AccountDetail>(pathOf`/accounts/${name}`, {
    when: (event) => event.account === name && event.type !== 'run.event',
  });
  const { value } = account;
  const current = tabs.find(([key]) => key === address.get('tab') && key !== 'hosts')?.[0] ?? 'drift';
  return (
    <Page
      title={name}
      heading={<Name name={name} />}
      above={<a href={consoleAddress.accounts()}>Accounts</a>}
      below={
        value === null ? null : (
          <span class="beside">
            <StateMark mark={healthMark(value.health, value.waiting_for)} />
            {value.since === null ? null : <Since at={value.since} />}
          </span>
        )
      }
      actions={value === null ? null : <AccountActions account={value} onChange={account.reload} />}
      class="account"
    >
      <Loaded of={account} tried="Reading the account" lines={10}>
        {(body) => (
          <>
            <AccountNotices account={body} />
            <AccountHeader account={body} />
            <Tabs
              label="Parts of the account"
              current={current}
              tabs={tabs.map(([key, title]) => ({
                key,
                title,
                href: addressOf(key, name),
                count: countOf(key, body),
              }))}
            />
            <AccountTab tab={current} account={body} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The hosts are on the page that lists all hosts, where they can be searched and chosen. */
function addressOf(tab: TabName, account: string): string {
  if (tab === 'hosts') return consoleAddress.hosts({ account });
  return consoleAddress.account(account, tab === 'drift' ? {} : { tab });
}

function countOf(tab: TabName, { drifted, hosts, policies }: AccountDetail): number | null {
  if (tab === 'drift') return drifted;
  if (tab === 'hosts') return hosts;
  return tab === 'policies' ? policies.length : null;
}

function AccountTab({ tab, account }: { readonly tab: TabName; readonly account: AccountDetail }) {
  if (tab === 'history') return <AccountHistory account={account} />;
  if (tab === 'coverage') return <Coverage account={account} />;
  if (tab === 'policies') return <Policies policies={account.policies} />;
  return <Drift account={account} />;
}
