import { type Cursor, take, takeKey } from './cursor.ts';
import { endOfValue } from './value-ends.ts';

const comma = 0x2c;
const closeBrace = 0x7d;

/** What a member of a host is, each with a bit of its own. */
export const member = {
  other: 0,
  id: 1,
  groupId: 2,
  name: 4,
  online: 8,
  hostName: 16,
  stateChangedAt: 32,
} as const;
const needed = member.id | member.groupId | member.name | member.online;

const members: ReadonlyMap<string, number> = new Map([
  ['id', member.id],
  ['groupid', member.groupId],
  ['description', member.name],
  ['isHostOnline', member.online],
  ['hostName', member.hostName],
  ['hostStateChangeDate', member.stateChangedAt],
]);

/** How hosts are written that are written alike: only their values differ. */
export interface HostShape {
  readonly members: Uint8Array;
  /** The bytes before each of the values and behind the last, to the closing brace, one after another. */
  readonly between: Uint8Array;
  /** Where each of them ends in `between`: one more than members. */
  readonly ends: Uint32Array;
}

/** Of the host behind whose brace the cursor is, and stays. Undefined where it lacks what it needs, has a member twice, or is not flat. */
export function readShape(cursor: Cursor): HostShape | undefined {
  const { bytes, at } = cursor;
  const kinds: number[] = [];
  const between: Buffer[] = [];
  let seen = 0;
  let valueEnd = at;
  do {
    const key = takeKey(cursor);
    if (key === undefined) return undefined;
    const kind = members.get(key) ?? member.other;
    if ((seen & kind) !== 0) return undefined;
    seen |= kind;
    kinds.push(kind);
    between.push(bytes.subarray(valueEnd, cursor.at));
    valueEnd = endOfValue(bytes, cursor.at);
    if (valueEnd === -1) return undefined;
    cursor.at = valueEnd;
  } while (take(cursor, comma));
  if (!take(cursor, closeBrace) || (seen & needed) !== needed) return undefined;
  between.push(bytes.subarray(valueEnd, cursor.at));
  cursor.at = at;
  let end = 0;
  const ends = Uint32Array.from(between, ({ length }) => (end += length));
  return { members: Uint8Array.from(kinds), between: Buffer.concat(between), ends };
}
