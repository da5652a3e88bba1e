import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noFacts } from '../../../src/core/model/facts.ts';
import { noPolicy } from '../../../src/core/model/policy.ts';
import { temporaryName } from '../../../src/core/model/temporary-name.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { predict } from '../../../src/core/plan/ordering/predict.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { type PlanInputs } from '../../../src/core/plan/types/plan-inputs.ts';
import type { Step } from '../../../src/core/plan/types/step.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { at, type GivenHost, givenFleet, hostId, named } from '../../given/fleet.ts';
import { type GivenRule, givenRules } from '../../given/rules.ts';
import { condition, template } from '../expression/given-subject.ts';

const groups = { 10: 'Berlin', 11: 'Munich', 12: 'Attic' };
const berlin = { kind: 'named', name: 'Berlin' } as const;
const munich = { kind: 'named', name: 'Munich' } as const;

interface Given {
  readonly hosts: readonly GivenHost[];
  readonly rules: readonly GivenRule[];
  readonly entries?: readonly GivenEntry[];
  readonly options?: Partial<PlanInputs>;
}

function plan({ hosts, rules, entries = [], options = {} }: Given): Plan {
  return makePlan({
    desired: givenDesired(entries, noLimits, givenRules(rules)),
    observed: givenFleet(hosts, groups),
    account: { companyId: '1', service: 'emulator' },
    now: at,
    ...options,
  });
}

function say(step: Step): string {
  switch (step.kind) {
    case 'rename':
      return `${step.hostId}: ${step.from} -> ${step.to}`;
    case 'temporary-rename':
      return `${step.hostId}: ${step.from} aside`;
    case 'move':
      return `move ${step.hosts.map((each) => each.hostId).join('+')} to ${step.groupName}`;
    default:
      return `${step.kind} ${step.hosts.map((each) => each.hostId).join('+')}`;
  }
}

const startsWith =
  (prefix: string) =>
  ({ name }: { readonly name: string }) =>
    name.startsWith(prefix);

