import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { compareNaturally } from '../../../core/lib/natural-order.ts';
import { changeWords, shownChangeKinds } from '../../components/change-words.ts';
import { Choice, TextField } from '../../components/field.tsx';
import { type HostSurroundings, reviewedHostColumns } from '../../components/host-columns.tsx';
import { counted, figure } from '../../components/numbers.ts';
import { Table } from '../../components/table.tsx';
import type { ShownHost } from '../../review/planned-hosts.ts';
import { isIrreversible, isUnusual } from '../../review/reviewed-host.ts';
import { type Filter, matchingHosts, noFilter } from './filter.ts';
import { sortable, sorted } from './sort.ts';

const pageSize = 100;

/** The table of all hosts, with filter, sorting and paging. On paper, it has every row. */
export function Explorer({
  hosts,
  around,
}: {
  readonly hosts: readonly ShownHost[];
  readonly around: HostSurroundings;
}) {
  const [filter, setFilter] = useState(noFilter);
  const [order, setOrder] = useState('');
  const [page, setPage] = useState(0);
  const [isOnPaper, setOnPaper] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => watchPaper(setOnPaper), []);
  const inOrder = useMemo(() => sorted(hosts, order), [hosts, order]);
  const shown = useMemo(() => matchingHosts(inOrder, filter), [inOrder, filter]);
  const last = Math.max(1, Math.ceil(shown.length / pageSize));
  const rows = isOnPaper ? shown : shown.slice(page * pageSize, (page + 1) * pageSize);
  const turn = (to: number) => {
    setPage(to);
    top.current?.scrollIntoView();
  };
  return (
    <div ref={top} class="explorer">
      <Filters
        hosts={hosts}
        filter={filter}
        onFilter={(next) => {
          setFilter(next);
          setPage(0);
        }}
      />
      <p role="status" class="dim">
        {shown.length === hosts.length
          ? counted(hosts.length, 'host')
          : `${figure(shown.length)} of ${counted(hosts.length, 'host')}`}
      </p>
      <Table
        label="Hosts"
        class="plan-hosts"
        rows={rows}
        keyOf={({ host_id }) => host_id}
        columns={reviewedHostColumns(around)}
        order={{
          by: sortable,
          current: order,
          onOrder: (next) => {
            setOrder(next);
            setPage(0);
          },
        }}
      />
      {last === 1 || isOnPaper ? null : (
        <nav class="pages" aria-label="Pages of the table">
          <button type="button" class="button" disabled={page === 0} onClick={() => turn(page - 1)}>
            Previous
          </button>
          <span>
            Page {figure(page + 1)} of {figure(last)}
          </span>
          <button type="button" class="button" disabled={page === last - 1} onClick={() => turn(page + 1)}>
            Next
          </button>
        </nav>
      )}
    </div>
  );
}

/** Reports when printing starts and ends. */
function watchPaper(notify: (onPaper: boolean) => void): void {
  addEventListener('beforeprint', () => notify(true));
  addEventListener('afterprint', () => notify(false));
  // Print emulation without printing sends no such events.
  matchMedia('print').addEventListener('change', ({ matches }) => notify(matches));
}

interface FiltersProps {
  readonly hosts: readonly ShownHost[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

function Filters({ hosts, filter, onFilter }: FiltersProps) {
  const options = useMemo(() => optionsOf(hosts), [hosts]);
  return (
    <div class="filters" role="search">
      <TextField
        label="Search"
        type="search"
        value={filter.query}
        onInput={(query) => onFilter({ ...filter, query })}
        placeholder="Name, id, group, file or rule"
      />
      {(['action', 'group', 'remark'] as const).map((key) => (
        <Choice
          key={key}
          label={{ action: 'Change', group: 'Group', remark: 'Remark' }[key]}
          value={filter[key]}
          onChange={(value) => onFilter({ ...filter, [key]: value })}
          options={options[key]}
        />
      ))}
      <button type="button" class="button quiet" onClick={() => onFilter(noFilter)}>
        Clear
      </button>
    </div>
  );
}

const any = { value: '', text: 'Any' };

/** Only what some host has, with the number of hosts. */
function optionsOf(hosts: readonly ShownHost[]) {
  const numbered = (value: string, text: string, test: (host: ShownHost) => boolean) => {
    const { length } = hosts.filter(test);
    return length === 0 ? [] : [{ value, text: `${text} (${figure(length)})` }];
  };
  const groups = new Set(
    hosts.flatMap(({ group, new_group: next }) => [group, next].filter((each) => each !== null)),
  );
  const remarks = new Set(hosts.flatMap((host) => host.remarks ?? []));
  return {
    action: [
      any,
      ...numbered('irreversible', "Can't be undone", isIrreversible),
      ...shownChangeKinds.flatMap((kind) =>
        numbered(kind, changeWords[kind].verb, ({ action }) => action.includes(kind)),
      ),
    ],
    group: [any, ...[...groups].sort(compareNaturally).map((name) => ({ value: name, text: name }))],
    remark: [
      any,
      ...numbered('unusual', 'Unusual', isUnusual),
      ...numbered('problem', 'With a problem', (host) => (host.problems ?? []).length > 0),
      ...[...remarks].flatMap((remark) =>
        numbered(remark, remark, (host) => host.remarks?.includes(remark) === true),
      ),
    ],
  };
}
