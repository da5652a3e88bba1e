import { ConnectionError, errorCode } from './connection-error.ts';
import { type Field, staticFields } from './field.ts';
import { decodeHuffman } from './huffman.ts';

/** The size of the table that a peer may use unless a setting says otherwise, in bytes of RFC 7541, section 4.1. */
const tableLimit = 4_096;
/** What a field counts beyond its name and value. */
const overhead = 32;

/**
 * Decodes the header blocks of one connection (HPACK, RFC 7541). A block is a sequence of these, each of which begins
 * with an integer in the bits marked `i`:
 *
 *     1iiiiiii                    a field in the table
 *     01iiiiii [name] value       a field that enters the table
 *     0000iiii [name] value       a field that does not
 *     0001iiii [name] value       a field that never should
 *     001iiiii                    a new limit of the table
 *
 * An index is that of a whole field, or that of the name; 0: the name follows.
 */
export class FieldDecoder {
  /** The newest first. */
  readonly #table: Field[] = [];
  #tableSize = 0;
  #tableLimit = tableLimit;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;

  /** The fields of a block; null if they are larger than the limit, in bytes. */
  decode(block: Buffer, limit: number): readonly Field[] | null {
    const fields: Field[] = [];
    let size = 0;
    this.#block = block;
    this.#at = 0;
    while (this.#at < block.length) {
      const field = this.#next(block[this.#at] as number, size === 0);
      if (field === null) continue;
      size += sizeOf(field);
      if (size <= limit) fields.push(field);
    }
    return size <= limit ? fields : null;
  }

  /** The next field, or null after a change of the table's limit. */
  #next(first: number, mayResize: boolean): Field | null {
    if (first >= 0x80) return this.#indexed(this.#integer(0x7f));
    if (first >= 0x40) return this.#add(this.#literal(0x3f));
    if (first < 0x20) return this.#literal(0x0f);
    if (!mayResize) throw undecodable('A change of the table follows a field');
    const limit = this.#integer(0x1f);
    if (limit > tableLimit) throw undecodable('The table is larger than the setting allows');
    this.#tableLimit = limit;
    this.#evict();
    return null;
  }

  #indexed(index: number): Field {
    const field = staticFields[index - 1] ?? this.#table[index - 1 - staticFields.length];
    if (field === undefined) throw undecodable(`The table has no field ${index}`);
    return field;
  }

  #literal(mask: number): Field {
    const index = this.#integer(mask);
    const name = index === 0 ? this.#text() : this.#indexed(index).name;
    return { name, value: this.#text() };
  }

  #add(field: Field): Field {
    this.#table.unshift(field);
    this.#tableSize += sizeOf(field);
    this.#evict();
    return field;
  }

  #evict(): void {
    while (this.#tableSize > this.#tableLimit) this.#tableSize -= sizeOf(this.#table.pop() as Field);
  }

  /** An integer that starts in the masked bits of this byte, and continues in bytes of seven bits each. */
  #integer(mask: number): number {
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw undecodable('An integer is too long');
  }

  #text(): string {
    const isHuffman = this.#at < this.#block.length && (this.#block[this.#at] as number) >= 0x80;
    const length = this.#integer(0x7f);
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#block.length) throw undecodable('The block ends within a text');
    if (!isHuffman) return this.#block.toString('latin1', start, this.#at);
    const text = decodeHuffman(this.#block, start, this.#at);
    if (text === null) throw undecodable('A text is not valid Huffman code');
    return text;
  }

  #byte(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw undecodable('The block ends within a field');
    this.#at += 1;
    return byte;
  }
}

function sizeOf({ name, value }: Field): number {
  return name.length + value.length + overhead;
}

function undecodable(message: string): ConnectionError {
  return new ConnectionError(errorCode.compression, message);
}
