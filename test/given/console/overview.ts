import type { History, Me, Overview } from '../../../src/api/overview.ts';
import { causes } from './accounts.ts';
import { ada, before, givenPlanRow, readAt } from './plans.ts';
import { givenRollout, givenRunRow } from './runs.ts';

export function givenMe(change: Partial<Me> = {}): Me {
  return {
    subject: ada,
    email: 'ada@contoso.example',
    grants: [{ role: 'admin' }],
    csrf: 'a-csrf-value',
    session_expires_at: null,
    server: { version: '0.1.0', is_emulator: false, has_login: true },
    ...change,
  };
}

export function givenOverview(change: Partial<Overview> = {}): Overview {
  return {
    at: readAt,
    accounts: 1_204,
    unchecked: 2,
    hosts: 948_310,
    drifted: 239,
    waiting_for: { approval: 0, window: 0, pause: 0, rollout: 0, worker: 0, check: 0 },
    paused: 0,
    health: {
      failing: 3,
      in_doubt: 1,
      drifted: 41,
      waiting: 3,
      running: 1,
      in_progress: 1,
      paused: 4,
      ignored: 0,
      converged: 1_148,
    },
    oldest_check: { account: 'adatum-0007', at: before(9) },
    more: { causes: false, waiting: false, running: false },
    causes: [...causes],
    waiting: [
      { ...givenPlanRow(), is_paused: false },
      {
        ...givenPlanRow({
          id: 'pl_fabrikam_4',
          account: 'fabrikam',
          counts: { rename: 0, move: 0, delete: 1, install: 0, refresh: 0 },
          created_at: before(75),
        }),
        is_paused: false,
      },
      {
        ...givenPlanRow({
          id: 'pl_tailspin_2',
          account: 'tailspin',
          counts: { rename: 40, move: 0, delete: 0, install: 0, refresh: 0 },
          created_at: before(190),
          may_approve: { allowed: false, reason: 'You wrote this change.' },
        }),
        is_paused: false,
      },
    ],
    running: [givenRunRow()],
    rollouts: [givenRollout()],
    changed: { changes: 3_112, accounts: 48 },
    ...change,
  };
}

export function givenHistory(change: Partial<History> = {}): History {
  const hours = 7 * 24;
  const drifted = Array.from({ length: hours }, (_, hour) =>
    Math.max(
      0,
      Math.round(14 + 8 * Math.sin(hour / 7) + (hour > 120 && hour < 130 ? 40 : 0) + (hour > 160 ? 18 : 0)),
    ),
  );
  const differing = drifted.map((value) => value * 10 - 1);
  const changes = drifted.map((value, hour) => (hour % 11 === 0 ? value * 30 : value));
  return {
    from: before(hours * 60),
    bucket_seconds: 3_600,
    series: {
      drifted: differing,
      changes,
      checks: drifted.map(() => 4_800),
      rate_limited: drifted.map((_, at) => (at % 24 === 3 ? 12 + (at % 7) : at % 24 === 4 ? 5 : 0)),
    },
    ...change,
  };
}
