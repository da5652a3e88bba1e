import { type RawBuilder, sql } from 'kysely';
import type { Visible } from '../../../api/access/grants.ts';
import { visibleRows } from '../../database/query.ts';
import { textConditions } from './host-search.ts';

export interface HostFilter {
  readonly visible: Visible;
  /** Part of a searched value from two characters on; below that, the beginning of the name. */
  readonly text?: string | undefined;
  /** Accounts to look in: by name, or those that a label expression selects. */
  readonly accounts?: readonly string[] | undefined;
  readonly group?: string | undefined;
  readonly state?: string | undefined;
  readonly drifted?: boolean | undefined;
}

export interface HostCondition {
  readonly where: RawBuilder<unknown>;
  /** If the hosts that meet `where` are in no order: conditions of hosts that may meet it, and of those that do. */
  readonly walk?: { readonly among: RawBuilder<unknown>; readonly each: RawBuilder<unknown> };
}

/** The conditions of a search, in the order of its results. No host meets two of them. */
export function conditionsOf(filter: HostFilter): readonly HostCondition[] {
  const { visible, text = '', accounts, group, state, drifted } = filter;
  const common = [
    visibleRows(visible, sql`host.account`),
    ...(accounts === undefined ? [] : [visibleRows(accounts, sql`host.account`)]),
    ...(group === undefined ? [] : [sql`host.group_name = ${group}`]),
    ...(state === undefined ? [] : [sql`host.state = ${state}`]),
    ...(drifted === undefined ? [] : [drifted ? sql`host.drifted` : sql`not host.drifted`]),
  ];
  const all = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);
  return textConditions(text).map(({ where, each }) => ({
    where: all([...common, ...where]),
    ...(each && { walk: { among: all(common), each: all(each) } }),
  }));
}
