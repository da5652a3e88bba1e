import type { Clock } from '../../../core/lib/surroundings.ts';

/** How long to wait for Terraform's first connection, and after the last one closed. */
const firstMs = 90_000;
const lastMs = 3_000;

/**
 * A killed Terraform can't notify its providers, so a provider without a connection exits by itself. There is one
 * connection per process, and nothing follows it.
 */
export class OrphanWatch {
  readonly #clock: Clock;
  readonly #onOrphaned: () => void;
  #open = 0;
  #wait = new AbortController();

  constructor(clock: Clock, onOrphaned: () => void) {
    this.#clock = clock;
    this.#onOrphaned = onOrphaned;
    this.#waitFor(firstMs);
  }

  opened(): void {
    this.#open += 1;
    this.#wait.abort();
  }

  closed(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#waitFor(lastMs);
  }

  #waitFor(ms: number): void {
    const wait = new AbortController();
    this.#wait = wait;
    void this.#clock.sleep(ms, wait.signal).then(() => {
      if (!wait.signal.aborted) this.#onOrphaned();
    });
  }
}
