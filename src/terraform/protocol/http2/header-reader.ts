import { ConnectionError, errorCode, invalid, wrongSize } from './connection-error.ts';
import type { Field } from './field.ts';
import { FieldDecoder } from './field-decoder.ts';
import { type Frame, flag, frameType, hasFlag } from './frame.ts';

/** The longest header, encoded and decoded, in bytes (RFC 9113, section 6.5.2). */
export const longestHeader = 16_384;

export interface Header {
  readonly stream: number;
  /** No data and no other header follow. */
  readonly isLast: boolean;
  /** Null if it is too long. */
  readonly fields: readonly Field[] | null;
}

/**
 * Puts headers together. A header is one HEADERS frame and any number of CONTINUATION frames, with nothing in between
 * (RFC 9113, section 6.10).
 */
export class HeaderReader {
  readonly #decoder = new FieldDecoder();
  /** The frame that began an incomplete header. */
  #first: Frame | null = null;
  #blocks: Buffer[] = [];
  #length = 0;

  /** The header that a frame completes, or null. Throws a `ConnectionError`. */
  read(frame: Frame): Header | null {
    const isContinuation = frame.type === frameType.continuation;
    if (isContinuation !== (this.#first !== null)) throw invalid('The frames of a header are out of order');
    const first = this.#first ?? frame;
    if (first.stream === 0 || first.stream !== frame.stream) throw invalid('A header is on another stream');
    const block = isContinuation ? frame.payload : blockOf(frame);
    if (!hasFlag(frame, flag.endHeaders)) {
      this.#first = first;
      this.#keep(block);
      return null;
    }
    if (isContinuation) this.#keep(block);
    const whole = isContinuation ? Buffer.concat(this.#blocks) : block;
    this.#first = null;
    this.#blocks = [];
    this.#length = 0;
    const fields = this.#decoder.decode(whole, longestHeader);
    return { stream: first.stream, isLast: hasFlag(first, flag.endStream), fields };
  }

  /** Throws if a frame of another type comes within a header. */
  expectComplete(): void {
    if (this.#first !== null) throw invalid('Another frame interrupts a header');
  }

  #keep(block: Buffer): void {
    this.#blocks.push(block);
    this.#length += block.length;
    if (this.#length > longestHeader)
      throw new ConnectionError(errorCode.enhanceYourCalm, 'A header is too long');
  }
}

function blockOf(frame: Frame): Buffer {
  const block = unpadded(frame);
  if (!hasFlag(frame, flag.priority)) return block;
  if (block.length < 5) throw wrongSize('HEADERS');
  return block.subarray(5);
}

/** The payload without its padding, whose length is in the first byte (RFC 9113, section 6.1). */
export function unpadded(frame: Frame): Buffer {
  const { payload } = frame;
  if (!hasFlag(frame, flag.padded)) return payload;
  const padding = payload[0];
  if (padding === undefined) throw wrongSize('padded');
  if (padding >= payload.length) throw invalid('The padding is too long');
  return payload.subarray(1, payload.length - padding);
}
