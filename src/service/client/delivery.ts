import { countWhile } from '../../core/lib/binary-search.ts';

const kept = 100_000;

/** Measures how many calls per second the service accepts, by the times of its responses. */
export class Delivery {
  #times: number[] = [];

  accepted(now: number): void {
    this.#times.push(now);
    if (this.#times.length >= 2 * kept) this.#times = this.#times.slice(kept);
  }

  /** Calls per second over the last `windowMs`. */
  rate(now: number, windowMs: number): number {
    const { length } = this.#times;
    const earlier = countWhile(length, (at) => (this.#times[at] ?? now) <= now - windowMs);
    return ((length - earlier) * 1000) / windowMs;
  }
}
