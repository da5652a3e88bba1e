import { describe, expect, it } from 'vitest';
import {
  isHeld,
  type LeaseRow,
  leaseMs,
  marginMs,
  maySend,
  mayTake,
  releasedBy,
  renewalMs,
  renewed,
  takenBy,
} from '../../../../src/run/state/lease/lease-rules.ts';

const row = (parts: Partial<LeaseRow> = {}): LeaseRow => ({ epoch: 3, holder: 'ada', until: 100, ...parts });

describe('the rules of the lease', () => {
  it('leave time for two renewals before sending must stop', () => {
    expect(renewalMs).toBe(3_000);
    expect(2 * renewalMs).toBeLessThan(leaseMs - marginMs);
  });

  it.each([
    ['nobody ever had it', null, 0, true],
    ['it was given back', row({ holder: null }), 0, true],
    ['it has lapsed', row(), 101, true],
    ['it lapses at this moment', row(), 100, true],
    ['it is held', row(), 99, false],
    ['its holder died', row(), 99, true, 3],
    ['an earlier holder died', row(), 99, false, 2],
  ] as const)('let a run take it if %s', (_what, given, now, expected, deadEpoch?: number) => {
    expect(mayTake(given, now, deadEpoch)).toBe(expected);
  });

  it('give each holder its own epoch', () => {
    expect(takenBy(null, 'bob', 100)).toEqual({ epoch: 1, holder: 'bob', until: 100 + leaseMs });
    expect(takenBy(row(), 'bob', 100)).toEqual({ epoch: 4, holder: 'bob', until: 100 + leaseMs });
    expect(takenBy(row({ holder: null }), 'bob', 100).epoch).toBe(4);
  });

  it.each([
    ['its holder asks in time', row(), 3, 99, true],
    ['it lapses at this moment', row(), 3, 100, false],
    ['another holds it', row(), 2, 99, false],
    ['it was given back', row({ holder: null }), 3, 99, false],
    ['it is not there', null, 3, 99, false],
  ] as const)('decide whether it is held if %s', (_what, given, epoch, now, expected) => {
    expect(isHeld(given, epoch, now)).toBe(expected);
  });

  it('extend it from the time of its renewal', () => {
    expect(renewed(row(), 50)).toEqual(row({ until: 50 + leaseMs }));
  });

  it('let only its holder release it', () => {
    expect(releasedBy(row(), 3, 50)).toEqual(row({ holder: null, until: 50 }));
    expect(releasedBy(row(), 2, 50)).toEqual(row());
    expect(releasedBy(null, 3, 50)).toBeNull();
  });

  it('let its holder send until the margin begins', () => {
    expect(maySend(0)).toBe(true);
    expect(maySend(leaseMs - marginMs - 1)).toBe(true);
    expect(maySend(leaseMs - marginMs)).toBe(false);
  });
});
