import { expect, it } from 'vitest';
import type { Desired } from '../../../src/core/model/desired.ts';
import { withAllowedDeletions } from '../../../src/core/plan/allowed-deletions.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { readDesired } from '../../../src/input/read-desired.ts';

function desired(...rules: readonly string[]): Desired {
  const text = `version: 1\nrules:\n${rules.map((each, at) => `  - { name: R${at + 1}, ${each} }\n`).join('')}`;
  const read = readDesired([
    { file: 'fleet.yaml', text: rules.length === 0 ? 'version: 1\nhosts: []\n' : text },
  ]);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'));
  return read.value;
}

/** The warnings that a plan gets. */
function allowedDeletions(before: Desired, after: Desired) {
  return withAllowedDeletions({ problems: [] } as unknown as Plan, before, after).problems;
}

const old = `when: 'host.name.startsWith("OLD-") && !host.online', ensure: absent`;
const kept = `when: 'host.group == "Servers"', ensure: present`;

it.each([
  ['a new rule', [], [old], 'R1', 'a host named "OLD-" in no group that is offline'],
  [
    'a wider condition',
    [old],
    [`when: 'host.name.startsWith("OLD-")', ensure: absent`],
    'R1',
    'a host named "OLD-" in no group',
  ],
  ['a rule that kept hosts and is gone', [kept, old], [old], 'R1', 'in group "Servers" that is offline'],
  ['another order', [kept, old], [old, kept], 'R1', 'in group "Servers" that is offline'],
] as const)('%s allows more deletions', (_, before, after, rule, example) => {
  const [first, ...more] = allowedDeletions(desired(...before), desired(...after));
  expect(first?.message).toContain(`rule "${rule}" deletes hosts that no rule deleted before this change`);
  expect(first?.message).toContain(example);
  expect(more).toEqual([]);
});

it.each([
  ['the same rules', [kept, old], [kept, old]],
  [
    'a narrower condition',
    [old],
    [`when: 'host.name.startsWith("OLD-PC-") && !host.online', ensure: absent`],
  ],
  ['a new rule behind one that deletes as much', [old], [old, old]],
  ['a rule that moves hosts', [old], [`when: 'host.online', group: Attic`, old]],
  [
    'a stage that begins later by the same condition',
    [`when: host.online == false, stages: [{ after: 90d, ensure: absent }]`],
    [
      `when: host.online == false, stages: [{ after: 90d, ensure: absent }]`,
      `when: 'host.online', group: Attic`,
    ],
  ],
  ['a condition that the analysis does not cover', [], [`when: 'host.name.endsWith("1")', ensure: absent`]],
] as const)('%s allows no more', (_, before, after) => {
  expect(allowedDeletions(desired(...before), desired(...after))).toEqual([]);
});
