/** A value that will be known after apply. */
export class Unknown {
  /** What Terraform promises about it, in Terraform's own encoding: it is passed on as it came. */
  readonly promises: Uint8Array | null;

  constructor(promises: Uint8Array | null) {
    this.promises = promises;
  }
}

const plain = new Unknown(null);

export function unknownValue(): Unknown {
  return plain;
}

/** An unknown value that is certainly not null: a map of MessagePack with `false` for the key 1. */
export const unknownNotNull = new Unknown(Uint8Array.of(0x81, 0x01, 0xc2));

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
