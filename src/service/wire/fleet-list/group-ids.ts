import type { GroupId } from '../../../core/model/group.ts';

/** So many characters of six bits each make a number that is exact. */
const short = 8;

/** Few groups for many hosts: each id is made once, and found by its characters as one number where it is short. */
export class GroupIds {
  readonly #ids: GroupId[] = [];
  readonly #places = new Map<number | string, number>();

  at(place: number): GroupId {
    return this.#ids[place] as GroupId;
  }

  /** Of the id that is written in these bytes. */
  placeOf(bytes: Buffer, start: number, end: number): number {
    const key = end - start > short ? bytes.toString('latin1', start, end) : packed(bytes, start, end);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.#ids.length);
    return this.#ids.push(bytes.toString('latin1', start, end) as GroupId) - 1;
  }
}

function packed(bytes: Buffer, start: number, end: number): number {
  let key = 0;
  for (let at = start; at < end; at += 1) key = key * 64 + ((bytes[at] as number) & 63);
  return key;
}
