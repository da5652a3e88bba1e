/** While a process reads a report, others leave it alone for so long after each sign of life, in milliseconds. */
export const leaseMs = 15_000;
