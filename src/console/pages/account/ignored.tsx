import { useState } from 'preact/hooks';
import type { Ignore } from '../../../api/ignores.ts';
import { atLeast } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table, type TableColumn } from '../../../output/components/table.tsx';
import { Name, Text } from '../../../output/components/text.tsx';
import { announce } from '../../browser/announce.ts';
import { type ApiProblem, pathOf, send } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { usePages } from '../../data/pages.ts';
import { Button } from '../../parts/button.tsx';
import { Listed } from '../../parts/listed.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { hostLabel } from '../../words/host-label.ts';
import { differenceColumns } from './difference-columns.tsx';

const keyOf = ({ id }: Ignore) => id;

/** The differences that people decided to ignore, each with its reason and its end. Nothing if there are none. */
export function Ignored({ account }: { readonly account: string }) {
  const store = usePages<Ignore>(pathOf`/accounts/${account}/ignores`, {
    keyOf,
    limit: 50,
    when: (event) => event.account === account && event.type === 'account.changed',
  });
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const end = async (row: Ignore) => {
    setBusy(row.id);
    const answer = await send('DELETE', pathOf`/accounts/${account}/ignores/${row.id}`);
    setBusy(null);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    announce(`The difference of ${hostLabel(row)} counts again after the next check.`);
    store.restart();
  };
  if (store.length === 0 && store.problem === null) return null;
  const columns: readonly TableColumn<Ignore>[] = [
    ...differenceColumns,
    {
      key: 'live',
      title: 'Ignored value',
      cell: ({ live }) => (live === null ? <span class="dim">none</span> : <Name name={live} />),
    },
    { key: 'reason', title: 'Reason', cell: ({ reason }) => <Text text={reason} /> },
    { key: 'by', title: 'By', cell: ({ by }) => <Name name={by.name} /> },
    { key: 'until', title: 'Until', cell: ({ until }) => <Time at={until} /> },
    ...(maySomewhere('pause')
      ? [
          {
            key: 'end',
            title: 'Actions',
            isTitleHidden: true,
            isPlain: true,
            cell: (row: Ignore) => (
              <span class="row-actions">
                <Button
                  kind="quiet"
                  label={`Stop ignoring ${hostLabel(row)}`}
                  isBusy={busy === row.id}
                  onClick={() => void end(row)}
                >
                  Stop ignoring
                </Button>
              </span>
            ),
          },
        ]
      : []),
  ];
  return (
    <Section
      title="Ignored"
      count={atLeast(store.total ?? store.length, store.total === null && store.hasMore)}
    >
      <Listed of={store} tried="Reading the ignored differences" empty={null}>
        {(rows) => <Table label="Ignored differences" columns={columns} rows={rows} keyOf={keyOf} />}
      </Listed>
      <ErrorState problem={problem} tried="Removing it from the ignored differences" />
    </Section>
  );
}
