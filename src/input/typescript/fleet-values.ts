/** A 64-bit integer. A number is exact only up to 2^53; beyond that, write a bigint such as 9007199254740993n. */
export type Id = bigint | string | number;

/** A group by name, by id, or null for no group. */
export type FleetGroup = string | { readonly id: Id } | null;

/** A share of the fleet, such as `'10%'`, or a number of hosts. */
export type FleetLimit = number | `${number}%`;

/** A Date, or RFC 3339 text with a time zone. */
export type FleetTime = string | Date;
