import { invalid, wrongSize } from './connection-error.ts';
import { type Frame, frameHeadLength, longestPayload } from './frame.ts';

/** The bytes with which each client begins (RFC 9113, section 3.4). */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Splits the bytes of a connection into frames, wherever the chunks end. Keeps at most one incomplete frame. */
export class FrameReader {
  #isBegun = false;
  #held: Buffer[] = [];
  #heldLength = 0;
  /** The held bytes mean nothing before there are so many of them. */
  #needed = 0;

  /** Reads all frames that this chunk completes. Throws a `ConnectionError`. */
  read(chunk: Buffer, onFrame: (frame: Frame) => void): void {
    this.#heldLength += chunk.length;
    this.#held.push(chunk);
    if (this.#heldLength < this.#needed) return;
    const bytes = this.#held.length === 1 ? chunk : Buffer.concat(this.#held);
    let at = this.#isBegun ? 0 : this.#begin(bytes);
    while (this.#isBegun) {
      const start = at + frameHeadLength;
      this.#needed = frameHeadLength;
      if (start > bytes.length) break;
      const length = bytes.readUIntBE(at, 3);
      if (length > longestPayload) throw wrongSize('received');
      this.#needed += length;
      if (start + length > bytes.length) break;
      at = start + length;
      onFrame({
        type: bytes[start - 6] as number,
        flags: bytes[start - 5] as number,
        stream: bytes.readUInt32BE(start - 4) & 0x7fff_ffff,
        payload: bytes.subarray(start, at),
      });
    }
    this.#heldLength = bytes.length - at;
    this.#held = this.#heldLength === 0 ? [] : [bytes.subarray(at)];
  }

  /** The position after the preface; 0 if it is not complete. */
  #begin(bytes: Buffer): number {
    const received = bytes.subarray(0, preface.length);
    if (!received.equals(preface.subarray(0, received.length)))
      throw invalid('The connection does not begin as HTTP/2');
    this.#isBegun = received.length === preface.length;
    return this.#isBegun ? preface.length : 0;
  }
}
