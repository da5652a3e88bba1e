import type { HostId } from '../../core/model/host-id.ts';

/**
 * Finds which hosts the service refuses to make a report with, where it does not name them, or how many it takes at
 * most. A refused request is halved; what was accepted is remembered, so that the other half is known to be at fault
 * and is not asked again as a whole; once a host is found, all others are asked at once.
 */
export class SuspectHosts {
  /** Refused together: one of them is, or they are too many. */
  #group: readonly HostId[] = [];
  /** The group was refused although as many were accepted, so that it does hold a refused host. */
  #isCertain = false;
  /** The remaining half is requested as a whole, which distinguishes too many hosts from a refused one. */
  #asksWhole = false;
  #mostAccepted = 0;

  /** The hosts to ask next, of those still to be asked. */
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
