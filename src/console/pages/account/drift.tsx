import { useMemo, useState } from 'preact/hooks';
import type { AccountDetail, Cause, DriftRow } from '../../../api/accounts.ts';
import { isDriftKind } from '../../../api/states.ts';
import { capitalized, counted, figure } from '../../../output/components/numbers.ts';
import { Table, type TableColumn } from '../../../output/components/table.tsx';
import { Name, PlaceText, Text } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { usePages } from '../../data/pages.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CauseBy } from '../../parts/cause-by.tsx';
import { Listed } from '../../parts/listed.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Since, Time } from '../../parts/time.tsx';
import { causeMarks } from '../../words/cause.ts';
import { hostLabel } from '../../words/host-label.ts';
import { differenceColumns } from './difference-columns.tsx';
import { IgnoreDialog, type IgnoreTarget } from './ignore-dialog.tsx';
import { Ignored } from './ignored.tsx';
import { Resolve } from './resolve.tsx';

const keyOf = ({ host_id: id, attribute }: DriftRow) => `${id} ${attribute}`;

const valueColumns: readonly TableColumn<DriftRow>[] = [
  ...differenceColumns,
  { key: 'desired', title: 'The file says', cell: (row) => <Value value={row.desired} /> },
  {
    key: 'last',
    title: 'Before',
    cell: (row) =>
      row.last === row.desired ? <span class="dim">the same</span> : <Value value={row.last} />,
  },
  {
    key: 'live',
    title: 'The fleet has',
    cell: (row) => (
      <span class="live">
        <Value value={row.live} />
      </span>
    ),
  },
  { key: 'since', title: 'First seen', cell: (row) => <Time at={row.since} /> },
];

/** What a reader may do with one difference. */
function answersColumn(onIgnore: ((row: DriftRow) => void) | null): TableColumn<DriftRow> {
  return {
    key: 'answers',
    title: 'Actions',
    isTitleHidden: true,
    isPlain: true,
    cell: (row) => (
      <span class="row-actions">
        {maySomewhere('plan') ? (
          <ButtonLink
            kind="quiet"
            label={`Adopt ${hostLabel(row)}`}
            href={consoleAddress.propose({ change: 'adopt', host: `${row.account} ${row.host_id}` })}
          >
            Adopt…
          </ButtonLink>
        ) : null}
        {onIgnore === null ? null : (
          <Button kind="quiet" label={`Ignore ${hostLabel(row)}`} onClick={() => onIgnore(row)}>
            Ignore…
          </Button>
        )}
      </span>
    ),
  };
}

function Value({ value }: { readonly value: string | null }) {
  return value === null ? <span class="dim">–</span> : <Name name={value} />;
}

/** The differences between the file, the last run and the fleet, grouped by cause. */
export function Drift({ account }: { readonly account: AccountDetail }) {
  return (
    <>
      <Differences account={account} />
      <Ignored account={account.name} />
    </>
  );
}

function Differences({ account }: { readonly account: AccountDetail }) {
  const causes = account.causes.filter(({ kind }) => isDriftKind(kind));
  if (causes.length === 0) {
    const [title, text] = nothingDiffers(account);
    return (
      <EmptyState title={title}>
        {text}{' '}
        {account.last_check_at === null ? null : (
          <>
            Last check: <Time at={account.last_check_at} />.
          </>
        )}
      </EmptyState>
    );
  }
  return (
    <div class="drift">
      <Resolve account={account.name} />
      {causes.map((cause, index) => (
        <DriftOfCause
          key={cause.id}
          account={account.name}
          cause={cause}
          isOpen={index === 0 || causes.length < 4}
        />
      ))}
    </div>
  );
}

/** Why the list is empty. */
function nothingDiffers({ health, last_check_at, failure }: AccountDetail): readonly [string, string] {
  if (health === 'ignored')
    return [
      'Nothing differs, except what is ignored',
      'Each ignored difference is listed below with its reason. It counts as drift again when it expires.',
    ];
  if (last_check_at === null)
    return [
      'Not checked yet',
      'After the first check, this tab shows where the fleet differs from the desired state, and why.',
    ];
  if (failure !== null)
    return [
      'The current differences are unknown',
      'The last checks failed, so this tab shows nothing until a check succeeds. The reason is at the top.',
    ];
  if (health === 'in_doubt' || health === 'in_progress')
    return [
      'Nothing else differs',
      `Apart from the changes ${health === 'in_doubt' ? 'in doubt' : 'in progress'}, the last check found the fleet as the desired state describes it.`,
    ];
  return ['Nothing differs', 'The last check found the fleet as the desired state describes it.'];
}

interface DriftOfCauseProps {
  readonly account: string;
  readonly cause: Cause;
  readonly isOpen: boolean;
}

function DriftOfCause({ account, cause, isOpen: isOpenAtFirst }: DriftOfCauseProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details class="card folded" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="fold-title">
          <Text text={capitalized(cause.title)} />
        </span>
        <span class="dotted fine fold-note">
          <StateMark mark={causeMarks[cause.kind]} isQuiet />
          <span>{counted(cause.hosts, 'host')}</span>
          <PlaceText place={cause.place} />
          <CauseBy cause={cause} />
          <Since at={cause.since} />
        </span>
      </summary>
      {isOpen ? <DriftRows account={account} cause={cause} /> : null}
    </details>
  );
}

function DriftRows({ account, cause }: { readonly account: string; readonly cause: Cause }) {
  const [asked, setAsked] = useState<IgnoreTarget | null>(null);
  const [message, setMessage] = useState('');
  const [mayIgnore, mayAdopt] = [maySomewhere('pause'), maySomewhere('plan')];
  const columns = useMemo(
    () => [...valueColumns, answersColumn(mayIgnore ? (row) => setAsked({ kind: 'difference', row }) : null)],
    [mayIgnore],
  );
  const store = usePages<DriftRow>(pathOf`/accounts/${account}/drift`, {
    query: { cause: cause.id, ignored: false },
    keyOf,
    limit: 50,
    when: (event) => event.account === account && event.type === 'account.changed',
  });
  return (
    <>
      <Listed of={store} tried="Reading the drift" lines={4} empty={null}>
        {(rows) => <Table label="Drift" class="drift-table" columns={columns} rows={rows} keyOf={keyOf} />}
      </Listed>
      <div class="actions fold-more" hidden={!(mayIgnore || mayAdopt || store.hasMore)}>
        {store.hasMore ? (
          <span class="dim">
            {figure(store.length)}
            {store.total === null ? '' : ` of ${figure(store.total)}`} shown
          </span>
        ) : null}
        {mayIgnore ? (
          <Button onClick={() => setAsked({ kind: 'cause', cause: cause.id, hosts: cause.hosts })}>
            Ignore all until…
          </Button>
        ) : null}
        {mayAdopt ? (
          <ButtonLink href={consoleAddress.propose({ drift: account, cause: cause.id })}>
            Adopt all…
          </ButtonLink>
        ) : null}
        <span role="status" class="dim">
          {message}
        </span>
      </div>
      {asked === null ? null : (
        <IgnoreDialog
          account={account}
          target={asked}
          onClose={() => setAsked(null)}
          onDone={(text) => {
            setAsked(null);
            setMessage(text);
          }}
        />
      )}
    </>
  );
}
