/** The types of frames (RFC 9113, section 6). Frames of other types are ignored. */
export const frameType = {
  data: 0x0,
  headers: 0x1,
  priority: 0x2,
  rstStream: 0x3,
  settings: 0x4,
  pushPromise: 0x5,
  ping: 0x6,
  goaway: 0x7,
  windowUpdate: 0x8,
  continuation: 0x9,
} as const;

export const flag = { ack: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** The settings that this server reads or sends (RFC 9113, section 6.5.2). */
export const setting = {
  enablePush: 0x2,
  maxConcurrentStreams: 0x3,
  initialWindowSize: 0x4,
  maxFrameSize: 0x5,
  maxHeaderListSize: 0x6,
} as const;

/**
 * A frame as the peer sent it (RFC 9113, section 4.1):
 *
 *     0        3      4       5                      9
 *     | length | type | flags | 1 bit 0, 31 bit stream | payload, length bytes |
 */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  /** 0: the connection. */
  readonly stream: number;
  readonly payload: Buffer;
}

/** In bytes. */
export const frameHeadLength = 9;
/** The longest payload that a side must accept, in bytes. This server neither sends nor accepts longer ones. */
export const longestPayload = 16_384;
/** The bytes of data that may be sent before the receiver allows more, unless it changes this by a setting. */
export const defaultWindow = 65_535;
export const largestWindow = 0x7fff_ffff;

export function hasFlag({ flags }: Frame, bit: number): boolean {
  return (flags & bit) !== 0;
}
