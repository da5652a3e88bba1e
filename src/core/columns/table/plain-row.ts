/** The values that a plain row can have, in the order of the arrays in `PlainRow`. */
export const plainColumns = ['id', 'name', 'group'] as const;

export type PlainColumn = (typeof plainColumns)[number];

/** The offsets of a row in a text, and of its values without quotation marks. */
export interface PlainRow {
  /** The start of the first value, with its quotation mark or its key. */
  start: number;
  /** The line of `start`. */
  line: number;
  readonly starts: Uint32Array;
  /** 0 for an empty value. */
  readonly ends: Uint32Array;
}

export function plainRow(): PlainRow {
  return {
    start: 0,
    line: 0,
    starts: new Uint32Array(plainColumns.length),
    ends: new Uint32Array(plainColumns.length),
  };
}
