import type { HostId } from '../../core/model/observed.ts';

/**
 * Finds the hosts for which the service refuses reports without naming them, or the largest number of hosts it accepts.
 * A refused request is split in half. What was accepted is remembered, so that the other half is known to contain the
 * cause and is not requested again as a whole. After a host is found, all others are requested together.
 */
export class SuspectHosts {
  /** Hosts that were refused together: one of them is refused, or there are too many. */
  #group: readonly HostId[] = [];
  /** The group was refused although a request of the same size was accepted, so it does contain a refused host. */
  #isCertain = false;
  /** The remaining half is requested as a whole, which distinguishes too many hosts from a refused one. */
  #asksWhole = false;
  #mostAccepted = 0;

  /** The hosts to request next, out of the queue. */
  next(queue: readonly HostId[], ask: number): readonly HostId[] {
    const open = new Set(queue);
    this.#group = this.#group.filter((id) => open.has(id));
    const group = this.#group;
    if (group.length === 0) return queue.slice(0, ask);
    return this.#asksWhole ? group : group.slice(0, Math.ceil(group.length / 2));
  }

  /**
   * Finds hosts that are certainly refused without requesting them alone, and the largest number of hosts that is
   * accepted.
   */
  accepted(batch: readonly HostId[]): { readonly refused: readonly HostId[]; readonly most?: number } {
    this.#mostAccepted = Math.max(this.#mostAccepted, batch.length);
    const inBatch = new Set(batch);
    const rest = this.#group.filter((id) => !inBatch.has(id));
    const wasWhole = this.#asksWhole;
    const isCertain = this.#isCertain;
    this.#asksWhole = false;
    if (rest.length === 0) {
      this.#group = [];
      return wasWhole ? { refused: [], most: this.#mostAccepted } : { refused: [] };
    }
    if (isCertain && rest.length === 1) {
      this.#group = [];
      return { refused: rest };
    }
    this.#group = rest;
    this.#asksWhole = !isCertain;
    return { refused: [] };
  }

  /** Reports the refused host, once it was requested alone. */
  refused(batch: readonly HostId[]): readonly HostId[] {
    this.#asksWhole = false;
    this.#isCertain = batch.length <= this.#mostAccepted;
    this.#group = batch.length === 1 ? [] : batch;
    return batch.length === 1 ? batch : [];
  }

  get hasAccepted(): boolean {
    return this.#mostAccepted > 0;
  }
}
