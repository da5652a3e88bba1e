import { useState } from 'preact/hooks';
import type { RunDetail } from '../../../api/runs.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table, type TableColumn } from '../../../output/components/table.tsx';
import { Text } from '../../../output/components/text.tsx';
import { Button } from '../../parts/button.tsx';
import { soon } from '../../words/times.ts';

type Wait = RunDetail['waiting'][number];

/** So many rows are shown at first. */
const few = 6;

const columns: readonly TableColumn<Wait>[] = [
  { key: 'step', title: 'Step', isHead: true, isPlain: true, cell: ({ title }) => <Text text={title} /> },
  {
    key: 'for',
    title: 'Waits for',
    cell: ({ for: reason, until }) => (
      <>
        <Text text={reason} />
        {until === undefined ? null : `, ${soon(until, Date.now())}`}
      </>
    ),
  },
];

/** The steps that were not sent yet, and what each waits for. */
export function WaitingSteps({ waits }: { readonly waits: readonly Wait[] }) {
  const [isLong, setLong] = useState(false);
  const steps = waits.reduce((sum, wait) => sum + (wait.steps ?? 1), 0);
  const rows = isLong ? waits : waits.slice(0, few);
  return (
    <Section title="Waiting" count={counted(steps, 'step')}>
      <Table label="Waiting" columns={columns} rows={rows} keyOf={({ step, title }) => `${step} ${title}`} />
      {rows.length === waits.length ? null : (
        <div class="actions">
          <Button onClick={() => setLong(true)}>Show {figure(waits.length)} rows</Button>
        </div>
      )}
    </Section>
  );
}
