import { makePlan } from '../../src/core/plan/make-plan.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { note, problem, warning } from '../../src/core/problem/problem.ts';
import { givenDesired } from './desired.ts';
import { at, givenFleet } from './fleet.ts';
import { givenPlan } from './plan.ts';

/** Every kind of change, every shape of renames, and problems of every severity. */
export function richPlan(): Plan {
  const plan = givenPlan({
    entries: [
      { id: 101, name: 'BER-WEB-02' },
      { id: 102, name: 'BER-WEB-01' },
      { id: 103, name: 'LT-02' },
      { id: 104, name: 'LT-03' },
      { id: 105, name: 'LT-04', group: { id: 18 } },
      { id: 106, ensure: 'absent' },
      { id: 107, name: 'KIOSK', group: { id: 18 } },
      { id: 108, name: 'LIS-RECEPTION', group: { id: 18 }, antivirus: true },
      { id: 109, ensure: 'absent' },
      { id: 110, group: null },
      ...[0, 1, 2, 3, 4].map((n) => ({ id: 200 + n, name: `RING-${(n + 1) % 5}` })),
      { id: 9_007_199_254_740_991, name: 'MUC-BUILD-01', group: { id: 19 } },
      { id: 112, name: 'db-primary' },
      { id: 113, name: 'UNCHANGED' },
      { name: 'NOT-THERE-YET' },
    ],
    hosts: [
      { id: 101, name: 'BER-WEB-01', group: 17 },
      { id: 102, name: 'BER-WEB-02', group: 17 },
      { id: 103, name: 'LT-01', group: 17 },
      { id: 104, name: 'LT-02', group: 17 },
      { id: 105, name: 'LT-03', group: 17 },
      { id: 106, name: 'KIOSK', group: 17, online: false },
      { id: 107, name: 'KIOSK-SPARE' },
      { id: 108, name: 'DESKTOP-8F3K2', antivirus: 'missing' },
      { id: 109, name: 'OLD-PRINT-SERVER', group: 19 },
      { id: 110, name: 'LOANER-07', group: 18 },
      ...[0, 1, 2, 3, 4].map((n) => ({ id: 200 + n, name: `RING-${n}`, group: 19 })),
      { id: 9_007_199_254_740_991, name: 'DESKTOP-Q7RM1', group: 17 },
      { id: 112, name: 'DB-PRIMARY', group: 19 },
      { id: 113, name: 'UNCHANGED', group: 19 },
      { id: 114, name: 'NOBODY-ASKED' },
    ],
    groups: { 17: 'Berlin', 18: 'Lisbon', 19: 'Munich build farm' },
  });
  const place = (line: number, text: string, col = 5) => ({ file: 'fleet.yaml', line, col, text, width: 4 });
  return {
    ...plan,
    problems: [
      ...plan.problems,
      warning('policy-warning', 'host 109 (OLD-PRINT-SERVER) is online while it is deleted', {
        place: place(9, '  - { id: 109, ensure: absent }', 7),
        hint: 'turn it off first, or say nothing and go on',
        hostIds: ['109'],
        policy: 'no-online-deletes',
      }),
      note('deletion-not-due', 'host 120 (OLD-LAPTOP) is deleted after 2027-01-31', { place: place(21, '') }),
    ],
    forecast: { pace: { rate: 0.5, latency: 0.2 }, seconds: 44 },
  };
}

/** A plan that the guard refuses: too many deletions, and a squatter. */
export function refusedPlan(): Plan {
  const hosts = Array.from({ length: 40 }, (_, n) => ({ id: n + 1, name: `HOST-${n + 1}`, group: 17 }));
  const plan = makePlan({
    desired: givenDesired([
      ...hosts.slice(0, 9).map(({ id }) => ({ id, ensure: 'absent' as const })),
      { id: 20, name: 'HOST-30' },
      { id: 21, name: 'ROOM-21' },
    ]),
    observed: givenFleet(hosts, { 17: 'Berlin' }),
    account: { companyId: '1234567890', service: 'https://remote.example.com' },
    now: at,
  });
  const place = { file: 'fleet.yaml', line: 10, col: 18, text: '  - { id: 20, name: HOST-30 }', width: 7 };
  const more = problem('name-conflict', 'host 30 keeps the name HOST-30, which host 20 is to get', {
    place,
    hint: 'give host 30 an entry with another name, or plan with --skip-blocked',
    hostIds: ['20', '30'],
  });
  return { ...plan, problems: [...plan.problems, more], applicable: false };
}

/** Nothing to do. */
export function emptyPlan(): Plan {
  return givenPlan({
    entries: [{ id: 1, name: 'A' }],
    hosts: [
      { id: 1, name: 'A' },
      { id: 2, name: 'B' },
    ],
  });
}

/** Many swaps, a ring of 300 and trees, as in a reorganization that shuffles names. */
export function cyclicPlan(length = 300): Plan {
  const cycle = Array.from({ length }, (_, n) => ({
    id: 1000 + n,
    from: `RING-${n}`,
    to: `RING-${(n + 1) % length}`,
  }));
  const swaps = Array.from({ length: 40 }, (_, n) => [
    { id: 2000 + 2 * n, from: `L-${n}`, to: `R-${n}` },
    { id: 2001 + 2 * n, from: `R-${n}`, to: `L-${n}` },
  ]).flat();
  const tree = [
    { id: 3001, from: 'TWIN', to: 'TWIN-A' },
    { id: 3002, from: 'TWIN', to: 'TWIN-B' },
    { id: 3003, from: 'TWIN', to: 'TWIN-C' },
    { id: 3004, from: 'SOLE', to: 'TWIN' },
    { id: 3005, from: 'TWIN-B', to: 'LAST' },
  ];
  const all = [...cycle, ...swaps, ...tree];
  return givenPlan({
    entries: all.map(({ id, to }) => ({ id, name: to })),
    hosts: all.map(({ id, from }) => ({ id, name: from })),
  });
}

/** So many changes: half of them renames, the rest moves to ten groups and, of so many hosts, a deletion. */
export function largePlan(changes: number, hostsPerDeletion = 50): Plan {
  const ids = Array.from({ length: changes }, (_, n) => n + 1);
  const groups = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
  return givenPlan({
    entries: ids.map((id) =>
      id % 2 === 0
        ? { id, name: `NEW-${id}` }
        : id % hostsPerDeletion === 1
          ? { id, ensure: 'absent' }
          : { id, group: { id: groups[id % 10] as number } },
    ),
    hosts: ids.map((id) => ({ id, name: `HOST-${id}`, group: 9 })),
    groups: Object.fromEntries(groups.map((id) => [id, `Group ${id}`])),
  });
}
