import { useMemo, useState } from 'preact/hooks';
import type { Facets, HostListRow } from '../../../api/hosts.ts';
import { atLeast, counted, figure } from '../../../output/components/numbers.ts';
import type { TableColumn } from '../../../output/components/table.tsx';
import { IdText, Name, NameLink } from '../../../output/components/text.tsx';
import { type Changes, consoleAddress, filtersOf, useAddress } from '../../browser/address.ts';
import { maySomewhere } from '../../data/may.ts';
import { usePages } from '../../data/pages.ts';
import { useResource } from '../../data/resource.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { type Choosing, choiceColumn } from '../../parts/choice-column.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { Page } from '../../parts/page.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { VirtualTable } from '../../parts/virtual-table.tsx';
import { factName } from '../../words/facts.ts';
import { hostFilterNames } from '../../words/filters.ts';
import { differsMark } from '../../words/health.ts';
import { hostLabel } from '../../words/host-label.ts';
import { changeTitles, type ProposedKind } from '../propose/propose-words.ts';
import { HostFilters } from './host-facets.tsx';
import './hosts.css';

const shortest = 2;

/** Search over the hosts of all accounts. */
export function HostsPage() {
  const address = useAddress();
  const filters = filtersOf(address.get, hostFilterNames);
  const typed = filters.query.q;
  const isShort = typed.length > 0 && typed.length < shortest;
  const query = { ...filters.query, q: isShort ? '' : typed };
  const { value: facets } = useResource<Facets>('/hosts/facets', { query });
  const store = usePages<HostListRow>('/hosts', {
    query,
    keyOf: keyOfHost,
    when: ({ type }) => type === 'account.changed',
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayPropose = maySomewhere('plan');
  const columns = useMemo(
    () =>
      searchColumns(
        mayPropose ? { chosen, onChange: setChosen, all: () => store.rows.map(keyOfHost) } : null,
      ),
    [chosen, mayPropose, store, store.length],
  );
  return (
    <Page title="Hosts" below={<span role="status">{totalText(store.total, facets)}</span>}>
      <SearchField
        label="Search hosts"
        isLabelHidden
        placeholder="Name, id, group, custom field or serial number"
        value={typed}
        hint={isShort ? 'Type at least two characters.' : undefined}
        onSearch={(q) => address.set({ q })}
      />
      <div class="hosts-columns">
        <HostFilters facets={facets} />
        <VirtualTable
          label="Hosts"
          class={mayPropose ? 'hosts choosable' : 'hosts'}
          tried="Searching the hosts"
          columns={columns}
          store={store}
          keyOf={keyOfHost}
          isChosen={(row) => chosen.has(keyOfHost(row))}
          empty={
            filters.chosen > 0 ? (
              <EmptyState
                title="No host matches"
                action={<Button onClick={() => address.set(filters.none, 'push')}>Show all hosts</Button>}
              >
                <p>
                  Remove a filter or search for other text. Custom fields and serial numbers are found in
                  accounts whose desired state reads them.
                </p>
              </EmptyState>
            ) : (
              <EmptyState title="No hosts">
                <p>After the first check of an account, its hosts are listed here.</p>
              </EmptyState>
            )
          }
        />
      </div>
      <ChosenBar chosen={chosen} search={query} found={store.total} onClear={() => setChosen(new Set())} />
    </Page>
  );
}

/** How many hosts match: at least as many as the server counted, if it did not count all of them. */
function totalText(total: number | null, facets: Facets | null): string {
  const found = total ?? facets?.total;
  if (found === undefined) return ' ';
  const hasMore = total === null && facets?.is_complete === false;
  return hasMore ? `${atLeast(found, true)} hosts` : counted(found, 'host');
}

function keyOfHost({ account, host_id: id }: HostListRow): string {
  return `${account} ${id}`;
}

/** The columns of the list of hosts. Without `choosing`, rows can't be chosen. */
function searchColumns(choosing: Choosing | null): readonly TableColumn<HostListRow>[] {
  return [
    ...(choosing === null
      ? []
      : [
          choiceColumn<HostListRow>(choosing, {
            keyOf: keyOfHost,
            nameOf: hostLabel,
          }),
        ]),
    {
      key: 'name',
      title: 'Name',
      isHead: true,
      cell: (row) => (
        <>
          <NameLink class="row-link" href={consoleAddress.host(row.account, row.host_id)} name={row.name} />
          <MatchText match={row.matched} />
        </>
      ),
    },
    { key: 'id', title: 'Id', cell: (row) => <IdText id={row.host_id} /> },
    {
      key: 'account',
      title: 'Account',
      cell: (row) => <NameLink href={consoleAddress.account(row.account)} name={row.account} />,
    },
    {
      key: 'group',
      title: 'Group',
      cell: ({ group }) => (group === null ? <span class="dim">no group</span> : <Name name={group} />),
    },
    { key: 'state', title: 'State', cell: ({ state }) => state ?? <span class="dim">–</span> },
    {
      key: 'drifted',
      title: 'Difference',
      cell: ({ drifted }) => (drifted ? <StateMark mark={differsMark} isQuiet /> : null),
    },
    { key: 'seen', title: 'Read', cell: (row) => <Time at={row.seen_at} /> },
  ];
}

/** The value that a search found, unless its column shows it. */
function MatchText({ match }: { readonly match: HostListRow['matched'] }) {
  if (match === undefined || match === null || shownFields.includes(match.field)) return null;
  return (
    <p class="fine">
      {factName(match.field)} <Name name={match.value} />
    </p>
  );
}

const shownFields: readonly string[] = ['name', 'id', 'group'];

interface ChosenBarProps {
  /** Keys of hosts. */
  readonly chosen: ReadonlySet<string>;
  /** The parameters of the search, and how many hosts it finds; null if that is not known. */
  readonly search: Changes;
  readonly found: number | null;
  readonly onClear: () => void;
}

/** An address has no room for more. */
const mostChosen = 200;
const kinds: readonly ProposedKind[] = ['move', 'rename', 'antivirus', 'delete'];

/** What can be done to the chosen hosts: each leads to a change of their desired state. */
function ChosenBar({ chosen, search, found, onClear }: ChosenBarProps) {
  if (chosen.size === 0) return null;
  const isTooMany = chosen.size > mostChosen;
  return (
    <section class="card bulk-bar" aria-label="Selected hosts">
      <strong>{counted(chosen.size, 'host')} selected</strong>
      {isTooMany ? (
        <span class="dim">Select at most {mostChosen}, or all that match.</span>
      ) : (
        kinds.map((change) => (
          <ButtonLink key={change} href={consoleAddress.propose({ change, host: [...chosen] })}>
            {changeTitles[change]}…
          </ButtonLink>
        ))
      )}
      {found === null || found <= chosen.size ? null : (
        <ButtonLink href={consoleAddress.propose({ ...search, all: 'true' })}>
          All {figure(found)} that match…
        </ButtonLink>
      )}
      <Button kind="quiet" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}
