import { Climb } from './climb.ts';
import { Delivery } from './delivery.ts';
import { Quota } from './quota.ts';
import { RoundTrip } from './round-trip.ts';

export interface PaceOptions {
  /** Calls per second before anything is known; 10 if absent. */
  readonly initialRate?: number;
  /** The maximum number of calls per second. */
  readonly ceiling?: number;
  /** The time (milliseconds since the epoch) before which the service is known to refuse a call. */
  readonly notBefore?: number;
}

/** What the pace records about a call in flight. */
export interface Sending {
  readonly at: number;
  readonly rate: number;
  /** The call waited only for its slot. */
  readonly held: boolean;
  /**
   * Sent while few calls were in flight, so its round trip shows how long a call takes when the service is not crowded.
   */
  readonly isLight: boolean;
}

const cut = 0.98;
/** Credit that a limiter saves during a pause looks like a higher rate afterwards. */
const cutAfterSilence = 0.9;
/** The delivered rate can be low because little was sent, so one event never cuts below this share. */
const deepestCut = 0.3;
const deliveryMs = 1000;
/** A second cut soon after the first measures only from that one on, so that the fast start no longer counts. */
const longestDeliveryMs = 4000;
const callsToMeasure = 8;
const startGrowth = 1.7;
/** The most calls that slow start adds to those in flight per round trip, which limits the cost of an overshoot. */
const startAdds = 8;
const fewestInFlight = 16;
const mostAhead = 4;
const crowdMs = 10_000;
const firstProbeMs = 100;
const longestProbeMs = 3000;
/** If round trips and the pace are fast, a time without success counts as a drought after this long. */
const droughtMs = 2000;
const callsPerProbe = 50;
const timerMs = 1;

/**
 * The pace of one action as a state machine: from sent calls and their responses, it decides when the next call may go.
 * Times are in ms, rates in calls a second.
 *
 *   rate |      .  first 429
 *        |     /|
 *        |    / |            __.'|           __.'|
 *  limit |---/--|------__---'----|----__---'----|--------
 *        |  /   |__---'          |_---'          |_---
 *        | /     hold  climb      one cut per event, to just below what was delivered
 *        |'  slow start
 *        +----------------------------------------------> time
 *
 * While nothing is accepted after a cut ("dry"), and when a learned quota is spent, one call at a time
 * feels its way; the first success goes on at the remembered rate.
 */
export class LearnedPace {
  readonly #ceiling: number;
  readonly #delivery = new Delivery();
  readonly #trip = new RoundTrip();
  readonly #quota = new Quota();
  #rate: number;
  #lastSlot = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #inFlight = 0;
  #acceptedAt = Number.NEGATIVE_INFINITY;
  #seen = 0;
  #roundFrom = Number.NEGATIVE_INFINITY;
  #cutAt = Number.NEGATIVE_INFINITY;
  #climb: Climb | null = null;
  #silence = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
  #dry = false;
  #probe: Sending | null = null;
  #probes = 0;
  /**
   * When the number of calls in flight reached its maximum: round trips since then may be longer because of our own
   * calls.
   */
  #crowdedAt = Number.NEGATIVE_INFINITY;
  /** Few calls are released until the round trip has been measured again. */
  #draining = false;

  constructor({ initialRate = 10, ceiling = Number.POSITIVE_INFINITY, notBefore }: PaceOptions = {}) {
    if (notBefore !== undefined) this.#notBefore = notBefore;
    this.#ceiling = ceiling;
    this.#rate = Math.min(initialRate, ceiling);
  }

  /** Calls per second that may be sent now. */
  get rate(): number {
    return this.#rate;
  }

