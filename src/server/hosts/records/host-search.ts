import { type RawBuilder, sql } from 'kysely';
import type { HostMatch } from '../../../api/hosts.ts';
import { literally, nameKey } from '../../database/name-key.ts';

interface SearchedHost {
  readonly hostId: string;
  readonly name: string | null;
  readonly group: string | null;
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
}

/** The facts that a search reads begin with this, followed by the category of the custom field. */
export const customFieldFact = 'customFields.';
export const serialFact = 'serviceTag';

/** A longer text can't be the name of a host. */
const longestText = 200;
/** Most names contain any one character, so the list itself is as good as its result. */
const shortestPart = 2;

/** Every value that a search reads, in the order in which a match is reported. */
function searchedValues({ hostId, name, group, facts = {} }: SearchedHost): readonly HostMatch[] {
  return [
    ...(name === null ? [] : [{ field: 'name', value: name }]),
    { field: 'id', value: hostId },
    ...(group === null ? [] : [{ field: 'group', value: group }]),
    ...Object.entries(facts).flatMap(([field, value]) =>
      typeof value === 'string' && (field === serialFact || field.startsWith(customFieldFact))
        ? [{ field, value }]
        : [],
    ),
  ];
}

/** What the index of searches has of a host: each value on a line, so that text matches within one value only. */
export function searchText(host: SearchedHost): string {
  return searchedValues(host)
    .map(({ value }) => searchable(value))
    .join('\n');
}

/** The first value that contains the text of a search; null if the search has no text. */
export function matchOf(host: SearchedHost, text = ''): HostMatch | null {
  const key = searchKey(text);
  return key === ''
    ? null
    : (searchedValues(host).find(({ value }) => searchable(value).includes(key)) ?? null);
}

function searchKey(text: string): string {
  return searchable(text.slice(0, longestText));
}

function searchable(value: string): string {
  return nameKey(value).replaceAll('\n', ' ');
}

export interface TextCondition {
  readonly where: readonly RawBuilder<unknown>[];
  /** The same for one host, without an index; absent if the index by name holds the hosts in their order. */
  readonly each?: readonly RawBuilder<unknown>[];
}

/**
 * The conditions of a search, in the order of its results: the host with this id, names that begin with the text, hosts
 * that contain it elsewhere. No host meets two of them. One condition for all would read every host in some searches,
 * because no index holds the hosts of all three in the order of their names.
 */
export function textConditions(given: string): readonly TextCondition[] {
  const text = searchKey(given);
  if (text === '') return [{ where: [] }];
  const begins = sql`host.key like ${`${literally(text)}%`}`;
  const isId = /^-?\d+$/.test(text);
  const named = isId ? [sql`host.host_id <> ${text}`] : [];
  const elsewhere = [...named, sql`not ${begins}`];
  const each = sql`strpos(host.search_text, ${text}) <> 0`;
  return [
    ...(isId ? [{ where: [sql`host.host_id = ${text}`] }] : []),
    { where: [...named, begins] },
    ...(Array.from(text).length >= shortestPart
      ? [{ where: [...elsewhere, contains(text, each)], each: [...elsewhere, each] }]
      : []),
  ];
}

/** Trigrams find three characters, if any of them is a letter or a digit; the index of pairs finds the others. */
function contains(text: string, each: RawBuilder<unknown>): RawBuilder<unknown> {
  const characters = Array.from(text);
  if (characters.length > 2 && /[\p{L}\p{N}]/u.test(text))
    return sql`host.search_text like ${`%${literally(text)}%`}`;
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  return sql`rampart_server.pairs_of(host.search_text) @> ${pairs}::text[] and ${each}`;
}
