/** Bytes that are not the MessagePack, or not the value, that was expected. */
export class MessagePackError extends Error {}

/** What stands next in MessagePack bytes: a scalar, or the head of what holds others. */
export type Token =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'array'; readonly length: number }
  | { readonly kind: 'map'; readonly length: number }
  | { readonly kind: 'extension'; readonly code: number; readonly body: Uint8Array };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads tokens one after another. Throws a MessagePackError at the end of the bytes and for the one unused code. */
export class Reader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  next(): Token {
    const code = this.#unsigned(1);
    if (code < 0x80) return { kind: 'integer', value: BigInt(code) };
    if (code < 0x90) return { kind: 'map', length: code & 0x0f };
    if (code < 0xa0) return { kind: 'array', length: code & 0x0f };
    if (code < 0xc0) return this.#text(code & 0x1f);
    if (code >= 0xe0) return { kind: 'integer', value: BigInt(code - 0x100) };
    switch (code) {
      case 0xc0:
        return { kind: 'null' };
      case 0xc2:
      case 0xc3:
        return { kind: 'bool', value: code === 0xc3 };
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return { kind: 'bytes', value: this.#take(this.#unsigned(1 << (code - 0xc4))) };
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#extension(this.#unsigned(1 << (code - 0xc7)));
      case 0xca:
        return { kind: 'float', value: this.#view.getFloat32(this.#skip(4)) };
      case 0xcb:
        return { kind: 'float', value: this.#view.getFloat64(this.#skip(8)) };
      case 0xcc:
      case 0xcd:
      case 0xce:
        return { kind: 'integer', value: BigInt(this.#unsigned(1 << (code - 0xcc))) };
      case 0xcf:
        return { kind: 'integer', value: this.#view.getBigUint64(this.#skip(8)) };
      case 0xd0:
        return { kind: 'integer', value: BigInt(this.#view.getInt8(this.#skip(1))) };
      case 0xd1:
        return { kind: 'integer', value: BigInt(this.#view.getInt16(this.#skip(2))) };
      case 0xd2:
        return { kind: 'integer', value: BigInt(this.#view.getInt32(this.#skip(4))) };
      case 0xd3:
        return { kind: 'integer', value: this.#view.getBigInt64(this.#skip(8)) };
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#extension(1 << (code - 0xd4));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(1 << (code - 0xd9)));
      case 0xdc:
      case 0xdd:
        return { kind: 'array', length: this.#unsigned(code === 0xdc ? 2 : 4) };
      case 0xde:
      case 0xdf:
        return { kind: 'map', length: this.#unsigned(code === 0xde ? 2 : 4) };
      default:
        throw new MessagePackError('a code that MessagePack does not use');
    }
  }

  #text(length: number): Token {
    const at = this.#skip(length);
    const value = this.#bytes.toString('utf8', at, at + length);
    // Either it is in the text, or it stands for what could not be read.
    if (!value.includes('\ufffd')) return { kind: 'text', value };
    try {
      return { kind: 'text', value: decoder.decode(this.#bytes.subarray(at, at + length)) };
    } catch {
      throw new MessagePackError('a text that is not UTF-8');
    }
  }

  #extension(length: number): Token {
    const code = this.#view.getInt8(this.#skip(1));
    return { kind: 'extension', code, body: this.#take(length) };
  }

  #unsigned(width: number): number {
    const at = this.#skip(width);
    if (width === 1) return this.#view.getUint8(at);
    return width === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #take(length: number): Uint8Array {
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  #skip(length: number): number {
    const at = this.#at;
    if (at + length > this.#bytes.length)
      throw new MessagePackError('the bytes end in the middle of a value');
    this.#at = at + length;
    return at;
  }
}
