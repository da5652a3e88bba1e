import type { Lease } from '../../src/run/state/lease/lease.ts';

/** A lease that is never lost. */
export function givenLease(epoch = 1): Lease {
  return {
    epoch,
    refusal: () => undefined,
    confirm: async () => true,
    lost: new AbortController().signal,
    release: async () => {},
  };
}
