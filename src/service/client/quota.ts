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
interface Learnt {
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
  #learnt: Learnt | null = null;
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
    return this.#learnt === null ? null : (1000 * this.#learnt.count) / this.#learnt.periodMs;
  }

  /** Whether the calls in flight will use up the count. */
  isSpent(inFlight: number): boolean {
    if (this.#learnt === null) return false;
    const test = this.#sinceTest >= this.#testAfter ? 1 : 0;
    return this.#taken + inFlight >= this.#learnt.count + test;
  }

  /** The time of the next try after the count is used up: half-way between too soon and certainly late enough. */
  get opensAt(): number {
    if (this.#learnt === null) return Number.NEGATIVE_INFINITY;
    const { periodMs, tooSoonMs } = this.#learnt;
    const isKnown = tooSoonMs >= closeEnough * periodMs;
    return this.#openedAt + (isKnown ? periodMs : Math.ceil(Math.sqrt(tooSoonMs * periodMs)));
  }

  /** The count is considered used up after calls were refused and none accepted for `droughtMs`. */
  accepted(sentAt: number, droughtMs: number): void {
    this.#sinceTest += 1;
    if (Number.isNaN(this.#openedAt)) this.#open(sentAt);
    else if (this.#used !== null && sentAt >= this.opensAt) this.#confirm(this.#used, sentAt);
    else if (this.#endsDrought(sentAt, droughtMs)) this.#learn(sentAt);
    else if (this.#learnt !== null && sentAt >= this.#openedAt + this.#learnt.periodMs) this.#open(sentAt);
    else this.#taken += 1;
    if (this.#learnt !== null && this.#taken > this.#learnt.count) this.#forget();
    this.#takenAt = Math.max(this.#takenAt, sentAt);
  }

  /** `until` is the time before which the service asked to send nothing, or the time of the refused call. */
  refused(sentAt: number, until: number): void {
    this.#refusedAt = Math.max(this.#refusedAt, sentAt);
    this.#tooSoonUntil = Math.max(this.#tooSoonUntil, until);
    const learnt = this.#used;
    if (learnt === null) return;
    if (this.#sinceTest >= this.#testAfter) {
      this.#sinceTest = 0;
      this.#testAfter = Math.min(rarestTest, 2 * this.#testAfter);
    }
    const tooSoonMs = Math.max(learnt.tooSoonMs, until - this.#openedAt);
    const isLonger = tooSoonMs > learnt.periodMs || sentAt - this.#openedAt >= learnt.periodMs;
    this.#learnt = {
      ...learnt,
      tooSoonMs,
      periodMs: Math.max(tooSoonMs, learnt.periodMs),
      isLonger: learnt.isLonger || isLonger,
    };
  }

  /** The learnt limit, if its count is used up. */
  get #used(): Learnt | null {
    return this.#learnt !== null && this.#taken >= this.#learnt.count ? this.#learnt : null;
  }

  #endsDrought(sentAt: number, droughtMs: number): boolean {
    return this.#refusedAt > this.#takenAt && sentAt - this.#takenAt >= droughtMs;
  }

  #learn(sentAt: number): void {
    const periodMs = sentAt - this.#openedAt;
    const tooSoonMs = Math.min(periodMs, this.#tooSoonUntil - this.#openedAt);
    this.#learnt = { count: this.#taken, periodMs, tooSoonMs, isLonger: false };
    this.#open(sentAt);
  }

  /** The count was right. The period is updated to this time, unless the caller was merely late. */
  #confirm(learnt: Learnt, sentAt: number): void {
    const tookMs = sentAt - this.#openedAt;
    const periodMs = learnt.isLonger ? tookMs : Math.min(learnt.periodMs, tookMs);
    this.#learnt = { ...learnt, periodMs, isLonger: false };
    this.#open(sentAt);
  }

  #open(sentAt: number): void {
    this.#openedAt = sentAt;
    this.#taken = 1;
  }

  #forget(): void {
    this.#learnt = null;
    this.#testAfter = firstTest;
    this.#sinceTest = 0;
  }
}
