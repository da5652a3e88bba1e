import type { Duplex } from 'node:stream';
import { ConnectionError, errorCode, invalid, tooLargeWindow, wrongSize } from './connection-error.ts';
import { defaultWindow, type Frame, flag, frameType, hasFlag, largestWindow, setting } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { type Header, HeaderReader, longestHeader, unpadded } from './header-reader.ts';
import { Output } from './output.ts';
import { isRequestField, requestPath } from './request-path.ts';
import { type Receiver, type Sending, Stream } from './stream.ts';

/** Requests at a time. Further ones are refused. */
const streamLimit = 10_000;
/** Data is taken at once, so windows limit nothing: streams have the largest, and the connection always has half of this. */
const connectionWindow = 16 * 1024 * 1024;
/** Frames without a request or an answer in between. More of them end the connection. */
const idleFrameLimit = 10_000;
/** The streams that this side ended early, and whose late frames it ignores. */
const resetLimit = 100;

/** Accepts a request with this path, before its body arrives. */
export type Accept = (stream: Stream, path: string) => Receiver;

/**
 * The server's side of an HTTP/2 connection (RFC 9113), without what gRPC does not use: pushes, priorities, and headers
 * that are kept for later answers.
 *
 *     socket -> FrameReader -> Session -> Stream -> Receiver
 *                                |                     |
 *     socket <- Output <---------+-------- Stream <----+
 *
 * A mistake on one stream ends that stream with RST_STREAM; any other ends the connection with GOAWAY.
 */
export class Http2Session {
  readonly #socket: Duplex;
  readonly #accept: Accept;
  readonly #frames = new FrameReader();
  readonly #headers = new HeaderReader();
  readonly #output: Output;
  readonly #sending: Sending;
  readonly #streams = new Map<number, Stream>();
  readonly #reset = new Set<number>();
  #hasSettings = false;
  #initialWindow = defaultWindow;
  /** The bytes of data since the last that the peer was allowed. */
  #taken = 0;
  #lastStream = 0;
  #isClosing = false;
  #isOver = false;
  #onIdle: (() => void) | null = null;

