import type { RunRow } from '../../../api/runs.ts';
import { figure } from '../../../output/components/numbers.ts';
import { type Column, Table } from '../../../output/components/table.tsx';
import { Name } from '../../../output/components/text.tsx';
import { pageOf } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { usePages } from '../../data/pages.ts';
import { StateMark } from '../../parts/mark.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { runMarks } from '../../words/state-marks.ts';

const keyOf = ({ id }: RunRow) => id;

const columns: readonly Column<RunRow>[] = [
  {
    key: 'run',
    title: 'Run',
    isHead: true,
    cell: (run) => (
      <a class="row-link" href={pageOf.run(run.id)}>
        <Name name={run.id} isMono />
      </a>
    ),
  },
  { key: 'state', title: 'State', cell: ({ state }) => <StateMark mark={runMarks[state]} isQuiet /> },
  {
    key: 'steps',
    title: 'Steps done',
    isNumber: true,
    cell: ({ steps }) => `${figure(steps.done)} of ${figure(steps.total)}`,
  },
  {
    key: 'failed',
    title: 'Failed or in doubt',
    isNumber: true,
    cell: ({ steps, installs_in_doubt: installs = 0 }) => figure(steps.failed + steps.in_doubt + installs),
  },
  { key: 'by', title: 'By', cell: ({ by }) => (by === null ? '–' : <Name name={by.name} />) },
  { key: 'started', title: 'Started', cell: (run) => <Time at={run.started_at} /> },
];

/** The runs that changed this account, the newest first. */
export function AccountRuns({ account }: { readonly account: string }) {
  const store = usePages<RunRow>(pathOf`/accounts/${account}/runs`, {
    keyOf,
    limit: 25,
    when: (event) => event.account === account && event.type === 'run.changed',
  });
  if (!store.isRead)
    return store.problem === null ? (
      <Skeleton lines={4} />
    ) : (
      <ErrorState problem={store.problem} tried="Reading the runs" onRetry={() => store.restart()} />
    );
  if (store.length === 0)
    return (
      <EmptyState title="No runs yet">
        <p>A run applies an approved plan. Each run appears here with what it did and who approved it.</p>
      </EmptyState>
    );
  return (
    <>
      <Table label="Runs" columns={columns} rows={store.rows} keyOf={keyOf} />
      <ShowMore of={store} />
    </>
  );
}
