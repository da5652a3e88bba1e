/**
 * While a process reads a report, other processes leave the report alone for this long after each sign of activity, in
 * milliseconds.
 */
export const reportLeaseMs = 15_000;