  constructor(socket: Duplex, accept: Accept) {
    this.#socket = socket;
    this.#accept = accept;
    this.#output = new Output(socket);
    this.#sending = { output: this.#output, window: defaultWindow, idleFrames: 0 };
    this.#output.settings([
      [setting.maxConcurrentStreams, streamLimit],
      [setting.initialWindowSize, largestWindow],
      [setting.maxHeaderListSize, longestHeader],
    ]);
    this.#output.windowUpdate(connectionWindow - defaultWindow);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('drain', () => this.#sendWaiting());
    socket.on('end', () => socket.destroy());
    socket.on('error', () => this.#lost());
    socket.on('close', () => this.#lost());
  }

  /** Accepts no more requests, and closes the socket when all answers are sent, or after this time. */
  async close(graceMs: number): Promise<void> {
    if (this.#isOver) return;
    this.#isClosing = true;
    this.#output.goaway(this.#lastStream, errorCode.none, '');
    const { promise: written, resolve } = Promise.withResolvers<void>();
    const late = setTimeout(resolve, graceMs);
    this.#onIdle = () => this.#output.end(resolve);
    if (this.#streams.size === 0) this.#onIdle();
    await written;
    clearTimeout(late);
    this.#onIdle = null;
    this.#lost();
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#frames.read(chunk, this.#onFrame);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.#output.goaway(this.#lastStream, error.code, error.message);
      this.#output.end();
      this.#lost();
    }
  }

  readonly #onFrame = (frame: Frame): void => {
    const { type } = frame;
    if (!this.#hasSettings && type !== frameType.settings) throw invalid('The first frame is not SETTINGS');
    if (type !== frameType.continuation) this.#headers.expectComplete();
    if (type !== frameType.data && type !== frameType.headers) this.#countIdle();
    switch (type) {
      case frameType.data:
        this.#onData(frame);
        break;
      case frameType.headers:
      case frameType.continuation: {
        const header = this.#headers.read(frame);
        if (header !== null) this.#onHeader(header);
        break;
      }
      case frameType.priority:
        if (frame.stream === 0) throw invalid('A PRIORITY frame is on no stream');
        if (frame.payload.length !== 5) throw wrongSize('PRIORITY');
        break;
      case frameType.rstStream:
        this.#onRstStream(frame);
        break;
      case frameType.settings:
        this.#onSettings(frame);
        break;
      case frameType.pushPromise:
        throw invalid('A client must not push');
      case frameType.ping:
        onConnection(frame);
        if (frame.payload.length !== 8) throw wrongSize('PING');
        if (!hasFlag(frame, flag.ack)) this.#output.acknowledgePing(frame.payload);
        break;
      case frameType.goaway:
        onConnection(frame);
        if (frame.payload.length < 8) throw wrongSize('GOAWAY');
        break;
      case frameType.windowUpdate:
        this.#onWindowUpdate(frame);
        break;
      default:
    }
  };

  #onData(frame: Frame): void {
    const stream = this.#existing(frame);
    const { length } = frame.payload;
    this.#taken += length;
    if (this.#taken > connectionWindow / 2) {
      this.#output.windowUpdate(this.#taken);
      this.#taken = 0;
    }
    const data = unpadded(frame);
    const isLast = hasFlag(frame, flag.endStream);
    if (data.length === 0 && !isLast) this.#countIdle();
    if (stream === undefined || stream.isReceived) {
      this.#afterEnd(frame.stream);
      return;
    }
    if (data.length > 0) stream.receiver?.data(data);
    if (isLast) this.#onReceived(stream);
  }

  #onHeader({ stream: id, isLast, fields }: Header): void {
    if (id % 2 === 0) throw invalid('A client must use odd streams');
    if (id <= this.#lastStream) {
      const stream = this.#streams.get(id);
      if (stream === undefined || stream.isReceived) this.#afterEnd(id);
      else if (isLast && fields?.every(isRequestField)) this.#onReceived(stream);
      else this.#resetStream(id, errorCode.protocol);
      return;
    }
    this.#lastStream = id;
    const path = fields === null ? null : requestPath(fields);
    if (path === null) this.#resetStream(id, errorCode.protocol);
    else if (this.#isClosing || this.#streams.size >= streamLimit)
      this.#resetStream(id, errorCode.refusedStream);
    else {
      const stream = new Stream(id, this.#initialWindow, this.#sending, this.#onSent);
      this.#streams.set(id, stream);
      stream.isReceived = isLast;
      stream.receiver = this.#accept(stream, path);
      if (isLast) stream.receiver.end();
    }
  }

  #onReceived(stream: Stream): void {
    stream.isReceived = true;
    stream.receiver?.end();
  }

  /** After an early answer, the client need not send the rest of its request (RFC 9113, section 8.1). */
  readonly #onSent = (stream: Stream): void => {
    if (stream.isReceived) this.#remove(stream.id);
    else this.#resetStream(stream.id, errorCode.none);
  };

  #onSettings(frame: Frame): void {
    const { payload } = frame;
    onConnection(frame);
    const isAnswer = hasFlag(frame, flag.ack);
    if (isAnswer ? payload.length > 0 : payload.length % 6 !== 0) throw wrongSize('SETTINGS');
    if (isAnswer) {
      if (!this.#hasSettings) throw invalid('The first frame acknowledges settings');
      return;
    }
    this.#hasSettings = true;
    for (let at = 0; at < payload.length; at += 6)
      this.#set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    this.#output.acknowledgeSettings();
    this.#sendWaiting();
  }

  #set(id: number, value: number): void {
    if (id === setting.enablePush && value > 1) throw invalid('A setting is neither 0 nor 1');
    if (id === setting.maxFrameSize && (value < 0x4000 || value > 0xff_ffff))
      throw invalid('A frame size is out of range');
    if (id !== setting.initialWindowSize) return;
    if (value > largestWindow) throw tooLargeWindow();
    for (const stream of this.#streams.values()) {
      stream.window += value - this.#initialWindow;
      if (stream.window > largestWindow) throw tooLargeWindow();
    }
    this.#initialWindow = value;
  }

  #onRstStream(frame: Frame): void {
    const stream = this.#existing(frame);
    if (frame.payload.length !== 4) throw wrongSize('RST_STREAM');
    this.#remove(frame.stream);
    stream?.drop();
  }

  #onWindowUpdate(frame: Frame): void {
    if (frame.payload.length !== 4) throw wrongSize('WINDOW_UPDATE');
    const increment = frame.payload.readUInt32BE(0) & largestWindow;
    if (frame.stream === 0) {
      if (increment === 0) throw invalid('A window grows by nothing');
      this.#sending.window += increment;
      if (this.#sending.window > largestWindow) throw tooLargeWindow();
      this.#sendWaiting();
      return;
    }
    const stream = this.#existing(frame);
    if (stream === undefined) return;
    stream.window += increment;
    if (increment === 0) this.#resetStream(stream.id, errorCode.protocol);
    else if (stream.window > largestWindow) this.#resetStream(stream.id, errorCode.flowControl);
    else stream.send();
  }

  /** The stream of a frame, which must have begun; undefined if it has ended. */
  #existing({ stream: id }: Frame): Stream | undefined {
    if (id === 0 || id % 2 === 0 || id > this.#lastStream)
      throw invalid('A frame is on a stream that has not begun');
    return this.#streams.get(id);
  }

  /** Data or a header came on a stream after its end. */
  #afterEnd(id: number): void {
    if (this.#reset.has(id)) this.#countIdle();
    else this.#resetStream(id, errorCode.streamClosed);
  }

  #resetStream(id: number, code: number): void {
    this.#countIdle();
    this.#output.rstStream(id, code);
    this.#reset.add(id);
    const [oldest] = this.#reset;
    if (this.#reset.size > resetLimit && oldest !== undefined) this.#reset.delete(oldest);
    const stream = this.#streams.get(id);
    this.#remove(id);
    stream?.drop();
  }

  #remove(id: number): void {
    this.#streams.delete(id);
    if (this.#streams.size === 0) this.#onIdle?.();
  }

  #countIdle(): void {
    this.#sending.idleFrames += 1;
    if (this.#sending.idleFrames > idleFrameLimit)
      throw new ConnectionError(errorCode.enhanceYourCalm, 'There are too many frames without a request');
  }

  #sendWaiting(): void {
    for (const stream of this.#streams.values()) stream.send();
  }

  /** Ends all calls: nobody is there to take their answers. */
  #lost(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.drop();
    this.#onIdle?.();
  }
}

function onConnection({ stream }: Frame): void {
  if (stream !== 0) throw invalid('A frame of the connection is on a stream');
}
