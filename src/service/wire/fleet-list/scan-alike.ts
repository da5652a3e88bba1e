import { type Cursor, endOfBlanks } from './cursor.ts';
import type { HostFields } from './host-fields.ts';
import { type HostShape, member } from './host-shape.ts';
import { endOfFlag, endOfInteger, endOfPlain, endOfPlainAscii, endOfText, endOfValue } from './value-ends.ts';

const quote = 0x22;
const comma = 0x2c;
const openBrace = 0x7b;

/**
 * Scans hosts that are written in one way, into the places from one on, as long as they follow each other; gives the
 * first place that is left. The cursor is behind the brace of the first host, and then behind the brace of the one that
 * is written otherwise, or behind the last host. All hosts in one loop: half of the time of a call for each, as a process
 * does this once, and V8 has to see first what is worth its while.
 */
export function scanAlike(cursor: Cursor, shape: HostShape, fields: HostFields, from: number): number {
  const { bytes } = cursor;
  const { members, between, ends } = shape;
  const { idStart, idEnd, nameStart, nameEnd, online, group, groupIds } = fields;
  let place = from;
  for (;;) {
    let at = cursor.at;
    let compared = 0;
    for (let index = 0; ; index += 1) {
      for (const end = ends[index] as number; compared < end; compared += 1, at += 1) {
        if (bytes[at] !== between[compared]) return place;
      }
      if (index === members.length) break;
      const start = at;
      switch (members[index]) {
        case member.id:
          at = endOfInteger(bytes, start);
          idStart[place] = start;
          idEnd[place] = at;
          break;
        case member.groupId:
          at = endOfInteger(bytes, start);
          group[place] = groupIds.placeOf(bytes, start, at);
          break;
        case member.name:
          at = bytes[start] === quote ? endOfPlainAscii(bytes, start + 1) : -1;
          if (bytes[at] === quote) {
            nameStart[place] = start + 1;
            nameEnd[place] = at;
            at += 1;
          } else at = scanOddName(bytes, start, fields, place);
          break;
        case member.online:
          at = endOfFlag(bytes, start);
          online[place] = at === start + 4 ? 1 : 0;
          break;
        default:
          at = scanOther(bytes, start, members[index] as number, fields, place);
      }
      if (at === -1) return place;
    }
    place += 1;
    cursor.at = at;
    at = endOfBlanks(bytes, at);
    if (bytes[at] !== comma) return place;
    at = endOfBlanks(bytes, at + 1);
    if (bytes[at] !== openBrace) return place;
    cursor.at = at + 1;
  }
}

/** A name that is null, has escapes or is not ASCII. */
function scanOddName(bytes: Buffer, start: number, fields: HostFields, place: number): number {
  const end = endOfText(bytes, start);
  if (end === -1 || bytes[start] !== quote) return end;
  fields.nameStart[place] = start + 1;
  fields.nameEnd[place] = end - 1;
  fields.isOdd[place] = 1;
  fields.hasEscapes ||= endOfPlain(bytes, start + 1) < end - 1;
  return end;
}

function scanOther(bytes: Buffer, start: number, kind: number, fields: HostFields, place: number): number {
  if (kind === member.other) return endOfValue(bytes, start);
  const end = endOfText(bytes, start);
  const texts = kind === member.hostName ? 'hostName' : 'stateChangedAt';
  if (bytes[start] === quote) (fields[texts] ??= new Uint32Array(fields.idStart.length))[place] = start;
  return end;
}
