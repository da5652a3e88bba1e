import { useState } from 'preact/hooks';
import type { DeliveryRow } from '../../../api/settings.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table, type TableColumn } from '../../../output/components/table.tsx';
import { Name, Text } from '../../../output/components/text.tsx';
import { announce } from '../../browser/announce.ts';
import { now } from '../../browser/clock.ts';
import { type ApiProblem, pathOf, send } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { usePages } from '../../data/pages.ts';
import { Button } from '../../parts/button.tsx';
import { Listed } from '../../parts/listed.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { EmptyState, ErrorState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { deliveryMarks } from '../../words/state-marks.ts';
import { soon } from '../../words/times.ts';

const keyOf = ({ id }: DeliveryRow) => id;

/** Every message, with what became of it. Any that was sent or given up can be sent again. */
export function Deliveries() {
  const store = usePages<DeliveryRow>('/notifications/deliveries', {
    keyOf,
    limit: 25,
    when: ({ type }) => type === 'notification.changed',
  });
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const resend = async ({ id }: DeliveryRow) => {
    const answer = await send('POST', pathOf`/notifications/deliveries/${id}/resend`, {});
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) announce('The message will be sent again.');
    store.restart();
  };
  const columns: readonly TableColumn<DeliveryRow>[] = [
    { key: 'made', title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
    { key: 'name', title: 'To', isHead: true, cell: ({ name }) => <Name name={name} /> },
    {
      key: 'about',
      title: 'About',
      cell: ({ kind, account }) => (
        <Text text={`${kind.replaceAll('_', ' ')}${account === null ? '' : ` ${account}`}`} />
      ),
    },
    {
      key: 'state',
      title: 'State',
      cell: ({ state, problem: why, sent_at: at, due_at: due }) => (
        <div>
          <StateMark mark={deliveryMarks[state]} isQuiet /> {at === null ? null : <Time at={at} />}
          {state === 'pending' && due !== null ? `due ${soon(due, now.value)}` : null}
          {why === null ? null : (
            <p class="reason">
              <Text text={why} />
            </p>
          )}
        </div>
      ),
    },
    {
      key: 'again',
      title: 'Actions',
      isTitleHidden: true,
      cell: (row) =>
        maySomewhere('redrive') && !['pending', 'sending'].includes(row.state) ? (
          <Button kind="quiet" label={`Send again: message ${row.id}`} onClick={() => void resend(row)}>
            Send again
          </Button>
        ) : null,
    },
  ];
  return (
    <Section title="Deliveries">
      <ErrorState tried="Sending again" problem={problem} />
      <Listed of={store} tried="Reading the deliveries" empty={<EmptyState title="No message yet" />}>
        {(rows) => <Table label="Deliveries" columns={columns} rows={rows} keyOf={keyOf} />}
      </Listed>
    </Section>
  );
}
