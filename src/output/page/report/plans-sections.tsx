import { counted, figure } from '../../components/numbers.ts';
import { ProblemItem } from '../../components/problems.tsx';
import { Fold, Section } from '../../components/section.tsx';
import { Table, type TableColumn } from '../../components/table.tsx';
import { Tag } from '../../components/tag.tsx';
import { Count, IdText, Name, PlaceText } from '../../components/text.tsx';
import type { ReportedChange, ReportedPlan } from '../../review/account-report.ts';
import type { CauseRow, PlansRows } from '../../review/plans-rows.ts';
import { causeWords, irreversibleTitle, planWords } from '../../review/plans-words.ts';

/** The most rows on the page, the fewest for one account, and the most accounts with rows. */
const mostRows = 1500;
const fewestRows = 3;
const mostAccounts = 500;
const mostProblems = 200;
const mostCauses = 100;
const mostNames = 8;
/** Longer lists are folded. */
const mostUnfolded = 25;

interface SectionProps {
  readonly rows: PlansRows;
}

/** What no undo reverts, or the renames and moves, by account. Each account shows the same number of rows. */
export function AccountChanges({ rows, kind }: SectionProps & { readonly kind: 'irreversible' | 'changes' }) {
  const isIrreversible = kind === 'irreversible';
  const reports = (
    isIrreversible ? rows.irreversible : rows.groups.flatMap(({ accounts }) => accounts)
  ).flatMap(({ account, plan }) =>
    plan !== undefined && plan[kind].count > 0 ? [{ name: account.name, plan }] : [],
  );
  if (reports.length === 0) return null;
  const all = reports.reduce((sum, { plan }) => sum + plan[kind].count, 0);
  const shown = reports.slice(0, mostAccounts);
  const most = Math.max(fewestRows, Math.floor(mostRows / shown.length));
  return (
    <Section
      id={isIrreversible ? 'irreversible' : 'plans'}
      title={isIrreversible ? "Can't be undone" : 'Plans by account'}
      lead={isIrreversible ? irreversibleTitle(rows) : undefined}
      class={isIrreversible ? 'irreversible' : ''}
    >
      {shown.map(({ name, plan }) => (
        <Fold
          key={name}
          title={
            <>
              <Name name={name} />{' '}
              <span class="dim">
                {isIrreversible ? counted(plan.irreversible.count, 'change') : planWords(plan)}
              </span>
            </>
          }
          isOpen={isIrreversible && all <= mostUnfolded}
        >
          <Changes
            list={plan[kind]}
            most={most}
            label={`${isIrreversible ? 'Irreversible changes' : 'Renames and moves'} in ${name}`}
          />
        </Fold>
      ))}
      {reports.length === shown.length ? null : (
        <p class="more">{counted(reports.length - shown.length, 'more account')}: see the plan files.</p>
      )}
    </Section>
  );
}

const kindWords = {
  delete: 'Delete',
  antivirus: 'Install anti-virus',
  rename: 'Rename',
  move: 'Move',
} as const;

const changeColumns: readonly TableColumn<ReportedChange>[] = [
  {
    key: 'host',
    title: 'Host',
    isHead: true,
    isPlain: true,
    cell: ({ name, host_id: id }) => (
      <div>
        <Name name={name} /> <IdText id={id} />
      </div>
    ),
  },
  {
    key: 'change',
    title: 'Change',
    cell: ({ kind, to = null, online }) => (
      <div>
        {kind === 'delete' || kind === 'antivirus' ? (
          <Tag tone="red">{kindWords[kind]}</Tag>
        ) : (
          <>
            {kindWords[kind]} → {kind === 'move' && to === null ? 'no group' : <Name name={to} />}
          </>
        )}{' '}
        {online === true ? <Tag tone="amber">online</Tag> : null}
      </div>
    ),
  },
  {
    key: 'reason',
    title: 'Reason',
    cell: ({ reason: { rule, ...place } }) => (
      <div>
        {rule === undefined ? null : `rule "${rule}" `}
        <PlaceText place={place} />
      </div>
    ),
  },
];

function Changes({
  list: { count, first },
  most,
  label,
}: {
  readonly list: ReportedPlan['changes'];
  readonly most: number;
  readonly label: string;
}) {
  const rows = first.slice(0, most);
  return (
    <>
      <Table
        label={label}
        rows={rows}
        keyOf={({ kind, host_id }) => `${kind} ${host_id}`}
        class="plan-hosts"
        columns={changeColumns}
      />
      {count === rows.length ? null : (
        <p class="more">{counted(count - rows.length, 'more change')} in the plan file.</p>
      )}
    </>
  );
}

/** Each problem once, with the accounts that have it; errors first. */
export function SharedProblems({ rows: { problems, review } }: SectionProps) {
  const { error, warning, note } = review.totals.problems;
  const all = error + warning + note;
  if (all === 0) return null;
  const shown = problems.slice(0, mostProblems);
  const listed = shown.reduce((sum, { accounts }) => sum + accounts.length, 0);
  return (
    <Section id="problems" title="Problems" count={figure(all)}>
      <ul class="problems">
        {shown.map(({ problem: { file, line, ...problem }, accounts }, position) => (
          <ProblemItem
            key={position}
            id={`problem-${position}`}
            problem={{ ...problem, place: file === undefined ? undefined : { file, line: line ?? 1 } }}
          >
            <p class="dim">in {accountNames(accounts)}</p>
          </ProblemItem>
        ))}
      </ul>
      {listed >= all ? null : (
        <p class="more">
          The plan files have the other problems: show one with <code>rampart show</code>.
        </p>
      )}
    </Section>
  );
}

function accountNames(names: readonly string[]): string {
  const left = names.length - mostNames;
  const more = left > 0 ? ` and ${figure(left)} more` : '';
  return `${counted(names.length, 'account')}: ${names.slice(0, mostNames).join(', ')}${more}`;
}

const causeColumns: readonly TableColumn<CauseRow>[] = [
  {
    key: 'cause',
    title: 'Rule or line',
    isHead: true,
    isPlain: true,
    cell: ({ rule, file, line }) => (
      <div>
        {rule === undefined ? null : `rule "${rule}" `}
        <PlaceText place={{ file, line }} />
        {line === undefined ? ', several lines' : null}
      </div>
    ),
  },
  { key: 'effect', title: 'Effect', cell: ({ changes }) => causeWords(changes) },
  { key: 'accounts', title: 'Accounts', isNumber: true, cell: ({ accounts }) => <Count value={accounts} /> },
];

/** What many accounts have in common: one wrong rule changes all of them. */
export function SharedCauses({ rows: { causes } }: SectionProps) {
  if (causes.length === 0) return null;
  const left = causes.length - mostCauses;
  return (
    <Section id="causes" title="Causes">
      <Table
        label="Rules and lines that change several accounts"
        rows={causes.slice(0, mostCauses)}
        keyOf={({ rule, file, line }) => `${rule} ${file} ${line}`}
        columns={causeColumns}
      />
      {left <= 0 ? null : <p class="more">{counted(left, 'more rule or line', 'more rules and lines')}.</p>}
    </Section>
  );
}
