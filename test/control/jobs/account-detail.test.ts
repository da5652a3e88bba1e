import { describe, expect, it } from 'vitest';
import { detailOf } from '../../../src/control/jobs/account-detail.ts';
import { noFacts } from '../../../src/core/model/facts.ts';
import { warning } from '../../../src/core/problem/problem.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { givenFleet } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';

const hosts = [
  { id: 1, name: 'A', antivirus: 'installed' },
  { id: 2, name: 'B', antivirus: 'missing' },
  { id: 3, name: 'C' },
] as const;
const place = { file: 'policies.yaml', line: 3, col: 5 };
const now = '2026-11-23T09:00:00Z';

describe('what the page of an account shows', () => {
  it('counts hosts by anti-virus, and leaves out inventory that nobody read', () => {
    const plan = givenPlan({ entries: [], hosts });
    const { coverage } = detailOf(
      { observed: givenFleet(hosts), plan, facts: noFacts },
      givenDesired([]),
      now,
    );
    expect(coverage.inventory).toEqual([]);
    expect(new Map(coverage.antivirus.map(({ label, hosts: count }) => [label, count]))).toEqual(
      new Map([
        ['installed', 1],
        ['not installed', 1],
        ['unknown', 1],
      ]),
    );
  });

  it('lists policies with the hosts that they concern now, and windows with whether they are open', () => {
    const plan = {
      ...givenPlan({ entries: [], hosts }),
      problems: [warning('policy-warning', 'look', { policy: 'names', hostIds: [] })],
    };
    const bare = givenDesired([], noLimits);
    const when = bare.policy.protect[0]?.when as never;
    const desired = {
      ...bare,
      policy: {
        ...bare.policy,
        protect: [{ name: 'servers', when, from: ['delete'] as const, place }],
        changes: [{ name: 'names', effect: 'warn' as const, when, message: 'look', place }],
        freezes: [{ name: 'holidays', from: '2026-11-01T00:00:00Z', until: '2026-12-01T00:00:00Z', place }],
      },
    };
    const detail = detailOf({ observed: givenFleet(hosts), plan, facts: noFacts }, desired, now);
    const shown = { file: 'policies.yaml', line: 3, column: 5 };
    expect(detail.policies).toEqual([
      { kind: 'protect', title: 'servers', place: shown, acted: 0 },
      { kind: 'warn', title: 'names', place: shown, acted: 1 },
      { kind: 'freeze', title: 'holidays', place: shown, acted: 0 },
    ]);
    expect(detail.windows).toMatchObject([
      { name: 'holidays', is_open: false, changes_at: '2026-12-01T00:00:00Z' },
    ]);
  });
});
