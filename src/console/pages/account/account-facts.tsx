import type { AccountDetail } from '../../../api/accounts.ts';
import type { History } from '../../../api/overview.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { isFolder } from '../../../output/components/places.ts';
import { FactList } from '../../../output/components/section.tsx';
import { IdText, Name, PlaceText } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { now } from '../../browser/clock.ts';
import { useResource } from '../../data/resource.ts';
import { Sparkline } from '../../parts/charts.tsx';
import { AccountLabels } from '../../parts/labels.tsx';
import { Time } from '../../parts/time.tsx';
import { Version } from '../../parts/version.tsx';
import { withLabel } from '../../words/filters.ts';

const modes = {
  observe: 'observe (never changes the fleet)',
  propose: 'propose (plans wait for approval)',
  correct: 'correct (applies within limits)',
} as const;

/** The facts in the header of an account. */
export function AccountHeader({ account }: { readonly account: AccountDetail }) {
  const { company_id: company, service, labels, mode, commit } = account;
  return (
    <FactList
      facts={[
        ['Company ID', company === null ? '–' : <IdText id={company} />],
        ['Service', <Name key="service" name={service} />],
        ['Mode', modes[mode]],
        commit !== null && isFolder(commit)
          ? [
              'Version',
              <span key="version">
                <Version commit={commit} />, read <Time at={account.last_check_at} />
              </span>,
            ]
          : ['Commit', commit === null ? '–' : <Version key="version" commit={commit} />],
        ['Last check', <Time key="last" at={account.last_check_at} />],
        ['Next check', account.next_check_at === null ? '–' : <Due key="next" at={account.next_check_at} />],
        ['Hosts that differ, last 7 days', <Drifted key="drifted" account={account.name} />],
        ['Change windows', <Windows key="windows" account={account} />],
        [
          'Labels',
          Object.keys(labels).length === 0 ? (
            '–'
          ) : (
            <AccountLabels
              key="labels"
              labels={labels}
              hrefOf={(name, value) => consoleAddress.accounts({ where: withLabel('', name, value) })}
            />
          ),
        ],
      ]}
    />
  );
}

function Drifted({ account }: { readonly account: string }) {
  const { value } = useResource<History>('/history', {
    query: { days: 7, account },
    when: (event) => event.account === account && event.type !== 'run.event',
    quiet: 5_000,
  });
  const drifted = value?.series.drifted ?? [];
  const known = drifted.filter((each) => each !== null);
  const latest = drifted.at(-1) ?? null;
  if (known.length === 0) return <>–</>;
  return (
    <span class="beside">
      {latest === null ? 'unknown' : counted(latest, 'host')} now, at most {figure(Math.max(...known))}
      <Sparkline values={drifted} label="Hosts that differ, last 7 days" />
    </span>
  );
}

function Due({ at }: { readonly at: string }) {
  // A time that is so near is "just now" elsewhere.
  return Date.parse(at) < now.value + 15_000 ? <>due now</> : <Time at={at} />;
}

function Windows({ account: { windows } }: { readonly account: AccountDetail }) {
  if (windows.length === 0) return <>always open</>;
  return (
    <ul>
      {windows.map((window) => (
        <li key={`${window.name} ${window.place?.file} ${window.place?.line}`}>
          <Name name={window.name} /> is {window.is_open ? 'open' : 'closed'}
          {window.changes_at === undefined ? null : (
            <>
              , {window.is_open ? 'closes' : 'opens'} <Time at={window.changes_at} />
            </>
          )}{' '}
          <PlaceText place={window.place} />
        </li>
      ))}
    </ul>
  );
}
