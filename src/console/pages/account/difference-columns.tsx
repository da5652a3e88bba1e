import type { TableColumn } from '../../../output/components/table.tsx';
import { NameLink } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { attributeText } from '../../words/facts.ts';

interface Difference {
  readonly account: string;
  readonly host_id: string;
  readonly name: string | null;
  readonly attribute: string;
}

/** What differs: the host, with a link to its page, and the attribute. */
export const differenceColumns: readonly TableColumn<Difference>[] = [
  {
    key: 'host',
    title: 'Host',
    isHead: true,
    isPlain: true,
    cell: (row) => (
      <NameLink class="row-link" href={consoleAddress.host(row.account, row.host_id)} name={row.name} />
    ),
  },
  { key: 'attribute', title: 'Attribute', cell: (row) => attributeText(row.attribute) },
];
