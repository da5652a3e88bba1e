/** The reasons for which a side ends a stream or a connection (RFC 9113, section 7). */
export const errorCode = {
  none: 0x0,
  protocol: 0x1,
  flowControl: 0x3,
  streamClosed: 0x5,
  frameSize: 0x6,
  refusedStream: 0x7,
  compression: 0x9,
  enhanceYourCalm: 0xb,
} as const;

/** A mistake of the peer that ends the connection. */
export class ConnectionError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function invalid(message: string): ConnectionError {
  return new ConnectionError(errorCode.protocol, message);
}

export function wrongSize(name: string): ConnectionError {
  return new ConnectionError(errorCode.frameSize, `A ${name} frame has the wrong length`);
}

export function tooLargeWindow(): ConnectionError {
  return new ConnectionError(errorCode.flowControl, 'A window is too large');
}
