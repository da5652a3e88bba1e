import { areInOrder } from '../are-distinct.ts';
import type { HostTable, HostTableRow } from '../host-table.ts';
import { hashesOf, hashOfFolded, type TextSpans } from '../text-hash.ts';
import type { HostFields } from './host-fields.ts';
import { endOfPlainAscii, endOfStringBytes } from './value-ends.ts';

/** Makes the text of a range of ASCII bytes. */
type TextOf = (start: number, end: number) => string;

const quote = 0x22;
const blockLength = 0x10000;

/** A host as it is in the list. Both ids are 64-bit integers in decimal digits. */
export interface ScannedHost extends HostTableRow {
  readonly online: boolean;
  readonly hostName?: string;
  readonly stateChangedAt?: string;
}

interface HostColumns extends HostTable<ScannedHost> {
  /** All hosts at once, which is faster. The objects may keep the whole text of the list in memory. */
  objects(): readonly ScannedHost[];
}

/** Keeps hosts as the bytes of their list and makes each object on request. */
export function lazyHostColumns(bytes: Buffer, fields: HostFields, count: number): HostColumns {
  const { idStart, idEnd, nameStart, nameEnd, isEncoded, group, groupIds, online, hasEscapes } = fields;
  const { hostName, stateChangedAt } = fields;
  const ids: TextSpans = { starts: idStart, ends: idEnd, count };
  let block = '';
  let blockStart = 0;

  const ownText: TextOf = (start, end) => bytes.toString('latin1', start, end);

  /**
   * Cuts from the text of a block of the list. This is faster, but keeps the whole block in memory.
   */
  const cutText: TextOf = (start, end) => {
    if (end - start > blockLength) return ownText(start, end);
    if (start < blockStart || end > blockStart + block.length) {
      blockStart = start;
      block = ownText(start, start + blockLength);
    }
    return block.slice(start - blockStart, end - blockStart);
  };

  const groupIdAt = (index: number) => groupIds.at(group[index] as number);
  const stringAt = (start: number) =>
    JSON.parse(bytes.toString('utf8', start, endOfStringBytes(bytes, start))) as string;
  /** The same; most strings are plain. */
  const valueBy = (text: TextOf, start: number) => {
    const end = endOfPlainAscii(bytes, start + 1);
    return bytes[end] === quote ? text(start + 1, end) : stringAt(start);
  };

  function idBy(text: TextOf, index: number): string {
    return text(idStart[index] as number, idEnd[index] as number);
  }

  function nameBy(text: TextOf, index: number): string | null {
    const start = nameStart[index] as number;
    if (start === 0) return null;
    return isEncoded[index] === 1 ? stringAt(start - 1) : text(start, nameEnd[index] as number);
  }

  function hostBy(text: TextOf, index: number): ScannedHost {
    const host: { -readonly [Member in keyof ScannedHost]: ScannedHost[Member] } = {
      id: idBy(text, index),
      name: nameBy(text, index),
      groupId: groupIdAt(index),
      online: online[index] === 1,
    };
    const ownName = hostName[index] as number;
    const changed = stateChangedAt[index] as number;
    if (ownName !== 0) host.hostName = valueBy(text, ownName);
    if (changed !== 0) host.stateChangedAt = valueBy(text, changed);
    return host;
  }

  function isTextAt(start: number, end: number, text: string): boolean {
    if (end - start !== text.length) return false;
    for (let index = 0; index < text.length; index += 1) {
      if (bytes[start + index] !== text.charCodeAt(index)) return false;
    }
    return true;
  }

  function indexesOf(column: Uint32Array | Uint8Array, value: number): readonly number[] {
    const indexes: number[] = [];
    const filled = column.subarray(0, count);
    for (let at = filled.indexOf(value); at !== -1; at = filled.indexOf(value, at + 1)) indexes.push(at);
    return indexes;
  }

  return {
    count,
    at: (index) => hostBy(ownText, index),
    idAt: (index) => idBy(ownText, index),
    nameAt: (index) => nameBy(cutText, index),
    groupIdAt,
    hasIdAt: (index, id) => isTextAt(idStart[index] as number, idEnd[index] as number, id),
    hasNameAt(index, name) {
      if (isEncoded[index] === 1) return nameBy(ownText, index) === name;
      const start = nameStart[index] as number;
      return start !== 0 && isTextAt(start, nameEnd[index] as number, name);
    },
    indexesNaming(part) {
      const indexes: number[] = [];
      // Lists have many blanks, and a search for a text that begins with a blank would stop at each.
      if (!hasEscapes && !bytes.includes(part.trimStart())) return indexes;
      for (let index = 0; index < count; index += 1) {
        if (nameBy(cutText, index)?.includes(part) === true) indexes.push(index);
      }
      return indexes;
    },
    hasIdsInOrder: () => areInOrder(bytes, ids),
    idHashes: () => hashesOf(bytes, ids),
    nameHashes() {
      const hashes = hashesOf(bytes, { starts: nameStart, ends: nameEnd, count }, true);
      for (const index of indexesOf(nameStart, 0)) hashes[index] = -1;
      for (const index of indexesOf(isEncoded, 1)) hashes[index] = hashOfFolded(nameBy(ownText, index) ?? '');
      return hashes;
    },
    objects: () => Array.from({ length: count }, (_, index) => hostBy(cutText, index)),
  };
}
