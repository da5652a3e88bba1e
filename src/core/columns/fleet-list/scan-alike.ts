import { endOfBlanks, type JsonCursor } from './cursor.ts';
import type { HostFields } from './host-fields.ts';
import { type HostShape, member } from './host-shape.ts';
import {
  endOfFlag,
  endOfInteger,
  endOfPlainAscii,
  endOfPlainBytes,
  endOfTextBytes,
  endOfValue,
} from './value-ends.ts';

const quote = 0x22;
const comma = 0x2c;
const openBrace = 0x7b;

/**
 * Scans consecutive hosts of one shape into the indexes from `from` on, and returns the first unused index. The cursor
 * starts after the opening brace of the first host, and ends after the opening brace of the first host of another
 * shape, or after the last host. One loop is faster than a call for each host: a process does this once, and
 * V8 compiles a long loop sooner than a function that is called often.
 */
export function scanAlike(cursor: JsonCursor, shape: HostShape, fields: HostFields, from: number): number {
  const { bytes } = cursor;
  const { members, between, ends } = shape;
  const { idStart, idEnd, nameStart, nameEnd, online, group, groupIds } = fields;
  let host = from;
  for (;;) {
    let at = cursor.at;
    let compared = 0;
    for (let index = 0; ; index += 1) {
      for (const end = ends[index] as number; compared < end; compared += 1, at += 1) {
        if (bytes[at] !== between[compared]) return host;
      }
      if (index === members.length) break;
      const start = at;
      switch (members[index]) {
        case member.id:
          at = endOfInteger(bytes, start);
          idStart[host] = start;
          idEnd[host] = at;
          break;
        case member.groupId:
          at = endOfInteger(bytes, start);
          group[host] = groupIds.indexOf(bytes, start, at);
          break;
        case member.name:
          at = bytes[start] === quote ? endOfPlainAscii(bytes, start + 1) : -1;
          if (bytes[at] === quote) {
            nameStart[host] = start + 1;
            nameEnd[host] = at;
            at += 1;
          } else at = scanEncodedName(bytes, start, fields, host);
          break;
        case member.online:
          at = endOfFlag(bytes, start);
          online[host] = at === start + 4 ? 1 : 0;
          break;
        default:
          at = scanOther(bytes, start, members[index] as number, fields, host);
      }
      if (at === -1) return host;
    }
    host += 1;
    cursor.at = at;
    at = endOfBlanks(bytes, at);
    if (bytes[at] !== comma) return host;
    at = endOfBlanks(bytes, at + 1);
    if (bytes[at] !== openBrace) return host;
    cursor.at = at + 1;
  }
}

/** A name that is null, has escapes or is not ASCII. */
function scanEncodedName(bytes: Buffer, start: number, fields: HostFields, host: number): number {
  const end = endOfTextBytes(bytes, start);
  if (end === -1 || bytes[start] !== quote) return end;
  fields.nameStart[host] = start + 1;
  fields.nameEnd[host] = end - 1;
  fields.isEncoded[host] = 1;
  fields.hasEscapes ||= endOfPlainBytes(bytes, start + 1) < end - 1;
  return end;
}

function scanOther(bytes: Buffer, start: number, kind: number, fields: HostFields, host: number): number {
  if (kind === member.other) return endOfValue(bytes, start);
  const end = endOfTextBytes(bytes, start);
  const texts = kind === member.hostName ? 'hostName' : 'stateChangedAt';
  if (bytes[start] === quote) fields[texts][host] = start;
  return end;
}
