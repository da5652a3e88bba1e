import { Climb } from './climb.ts';
import { Delivery } from './delivery.ts';
import { Quota } from './quota.ts';
import { RoundTrip } from './round-trip.ts';

export interface PaceOptions {
  /** Calls a second before anything is known; 10 when absent. */
  readonly initialRate?: number;
  /** Calls a second never to be exceeded. */
  readonly ceiling?: number;
  /** The time (milliseconds since the epoch) before which the service is known to refuse a call. */
  readonly notBefore?: number;
}

/** What the pace remembers of a call that is under way. */
export interface Sending {
  readonly at: number;
  readonly rate: number;
  /** It waited for its slot, and for nothing else. */
  readonly held: boolean;
  /** Sent while few were in flight: its trip shows how long a call takes when the service is not crowded. */
  readonly isLight: boolean;
}

const cut = 0.98;
/** What a limiter saves up in a pause looks like a higher rate afterwards. */
const cutAfterSilence = 0.9;
/** The delivered rate can be low because little was sent: one event never cuts below this share. */
const deepestCut = 0.3;
const deliveryMs = 1000;
/** A second cut soon after the first measures from that one on, so that the fast start no longer counts. */
const longestDeliveryMs = 4000;
const callsToMeasure = 8;
const startGrowth = 1.7;
/** Most calls that slow start adds to those in flight in a round trip: what an overshoot can cost. */
const startAdds = 8;
const fewestInFlight = 16;
const mostAhead = 4;
const crowdMs = 10_000;
const firstProbeMs = 100;
const longestProbeMs = 3000;
/** A time without success counts as a drought from here on, where trips and the pace are fast. */
const droughtMs = 2000;
const callsPerProbe = 50;
const timerMs = 1;

/**
 * One action's pace as a state machine: told of sends and answers, it says when the next call may go.
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
 * While nothing is accepted after a cut ("dry"), and when a learnt quota is spent, one call at a time
 * feels its way; the first success goes on at the remembered rate.
 */
export class Pace {
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
  /** When as many were in flight as may be: trips can have grown by our own doing since. */
  #crowdedAt = Number.NEGATIVE_INFINITY;
  /** Few are let go until the trip was measured anew. */
  #draining = false;

  constructor({ initialRate = 10, ceiling = Number.POSITIVE_INFINITY, notBefore }: PaceOptions = {}) {
    if (notBefore !== undefined) this.#notBefore = notBefore;
    this.#ceiling = ceiling;
    this.#rate = Math.min(initialRate, ceiling);
  }

  /** Calls a second that may be sent now. */
  get rate(): number {
    return this.#rate;
  }

  /** Calls a second that the service was seen to take; null before it took any. */
  get seenRate(): number | null {
    if (this.#acceptedAt === Number.NEGATIVE_INFINITY) return null;
    return this.#climb === null ? this.#seen : (this.#quota.perSecond ?? this.#rate);
  }

  /** When the last success came. */
  get acceptedAt(): number {
    return this.#acceptedAt;
  }

  /** When the next call may be sent; infinite while only an answer can decide. */
  get nextAt(): number {
    const isSpent = this.#quota.isSpent(this.#inFlight);
    if (this.#probe !== null && (this.#dry || isSpent)) return Number.POSITIVE_INFINITY;
    if (this.#inFlight >= this.#mostInFlight) return Number.POSITIVE_INFINITY;
    const slot = Math.max(this.#lastSlot + 1000 / this.#rate, this.#notBefore);
    return isSpent ? Math.max(slot, this.#quota.opensAt) : slot;
  }

  /** `waited` when the call had to wait for its turn: a timer that was late is then made up for. */
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

  /** `retryAfterMs` is how long the service asked to wait, where it did. */
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
   * The pace alone holds calls back, and what comes back keeps up with it: a success is a reason to go faster.
   * Where few come back for many that go, the service or the way to it is the bottleneck.
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

  /** How long of this time nothing was sent because the service had asked for a pause. */
  #silentWithin(from: number, now: number): number {
    const silentMs = Math.min(now, this.#silence.until) - Math.max(from, this.#silence.from);
    return Math.min(Math.max(0, silentMs), (now - from) / 2);
  }

  /** Twice as long each time; where many calls were taken before, their share allows for more probes. */
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
