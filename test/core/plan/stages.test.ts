import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at } from '../../given/fleet.ts';
import { type MachineGiven, planFor, readFleet } from '../../given/register.ts';

const unused = `
rules:
  - { name: exempt, when: 'host.name.startsWith("KEEP-")', ensure: present }
  - name: unused
    when: host.name != "KIOSK"
    stages:
      - { after: 90d, group: Quarantine }
      - { after: 180d, ensure: absent }
  - { name: returned, when: host.group == "Quarantine", group: Berlin }
policy: { limits: { delete: 100% } }
`;

function daysAgo(days: number): string {
  return new Date(Date.parse(at) - days * 86_400_000).toISOString();
}

/** What the plan does to each host, by id. */
function acts(yaml: string, machines: readonly MachineGiven[]): Readonly<Record<string, string>> {
  const { steps } = planFor(yaml, {}, machines);
  return Object.fromEntries(
    steps.flatMap((step) =>
      step.kind === 'move' || step.kind === 'delete'
        ? step.hosts.map(({ hostId, reason }) => [
            hostId,
            `${step.kind === 'move' ? `to ${step.groupId}` : 'delete'}: ${reason.rule ?? ''}`,
          ])
        : [],
    ),
  );
}

describe('a rule with stages', () => {
  it.each([
    ['online for a long time', { online: true, stateChangedAt: daysAgo(400) }, undefined],
    ['offline for less than the first age', { online: false, stateChangedAt: daysAgo(90) }, undefined],
    [
      'offline for longer than the first age',
      { online: false, stateChangedAt: daysAgo(91) },
      'to 19: unused (after 90d)',
    ],
    [
      'offline for longer than the last age',
      { online: false, stateChangedAt: daysAgo(181) },
      'delete: unused (after 180d)',
    ],
    ['offline since a time that is unknown', { online: false }, undefined],
    ['back online', { online: true, stateChangedAt: daysAgo(0), groupId: 19 }, 'to 17: returned'],
    ['outside its condition', { name: 'KIOSK', online: false, stateChangedAt: daysAgo(400) }, undefined],
    [
      'kept by an earlier rule',
      { name: 'KEEP-1', online: false, stateChangedAt: daysAgo(400) },
      'to 19: unused (after 90d)',
    ],
  ])('handles a host that is %s', (_, machine, expected) => {
    expect(acts(unused, [{ id: 1, name: 'PC-1', ...machine }])[1]).toBe(expected);
  });

  it('needs the approval of the exact number of deletions above the limit', () => {
    const machines = [1, 2, 3].map((id) => ({
      id,
      name: `PC-${id}`,
      online: false,
      stateChangedAt: daysAgo(200),
    }));
    const limited = unused.replace('delete: 100%', 'delete: 2');
    expect(planFor(limited, {}, machines).applicable).toBe(false);
    expect(planFor(limited, {}, machines, { acks: { delete: 2 } }).applicable).toBe(false);
    expect(planFor(limited, {}, machines, { acks: { delete: 3 } }).applicable).toBe(true);
  });

  it('agrees with a decision made only from the time offline, and a second plan is empty', () => {
    const machine = fc.record({
      online: fc.boolean(),
      days: fc.integer({ min: 0, max: 400 }),
      groupId: fc.constantFrom(17, 18, 19),
    });
    fc.assert(
      fc.property(fc.array(machine, { maxLength: 8 }), (given) => {
        const machines = given.map(({ days, ...each }, index) => ({
          ...each,
          id: index + 1,
          name: `PC-${index + 1}`,
          stateChangedAt: daysAgo(days),
        }));
        const expected = given.flatMap(({ online, days, groupId }, index) => {
          if (!online && days > 180) return [[`${index + 1}`, 'delete: unused (after 180d)']];
          if (!online && days > 90)
            return groupId === 19 ? [] : [[`${index + 1}`, 'to 19: unused (after 90d)']];
          return groupId === 19 ? [[`${index + 1}`, 'to 17: returned']] : [];
        });
        expect(acts(unused, machines)).toEqual(Object.fromEntries(expected));
        expect(planFor(unused, {}, machines).problems.filter(({ severity }) => severity === 'error')).toEqual(
          [],
        );
      }),
      { numRuns: 60 },
    );
  });
});

it.each([
  ['stages: []', '"stages" is empty'],
  ['stages: { after: 1d }', '"stages" must be a list, not a mapping'],
  ['stages: [{ group: A }]', 'a stage needs "after"'],
  ['stages: [{ after: 90, group: A }]', '"after" must be text, not a number'],
  ['stages: [{ after: 3 months, group: A }]', '"after" must be a duration'],
  ['stages: [{ after: 90d }]', 'a stage needs "group" or "ensure: absent", and not both'],
  [
    'stages: [{ after: 90d, group: A, ensure: absent }]',
    'a stage needs "group" or "ensure: absent", and not both',
  ],
  [
    'stages: [{ after: 90d, group: A }, { after: 90d, ensure: absent }]',
    'a stage must begin later than the stage before it',
  ],
  [
    'stages: [{ after: 90d, ensure: absent }, { after: 180d, group: A }]',
    'no stage can follow a stage that deletes the host',
  ],
  ['ensure: absent, stages: [{ after: 90d, group: A }]', 'absent hosts can\'t have "stages"'],
  ['stages: [{ after: 90d, ensure: present }]', '"ensure" must be "absent"'],
])('refuses %s', (keys, message) => {
  const { problems } = readFleet(`rules: [{ name: unused, when: "true", ${keys} }]`);
  expect(problems.map((each) => each.message)).toEqual([expect.stringContaining(message)]);
});

it('refuses a condition that is too long for a rule with stages', () => {
  const when = `host.name != "${'x'.repeat(3_950)}"`;
  const { problems } = readFleet(
    `rules: [{ name: unused, when: '${when}', stages: [{ after: 90d, group: A }] }]`,
  );
  expect(problems.map((each) => each.message)).toEqual([
    'the "when" of rule "unused" is too long for a rule with stages',
  ]);
});
