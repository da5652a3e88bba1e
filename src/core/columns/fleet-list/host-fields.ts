/** This many characters of six bits make an exact number. */
const mostPacked = 8;

/** The ids of groups, which many hosts share: each is kept once. */
class GroupIds {
  readonly #texts: string[] = [];
  readonly #indexes = new Map<string | number, number>();

  at(index: number): string {
    return this.#texts[index] as string;
  }

  /** Returns the index of the integer in these bytes. A short one is found without making its text. */
  indexOf(bytes: Buffer, start: number, end: number): number {
    const key = end - start > mostPacked ? bytes.toString('latin1', start, end) : packed(bytes, start, end);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.#texts.length);
    return this.#texts.push(bytes.toString('latin1', start, end)) - 1;
  }
}

/** Digits and the minus sign differ in their last six bits, and none of them has only zeros there. */
function packed(bytes: Buffer, start: number, end: number): number {
  let key = 0;
  for (let at = start; at < end; at += 1) key = key * 64 + ((bytes[at] as number) & 63);
  return key;
}

/**
 * The values of hosts by their index in the list, as byte offsets in the list. Each value runs from its first byte to
 * just after its last.
 */
export interface HostFields {
  readonly idStart: Uint32Array;
  readonly idEnd: Uint32Array;
  /** 0 for a host without a name. */
  readonly nameStart: Uint32Array;
  readonly nameEnd: Uint32Array;
  /** 1 for a name that has escapes or is not ASCII, so that its bytes are not its characters. */
  readonly isEncoded: Uint8Array;
  /** The index of its group in `groupIds`. */
  readonly group: Uint32Array;
  readonly groupIds: GroupIds;
  readonly online: Uint8Array;
  /** Offsets of these texts including their quotation marks; 0 for a host without one. */
  readonly hostName: Uint32Array;
  readonly stateChangedAt: Uint32Array;
  /** True if any name is written with escapes. */
  hasEscapes: boolean;
}

/**
 * The system provides memory only on the first write, so allocating too many slots costs nothing. Most lists are short, and
 * for them two allocations are much faster than one for each column.
 */
export function createHostFields(most: number): HostFields {
  const offsets = new Uint32Array(most * 7);
  const flags = new Uint8Array(most * 2);
  const column = (index: number) => offsets.subarray(index * most, (index + 1) * most);
  return {
    idStart: column(0),
    idEnd: column(1),
    nameStart: column(2),
    nameEnd: column(3),
    isEncoded: flags.subarray(0, most),
    group: column(4),
    groupIds: new GroupIds(),
    online: flags.subarray(most),
    hostName: column(5),
    stateChangedAt: column(6),
    hasEscapes: false,
  };
}
