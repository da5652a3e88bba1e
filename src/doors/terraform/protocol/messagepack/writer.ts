/** Writes MessagePack, each value in its shortest form. */
export class Writer {
  #bytes = Buffer.allocUnsafe(512);
  #length = 0;

  /** What has been written; the writer is not to be used after. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  null(): void {
    this.#byte(0xc0);
  }

  bool(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  /** Throws a RangeError beyond 64 bits. */
  integer(value: bigint): void {
    if (value >= 0n) this.#unsigned(value);
    else this.#negative(value);
  }

  float(value: number): void {
    this.#byte(0xcb);
    const at = this.#grow(8);
    this.#bytes.writeDoubleBE(value, at);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    if (length < 32) this.#byte(0xa0 | length);
    else this.#head(length, 0xd9, 0xda, 0xdb);
    const at = this.#grow(length);
    this.#bytes.write(value, at);
  }

  bytes(value: Uint8Array): void {
    this.#head(value.length, 0xc4, 0xc5, 0xc6);
    this.#raw(value);
  }

  array(length: number): void {
    if (length < 16) this.#byte(0x90 | length);
    else this.#head(length, null, 0xdc, 0xdd);
  }

  map(length: number): void {
    if (length < 16) this.#byte(0x80 | length);
    else this.#head(length, null, 0xde, 0xdf);
  }

  extension(code: number, body: Uint8Array): void {
    const fixed = [1, 2, 4, 8, 16].indexOf(body.length);
    if (fixed === -1) this.#head(body.length, 0xc7, 0xc8, 0xc9);
    else this.#byte(0xd4 + fixed);
    this.#byte(code & 0xff);
    this.#raw(body);
  }

  #unsigned(value: bigint): void {
    if (value < 0x80n) this.#byte(Number(value));
    else if (value <= 0xffffffffn) this.#head(Number(value), 0xcc, 0xcd, 0xce);
    else if (value < 2n ** 64n) {
      this.#byte(0xcf);
      const at = this.#grow(8);
      this.#bytes.writeBigUInt64BE(value, at);
    } else throw new RangeError('an integer of more than 64 bits');
  }

  #negative(value: bigint): void {
    if (value >= -0x20n) this.#byte(Number(value) & 0xff);
    else if (value >= -0x80n) {
      this.#byte(0xd0);
      const at = this.#grow(1);
      this.#bytes.writeInt8(Number(value), at);
    } else if (value >= -0x8000n) {
      this.#byte(0xd1);
      const at = this.#grow(2);
      this.#bytes.writeInt16BE(Number(value), at);
    } else if (value >= -0x80000000n) {
      this.#byte(0xd2);
      const at = this.#grow(4);
      this.#bytes.writeInt32BE(Number(value), at);
    } else if (value >= -(2n ** 63n)) {
      this.#byte(0xd3);
      const at = this.#grow(8);
      this.#bytes.writeBigInt64BE(value, at);
    } else throw new RangeError('an integer of more than 64 bits');
  }

  /** A code for each width that a length or number may need, and the number in that width. */
  #head(value: number, oneByte: number | null, twoBytes: number, fourBytes: number): void {
    if (oneByte !== null && value < 0x100) {
      this.#byte(oneByte);
      this.#byte(value);
    } else if (value < 0x10000) {
      this.#byte(twoBytes);
      const at = this.#grow(2);
      this.#bytes.writeUInt16BE(value, at);
    } else {
      this.#byte(fourBytes);
      const at = this.#grow(4);
      this.#bytes.writeUInt32BE(value, at);
    }
  }

  #byte(value: number): void {
    const at = this.#grow(1);
    this.#bytes[at] = value;
  }

  #raw(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** To be asked before the buffer is touched, which it may replace. */
  #grow(by: number): number {
    const at = this.#length;
    this.#length += by;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }
}
