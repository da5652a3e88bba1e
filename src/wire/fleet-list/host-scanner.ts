import type { GroupId } from '../../model/group.ts';
import type { HostId } from '../../model/host-id.ts';
import type { ObservedHost } from '../../model/observed.ts';
import type { Cursor } from './cursor.ts';
import { type HostShape, shapeOf } from './host-shape.ts';
import { type JsonRecord, readRecord } from './json-record.ts';
import type { JsonValues } from './json-values.ts';
import { endOf, endOfFlag, endOfInteger, endOfText, endOfValue } from './value-ends.ts';

const quote = 0x22;
/** Services write their hosts in very few ways. */
const mostShapes = 4;
/** So many characters of six bits each make a number that is exact. */
const shortGroupId = 8;

/**
 * Scans one host after another from behind its brace. Those that are written as one before them are read by comparing
 * the bytes between the values and passing over the values; any other goes through a regular expression.
 */
export class HostScanner {
  readonly #cursor: Cursor;
  readonly #values: JsonValues;
  readonly #shapes: HostShape[] = [];
  /** Few groups for many hosts: one text for each, by its characters as one number. */
  readonly #groupIds = new Map<number, string>();

  constructor(cursor: Cursor, values: JsonValues) {
    this.#cursor = cursor;
    this.#values = values;
  }

  /** Undefined where it is not written as services write it. */
  next(): ObservedHost | undefined {
    for (const shape of this.#shapes) {
      const host = this.#scanAs(shape);
      if (host !== undefined) return host;
    }
    const record = readRecord(this.#cursor);
    if (record === undefined) return undefined;
    const shape = this.#shapes.length < mostShapes ? shapeOf(record) : undefined;
    if (shape !== undefined) this.#shapes.push(shape);
    return this.#fromRecord(record);
  }

  /** Undefined, with the cursor where it was, for a host that is written otherwise. */
  #scanAs({ keys, between }: HostShape): ObservedHost | undefined {
    const { bytes, text } = this.#cursor;
    let at = this.#cursor.at;
    let id = '';
    let groupId = '';
    let name: string | null = null;
    let online = false;
    let hostName: string | null = null;
    let changed: string | null = null;
    for (let index = 0; index < keys.length; index += 1) {
      const start = endOf(bytes, at, between[index] as Uint8Array);
      if (start === -1) return undefined;
      switch (keys[index]) {
        case 'id':
          at = endOfInteger(bytes, start);
          id = text.slice(start, at);
          break;
        case 'groupid':
          at = endOfInteger(bytes, start);
          groupId = this.#groupIdAt(start, at);
          break;
        case 'description':
          at = endOfText(bytes, start);
          name = this.#textAt(start, at);
          break;
        case 'isHostOnline':
          at = endOfFlag(bytes, start);
          online = at === start + 4;
          break;
        case 'hostName':
          at = endOfText(bytes, start);
          hostName = this.#textAt(start, at);
          break;
        case 'hostStateChangeDate':
          at = endOfText(bytes, start);
          changed = this.#textAt(start, at);
          break;
        default:
          at = endOfValue(bytes, start);
      }
      if (at === -1) return undefined;
    }
    at = endOf(bytes, at, between[keys.length] as Uint8Array);
    if (at === -1) return undefined;
    this.#cursor.at = at;
    return this.#toHost(id, name, groupId, online, hostName, changed);
  }

  #textAt(start: number, end: number): string | null {
    const { bytes, text } = this.#cursor;
    return end === -1 || bytes[start] !== quote ? null : this.#values.plain(text.slice(start + 1, end - 1));
  }

  #groupIdAt(start: number, end: number): string {
    const { bytes, text } = this.#cursor;
    if (end - start > shortGroupId) return text.slice(start, end);
    let key = 0;
    for (let at = start; at < end; at += 1) key = key * 64 + ((bytes[at] as number) & 63);
    const known = this.#groupIds.get(key);
    if (known !== undefined) return known;
    const groupId = text.slice(start, end);
    this.#groupIds.set(key, groupId);
    return groupId;
  }

  #fromRecord({ values: written }: JsonRecord): ObservedHost | undefined {
    const values = this.#values;
    const id = values.integer(written.get('id'));
    const groupId = values.integer(written.get('groupid'));
    const name = values.text(written.get('description'));
    const online = values.flag(written.get('isHostOnline'));
    const hostName = values.text(written.get('hostName') ?? 'null');
    const changed = values.text(written.get('hostStateChangeDate') ?? 'null');
    if (id === undefined || groupId === undefined || name === undefined) return undefined;
    if (online === undefined || hostName === undefined || changed === undefined) return undefined;
    return this.#toHost(id, name, groupId, online, hostName, changed);
  }

  #toHost(
    id: string,
    name: string | null,
    groupId: string,
    online: boolean,
    hostName: string | null,
    stateChangedAt: string | null,
  ): ObservedHost {
    const host = { id: id as HostId, name, groupId: groupId as GroupId, online };
    if (hostName === null && stateChangedAt === null) return host;
    return {
      ...host,
      ...(hostName === null ? {} : { hostName }),
      ...(stateChangedAt === null ? {} : { stateChangedAt }),
    };
  }
}
