import { GroupIds } from './group-ids.ts';

/**
 * What the hosts of a list say, by their places in it: where it stands in the bytes of the list, from the first byte of
 * an id or a name to behind its last.
 */
export interface HostFields {
  readonly idStart: Uint32Array;
  readonly idEnd: Uint32Array;
  /** 0 for a host that has no name. */
  readonly nameStart: Uint32Array;
  readonly nameEnd: Uint32Array;
  /** 1 for a name that is not the same characters as its bytes: it has escapes, or is not ASCII. */
  readonly isOdd: Uint8Array;
  /** Its group's place in `groupIds`. */
  readonly group: Uint32Array;
  readonly groupIds: GroupIds;
  readonly online: Uint8Array;
  /** Where these texts begin, quotation mark included; 0 for a host without. Absent where no host has one. */
  hostName?: Uint32Array;
  stateChangedAt?: Uint32Array;
  /** Some name is written with escapes. */
  hasEscapes: boolean;
}

/** Memory that nobody has written to is not taken from the system, so room for too many hosts costs nothing. */
export function createHostFields(most: number): HostFields {
  return {
    idStart: new Uint32Array(most),
    idEnd: new Uint32Array(most),
    nameStart: new Uint32Array(most),
    nameEnd: new Uint32Array(most),
    isOdd: new Uint8Array(most),
    group: new Uint32Array(most),
    groupIds: new GroupIds(),
    online: new Uint8Array(most),
    hasEscapes: false,
  };
}
