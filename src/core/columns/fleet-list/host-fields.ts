import { TextPool } from './text-pool.ts';

/**
 * The values of hosts by their index in the list, as byte offsets in the list. Each value runs from its first byte to
 * just after its last.
 */
export interface HostFields {
  readonly idStart: Uint32Array;
  readonly idEnd: Uint32Array;
  /** 0 for a host without a name. */
  readonly nameStart: Uint32Array;
  readonly nameEnd: Uint32Array;
  /** 1 for a name that has escapes or is not ASCII, so that its bytes are not its characters. */
  readonly isEncoded: Uint8Array;
  /** The index of its group in `groupIds`. */
  readonly group: Uint32Array;
  readonly groupIds: TextPool;
  readonly online: Uint8Array;
  /** Offsets of these texts including their quotation marks; 0 for a host without one. */
  readonly hostName: Uint32Array;
  readonly stateChangedAt: Uint32Array;
  /** True if any name is written with escapes. */
  hasEscapes: boolean;
}

/** The system provides memory only on the first write, so allocating too many slots costs nothing. */
export function createHostFields(most: number): HostFields {
  return {
    idStart: new Uint32Array(most),
    idEnd: new Uint32Array(most),
    nameStart: new Uint32Array(most),
    nameEnd: new Uint32Array(most),
    isEncoded: new Uint8Array(most),
    group: new Uint32Array(most),
    groupIds: new TextPool(),
    online: new Uint8Array(most),
    hostName: new Uint32Array(most),
    stateChangedAt: new Uint32Array(most),
    hasEscapes: false,
  };
}
