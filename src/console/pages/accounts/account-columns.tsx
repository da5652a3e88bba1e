import type { AccountRow } from '../../../api/accounts.ts';
import { printable } from '../../../core/lib/printable.ts';
import { counted } from '../../../output/components/numbers.ts';
import type { TableColumn } from '../../../output/components/table.tsx';
import { Count, NameLink } from '../../../output/components/text.tsx';
import { consoleAddress, type PageAddress } from '../../browser/address.ts';
import { type Choosing, choiceColumn } from '../../parts/choice-column.tsx';
import { AccountLabels } from '../../parts/labels.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { Time } from '../../parts/time.tsx';
import { Version } from '../../parts/version.tsx';
import { withLabel } from '../../words/filters.ts';
import { healthMark, healthMeanings } from '../../words/health.ts';
import { exactTime } from '../../words/times.ts';

const nameOf = ({ name }: AccountRow) => name;

/** The columns of the list of accounts. Without `choosing`, rows can't be chosen. */
export function accountColumns(
  address: PageAddress,
  choosing: Choosing | null,
): readonly TableColumn<AccountRow>[] {
  return [
    ...(choosing === null ? [] : [choiceColumn<AccountRow>(choosing, { keyOf: nameOf, nameOf })]),
    {
      key: 'name',
      title: 'Account',
      isHead: true,
      cell: (row) => <NameLink class="row-link" href={consoleAddress.account(row.name)} name={row.name} />,
    },
    {
      key: 'labels',
      title: 'Labels',
      cell: ({ labels }) => (
        <AccountLabels
          labels={labels}
          hrefOf={(name, value) => address.with({ where: withLabel(address.get('where'), name, value) })}
        />
      ),
    },
    {
      key: 'health',
      title: 'Health',
      cell: (row) => (
        <span title={row.since === null ? undefined : `since ${exactTime(row.since, {})}`}>
          <StateMark mark={healthMark(row.health, row.waiting_for)} />
        </span>
      ),
    },
    { key: 'why', title: 'Details', cell: (row) => <Why row={row} /> },
    { key: 'hosts', title: 'Hosts', isNumber: true, cell: ({ hosts }) => <Count value={hosts} /> },
    { key: 'mode', title: 'Mode', cell: ({ mode }) => mode },
    {
      key: 'commit',
      title: 'Version',
      cell: ({ commit }) => (commit === null ? <span class="dim">–</span> : <Version commit={commit} />),
    },
    { key: 'checked', title: 'Checked', cell: (row) => <Time at={row.last_check_at} /> },
  ];
}

/** In a few words, why an account has its health. */
function Why({ row }: { readonly row: AccountRow }) {
  if (row.failure !== null)
    return (
      <span class="why" title={row.failure.message}>
        <bdi>{failureText(row.failure)}</bdi>
      </span>
    );
  if (row.pause !== null)
    return (
      <span class="why" title={row.pause.reason}>
        {row.plan === null ? null : (
          <>
            <PlanLink plan={row.plan} />,{' '}
          </>
        )}
        <bdi>{printable(`paused by ${row.pause.by.name}: ${row.pause.reason}`)}</bdi>
      </span>
    );
  if (row.run !== null) return <a href={consoleAddress.run(row.run)}>watch the run</a>;
  if (row.plan !== null) return <PlanLink plan={row.plan} />;
  if (row.health === 'in_doubt' || row.health === 'in_progress')
    return (
      <span class="why" title={healthMeanings[row.health]}>
        {healthMeanings[row.health]}
      </span>
    );
  return row.drifted === null || row.drifted === 0 ? null : (
    <>{counted(row.drifted, 'host differs', 'hosts differ')}</>
  );
}

function PlanLink({ plan }: { readonly plan: NonNullable<AccountRow['plan']> }) {
  return <a href={consoleAddress.change(plan.id)}>{counted(plan.changes, 'change')} to review</a>;
}

const texts: Readonly<Record<string, string>> = {
  'not-authenticated': 'the service does not accept the key',
  forbidden: 'the service denies the key permission',
  'server-error': 'the service responds with an error',
  'rate-limited': 'the service refuses calls because of its rate limit',
  network: 'the service does not respond',
  'timed-out': 'the service does not respond in time',
};

/** Why an account fails, in a few words if the reason is a common one. */
function failureText({ code, message }: NonNullable<AccountRow['failure']>): string {
  return texts[code] ?? printable(message);
}