const cases: readonly [string, Given, readonly string[], readonly string[]][] = [
  [
    'a rule moves every host that it matches',
    {
      hosts: named('B-1', 'B-2', 'M-1'),
      rules: [{ when: startsWith('B-'), group: berlin }],
    },
    ['move 1+2 to Berlin'],
    [],
  ],
  [
    'the first matching rule wins, for each attribute by itself',
    {
      hosts: [{ id: 1, name: 'B-1' }],
      rules: [
        { when: startsWith('X'), group: munich },
        { when: startsWith('B-'), group: berlin },
        { group: munich, rename: () => 'B-one' },
      ],
    },
    ['1: B-1 -> B-one', 'move 1 to Berlin'],
    [],
  ],
  [
    'an entry beats every rule on what it sets, and leaves the rest to them',
    {
      hosts: [{ id: 1, name: 'B-1' }],
      entries: [{ id: 1, group: 'Munich' }],
      rules: [{ group: berlin, rename: () => 'one' }],
    },
    ['1: B-1 -> one', 'move 1 to Munich'],
    [],
  ],
  [
    'a host with an entry is never deleted by a rule',
    { hosts: [{ id: 1, name: 'A' }], entries: [{ id: 1, group: null }], rules: [{ ensure: 'absent' }] },
    [],
    [],
  ],
  [
    'a rule deletes, and no other rule matters then',
    {
      hosts: [{ id: 1, name: 'A' }],
      rules: [{ group: berlin }, { ensure: 'absent' }],
    },
    ['delete 1'],
    [],
  ],
  [
    'a rule can keep hosts from the deletions below it',
    {
      hosts: named('keep', 'old'),
      rules: [{ when: startsWith('keep'), ensure: 'present' }, { ensure: 'absent' }],
    },
    ['delete 2'],
    [],
  ],
  [
    'an attribute that an entry ignores is left alone by rules too',
    {
      hosts: [{ id: 1, name: 'A' }],
      entries: [{ id: 1, name: 'A', ignore: ['group'] }],
      rules: [{ group: berlin }],
    },
    [],
    [],
  ],
  [
    'hosts that swap names by rule need one temporary rename',
    {
      hosts: named('A', 'B'),
      rules: [{ rename: ({ host }) => (host.id === '1' ? 'B' : 'A') }],
    },
    ['1: A aside', '2: B -> A', '1: B ~rampart~x -> B'],
    [],
  ],
  [
    'one name for several hosts is refused, with the first three of them',
    {
      hosts: named('A', 'B', 'C', 'D'),
      rules: [{ rename: () => 'same' }],
    },
    [],
    [
      'duplicate-name: "same" would be the name of 4 hosts, by rule "rule 1": "A" (1), "B" (2), "C" (3) and 1 more',
    ],
  ],
  [
    'a name of a rule and one of an entry that are one name are refused',
    {
      hosts: named('A', 'B'),
      entries: [{ id: 1, name: 'same' }],
      rules: [{ when: ({ host }) => host.id === '2', rename: () => 'SAME' }],
    },
    [],
    [
      'duplicate-name: "same" and "SAME" (equal names to the service) would be the name of 2 hosts, by rule "rule 1": "A" (1), "B" (2)',
    ],
  ],
  [
    'a rule that acts on its own result is refused, with both names',
    { hosts: [{ id: 1, name: 'A' }], rules: [{ rename: ({ name }) => `X-${name}` }] },
    ['1: A -> X-A'],
    ['rule-not-settled: rule "rule 1" would rename "A" (1) to "X-A", and then to "X-X-A"'],
  ],
  [
    'a rule that moves back and forth is refused',
    {
      hosts: [{ id: 1, name: 'A', group: 10 }],
      rules: [
        { when: ({ group }) => group === 'Berlin', group: munich },
        { when: ({ group }) => group === 'Munich', group: berlin },
      ],
    },
    ['move 1 to Munich'],
    ['rule-not-settled: rule "rule 2" would act again on "A" (1) after this plan'],
  ],
  [
    'a rule that deletes the hosts that another rule moves is refused',
    {
      hosts: [{ id: 1, name: 'A', group: 10 }],
      rules: [
        { when: ({ group }) => group === 'Berlin', group: munich },
        { when: ({ group }) => group === 'Munich', ensure: 'absent' },
      ],
    },
    ['move 1 to Munich'],
    ['rule-not-settled: rule "rule 2" would act again on "A" (1) after this plan'],
  ],
  [
    'a rule that installs on the hosts that another rule moves is refused',
    {
      hosts: [{ id: 1, name: 'A', group: 10, antivirus: 'missing' }],
      rules: [
        { when: ({ group }) => group === 'Berlin', group: munich },
        { when: ({ group }) => group === 'Munich', antivirus: true },
      ],
    },
    ['move 1 to Munich'],
    ['rule-not-settled: rule "rule 2" would act again on "A" (1) after this plan'],
  ],
  [
    'a rule that renames to a group that does not exist names the group once',
    {
      hosts: [{ id: 1, name: 'A' }],
      rules: [{ rename: () => 'B', group: { kind: 'named', name: 'Nowhere' } }],
    },
    ['1: A -> B'],
    ['unknown-group: group "Nowhere" does not exist'],
  ],
  [
    'a rename that a name conflict blocks does not end its own "when"',
    {
      hosts: named('old-1', 'new-1'),
      rules: [
        {
          when: ({ host, name }) => name.startsWith('old') && host.groupId === '-1',
          rename: () => 'new-1',
          group: berlin,
        },
      ],
      options: { skipBlocked: true },
    },
    ['move 1 to Berlin'],
    [
      'name-conflict: "old-1" (1) can\'t be renamed to "new-1": host 2 keeps the name',
      'blocked: 1 rename left out because of name conflicts',
    ],
  ],
  [
    'a rename that ends its own "when" is sound, and told of',
    { hosts: [{ id: 1, name: 'old-1' }], rules: [{ when: startsWith('old'), rename: () => 'new-1' }] },
    ['1: old-1 -> new-1'],
    ['rule-ends-itself: rule "rule 1" no longer matches "old-1" (1) after its rename to "new-1"'],
  ],
  [
    "a name that can't be computed is a problem that names rule and hosts, once for all alike",
    {
      hosts: named('A', 'B'),
      rules: [{ rename: () => new Error('no service tag') }],
    },
    [],
    ['rule-without-answer: rule "rule 1" has no name for "A" (1), "B" (2): no service tag'],
  ],
  [
    'an empty name is a problem',
    { hosts: [{ id: 1, name: 'A' }], rules: [{ rename: () => ' ' }] },
    [],
    ['rule-without-answer: rule "rule 1" has no name for "A" (1): the name would be empty'],
  ],
  [
    'a name that looks temporary is a problem',
    { hosts: [{ id: 1, name: 'A' }], rules: [{ rename: () => 'A ~rampart~123abc' }] },
    [],
    [
      'rule-without-answer: rule "rule 1" has no name for "A" (1): names with "~rampart" are reserved for temporary renames',
    ],
  ],
  [
    'reports installs that are impossible once for each rule',
    {
      hosts: [
        { id: 1, name: 'A', antivirus: 'missing' },
        { id: 2, name: 'B', antivirus: 'unsupported' },
        { id: 3, name: 'C', antivirus: 'unsupported' },
        { id: 4, name: 'D', antivirus: 'installed' },
      ],
      rules: [{ antivirus: true }],
    },
    ['antivirus 1'],
    ['antivirus-unsupported: the anti-virus can\'t be installed on "B" (2), "C" (3)'],
  ],
];

