import { type HostTable, tableOf } from '../host-table.ts';
import { type JsonCursor, take } from './cursor.ts';
import { lazyHostColumns, type ScannedHost } from './host-columns.ts';
import { createHostFields, type HostFields } from './host-fields.ts';
import { type HostShape, readShape } from './host-shape.ts';
import { scanAlike } from './scan-alike.ts';

const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const shortestHost = '{"id":1,"groupid":1,"description":"","isHostOnline":true}'.length;
/** Services write their hosts in very few shapes. */
const mostShapes = 4;

/**
 * Scans the list of hosts at the cursor. `many` or more hosts stay in the bytes of the list. Undefined for a list in a
 * form that services do not write.
 */
export function scanHosts(cursor: JsonCursor, many: number): HostTable<ScannedHost> | undefined {
  const { bytes, at } = cursor;
  if (!take(cursor, openBracket)) return undefined;
  const fields = createHostFields(Math.ceil((bytes.length - at) / shortestHost));
  const count = take(cursor, openBrace) ? fillFields(cursor, fields) : 0;
  if (count === undefined || !take(cursor, closeBracket)) return undefined;
  const hosts = lazyHostColumns(bytes, fields, count);
  return count < many ? tableOf(hosts.objects()) : hosts;
}

/** Returns the number of hosts. The cursor ends after the last one. */
function fillFields(cursor: JsonCursor, fields: HostFields): number | undefined {
  const shapes: HostShape[] = [];
  let count = 0;
  do {
    const before = count;
    for (const shape of shapes) {
      count = scanAlike(cursor, shape, fields, count);
      if (count > before) break;
    }
    if (count > before) continue;
    const shape = readShape(cursor);
    if (shape === undefined) return undefined;
    count = scanAlike(cursor, shape, fields, count);
    if (count === before) return undefined;
    shapes.unshift(shape);
    if (shapes.length > mostShapes) shapes.pop();
  } while (cursor.bytes[cursor.at - 1] !== closeBrace);
  return count;
}
