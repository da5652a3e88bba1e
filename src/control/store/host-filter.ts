import { type RawBuilder, sql } from 'kysely';
import { literally, nameKey } from './name-key.ts';
import { isVisible, type Visible } from './visible.ts';

export interface HostFilter {
  readonly visible: Visible;
  /** Part of the name if it has three letters or digits in a row, otherwise its beginning; or an exact id. */
  readonly text?: string | undefined;
  readonly id?: string | undefined;
  /** Accounts to look in: by name, or those that a label expression selects. */
  readonly accounts?: readonly string[] | undefined;
  readonly group?: string | undefined;
  readonly state?: string | undefined;
  readonly drifted?: boolean | undefined;
}

/** A longer text is no name of a host. */
const longestText = 200;
/** The index of parts of names has nothing for a text without these, so every host would be read. */
const threeInARow = /[\p{L}\p{N}]{3}/u;

export function conditionsOf(filter: HostFilter): RawBuilder<unknown> {
  const { visible, text = '', id, accounts, group, state, drifted } = filter;
  const conditions = [
    isVisible(visible, sql`host.account`),
    ...(accounts === undefined ? [] : [isVisible(accounts, sql`host.account`)]),
    ...(text === '' ? [] : [hasText(nameKey(text.slice(0, longestText)))]),
    ...(id === undefined ? [] : [sql`host.host_id = ${id}`]),
    ...(group === undefined ? [] : [sql`host.group_name = ${group}`]),
    ...(state === undefined ? [] : [sql`host.state = ${state}`]),
    ...(drifted === undefined ? [] : [drifted ? sql`host.drifted` : sql`not host.drifted`]),
  ];
  return sql.join(conditions, sql` and `);
}

function hasText(text: string): RawBuilder<unknown> {
  const named = sql`host.key like ${`${threeInARow.test(text) ? '%' : ''}${literally(text)}%`}`;
  return /^-?\d+$/.test(text) ? sql`(${named} or host.host_id = ${text})` : named;
}
