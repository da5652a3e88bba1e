import type { Duplex } from 'node:stream';
import { flag, frameHeadLength, frameType } from './frame.ts';

/** Frames beyond this are written before the turn ends, in bytes. */
const turnLimit = 65_536;
const firstSize = 8_192;

/** Writes frames. Those of one turn of the event loop are written together, as one chunk. */
export class Output {
  readonly #socket: Duplex;
  #bytes = Buffer.allocUnsafeSlow(firstSize);
  #length = 0;
  #isScheduled = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  /** The peer takes no more for now. */
  get isBlocked(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Begins a frame, whose payload of exactly this length must follow. */
  begin(type: number, flags: number, stream: number, length: number): void {
    if (this.#length > turnLimit) this.#write();
    const end = this.#length + frameHeadLength + length;
    if (end > this.#bytes.length) this.#grow(end);
    const bytes = this.#bytes;
    const at = this.#length;
    bytes.writeUIntBE(length, at, 3);
    bytes[at + 3] = type;
    bytes[at + 4] = flags;
    bytes.writeUInt32BE(stream, at + 5);
    this.#length = at + frameHeadLength;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // After the promises of this turn.
    process.nextTick(() => {
      this.#isScheduled = false;
      this.#write();
    });
  }

  /** A part of the payload. */
  put(payload: Uint8Array): void {
    this.#bytes.set(payload, this.#length);
    this.#length += payload.length;
  }

  settings(values: readonly (readonly [number, number])[]): void {
    this.begin(frameType.settings, 0, 0, values.length * 6);
    for (const [id, value] of values) {
      this.#length = this.#bytes.writeUInt16BE(id, this.#length);
      this.#putUInt32(value);
    }
  }

  acknowledgeSettings(): void {
    this.begin(frameType.settings, flag.ack, 0, 0);
  }

  acknowledgePing(payload: Uint8Array): void {
    this.begin(frameType.ping, flag.ack, 0, payload.length);
    this.put(payload);
  }

  /** Allows so many more bytes of data on the connection. */
  windowUpdate(increment: number): void {
    this.begin(frameType.windowUpdate, 0, 0, 4);
    this.#putUInt32(increment);
  }

  rstStream(stream: number, code: number): void {
    this.begin(frameType.rstStream, 0, stream, 4);
    this.#putUInt32(code);
  }

  goaway(lastStream: number, code: number, reason: string): void {
    const debug = Buffer.from(reason);
    this.begin(frameType.goaway, 0, 0, 8 + debug.length);
    this.#putUInt32(lastStream);
    this.#putUInt32(code);
    this.put(debug);
  }

  /** Writes everything, and ends the connection. */
  end(onWritten?: () => void): void {
    this.#write();
    this.#socket.end(onWritten);
  }

  #putUInt32(value: number): void {
    this.#length = this.#bytes.writeUInt32BE(value, this.#length);
  }

  #write(): void {
    if (this.#length === 0) return;
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
