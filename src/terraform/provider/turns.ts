import type { HostId } from '../../model/host-id.ts';

/** Work on one host waits until all that came before it for the same host is over. */
export interface Turns {
  after<T>(host: HostId, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<HostId, Promise<unknown>>();
  return {
    after(host, work) {
      const turn = (last.get(host) ?? Promise.resolve()).then(work, work);
      last.set(host, turn);
      return turn;
    },
  };
}
