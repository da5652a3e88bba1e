/** The service's pace, as given or as the last run learned it. */
export interface Pace {
  /** Calls per second. */
  readonly rate: number;
  /** Seconds from a call to its response. */
  readonly latency: number;
}

/** How long the run is expected to take. */
export interface Forecast {
  readonly pace: Pace;
  readonly seconds: number;
}

/** The outcome of the plan on an emulator with the observed fleet. */
export interface RehearsedRun {
  /** Calls that change the fleet, as sent, including refused and repeated ones. */
  readonly calls: number;
  /** Answers of 409. */
  readonly conflicts: number;
  /** Answers of 429. */
  readonly refusals: number;
  readonly minutes: number;
  readonly converged: boolean;
}

export interface Rehearsal {
  readonly withoutFaults: RehearsedRun;
  /** With lost replies, errors and refusals injected into about one call in ten. */
  readonly withFaults: RehearsedRun;
}
