const gentle = 0.005;
const steep = 0.04;
const steepest = 0.2;
const steepness = 0.1;
const expectedDrop = 0.05;
const gentleHoldMs = 4000;
const doublingMs = 3000;
const fewestCalls = 4;
/** A pause that the service requests is lost time, so the rate is held for at least this many times the pause. */
const holdPerPause = 20;

export interface Cut {
  /** The share by which the rate was cut. */
  readonly drop: number;
  /** The remaining rate, in calls per second. */
  readonly rate: number;
  readonly tripMs: number;
  /** The pause that the service requested; 0 if it requested none. */
  readonly pauseMs: number;
}

/**
 * Raises a rate again after a cut. It first holds, then adds half a percent per second, doubling as long as nothing is
 * refused. After a deep cut the limit is less certain, so it starts sooner and rises faster. With slow round trips it
 * rises more slowly, because refusals arrive late.
 */
export class Climb {
  readonly #from: number;
  readonly #share: number;
  readonly #doublingMs: number;
  #at: number;

  constructor(now: number, cut: Cut) {
    const tripSeconds = cut.tripMs / 1000;
    const share =
      Math.min(steep, Math.max(gentle, steepness * (cut.drop - expectedDrop))) / (1 + tripSeconds);
    this.#share = share;
    this.#doublingMs = doublingMs * (1 + 2 * tripSeconds);
    this.#from =
      now +
      Math.max((gentleHoldMs * gentle) / share, (fewestCalls * 1000) / cut.rate, holdPerPause * cut.pauseMs);
    this.#at = this.#from;
  }

  /** The factor for the rate since the last call of this method; at most one second counts. */
  factor(now: number): number {
    if (now <= this.#at) return 1;
    const seconds = Math.min(1, (now - this.#at) / 1000);
    this.#at = now;
    return 1 + seconds * Math.min(steepest, this.#share * 2 ** ((now - this.#from) / this.#doublingMs));
  }
}
