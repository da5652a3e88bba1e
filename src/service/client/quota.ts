/**
 * Learns limits like "3,000 in each minute" or "one a minute": so many calls are taken, then none until a
 * time has passed since the first of them.
 *
 *      taken |      ,-----------------   count
 *            |    ,'                 :
 *            |  ,'                   : next opening
 *            +--'--------------------'-->
 *               opened  |x x  x    x :      x refused: too soon
 *               |<---- period ------>|
 */
interface Learned {
  readonly count: number;
  /** A call this long after the opening was taken, ... */
  readonly periodMs: number;
  /** ... and a call this long after it was refused. */
  readonly tooSoonMs: number;
  /** A call was refused after the period, so the period is now longer. */
  readonly isLonger: boolean;
}

const closeEnough = 0.95;
const firstTest = 4;
const rarestTest = 128;

export class Quota {
  #learned: Learned | null = null;
  #openedAt = Number.NaN;
  #takenAt = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #tooSoonUntil = Number.NEGATIVE_INFINITY;
  #taken = 0;
  /** From time to time, one call more than the count is tried; otherwise a raised limit would go unnoticed. */
  #testAfter = firstTest;
  #sinceTest = 0;

  /** Calls accepted since the opening. */
  get taken(): number {
    return this.#taken;
  }

  get perSecond(): number | null {
    return this.#learned === null ? null : (1000 * this.#learned.count) / this.#learned.periodMs;
  }

  /** Whether the calls in flight will use up the count. */
  isSpent(inFlight: number): boolean {
    if (this.#learned === null) return false;
    const test = this.#sinceTest >= this.#testAfter ? 1 : 0;
    return this.#taken + inFlight >= this.#learned.count + test;
  }

  /** The time of the next attempt after the count is used up: half-way between too soon and certainly late enough. */
  get opensAt(): number {
    if (this.#learned === null) return Number.NEGATIVE_INFINITY;
    const { periodMs, tooSoonMs } = this.#learned;
    const isKnown = tooSoonMs >= closeEnough * periodMs;
    return this.#openedAt + (isKnown ? periodMs : Math.ceil(Math.sqrt(tooSoonMs * periodMs)));
  }

  /** The count is considered used up after calls were refused and none accepted for `droughtMs`. */
  accepted(sentAt: number, droughtMs: number): void {
    this.#sinceTest += 1;
    if (Number.isNaN(this.#openedAt)) this.#open(sentAt);
    else if (this.#used !== null && sentAt >= this.opensAt) this.#confirm(this.#used, sentAt);
    else if (this.#endsDrought(sentAt, droughtMs)) this.#learn(sentAt);
    else if (this.#learned !== null && sentAt >= this.#openedAt + this.#learned.periodMs) this.#open(sentAt);
    else this.#taken += 1;
    if (this.#learned !== null && this.#taken > this.#learned.count) this.#forget();
    this.#takenAt = Math.max(this.#takenAt, sentAt);
  }

  /** `until` is the time before which the service asked to send nothing, or the time of the refused call. */
  refused(sentAt: number, until: number): void {
    this.#refusedAt = Math.max(this.#refusedAt, sentAt);
    this.#tooSoonUntil = Math.max(this.#tooSoonUntil, until);
    const learned = this.#used;
    if (learned === null) return;
    if (this.#sinceTest >= this.#testAfter) {
      this.#sinceTest = 0;
      this.#testAfter = Math.min(rarestTest, 2 * this.#testAfter);
    }
    const tooSoonMs = Math.max(learned.tooSoonMs, until - this.#openedAt);
    const isLonger = tooSoonMs > learned.periodMs || sentAt - this.#openedAt >= learned.periodMs;
    this.#learned = {
      ...learned,
      tooSoonMs,
      periodMs: Math.max(tooSoonMs, learned.periodMs),
      isLonger: learned.isLonger || isLonger,
    };
  }

  /** The learned limit, if its count is used up. */
  get #used(): Learned | null {
    return this.#learned !== null && this.#taken >= this.#learned.count ? this.#learned : null;
  }

  #endsDrought(sentAt: number, droughtMs: number): boolean {
    return this.#refusedAt > this.#takenAt && sentAt - this.#takenAt >= droughtMs;
  }

  #learn(sentAt: number): void {
    const periodMs = sentAt - this.#openedAt;
    const tooSoonMs = Math.min(periodMs, this.#tooSoonUntil - this.#openedAt);
    this.#learned = { count: this.#taken, periodMs, tooSoonMs, isLonger: false };
    this.#open(sentAt);
  }

  /** The count was right. The period is updated to this time, unless the caller was merely late. */
  #confirm(learned: Learned, sentAt: number): void {
    const tookMs = sentAt - this.#openedAt;
    const periodMs = learned.isLonger ? tookMs : Math.min(learned.periodMs, tookMs);
    this.#learned = { ...learned, periodMs, isLonger: false };
    this.#open(sentAt);
  }

  #open(sentAt: number): void {
    this.#openedAt = sentAt;
    this.#taken = 1;
  }

  #forget(): void {
    this.#learned = null;
    this.#testAfter = firstTest;
    this.#sinceTest = 0;
  }
}