describe('rules', () => {
  it.each(cases)('%s', (_case, given, steps, problems) => {
    const made = plan(given);
    expect(made.steps.map((step) => say(step).replace(/~rampart~\w+/, '~rampart~x'))).toEqual(steps);
    expect(made.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual(problems);
  });

  it('are named in the reason of each change', () => {
    const made = plan({ hosts: [{ id: 1, name: 'A' }], rules: [{ name: 'Berlin', group: berlin }] });
    expect(made.steps).toMatchObject([
      { hosts: [{ reason: { file: 'fleet.yaml', line: 1000, rule: 'Berlin' } }] },
    ]);
  });

  it('count the hosts that they match as managed', () => {
    const hosts = [
      { id: 1, name: 'B-1', group: 10 },
      { id: 2, name: 'M-1' },
    ];
    expect(plan({ hosts, rules: [{ when: startsWith('B-'), group: berlin }] }).summary).toMatchObject({
      unchanged: 1,
      unmanaged: 1,
    });
  });

  it('with --skip-blocked, leave out hosts without an answer', () => {
    const made = plan({
      hosts: named('A', 'B'),
      rules: [{ rename: ({ host }) => (host.id === '1' ? new Error('no tag') : 'two') }],
      options: { skipBlocked: true },
    });
    expect(made.applicable).toBe(true);
    expect(made.steps.map(say)).toEqual(['2: B -> two']);
  });
});

describe('a rule that fails', () => {
  const many = Array.from({ length: 10 }, (_, index) => ({
    id: index + 1,
    name: `H-${index + 1}`,
    group: 10,
  }));
  const asked: string[] = [];
  const failing = ({ host }: { readonly host: { readonly id: string } }) => {
    asked.push(host.id);
    return Number(host.id) <= 4 ? new Error(`no number ${host.id}`) : true;
  };

  it.each([false, true])(
    'is evaluated for three hosts, and one problem counts the others (skipBlocked: %s)',
    (skipBlocked) => {
      asked.length = 0;
      const made = plan({
        hosts: many,
        rules: [{ when: failing, rename: ({ host }) => `new ${host.id}` }],
        options: { skipBlocked },
      });
      expect(made.steps).toEqual([]);
      expect(asked.slice(0, 3)).toEqual(['1', '2', '3']);
      expect(asked).not.toContain('4');
      expect(made.applicable).toBe(skipBlocked);
      const severity = skipBlocked ? 'warning' : 'error';
      expect(made.problems.map((each) => [each.severity, each.message])).toEqual([
        [severity, 'rule "rule 1" can\'t be evaluated for "H-1" (1): no number 1'],
        [severity, 'rule "rule 1" can\'t be evaluated for "H-2" (2): no number 2'],
        [severity, 'rule "rule 1" can\'t be evaluated for "H-3" (3): no number 3'],
        [
          severity,
          'rule "rule 1" can\'t be evaluated for 7 more hosts, "H-4" (4), "H-5" (5), "H-6" (6) and 4 more: Rampart stopped evaluating its "when" after it failed for 3 hosts',
        ],
      ]);
    },
  );

  it('is also limited for its names', () => {
    const made = plan({
      hosts: many,
      rules: [
        { rename: ({ host }) => (Number(host.id) % 2 === 0 ? new Error('no part') : `new ${host.id}`) },
      ],
      options: { skipBlocked: true },
    });
    expect(made.steps.map(say)).toEqual([1, 3, 5].map((id) => `${id}: H-${id} -> new ${id}`));
    expect(made.problems.at(-1)?.hostIds).toEqual(['7', '8', '9', '10']);
  });

  it('is still evaluated if a fact is unknown, because that says nothing about the rule', () => {
    const made = makePlan({
      desired: givenDesired([], noLimits, [
        {
          index: 0,
          name: 'tags',
          when: condition('host.online'),
          rename: template('${host.customFields["Tag"]}'),
          antivirus: false,
        },
      ]),
      observed: givenFleet(many, groups),
      facts: { ...noFacts, customFieldsOf: (id) => (id === '9' ? { Tag: 'tagged' } : undefined) },
      account: { companyId: '1', service: 'emulator' },
      now: at,
      skipBlocked: true,
    });
    expect(made.steps.map(say)).toEqual(['9: H-9 -> tagged']);
    expect(made.problems.map(({ hostIds }) => hostIds?.length)).toEqual([9]);
  });

  it('keeps later rules away from the hosts that it might match, and keeps a group from moving them out', () => {
    const rules: readonly GivenRule[] = [
      { when: ({ host }) => host.id === '1', antivirus: true },
      { when: failing, group: berlin },
      { ensure: 'absent' },
    ];
    const made = makePlan({
      desired: {
        ...givenDesired([], noLimits, givenRules(rules)),
        policy: {
          ...noPolicy,
          groups: [
            {
              group: berlin,
              exclusive: true,
              limits: {},
              othersTo: { group: munich, place: { file: 'fleet.yaml', line: 1, col: 1 } },
              place: { file: 'fleet.yaml', line: 1, col: 1 },
            },
          ],
        },
      },
      observed: givenFleet(
        many.map((host) => ({ ...host, antivirus: 'missing' })),
        groups,
      ),
      account: { companyId: '1', service: 'emulator' },
      now: at,
      skipBlocked: true,
    });
    expect(made.steps.map(say)).toEqual(['antivirus 1']);
  });
});

describe('a host with a temporary name from a rule, in an interrupted run', () => {
  const temporary = temporaryName('rename', hostId(1), 'B', { taken: new Set() });
  const gone = temporaryName('deletion', hostId(1), 'old-1', { taken: new Set() });

  it.each<[string, string, readonly GivenRule[], readonly string[]]>([
    [
      'is found under the name that it stands for',
      temporary,
      [{ when: startsWith('B'), rename: () => 'B' }],
      [`1: ${temporary} -> B`],
    ],
    [
      'is taken there when the rule named its old name',
      temporary,
      [{ when: startsWith('A'), rename: () => 'B' }],
      [`1: ${temporary} -> B`],
    ],
    [
      'goes elsewhere when the rules say so now',
      temporary,
      [{ rename: () => 'C' }],
      [`1: ${temporary} -> C`],
    ],
    ['stays when no rule renames anything', temporary, [{ when: () => false, group: berlin }], []],
    [
      'is deleted when it was on its way out',
      gone,
      [{ when: startsWith('old'), ensure: 'absent' }],
      ['delete 1'],
    ],
    ['keeps its marker when nobody wants it gone', gone, [{ when: startsWith('X'), rename: () => 'Y' }], []],
  ])('%s', (_case, name, rules, steps) => {
    expect(plan({ hosts: [{ id: 1, name }], rules }).steps.map(say)).toEqual(steps);
  });
});

describe('laws of rules', () => {
  const letters = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H');
  const fleets = fc.uniqueArray(letters, { minLength: 1, maxLength: 8 });

  it('an applicable plan converges: a second plan finds nothing', () => {
    fc.assert(
      fc.property(fleets, fc.array(letters, { minLength: 8, maxLength: 8 }), (names, intended) => {
        const hosts = names.map((name, index) => ({ id: index + 1, name }));
        const rules: readonly GivenRule[] = [
          { when: ({ name }) => name < 'E', group: berlin },
          { rename: ({ host }) => intended[Number(host.id) - 1] as string },
        ];
        const made = plan({ hosts, rules });
        if (!made.applicable) return;
        const after = predict(givenFleet(hosts, groups), made.steps);
        const again = makePlan({
          desired: givenDesired([], noLimits, givenRules(rules)),
          observed: after,
          account: { companyId: '1', service: 'emulator' },
          now: at,
        });
        expect(again.steps).toEqual([]);
      }),
    );
  });
});
