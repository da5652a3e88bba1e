const encoder = new TextEncoder();

const varintType = 0;
const bytesType = 2;

/** Writes fields in the wire format of Protocol Buffers. */
export class WireWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  finish(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** A scalar; its zero value is written only when it `always` is. */
  scalar(number: number, kind: string, value: unknown, always: boolean): void {
    if (kind === 'string' || kind === 'bytes') {
      const bytes = kind === 'string' ? encoder.encode(value as string) : (value as Uint8Array);
      if (always || bytes.length > 0) this.bytes(number, bytes);
      return;
    }
    const integer = BigInt(value as bigint | number | boolean);
    if (!always && integer === 0n) return;
    this.#push(varint((BigInt(number) << 3n) | BigInt(varintType)));
    this.#push(varint(BigInt.asUintN(64, integer)));
  }

  bytes(number: number, value: Uint8Array): void {
    this.#push(varint((BigInt(number) << 3n) | BigInt(bytesType)));
    this.#push(varint(BigInt(value.length)));
    this.#push(value);
  }

  #push(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
