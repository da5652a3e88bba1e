import type { AccountDetail } from '../../../api/accounts.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table, type TableColumn } from '../../../output/components/table.tsx';
import { NameLink, PlaceText, Text } from '../../../output/components/text.tsx';
import type { Tone } from '../../../output/components/tone.ts';
import { consoleAddress } from '../../browser/address.ts';
import { Bar } from '../../parts/charts.tsx';
import { EmptyState } from '../../parts/states.tsx';

/** How much of the fleet has an inventory and an anti-virus, as bars with counts. */
export function Coverage({ account: { name, coverage, hosts } }: { readonly account: AccountDetail }) {
  const parts = [
    ['Inventory', coverage.inventory],
    ['Anti-virus', coverage.antivirus],
  ] as const;
  if (coverage.tables.length === 0 && parts.every(([, shares]) => shares.length === 0))
    return (
      <EmptyState title="Coverage unknown">
        After a check that reads the inventory, this tab shows how many hosts have inventory and anti-virus,
        and how well tables match the fleet.
      </EmptyState>
    );
  return (
    <div class="coverage">
      {parts.map(([title, shares]) => (
        <Section key={title} title={title}>
          <dl class="card shares">
            {shares.map(({ label, hosts: part }) => (
              <div key={label}>
                <dt class="fine">{label}</dt>
                <dd>
                  <Bar part={part} whole={hosts ?? part} label={label} tone={tones[label] ?? 'amber'} />
                </dd>
              </div>
            ))}
          </dl>
        </Section>
      ))}
      {coverage.tables.map((table) => (
        <TableCoverage key={table.table} account={name} table={table} />
      ))}
    </div>
  );
}

type Covered = AccountDetail['coverage']['tables'][number];
type Finding = Covered['gaps'][number]['findings'][number];

/**
 * How well a table matches the fleet: by the values of its columns, with the rows and hosts that have no counterpart.
 */
function TableCoverage({ account, table }: { readonly account: string; readonly table: Covered }) {
  const columns: readonly TableColumn<Finding>[] = [
    { key: 'key', title: 'Key', isHead: true, cell: ({ key }) => <Text text={key ?? '–'} /> },
    {
      key: 'where',
      title: 'Where',
      cell: ({ host, place }) =>
        host !== undefined ? (
          <NameLink href={consoleAddress.host(account, host.id)} name={host.name} />
        ) : place === undefined ? null : (
          <PlaceText place={place} />
        ),
    },
  ];
  const rows = [{ column: 'All rows', value: null, ...table }, ...table.groups];
  return (
    <Section title={`Table ${table.table}`}>
      <dl class="card shares">
        {rows.map(({ column, value, assets, assets_with_host }, index) => {
          const label = index === 0 ? column : `${column}: ${value ?? '(empty)'}`;
          return (
            <div key={label}>
              <dt class="fine">
                <Text text={label} />
              </dt>
              <dd>
                <Bar part={assets_with_host} whole={assets} label={`${label}, with a host`} tone="green" />
              </dd>
            </div>
          );
        })}
      </dl>
      {table.gaps.map(({ gap, title, count, findings }) => (
        <details key={gap} class="card folded">
          <summary>
            <span class="fold-title">{title}</span>
          </summary>
          <Table label={title} columns={columns} rows={findings} keyOf={(each) => JSON.stringify(each)} />
          {count > findings.length && <p class="fold-more">To list all of them, run rampart coverage.</p>}
        </details>
      ))}
    </Section>
  );
}

const tones: Readonly<Record<string, Exclude<Tone, 'blue'>>> = {
  'inventory known': 'green',
  installed: 'green',
  'not supported': 'dim',
  unknown: 'dim',
};
