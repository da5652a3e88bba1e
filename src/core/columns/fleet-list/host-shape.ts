import { type JsonCursor, take, takeKey } from './cursor.ts';
import { endOfValue } from './value-ends.ts';

const comma = 0x2c;
const closeBrace = 0x7d;

/** The members of a host, one bit each. */
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

/** The layout that hosts share if only their values differ. */
export interface HostShape {
  readonly members: Uint8Array;
  /** The bytes before each value, and those after the last value up to the closing brace, concatenated. */
  readonly between: Uint8Array;
  /** The end offset of each part in `between`. There is one more part than there are members. */
  readonly ends: Uint32Array;
}

/**
 * Reads the shape of the host whose opening brace the cursor has just passed, without moving the cursor. Undefined if a
 * required field is missing, if a field is repeated, or if the host is not flat.
 */
export function readShape(cursor: JsonCursor): HostShape | undefined {
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
