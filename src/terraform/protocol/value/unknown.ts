import type { Numeric } from './numeric.ts';

/** What is promised about an unknown value. The applied value must keep every promise. */
export interface Refinement {
  /** `false`: certainly not null. */
  readonly nullable?: boolean;
  /** A prefix of the text. */
  readonly prefix?: string;
  readonly lowerBound?: Bound;
  readonly upperBound?: Bound;
  /** The minimum and maximum number of elements of a list, set or map. */
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface Bound {
  readonly value: Numeric;
  readonly inclusive: boolean;
}

/** A value that will be known after apply. */
export class Unknown {
  readonly refinement: Refinement;

  constructor(refinement: Refinement) {
    this.refinement = refinement;
  }
}

const plain = new Unknown({});

export function unknownValue(refinement?: Refinement): Unknown {
  return refinement === undefined ? plain : new Unknown(refinement);
}

export function isUnknown(value: unknown): value is Unknown {
  return value instanceof Unknown;
}

/** Neither null nor unknown. */
export function isPresent<T>(value: T): value is Exclude<T, null | undefined | Unknown> {
  return value !== null && value !== undefined && !isUnknown(value);
}

/** The value, or null if it is unknown. */
export function knownOrNull<T>(value: T): Exclude<T, Unknown> | null {
  return isUnknown(value) ? null : (value as Exclude<T, Unknown>);
}
