import { Delivery } from './delivery.ts';
import { RoundTrip } from './round-trip.ts';

export interface PaceOptions {
  /** Calls a second before anything is known. */
  readonly initialRate?: number;
  /** Calls a second never to be exceeded. */
  readonly ceiling?: number;
}

/** What the pace remembers of a call that is under way. */
export interface Sending {
  readonly at: number;
  readonly rate: number;
  /** The call had to wait for its turn, so the pace was what limited it. */
  readonly held: boolean;
}

const cut = 0.97;
const holdMs = 4_000;
const fewestInFlight = 16;

/** One action's rate, as a state machine: told of sends and answers, it says when the next call may go. All times in ms. */
export class Pace {
  readonly #ceiling: number;
  readonly #delivery = new Delivery();
  readonly #trip = new RoundTrip();
  #rate: number;
  #slot = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;
  #inFlight = 0;
  #cutAt: number | null = null;
  #growsFrom = 0;
  #grownAt = 0;
  #roundFrom = Number.NEGATIVE_INFINITY;
  /** Nothing was accepted since the last cut: one call at a time, ever further apart. */
  #dry = false;
  #probe: Sending | null = null;
  #probes = 0;

  constructor(options: PaceOptions = {}) {
    this.#ceiling = options.ceiling ?? Number.POSITIVE_INFINITY;
    this.#rate = Math.min(options.initialRate ?? 10, this.#ceiling);
  }

  get rate(): number {
    return this.#rate;
  }

  get seenRate(): number | null {
    return this.#cutAt === null ? null : this.#rate;
  }

  /** When the next call may be sent; infinite while only an answer can tell. */
  nextAt(_now: number): number {
    if (this.#dry && this.#probe !== null) return Number.POSITIVE_INFINITY;
    if (this.#inFlight >= this.#mostInFlight()) return Number.POSITIVE_INFINITY;
    return Math.max(this.#slot, this.#notBefore);
  }

  sent(now: number, held: boolean): Sending {
    this.#slot = Math.max(this.#slot, now - 1) + 1000 / this.#rate;
    const sending = { at: now, rate: this.#rate, held };
    this.#inFlight++;
    if (this.#dry) this.#probe = sending;
    return sending;
  }

  acceptedAt = Number.NEGATIVE_INFINITY;

  accepted(sending: Sending, now: number): void {
    this.acceptedAt = now;
    this.#finished(sending);
    this.#delivery.accepted(now);
    this.#trip.measured(now - sending.at, now);
    if (this.#dry) {
      this.#dry = false;
      this.#probe = null;
      this.#probes = 0;
    }
    if (sending.held) this.#grow(sending, now);
  }

  refused(sending: Sending, now: number, retryAfterMs?: number): void {
    const wasProbe = this.#probe === sending;
    this.#finished(sending);
    if (retryAfterMs !== undefined) this.#notBefore = Math.max(this.#notBefore, now + retryAfterMs);
    if (wasProbe) {
      const pause = Math.min(3000, 100 * 2 ** this.#probes++);
      this.#notBefore = Math.max(this.#notBefore, now + pause);
      return;
    }
    if (this.#cutAt !== null && sending.at <= this.#cutAt) return;
    const windowMs = Math.max(1500, 4000 / this.#rate);
    const delivered = this.#delivery.rate(now, windowMs);
    this.#rate = cut * Math.min(sending.rate, Math.max(delivered, this.#rate / 2));
    this.#notBefore = Math.max(this.#notBefore, now + 2000 / this.#rate);
    this.#cutAt = now;
    this.#growsFrom = now + Math.max(holdMs, 4000 / this.#rate);
    this.#grownAt = this.#growsFrom;
    this.#dry = true;
  }

  dropped(sending: Sending): void {
    this.#finished(sending);
  }

  #finished(sending: Sending): void {
    this.#inFlight--;
    if (this.#probe === sending) this.#probe = null;
  }

  #mostInFlight(): number {
    return Math.max(fewestInFlight, (1.5 * this.#rate * this.#trip.ms) / 1000);
  }

  #grow(sending: Sending, now: number): void {
    if (this.#cutAt === null) {
      if (sending.at < this.#roundFrom) return;
      this.#roundFrom = now;
      this.#rate = Math.min(this.#ceiling, this.#rate * 1.7);
      return;
    }
    if (now <= this.#grownAt) return;
    const seconds = Math.min(now - this.#grownAt, 1000) / 1000;
    const pace = 0.01 * (1 + (now - this.#growsFrom) / 10_000);
    this.#rate = Math.min(this.#ceiling, this.#rate * (1 + pace * seconds));
    this.#grownAt = now;
  }
}
