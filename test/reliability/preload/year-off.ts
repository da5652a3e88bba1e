/** Loaded before the program: the clock of the machine is off by the years in RAMPART_TEST_YEARS. */
const offMs = Number(process.env['RAMPART_TEST_YEARS']) * 365 * 24 * 3600 * 1000;

class OffDate extends Date {
  constructor(...given: readonly [] | readonly [number | string | Date]) {
    super(given.length === 0 ? OffDate.now() : given[0]);
  }
  static override now(): number {
    return Math.round(performance.timeOrigin + performance.now()) + offMs;
  }
}
globalThis.Date = OffDate as DateConstructor;
