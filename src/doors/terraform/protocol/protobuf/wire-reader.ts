/** Bytes that are not a message. */
class ProtobufError extends Error {}

type WireType = 'varint' | 'fixed64' | 'bytes' | 'fixed32';

const wireTypes: readonly (WireType | undefined)[] = [
  'varint',
  'fixed64',
  'bytes',
  undefined,
  undefined,
  'fixed32',
];
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The fields of a message one after another, each with a reader of just its value. */
export function* readFields(
  bytes: Uint8Array,
): Generator<{ readonly number: number; readonly reader: WireReader }> {
  const heads = new WireReader(bytes, 'varint');
  while (!heads.isAtEnd) {
    const head = heads.varint();
    const type = wireTypes[Number(head & 7n)];
    if (type === undefined) throw new ProtobufError('a wire type that is not used');
    yield { number: Number(head >> 3n), reader: heads.valueOf(type) };
  }
}

export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #type: WireType;
  #at = 0;

  constructor(bytes: Uint8Array, type: WireType) {
    this.#bytes = bytes;
    this.#type = type;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  isPacked(kind: string): boolean {
    return this.#type === 'bytes' && (kind === 'int64' || kind === 'int32' || kind === 'bool');
  }

  /** Takes the value that stands next. */
  valueOf(type: WireType): WireReader {
    const start = this.#at;
    if (type === 'varint') this.varint();
    else this.#take(type === 'bytes' ? Number(this.varint()) : type === 'fixed64' ? 8 : 4);
    const value = type === 'bytes' ? this.#bytesBefore(start) : this.#bytes.subarray(start, this.#at);
    return new WireReader(value, type);
  }

  bytes(): Uint8Array {
    this.#expect('bytes');
    return this.#bytes;
  }

  scalar(kind: string): string | Uint8Array | boolean | bigint | number {
    if (kind === 'string') return decoder.decode(this.bytes());
    if (kind === 'bytes') return this.bytes();
    this.#expect('varint');
    const value = this.varint();
    if (kind === 'bool') return value !== 0n;
    return kind === 'int64' ? BigInt.asIntN(64, value) : Number(BigInt.asIntN(32, value));
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new ProtobufError('the bytes end in the middle of a number');
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new ProtobufError('a number of more than ten bytes');
  }

  #bytesBefore(start: number): Uint8Array {
    const length = new WireReader(this.#bytes.subarray(start), 'varint').varint();
    return this.#bytes.subarray(this.#at - Number(length), this.#at);
  }

  #take(length: number): void {
    if (this.#at + length > this.#bytes.length)
      throw new ProtobufError('the bytes end in the middle of a field');
    this.#at += length;
  }

  #expect(type: WireType): void {
    if (this.#type !== type) throw new ProtobufError(`a ${this.#type} where a ${type} belongs`);
  }
}
