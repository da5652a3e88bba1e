import { hashesOf } from '../../../core/lib/text-hash.ts';
import type { HostId } from '../../../core/model/host-id.ts';
import { hashOfFolded } from '../../../core/model/host-name.ts';
import type { HostTable } from '../../../core/model/host-table.ts';
import type { ObservedHost } from '../../../core/model/observed.ts';
import type { HostFields } from './host-fields.ts';
import { endOfString } from './value-ends.ts';

/** The text of ASCII from one byte on to another. */
type TextOf = (start: number, end: number) => string;

const blockLength = 0x10000;

interface HostColumns extends HostTable {
  /** All of them at once, in a third of the time; together they may hold on to the whole text of the list. */
  objects(): readonly ObservedHost[];
}

/** Hosts that are kept as the bytes of their list, and made when somebody asks for them. */
export function hostColumns(bytes: Buffer, fields: HostFields, count: number): HostColumns {
  const { idStart, idEnd, nameStart, nameEnd, isOdd, group, groupIds, online, hasEscapes } = fields;
  const { hostName, stateChangedAt } = fields;
  let block = '';
  let blockStart = 0;

  const ownText: TextOf = (start, end) => bytes.toString('latin1', start, end);

  /** Cut from the text of a block of the list: a quarter of the time, but the text keeps the whole block in memory. */
  const cutText: TextOf = (start, end) => {
    if (end - start > blockLength) return ownText(start, end);
    if (start < blockStart || end > blockStart + block.length) {
      blockStart = start;
      block = ownText(start, start + blockLength);
    }
    return block.slice(start - blockStart, end - blockStart);
  };

  const groupIdAt = (place: number) => groupIds.at(group[place] as number);
  const stringAt = (start: number) =>
    JSON.parse(bytes.toString('utf8', start, endOfString(bytes, start))) as string;

  function idBy(text: TextOf, place: number): HostId {
    return text(idStart[place] as number, idEnd[place] as number) as HostId;
  }

  function nameBy(text: TextOf, place: number): string | null {
    const start = nameStart[place] as number;
    if (start === 0) return null;
    return isOdd[place] === 1 ? stringAt(start - 1) : text(start, nameEnd[place] as number);
  }

  function hostBy(text: TextOf, place: number): ObservedHost {
    const host = {
      id: idBy(text, place),
      name: nameBy(text, place),
      groupId: groupIdAt(place),
      online: online[place] === 1,
    };
    const nameOfItsOwn = hostName?.[place] ?? 0;
    const changed = stateChangedAt?.[place] ?? 0;
    if (nameOfItsOwn === 0 && changed === 0) return host;
    return {
      ...host,
      ...(nameOfItsOwn === 0 ? {} : { hostName: stringAt(nameOfItsOwn) }),
      ...(changed === 0 ? {} : { stateChangedAt: stringAt(changed) }),
    };
  }

  function isTextAt(start: number, end: number, text: string): boolean {
    return end - start === text.length && beginsAt(start, end, text);
  }

  function beginsAt(start: number, end: number, text: string): boolean {
    if (end - start < text.length) return false;
    for (let index = 0; index < text.length; index += 1) {
      if (bytes[start + index] !== text.charCodeAt(index)) return false;
    }
    return true;
  }

  function placesOf(column: Uint32Array | Uint8Array, value: number): readonly number[] {
    const places: number[] = [];
    const told = column.subarray(0, count);
    for (let at = told.indexOf(value); at !== -1; at = told.indexOf(value, at + 1)) places.push(at);
    return places;
  }

  return {
    count,
    at: (place) => hostBy(ownText, place),
    idAt: (place) => idBy(ownText, place),
    nameAt: (place) => nameBy(cutText, place),
    groupIdAt,
    hasIdAt: (place, id) => isTextAt(idStart[place] as number, idEnd[place] as number, id),
    isCalledAt(place, name) {
      if (isOdd[place] === 1) return nameBy(ownText, place) === name;
      const start = nameStart[place] as number;
      return start !== 0 && isTextAt(start, nameEnd[place] as number, name);
    },
    nameBeginsAt: (place, text) =>
      isOdd[place] === 1
        ? nameBy(ownText, place)?.startsWith(text) === true
        : beginsAt(nameStart[place] as number, nameEnd[place] as number, text),
    placesNaming(part) {
      const places: number[] = [];
      if (!hasEscapes && !bytes.includes(part)) return places;
      for (let place = 0; place < count; place += 1) {
        if (nameBy(cutText, place)?.includes(part) === true) places.push(place);
      }
      return places;
    },
    idHashes: () => hashesOf(bytes, { starts: idStart, ends: idEnd, count }),
    nameHashes() {
      const hashes = hashesOf(bytes, { starts: nameStart, ends: nameEnd, count }, true);
      for (const place of placesOf(nameStart, 0)) hashes[place] = -1;
      for (const place of placesOf(isOdd, 1)) hashes[place] = hashOfFolded(nameBy(ownText, place) ?? '');
      return hashes;
    },
    objects: () => Array.from({ length: count }, (_, place) => hostBy(cutText, place)),
  };
}
