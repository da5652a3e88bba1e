import { counted } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { IdText, Name } from '../../components/text.tsx';
import { pendingCount, pendingMeaning, pendingStates, requestWords } from '../../review/pending-words.ts';
import type { PlanPage } from '../plan-page-data.ts';

/** Installs that were requested and that no read shows yet, and how many hosts are asked to report. */
export function PendingSection({
  pending,
  refreshes,
}: Pick<PlanPage, 'pending'> & { readonly refreshes: number }) {
  if (pending.length + refreshes === 0) return null;
  const parts = pendingStates
    .map((state) => ({ state, installs: pending.filter((each) => each.state === state) }))
    .filter(({ installs }) => installs.length > 0);
  return (
    <Section id="pending" title="Installs that no read shows yet">
      {parts.map(({ state, installs }) => {
        const title = `${pendingCount(installs.length, state)}: ${pendingMeaning[state]}`;
        return (
          <div key={state}>
            <h3>{title}</h3>
            <Table
              label={title}
              rows={installs}
              keyOf={({ hostId }) => hostId}
              columns={[
                {
                  key: 'host',
                  title: 'Host',
                  isHead: true,
                  isPlain: true,
                  cell: ({ name, hostId }) => (
                    <div>
                      <Name name={name} /> <IdText id={hostId} />
                    </div>
                  ),
                },
                { key: 'request', title: 'Request', cell: requestWords },
              ]}
            />
          </div>
        );
      })}
      {refreshes === 0 ? null : (
        <p>Refresh the anti-virus status of {counted(refreshes, 'host')}, as the list of hosts shows.</p>
      )}
    </Section>
  );
}
