import { type RawBuilder, sql } from 'kysely';
import type { Visible } from '../../../api/access/grants.ts';
import { literally, nameKey } from '../../database/name-key.ts';
import { visibleRows } from '../../database/visible.ts';

export interface HostFilter {
  readonly visible: Visible;
  /** Part of the name from two characters, whatever they are, and its beginning below that; or an exact id. */
  readonly text?: string | undefined;
  readonly id?: string | undefined;
  /** Accounts to look in: by name, or those that a label expression selects. */
  readonly accounts?: readonly string[] | undefined;
  readonly group?: string | undefined;
  readonly state?: string | undefined;
  readonly drifted?: boolean | undefined;
}

/** A longer text can't be the name of a host. */
const longestText = 200;
/** Most names contain any one character, so the list itself is as good as its result. */
const shortestPart = 2;

/**
 * The conditions of a search, in the order of its results: the host with this id, names that begin with the text, names
 * that contain it elsewhere. No host meets two of them. One condition for all would read every host in some searches,
 * because no index holds the hosts of all three in the order of their names.
 */
export function conditionsOf(filter: HostFilter): readonly RawBuilder<unknown>[] {
  const { visible, text = '', id, accounts, group, state, drifted } = filter;
  const common = [
    visibleRows(visible, sql`host.account`),
    ...(accounts === undefined ? [] : [visibleRows(accounts, sql`host.account`)]),
    ...(id === undefined ? [] : [sql`host.host_id = ${id}`]),
    ...(group === undefined ? [] : [sql`host.group_name = ${group}`]),
    ...(state === undefined ? [] : [sql`host.state = ${state}`]),
    ...(drifted === undefined ? [] : [drifted ? sql`host.drifted` : sql`not host.drifted`]),
  ];
  return textConditions(nameKey(text.slice(0, longestText))).map((ofText) =>
    sql.join([...common, ...ofText], sql` and `),
  );
}

function textConditions(text: string): readonly (readonly RawBuilder<unknown>[])[] {
  if (text === '') return [[]];
  const begins = sql`host.key like ${`${literally(text)}%`}`;
  const contains = sql`host.key like ${`%${literally(text)}%`}`;
  const isId = /^-?\d+$/.test(text);
  const named = isId ? [sql`host.host_id <> ${text}`] : [];
  return [
    ...(isId ? [[sql`host.host_id = ${text}`]] : []),
    [...named, begins],
    ...(text.length >= shortestPart ? [[...named, contains, sql`not ${begins}`]] : []),
  ];
}
