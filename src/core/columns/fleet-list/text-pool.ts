/** A number can hold exactly this many characters of six bits each. */
const short = 8;

/**
 * Texts that many hosts share, such as group ids: each is made once. Short ones are found by their bytes as one number.
 */
export class TextPool {
  readonly #texts: string[] = [];
  readonly #indexes = new Map<number | string, number>();

  at(index: number): string {
    return this.#texts[index] as string;
  }

  /** Returns the index of the text in these bytes. */
  indexOf(bytes: Buffer, start: number, end: number): number {
    const key = end - start > short ? bytes.toString('latin1', start, end) : packed(bytes, start, end);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.#texts.length);
    return this.#texts.push(bytes.toString('latin1', start, end)) - 1;
  }
}

function packed(bytes: Buffer, start: number, end: number): number {
  let key = 0;
  for (let at = start; at < end; at += 1) key = key * 64 + ((bytes[at] as number) & 63);
  return key;
}
