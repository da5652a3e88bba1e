import { fileAndLine } from '../../../core/problem/problem.ts';
import type { ShownHost } from '../../review/planned-hosts.ts';
import { isIrreversible, isUnusual } from '../../review/reviewed-host.ts';

/** The reader's filter; an empty text matches everything. */
export interface Filter {
  readonly query: string;
  /** A kind of change, or `irreversible` for those that can't be undone. */
  readonly action: string;
  readonly group: string;
  /** `unusual`, `problem`, or the text of a remark. */
  readonly remark: string;
}

export const noFilter: Filter = { query: '', action: '', group: '', remark: '' };

/** The hosts that match the filter. Each word of the query may be anywhere in the row. */
export function matchingHosts(hosts: readonly ShownHost[], filter: Filter): readonly ShownHost[] {
  const words = filter.query.toLowerCase().split(/\s+/);
  return hosts.filter((host) => {
    const text = filter.query === '' ? '' : textOf(host);
    return words.every((word) => text.includes(word)) && isOfKind(host, filter);
  });
}

function textOf({ place, ...host }: ShownHost): string {
  const { host_id, name, new_name, group, new_group, order, reason, remarks, cells } = host;
  const parts = [host_id, name, new_name, group, new_group, order, reason, ...remarks, ...cells];
  return [...parts, place === null ? '' : fileAndLine(place)].join('\n').toLowerCase();
}

function isOfKind(host: ShownHost, { action, group, remark }: Filter): boolean {
  const { remarks, problems } = host;
  return (
    (action === '' ||
      (action === 'irreversible' ? isIrreversible(host) : host.action.some((each) => each === action))) &&
    (group === '' || host.group === group || host.new_group === group) &&
    (remark === '' ||
      (remark === 'unusual' && isUnusual(host)) ||
      (remark === 'problem' && problems.length > 0) ||
      remarks.includes(remark))
  );
}
