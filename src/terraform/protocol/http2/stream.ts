import { flag, frameType, longestPayload } from './frame.ts';
import type { Output } from './output.ts';

/** Handles what the peer sends on one stream. */
export interface Receiver {
  /** The next bytes of the request's body. */
  data(bytes: Buffer): void;
  /** The request is complete. */
  end(): void;
  /** Nobody wants the answer any more: the peer canceled the request, or the connection is lost. */
  cancel(): void;
}

/** What the streams of a connection share. */
export interface Sending {
  readonly output: Output;
  /** The bytes of data that the peer still takes on all streams together. */
  window: number;
  /** The frames since the last answer that asked for work without being a request. */
  idleFrames: number;
}

/**
 * One request and its answer, which consists of a header, data and a trailer. Nothing of it is sent before the peer
 * takes it: while it reads slowly, the answer waits here.
 */
export class Stream {
  readonly id: number;
  /** The bytes of data that the peer still takes. */
  window: number;
  receiver: Receiver | null = null;
  /** The request is complete. */
  isReceived = false;
  readonly #sending: Sending;
  readonly #onSent: (stream: Stream) => void;
  #header: Uint8Array | null = null;
  #data: Uint8Array[] = [];
  /** The position in the first of the data. */
  #at = 0;
  #unsent = 0;
  #trailer: Uint8Array | null = null;
  #isBegun = false;
  /** The answer is sent, or nobody wants it. */
  #isOver = false;
  #onDrained: (() => void) | null = null;

  constructor(id: number, window: number, sending: Sending, onSent: (stream: Stream) => void) {
    this.id = id;
    this.window = window;
    this.#sending = sending;
    this.#onSent = onSent;
  }

  /** The answer has a header. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** The answer has a trailer, or nobody wants one. */
  get isEnded(): boolean {
    return this.#isOver || this.#trailer !== null;
  }

  /** Begins the answer with an encoded header. */
  begin(header: Uint8Array): void {
    if (this.isEnded) return;
    this.#header = header;
    this.#isBegun = true;
  }

  /** Adds data, whose bytes must not change any more. */
  write(data: Uint8Array): void {
    if (this.isEnded || data.length === 0) return;
    this.#data.push(data);
    this.#unsent += data.length;
  }

  /** Ends the answer with an encoded trailer, and sends it. */
  end(trailer: Uint8Array): void {
    if (this.isEnded) return;
    this.#trailer = trailer;
    this.send();
  }

  /** Sends as much as the peer takes. */
  send(): void {
    const sending = this.#sending;
    if (this.#isOver || sending.output.isBlocked) return;
    if (this.#header !== null) this.#sendHeader(this.#header, 0);
    this.#header = null;
    while (this.#unsent > 0) {
      const length = Math.min(this.#unsent, this.window, sending.window, longestPayload);
      if (length <= 0 || sending.output.isBlocked) return;
      this.window -= length;
      sending.window -= length;
      this.#sendData(length);
    }
    this.#drain();
    if (this.#trailer === null) return;
    this.#sendHeader(this.#trailer, flag.endStream);
    this.#isOver = true;
    this.#onSent(this);
  }

  /** Resolves when all data is sent, or nobody wants it. */
  async drained(): Promise<void> {
    if (this.#unsent === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onDrained = resolve;
    await promise;
  }

  /** Drops the rest of the answer. */
  drop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#data = [];
    this.#unsent = 0;
    this.#drain();
    this.receiver?.cancel();
  }

  #drain(): void {
    this.#onDrained?.();
    this.#onDrained = null;
  }

  #sendHeader(block: Uint8Array, flags: number): void {
    this.#sending.idleFrames = 0;
    this.#sending.output.begin(frameType.headers, flag.endHeaders | flags, this.id, block.length);
    this.#sending.output.put(block);
  }

  #sendData(length: number): void {
    const { output } = this.#sending;
    this.#sending.idleFrames = 0;
    output.begin(frameType.data, 0, this.id, length);
    this.#unsent -= length;
    for (let left = length; left > 0; ) {
      const first = this.#data[0] as Uint8Array;
      const end = Math.min(first.length, this.#at + left);
      left -= end - this.#at;
      output.put(this.#at === 0 && end === first.length ? first : first.subarray(this.#at, end));
      this.#at = end;
      if (end < first.length) return;
      this.#data.shift();
      this.#at = 0;
    }
  }
}
