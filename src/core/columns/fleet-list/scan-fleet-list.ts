import { isUtf8 } from 'node:buffer';
import { manyHosts } from '../host-index.ts';
import type { HostTable } from '../host-table.ts';
import { isAtEnd, type JsonCursor, take, takeKey } from './cursor.ts';
import type { ScannedHost } from './host-columns.ts';
import { scanHosts } from './scan-hosts.ts';
import { endOfInteger, endOfTextBytes, endOfValue } from './value-ends.ts';

const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Offsets in a list are kept in 32 bits. */
const mostBytes = 2 ** 32 - 1;

/** A group as it is in the list. The id is a 64-bit integer in decimal digits. */
export interface ScannedGroup {
  readonly id: string;
  readonly name: string | null;
}

export interface ScannedList {
  readonly groups: readonly ScannedGroup[];
  readonly hosts: HostTable<ScannedHost>;
}

/**
 * The fast reader of the list of groups and hosts (spec section 4, #2), with the checks of the contract: one pass over
 * the bytes, which is faster than exact parsing and the schema. `many` or more hosts stay in those bytes. Undefined
 * for a list that services do not write: the full reader reads it, or explains what is wrong with it.
 */
export function scanFleetList(json: Uint8Array, many: number = manyHosts): ScannedList | undefined {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  if (bytes.length > mostBytes || !isUtf8(bytes)) return undefined;
  const cursor = { bytes, at: 0 };
  let groups: readonly ScannedGroup[] | undefined;
  let hosts: HostTable<ScannedHost> | undefined;
  if (!take(cursor, openBrace)) return undefined;
  do {
    const key = takeKey(cursor);
    if (key === 'groups' && groups === undefined) {
      groups = scanGroups(cursor);
      if (groups === undefined) return undefined;
    } else if (key === 'hosts' && hosts === undefined) {
      hosts = scanHosts(cursor, many);
      if (hosts === undefined) return undefined;
    } else return undefined;
  } while (take(cursor, comma));
  if (!take(cursor, closeBrace) || !isAtEnd(cursor)) return undefined;
  return groups === undefined || hosts === undefined ? undefined : { groups, hosts };
}

function scanGroups(cursor: JsonCursor): readonly ScannedGroup[] | undefined {
  const groups: ScannedGroup[] = [];
  const isWhole = scanItems(cursor, () => {
    const group = scanGroup(cursor);
    if (group !== undefined) groups.push(group);
    return group !== undefined;
  });
  return isWhole ? groups : undefined;
}

/**
 * Scans a list of objects; each item is scanned from after its opening brace. False if the list ends too early or an
 * item is refused.
 */
function scanItems(cursor: JsonCursor, scanItem: () => boolean): boolean {
  if (!take(cursor, openBracket)) return false;
  if (take(cursor, closeBracket)) return true;
  do {
    if (!take(cursor, openBrace) || !scanItem()) return false;
  } while (take(cursor, comma));
  return take(cursor, closeBracket);
}

function scanGroup(cursor: JsonCursor): ScannedGroup | undefined {
  const { bytes } = cursor;
  let id: string | undefined;
  let name: string | null | undefined;
  do {
    const key = takeKey(cursor);
    const start = cursor.at;
    if (key === undefined || (key === 'id' && id !== undefined) || (key === 'name' && name !== undefined))
      return undefined;
    const end =
      key === 'id'
        ? endOfInteger(bytes, start)
        : key === 'name'
          ? endOfTextBytes(bytes, start)
          : endOfValue(bytes, start);
    if (end === -1) return undefined;
    if (key === 'id') id = bytes.toString('latin1', start, end);
    if (key === 'name') name = JSON.parse(bytes.toString('utf8', start, end)) as string | null;
    cursor.at = end;
  } while (take(cursor, comma));
  if (!take(cursor, closeBrace) || id === undefined || name === undefined) return undefined;
  return { id, name };
}
