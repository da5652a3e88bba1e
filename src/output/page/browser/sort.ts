import { compareNaturally } from '../../../core/lib/natural-order.ts';
import { actionText } from '../../components/change-words.ts';
import type { ShownHost } from '../../review/planned-hosts.ts';

export const sortable = ['host', 'change', 'group', 'state', 'reason'] as const;

/**
 * Orders by a column, or in reverse after a minus sign. Numbers in names count as numbers: PC-2 comes before PC-10.
 * Equal rows keep the order of the plan.
 */
export function sorted<Host extends ShownHost>(hosts: readonly Host[], order: string): readonly Host[] {
  if (order === '') return hosts;
  const sign = order.startsWith('-') ? -1 : 1;
  const column = order.replace('-', '');
  const keyed = hosts.map((host) => ({ host, text: sortText(host, column) }));
  keyed.sort((a, b) => sign * compareNaturally(a.text, b.text));
  return keyed.map(({ host }) => host);
}

function sortText(host: ShownHost, column: string): string {
  switch (column) {
    case 'host':
      return host.name ?? '';
    case 'change':
      return `${actionText(host)} ${host.new_name ?? ''}`;
    case 'group':
      return `${host.group} ${host.new_group ?? ''}`;
    case 'state':
      return `${host.online ?? ''} ${host.last_seen ?? ''}`;
    default:
      return host.reason;
  }
}
