import { describe, expect, it } from 'vitest';
import { healths } from '../../../../src/api/accounts.ts';
import { severityOf } from '../../../../src/server/accounts/records/account-record.ts';

describe('the order of accounts by their health', () => {
  it('has the worst first, and accounts without a check last', () => {
    const worstFirst = [
      'failing',
      'in_doubt',
      'drifted',
      'waiting',
      'running',
      'in_progress',
      'paused',
      'ignored',
      'converged',
      null,
    ] as const;
    expect(worstFirst.map(severityOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(healths).toHaveLength(9);
  });
});