  /** Calls per second that the service was seen to accept; null before it accepted any. */
  get seenRate(): number | null {
    if (this.#acceptedAt === Number.NEGATIVE_INFINITY) return null;
    return this.#climb === null ? this.#seen : (this.#quota.perSecond ?? this.#rate);
  }

  /** Calls per second that the service allows; null while it has refused none. */
  get limit(): number | null {
    return this.#climb === null ? null : this.seenRate;
  }

  /** The time of the last success. */
  get acceptedAt(): number {
    return this.#acceptedAt;
  }

  /** When the next call may be sent; infinite while only a response can decide. */
  get nextAt(): number {
    const isSpent = this.#quota.isSpent(this.#inFlight);
    if (this.#probe !== null && (this.#dry || isSpent)) return Number.POSITIVE_INFINITY;
    if (this.#inFlight >= this.#mostInFlight) return Number.POSITIVE_INFINITY;
    return Math.max(this.#lastSlot + 1000 / this.#rate, this.refusedUntil);
  }

  /** The time before which the service is expected to refuse a call. */
  get refusedUntil(): number {
    const isSpent = this.#quota.isSpent(this.#inFlight);
    return isSpent ? Math.max(this.#notBefore, this.#quota.opensAt) : this.#notBefore;
  }

  /** `waited` is true if the call had to wait for its turn; then a late timer is compensated. */
  sent(now: number, waited: boolean): Sending {
    const slot = this.#lastSlot + 1000 / this.#rate;
    this.#lastSlot = waited ? Math.max(slot, now - timerMs) : now;
    const isSingle = this.#dry || this.#quota.isSpent(this.#inFlight);
    this.#inFlight += 1;
    const isCrowd = this.#inFlight >= this.#mostInFlight;
    if (isCrowd) this.#crowdedAt = now;
    const held = waited && !isSingle && slot > this.#notBefore;
    const sending = { at: now, rate: this.#rate, held, isLight: this.#inFlight <= fewestInFlight };
    if (isSingle) this.#probe = sending;
    return sending;
  }

  accepted(sending: Sending, now: number): void {
    this.#finished(sending);
    this.#acceptedAt = now;
    this.#delivery.accepted(now);
    this.#measureTrip(sending, now);
    this.#quota.accepted(sending.at, droughtMs + 2 * this.#trip.ms + 3000 / sending.rate);
    this.#dry = false;
    this.#probes = 0;
    if (this.#climb === null) this.#startOn(sending, now);
    else if (this.#wasPaced(sending, now)) this.#setRate(this.#rate * this.#climb.factor(now));
  }

  /** `retryAfterMs` is the wait that the service requested, if any. */
  refused(sending: Sending, now: number, retryAfterMs?: number): void {
    const isProbe = this.#probe === sending;
    this.#finished(sending);
    const until = Number.isFinite(retryAfterMs) ? now + Number(retryAfterMs) : sending.at;
    this.#quota.refused(sending.at, until);
    this.#pauseUntil(until);
    if (isProbe) this.#pauseUntil(now + this.#nextProbeMs(now));
    else if (!this.#quota.isSpent(this.#inFlight) && sending.at > this.#cutAt)
      this.#cut(sending, now, Math.max(0, until - now));
  }

  dropped(sending: Sending): void {
    this.#finished(sending);
  }

  /**
   * True if only the pace delays calls and responses keep up with it: then a success is a reason to go faster. If few
   * responses arrive for many calls, the service or the network is the bottleneck.
   */
  #wasPaced(sending: Sending, now: number): boolean {
    if (!sending.held || this.#crowdedAt >= sending.at) return false;
    return sending.rate <= mostAhead * this.#delivery.rate(now, Math.max(1, now - sending.at));
  }

  #measureTrip(sending: Sending, now: number): void {
    this.#trip.measured(now - sending.at, now);
    const isOld = this.#trip.isOld(now);
    this.#draining = isOld && !sending.isLight && now - this.#crowdedAt < crowdMs;
    if (isOld && !this.#draining) this.#trip.renew(now - sending.at, now);
  }

  #startOn(sending: Sending, now: number): void {
    if (sending.at < this.#roundFrom) return;
    this.#roundFrom = now;
    this.#seen = Math.max(this.#seen, this.#delivery.rate(now, deliveryMs));
    if (!this.#wasPaced(sending, now)) return;
    this.#setRate(Math.min(this.#rate * startGrowth, this.#rate + (startAdds * 1000) / this.#trip.ms));
  }

  /** One cut for each congestion event: calls that were sent before the last cut do not count again. */
  #cut(sending: Sending, now: number, pauseMs: number): void {
    const sinceCutMs = now - this.#cutAt;
    const windowMs = Math.max(
      deliveryMs,
      sinceCutMs <= longestDeliveryMs ? sinceCutMs : 0,
      (callsToMeasure * 1000) / this.#rate,
    );
    const silentMs = this.#silentWithin(now - windowMs, now);
    const delivered = (this.#delivery.rate(now, windowMs) * windowMs) / (windowMs - silentMs);
    const share = silentMs > 0 ? cutAfterSilence : cut;
    this.#setRate(share * Math.min(sending.rate, Math.max(delivered, deepestCut * this.#rate)));
    this.#climb = new Climb(now, {
      drop: 1 - this.#rate / sending.rate,
      rate: this.#rate,
      tripMs: this.#trip.ms,
      pauseMs,
    });
    this.#cutAt = now;
    this.#silence = { from: now, until: now + pauseMs };
    this.#dry = true;
    this.#pauseUntil(now + 2000 / this.#rate);
  }

  /** The part of this time in which nothing was sent because the service had requested a pause. */
  #silentWithin(from: number, now: number): number {
    const silentMs = Math.min(now, this.#silence.until) - Math.max(from, this.#silence.from);
    return Math.min(Math.max(0, silentMs), (now - from) / 2);
  }

  /** Doubles each time. If many calls were accepted before, their share allows more probes. */
  #nextProbeMs(now: number): number {
    const doubled = firstProbeMs * 2 ** this.#probes;
    this.#probes += 1;
    const dryMs = now - this.#acceptedAt;
    return Math.min(doubled, Math.max(longestProbeMs, (dryMs * callsPerProbe) / this.#quota.taken));
  }

  #setRate(rate: number): void {
    this.#rate = Math.min(this.#ceiling, rate);
  }

  #pauseUntil(time: number): void {
    this.#notBefore = Math.max(this.#notBefore, time);
  }

  #finished(sending: Sending): void {
    this.#inFlight -= 1;
    if (this.#probe === sending) this.#probe = null;
  }

  get #mostInFlight(): number {
    if (this.#draining) return fewestInFlight;
    return Math.max(fewestInFlight, (1.5 * this.#rate * this.#trip.ms) / 1000);
  }
}
