/** A 64-bit integer; a number only up to 2^53, beyond which JavaScript rounds: write 9007199254740993n. */
export type Id = bigint | string | number;

/** By its name, by its id, or null for no group. */
export type FleetGroup = string | { readonly id: Id } | null;

/** A share of the fleet, such as `'10%'`, or a number of hosts. */
export type FleetLimit = number | `${number}%`;

/** RFC 3339 with a zone, or a moment. */
export type FleetTime = string | Date;
