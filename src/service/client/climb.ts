const gentle = 0.005;
const steep = 0.04;
const steepest = 0.2;
const steepness = 0.1;
const expectedDrop = 0.05;
const gentleHoldMs = 4000;
const doublingMs = 3000;
const fewestCalls = 4;
/** A pause that the service asks for is lost time: it is worth one only so often. */
const holdPerPause = 20;

export interface Cut {
  /** The share of the rate that was cut off. */
  readonly drop: number;
  /** What is left of it, in calls a second. */
  readonly rate: number;
  readonly tripMs: number;
  /** For how long the service asked to send nothing; 0 where it did not ask. */
  readonly pauseMs: number;
}

/**
 * How a rate rises again after a cut: not at all for a while, then by half a percent a second, doubling as long
 * as nothing is refused. After a deep cut, where the limit is less sure, sooner and faster. Slow trips make it
 * slower: a refusal is then learnt of late.
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

  /** What the rate is to be multiplied by for the time since this was last asked, of which one second counts. */
  factor(now: number): number {
    if (now <= this.#at) return 1;
    const seconds = Math.min(1, (now - this.#at) / 1000);
    this.#at = now;
    return 1 + seconds * Math.min(steepest, this.#share * 2 ** ((now - this.#from) / this.#doublingMs));
  }
}
