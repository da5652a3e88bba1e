import { count } from '../../../core/lib/words.ts';
import { counted, figure } from '../../components/numbers.ts';
import type { Tile } from '../../components/plan-totals.ts';
import { Fold, Section } from '../../components/section.tsx';
import { Table, type TableColumn } from '../../components/table.tsx';
import { Count, Name, Text } from '../../components/text.tsx';
import { Tiles } from '../../components/tiles.tsx';
import type { AccountReport } from '../../review/account-report.ts';
import type { AccountGroup, PlansRows } from '../../review/plans-rows.ts';
import {
  accountGroupTitle,
  accountsLine,
  plansComparison,
  plansRehearsal,
  plansTotalsLine,
  planWords,
  problemWords,
  verdicts,
} from '../../review/plans-words.ts';
import { type BannerTone, PageFrame, ReportBanner } from './page-frame.tsx';
import { AccountChanges, SharedCauses, SharedProblems } from './plans-sections.tsx';

/** Longer lists of accounts are folded. */
const mostUnfolded = 25;
const mostNames = 10;

const tones: Readonly<Record<'error' | 'warning' | 'good', BannerTone>> = {
  error: 'red',
  warning: 'amber',
  good: 'green',
};

/** The plans of many accounts: accounts by what happens in them, then what they have in common. */
export function PlansPageBody({ rows }: { readonly rows: PlansRows }) {
  const { review, groups } = rows;
  const lines = [
    accountsLine(review).replace(/^\d+ accounts?: /, ''),
    plansTotalsLine(review)?.replace(/^Plan: /, ''),
    plansComparison(review),
    plansRehearsal(review),
  ].filter((line) => line !== undefined);
  return (
    <PageFrame
      title={`Plans of ${counted(review.accounts.length, 'account')}`}
      sum={lines.map((line) => <p key={line}>{line}</p>)}
      banners={verdicts(review).map(({ tone, text }) => (
        <ReportBanner key={text} tone={tones[tone]}>
          {text}
        </ReportBanner>
      ))}
      facts={[
        ['Accounts', selectorText(review.selector)],
        ['Fleets', counted(review.totals.hosts, 'host')],
        ['Planned at', review.created_at],
      ]}
    >
      <Tiles tiles={tilesOf(rows)} />
      {groups.length === 0 ? null : (
        <Section id="accounts" title="Accounts">
          {groups.map((group) => (
            <Fold
              key={accountGroupTitle(group)}
              title={accountGroupTitle(group)}
              isOpen={group.accounts.length <= mostUnfolded}
            >
              <Accounts group={group} />
            </Fold>
          ))}
        </Section>
      )}
      <AccountChanges rows={rows} kind="irreversible" />
      <SharedProblems rows={rows} />
      <SharedCauses rows={rows} />
      <AccountChanges rows={rows} kind="changes" />
    </PageFrame>
  );
}

function selectorText({ names, where }: PlansRows['review']['selector']): string {
  const left = names.length - mostNames;
  const parts = [
    ...(where === null ? [] : [where]),
    ...names.slice(0, mostNames),
    ...(left > 0 ? [count(left, 'more account')] : []),
  ];
  return parts.length === 0 ? 'all' : parts.join(', ');
}

function tilesOf({ review, irreversible }: PlansRows): readonly Tile[] {
  const { outcomes, summary, calls } = review.totals;
  const warned = `can't be undone, in ${counted(irreversible.length, 'account')}`;
  return [
    { title: 'Without a plan', value: outcomes.failed, tone: 'red', note: 'accounts' },
    { title: 'Refused', value: outcomes.refused, tone: 'red', note: 'accounts' },
    { title: 'With changes', value: outcomes.changes, note: 'accounts' },
    { title: 'Without changes', value: outcomes['no-changes'], note: 'accounts' },
    { title: 'Calls', value: calls.planned, note: `minimum ${figure(calls.minimum)}` },
    { title: 'Deletions', value: summary.delete, tone: 'red', note: warned },
    { title: 'Anti-virus installs', value: summary.antivirus, tone: 'red', note: warned },
    { title: 'Renames', value: summary.rename },
    { title: 'Moves', value: summary.move },
    { title: 'Unchanged hosts', value: summary.unchanged },
  ];
}

const nameColumn: TableColumn<AccountReport> = {
  key: 'account',
  title: 'Account',
  isHead: true,
  isPlain: true,
  cell: ({ account: { name, labels } }) => (
    <div>
      <Name name={name} />{' '}
      <span class="dim">
        {Object.entries(labels)
          .map(([label, value]) => `${label}: ${value}`)
          .join(', ')}
      </span>
    </div>
  ),
};

const planColumns: readonly TableColumn<AccountReport>[] = [
  nameColumn,
  { key: 'changes', title: 'Changes', cell: ({ plan }) => (plan === undefined ? '' : planWords(plan)) },
  {
    key: 'calls',
    title: 'Calls',
    isNumber: true,
    cell: ({ plan }) => <Count value={plan?.calls.planned ?? 0} />,
  },
  { key: 'problems', title: 'Problems', cell: problemWords },
];

const failureColumns: readonly TableColumn<AccountReport>[] = [
  nameColumn,
  {
    key: 'reason',
    title: 'Reason',
    cell: ({ problems: { first } }) => (
      <div>
        <Text text={first[0]?.message ?? ''} /> <code class="dim">{first[0]?.code}</code>
      </div>
    ),
  },
];

function Accounts({ group: { kind, isRest, accounts } }: { readonly group: AccountGroup }) {
  if (kind === 'no-changes')
    return (
      <ul class="names">
        {accounts.map(({ account: { name } }) => (
          <li key={name}>
            <Name name={name} />
          </li>
        ))}
      </ul>
    );
  return (
    <Table
      label={accountGroupTitle({ kind, isRest, accounts })}
      rows={accounts}
      keyOf={({ account }) => account.name}
      columns={kind === 'failed' ? failureColumns : planColumns}
    />
  );
}
