import { figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { Count } from '../../../output/components/text.tsx';
import { pageOf } from '../../browser/address.ts';
import { EmptyState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import type { ChangeParts } from './change-step.ts';
import { kindTitle } from './kind-title.ts';
import { isUnderWay, undoableHosts } from './run-words.ts';

/** What reads showed after the last call of a run, and what can be undone. */
export function Proof({ plan, run }: ChangeParts) {
  if (run === null || isUnderWay(run))
    return (
      <EmptyState title="Nothing to verify yet">
        After its last call, the run reads the fleet again. Here you see what the read showed.
      </EmptyState>
    );
  const isVerified = run.state === 'done';
  return (
    <Section title="What reads showed">
      <p>
        The run ended <Time at={run.ended_at} />.{' '}
        {isVerified
          ? 'A read after its last call showed the changes below.'
          : 'No read since then confirms all its changes. The next check reads the fleet.'}
      </p>
      {run.steps.in_progress === 0 ? null : (
        <p>
          The service accepted {figure(run.steps.in_progress)} of them, and no read shows their effect yet.
        </p>
      )}
      <Table
        label="Changes by kind"
        rows={run.by_kind.filter(({ total }) => total > 0)}
        keyOf={({ kind }) => kind}
        columns={[
          { key: 'kind', title: 'Change', isHead: true, isPlain: true, cell: ({ kind }) => kindTitle(kind) },
          { key: 'hosts', title: 'Planned', isNumber: true, cell: (row) => <Count value={row.hosts} /> },
          {
            key: 'done',
            title: isVerified ? 'Shown by a read' : 'Answered as done',
            isNumber: true,
            cell: (row) => <Count value={row.hosts_done} />,
          },
          {
            key: 'failed',
            title: 'Failed',
            isNumber: true,
            cell: (row) => <Count value={row.hosts_failed} />,
          },
          {
            key: 'doubt',
            title: 'In doubt',
            isNumber: true,
            cell: (row) => <Count value={row.hosts_in_doubt} />,
          },
        ]}
      />
      <p>
        {plan.undone_by === null ? (
          undoText(
            undoableHosts(run),
            run.by_kind.reduce((sum, each) => sum + each.hosts_done, 0),
          )
        ) : (
          <a class="underlined" href={pageOf.change(plan.undone_by)}>
            The change that reverses this one
          </a>
        )}
      </p>
    </Section>
  );
}

function undoText(undoable: number, done: number): string {
  if (done === 0) return 'Nothing was changed, so there is nothing to undo.';
  return `Undo is possible for ${figure(undoable)} of ${figure(done)} changes of hosts.`;
}
