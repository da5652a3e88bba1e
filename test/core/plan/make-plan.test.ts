import { describe, expect, it } from 'vitest';
import {
  type InstallRecall,
  type InstallRequest,
  nothingRecalled,
} from '../../../src/core/model/install-request.ts';
import type { Observed } from '../../../src/core/model/observed.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { type PlanInputs } from '../../../src/core/plan/types/plan-inputs.ts';
import type { Step } from '../../../src/core/plan/types/step.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { at, type GivenHost, givenFleet, hostId, named } from '../../given/fleet.ts';

const account = { companyId: '1', service: 'emulator' };
const groups = { 10: 'Berlin', 11: 'Munich', 12: 'Twins', 13: 'Twins' };

function plan(
  hosts: readonly GivenHost[],
  entries: readonly GivenEntry[],
  options: Partial<PlanInputs> = {},
): Plan {
  return planOn(givenFleet(hosts, groups), entries, options);
}

function planOn(observed: Observed, entries: readonly GivenEntry[], options: Partial<PlanInputs> = {}): Plan {
  return makePlan({ desired: givenDesired(entries, noLimits), observed, account, now: at, ...options });
}

/** One request on host 1, as the journal recalls it. */
function recalled(request: Partial<InstallRequest>): InstallRecall {
  return {
    ...nothingRecalled,
    requests: new Map([[hostId(1), { state: 'in-doubt', requestedAt: at, ...request }]]),
  };
}

/** A step in one line, in a reader's words. */
function say(step: Step): string {
  switch (step.kind) {
    case 'rename':
      return `${step.hostId}: ${step.from} -> ${step.to}`;
    case 'temporary-rename':
      return `${step.hostId}: ${step.from} aside (${step.why})`;
    case 'move':
      return `move ${step.hosts.map((each) => each.hostId).join('+')} to ${step.groupName}`;
    default:
      return `${step.kind} ${step.hosts.map((each) => each.hostId).join('+')}`;
  }
}

const steps = (made: Plan) => made.steps.map(say);
const codes = (made: Plan) => made.problems.map((each) => each.code);
const errors = (made: Plan) =>
  made.problems.filter((each) => each.severity === 'error').map((each) => each.code);

describe('matching', () => {
  const a = { id: 1, name: 'A' };
  const cases: readonly [
    string,
    readonly GivenHost[],
    readonly GivenEntry[],
    readonly string[],
    readonly string[],
  ][] = [
    ['an id means that host whatever it is called', [a], [{ id: 1, name: 'B' }], ['1: A -> B'], []],
    ['a name means the one host called so', [a], [{ name: 'A', group: 'Berlin' }], ['move 1 to Berlin'], []],
    [
      'a previous name is found when the name is not',
      [a],
      [{ name: 'B', previously: ['A'] }],
      ['1: A -> B'],
      [],
    ],
    [
      'the name wins over a previous name that is alive',
      [a, { id: 2, name: 'B' }],
      [{ name: 'B', previously: ['A'] }],
      [],
      ['previous-name-alive'],
    ],
    ['no host: awaiting enrollment', [a], [{ name: 'Z' }], [], ['awaiting-enrollment']],
    ['an id that is not listed is said', [a], [{ id: 9, name: 'Z' }], [], ['missing-host']],
    [
      'absent and not found is satisfied',
      [a],
      [
        { name: 'Z', ensure: 'absent' },
        { id: 9, ensure: 'absent' },
      ],
      [],
      [],
    ],
    ['absent by name', [a, { id: 2, name: 'B' }], [{ name: 'A', ensure: 'absent' }], ['delete 1'], []],
    [
      'two hosts of one name are ambiguous',
      [a, { id: 2, name: 'A' }],
      [{ name: 'A' }],
      [],
      ['ambiguous-host'],
    ],
    [
      'one host meant twice is a problem and nothing is done to it',
      [a],
      [
        { id: 1, name: 'B' },
        { name: 'A', group: 'Berlin' },
      ],
      [],
      ['host-claimed-twice'],
    ],
    ['equality is exact, letter case included', [a], [{ name: 'a' }], [], ['awaiting-enrollment']],
    ['a null name matches no name', [{ id: 1, name: null }], [{ name: '' }], [], ['awaiting-enrollment']],
  ];
  it.each(cases)('%s', (_, hosts, entries, expectedSteps, expectedCodes) => {
    const made = plan(hosts, entries);
    expect(steps(made)).toEqual(expectedSteps);
    expect(codes(made)).toEqual(expectedCodes);
  });

  it('with strict, an entry without a host is an error', () => {
    expect(errors(plan([], [{ name: 'Z' }, { id: 5 }], { strict: true }))).toEqual([
      'awaiting-enrollment',
      'missing-host',
    ]);
  });
});

describe('the changes of a host', () => {
  const one = (host: Partial<GivenHost>, entry: GivenEntry, options?: Partial<PlanInputs>) =>
    plan(
      [
        { id: 1, name: 'A', ...host },
        ...Array.from({ length: 9 }, (_, i) => ({ id: 100 + i, name: `x${i}` })),
      ],
      [{ id: 1, ...entry }],
      options,
    );

  it('an omitted attribute is not managed', () => expect(one({ group: 10 }, {}).steps).toEqual([]));
  it('null means no group', () =>
    expect(steps(one({ group: 10 }, { group: null }))).toEqual(['move 1 to null']));
  it('a group by id', () => expect(steps(one({}, { group: { id: 13 } }))).toEqual(['move 1 to Twins']));
  it('an unknown group is reported with similar names', () => {
    const made = one({}, { group: 'Berlni' });
    expect(made.applicable).toBe(false);
    expect(made.problems[0]).toMatchObject({ code: 'unknown-group', hint: 'did you mean "Berlin"?' });
  });
  it('a group name that two groups have is ambiguous', () => {
    expect(one({}, { group: 'Twins' }).problems[0]).toMatchObject({
      code: 'ambiguous-group',
      hint: 'specify the group by id: { id: 12 } or { id: 13 }',
    });
  });
  it('anti-virus if it is missing', () =>
    expect(steps(one({ antivirus: 'missing' }, { antivirus: true }))).toEqual(['antivirus 1']));
  it('no anti-virus if it is installed', () =>
    expect(one({ antivirus: 'installed' }, { antivirus: true }).steps).toEqual([]));
  it('no anti-virus if it is unsupported', () => {
    expect(codes(one({ antivirus: 'unsupported' }, { antivirus: true }))).toEqual(['antivirus-unsupported']);
  });
  it('never requests anti-virus again while an install is in progress', () => {
    const made = one(
      { antivirus: 'missing' },
      { antivirus: true },
      { installs: recalled({ state: 'accepted' }) },
    );
    expect([steps(made), codes(made)]).toEqual([[], ['antivirus-in-progress']]);
    expect(made.summary).toMatchObject({ unchanged: 0, installsInProgress: 1, installsInDoubt: 0 });
  });
  const hour = 3600 * 1000;
  const ago = (ms: number) => new Date(Date.parse(at) - ms).toISOString();
  const wanting = (host: Partial<GivenHost>, request: Partial<InstallRequest>) =>
    one({ antivirus: 'missing', ...host }, { antivirus: true }, { installs: recalled(request) });

  it('an install in doubt is settled by a refresh if the host is online', () => {
    const made = wanting({ online: true }, {});
    expect([steps(made), codes(made)]).toEqual([['refresh 1'], ['antivirus-in-doubt']]);
    expect(made.calls).toMatchObject({ planned: 1, minimum: 1, byAction: { refresh: 1, antivirus: 0 } });
    expect(made.summary).toMatchObject({ unchanged: 0, refresh: 1, antivirus: 0, installsInDoubt: 1 });
    expect(made.pendingInstalls).toMatchObject([{ hostId: '1', state: 'in-doubt', requestedAt: at }]);
  });
  it('a freeze blocks no plan that only refreshes the status of hosts', () => {
    const freeze = { name: 'year end', place: { file: 'fleet.yaml', line: 1, col: 1 } };
    const desired = givenDesired([{ id: 1, antivirus: true }], noLimits);
    const frozen = { ...desired, policy: { ...desired.policy, freezes: [freeze] } };
    const doubtful = [{ id: 1, name: 'A', antivirus: 'missing', online: true }] as const;
    const made = plan(doubtful, [], { desired: frozen, installs: recalled({}) });
    expect([steps(made), errors(made)]).toEqual([['refresh 1'], []]);
    expect(errors(plan(doubtful, [], { desired: frozen }))).toEqual(['frozen']);
  });
  it('an install in doubt on an offline host waits, and is counted', () => {
    const made = wanting({ online: false }, {});
    expect([steps(made), codes(made)]).toEqual([[], ['antivirus-in-doubt']]);
    expect(made.summary).toMatchObject({ unchanged: 0, refresh: 0, installsInDoubt: 1 });
  });
  it('a host that was refreshed is not refreshed again, and gets time to report', () => {
    const made = wanting({ online: true }, { requestedAt: ago(3 * hour), refreshedAt: ago(2 * hour - 1) });
    expect([steps(made), codes(made)]).toEqual([[], ['antivirus-in-doubt']]);
  });
  it('a host that still reports no anti-virus after that time gets another request', () => {
    const made = wanting({ online: true }, { requestedAt: ago(3 * hour), refreshedAt: ago(2 * hour) });
    expect([steps(made), codes(made)]).toEqual([['antivirus 1'], ['antivirus-requested-again']]);
    expect(made.summary).toMatchObject({ antivirus: 1, installsInDoubt: 0 });
  });
  it('an accepted install is never requested again because of a refresh', () => {
    const made = wanting(
      { online: true },
      { state: 'accepted', requestedAt: ago(9 * hour), refreshedAt: ago(8 * hour) },
    );
    expect([steps(made), codes(made)]).toEqual([[], ['antivirus-in-progress']]);
  });
  it('a read that shows the install settles the doubt', () => {
    const made = wanting({ online: true, antivirus: 'installed' }, {});
    expect([steps(made), codes(made), made.pendingInstalls]).toEqual([[], [], []]);
    expect(made.summary).toMatchObject({ unchanged: 1, installsInDoubt: 0 });
  });
  it('an install stays in doubt even if the list no longer has the host or its support', () => {
    expect(codes(wanting({ antivirus: 'unsupported' }, { refreshedAt: ago(9 * hour) }))).toEqual([
      'antivirus-in-doubt',
    ]);
  });
  it('a deletion waits for its time', () => {
    const made = one({}, { ensure: 'absent', deleteAfter: '2027-01-01T00:00:00Z' });
    expect([steps(made), codes(made)]).toEqual([[], ['deletion-not-due']]);
  });
  it('a deletion whose time has come is planned', () => {
    expect(steps(one({}, { ensure: 'absent', deleteAfter: '2026-11-21T10:00:00+01:00' }))).toEqual([
      'delete 1',
    ]);
  });
  it('everything at once, deletions last', () => {
    const made = plan(
      [
        { id: 1, name: 'A', antivirus: 'missing' },
        { id: 2, name: 'B' },
      ],
      [
        { id: 1, name: 'C', group: 'Berlin', antivirus: true },
        { id: 2, ensure: 'absent' },
      ],
    );
    expect(steps(made)).toEqual(['1: A -> C', 'move 1 to Berlin', 'antivirus 1', 'delete 2']);
    expect(made.summary).toEqual({
      rename: 1,
      temporaryRename: 0,
      move: 1,
      antivirus: 1,
      refresh: 0,
      delete: 1,
      installsInProgress: 0,
      installsInDoubt: 0,
      unchanged: 0,
      awaitingEnrollment: 0,
      unmanaged: 0,
    });
  });
});

describe('the order of renames', () => {
  const hosts = named('A', 'B', 'C');
  const cases: readonly [string, readonly GivenHost[], readonly GivenEntry[], readonly string[]][] = [
    ['a chain goes from its free end', hosts, named('B', 'C', 'D'), ['3: C -> D', '2: B -> C', '1: A -> B']],
    [
      'a swap gives one host a temporary name',
      hosts,
      named('B', 'A'),
      ['1: A aside (cycle)', '2: B -> A', '1: B ~ -> B'],
    ],
    [
      'a cycle of three gives one host a temporary name',
      hosts,
      named('B', 'C', 'A'),
      ['1: A aside (cycle)', '3: C -> A', '2: B -> C', '1: B ~ -> B'],
    ],
    [
      'a holder that is its deletion gets a temporary name, because deletions come last',
      hosts,
      [
        { id: 1, name: 'B' },
        { id: 2, ensure: 'absent' },
      ],
      ['2: B aside (deletion)', '1: A -> B', 'delete 2'],
    ],
    ['a case-only rename is tried directly', hosts, [{ id: 1, name: 'a' }], ['1: A -> a']],
    [
      'a case-only rename waits for other holders of the folded name',
      named('A', 'a'),
      named('a', 'b'),
      ['2: a -> b', '1: A -> a'],
    ],
    [
      'a step waits for all holders of the name',
      named('X', 'X', 'Y'),
      named('P', 'Q', 'X'),
      ['1: X -> P', '2: X -> Q', '3: Y -> X'],
    ],
    ['a host without a name gets one', [{ id: 1, name: null }], [{ id: 1, name: 'A' }], ['1: null -> A']],
  ];
  it.each(cases)('%s', (_, fleet, entries, expected) => {
    const made = plan(fleet, entries);
    expect(steps(made).map((line) => line.replace(/ ~rampart~\w+/, ' ~'))).toEqual(expected);
    expect(made.calls.planned).toBe(made.calls.minimum);
    expect(errors(made)).toEqual([]);
  });

  it('deleting first avoids the temporary rename', () => {
    const made = plan(
      hosts,
      [
        { id: 1, name: 'B' },
        { id: 2, ensure: 'absent' },
      ],
      { deleteFirst: true },
    );
    expect(steps(made)).toEqual(['delete 2', '1: A -> B']);
    expect(made.steps[1]?.after).toEqual(['s1']);
    expect(made.calls).toMatchObject({ planned: 2, minimum: 2 });
  });

  it('a name conflict blocks the plan, and names the host', () => {
    const made = plan(hosts, [
      { id: 1, name: 'B' },
      { id: 3, name: 'Z' },
    ]);
    expect(made.problems).toMatchObject([{ code: 'name-conflict', severity: 'error', hostIds: ['1', '2'] }]);
    expect(made.applicable).toBe(false);
  });
  it('with skip-blocked everything except the component of the name conflict continues', () => {
    const made = plan(
      hosts,
      [
        { id: 1, name: 'B' },
        { id: 3, name: 'Z' },
      ],
      { skipBlocked: true },
    );
    expect([steps(made), made.applicable, codes(made)]).toEqual([
      ['3: C -> Z'],
      true,
      ['name-conflict', 'blocked'],
    ]);
  });
  it('a host whose name differs only in letter case is a name conflict', () => {
    expect(errors(plan(hosts, [{ id: 1, name: 'b' }]))).toEqual(['name-conflict']);
  });
  it('a deletion that is not due leaves a name conflict', () => {
    const made = plan(hosts, [
      { id: 1, name: 'B' },
      { id: 2, ensure: 'absent', deleteAfter: '2030-01-01T00:00:00Z' },
    ]);
    expect(errors(made)).toEqual(['name-conflict']);
  });
  it('two entries that claim one name are refused', () => {
    expect(errors(plan(hosts, named('Z', 'z')))).toContain('duplicate-name');
  });
  it('two pinned hosts that already share a name are a warning', () => {
    const made = plan(named('A', 'A'), named('A', 'A'));
    expect([steps(made), codes(made), made.applicable]).toEqual([[], ['live-duplicate'], true]);
  });
});

describe('hosts with a temporary name', () => {
  const swap = named('B', 'A');
  const temporaryNameOf = (made: Plan) =>
    made.steps.flatMap((step) => (step.kind === 'temporary-rename' ? [step.to] : []))[0] as string;
  const temporary = temporaryNameOf(plan(named('A', 'B'), swap));

  it('show their final name', () => expect(temporary).toMatch(/^B ~rampart~[0-9a-f]{6}$/));
  it('are finished by a later run that knows the id', () => {
    expect(
      steps(
        plan(
          [
            { id: 1, name: temporary },
            { id: 2, name: 'A' },
          ],
          swap,
        ),
      ),
    ).toEqual([`1: ${temporary} -> B`]);
  });
  it('are found by name alone', () => {
    expect(
      steps(
        plan(
          [
            { id: 1, name: temporary },
            { id: 2, name: 'A' },
          ],
          [{ name: 'B' }],
        ),
      ),
    ).toEqual([`1: ${temporary} -> B`]);
  });
  it("are not recognized by another host's hash", () => {
    expect(codes(plan([{ id: 7, name: temporary }], [{ name: 'B' }]))).toEqual([
      'awaiting-enrollment',
      'lookalike-name',
    ]);
  });
  it('are listed if no entry claims them', () => {
    const made = plan([{ id: 1, name: temporary }], []);
    expect(made.problems).toMatchObject([
      { code: 'temporary-name-left', severity: 'warning', hostIds: ['1'] },
    ]);
  });
  const deletedUnderTemporaryName = temporaryNameOf(
    plan(named('A', 'B'), [
      { id: 1, name: 'B' },
      { name: 'B', ensure: 'absent' },
    ]),
  );
  it('for deletion are recognized by an absent entry', () => {
    expect(
      steps(plan([{ id: 2, name: deletedUnderTemporaryName }], [{ name: 'B', ensure: 'absent' }])),
    ).toEqual(['delete 2']);
  });
  it('for deletion match no other entry', () => {
    expect(steps(plan([{ id: 2, name: deletedUnderTemporaryName }], [{ name: 'B' }]))).toEqual([]);
  });
  it('avoid every live name', () => {
    const made = plan(
      [
        { id: 1, name: 'A' },
        { id: 2, name: 'B' },
        { id: 3, name: temporary },
      ],
      swap,
    );
    expect(temporaryNameOf(made)).not.toBe(temporary);
    expect(temporaryNameOf(made).startsWith(temporary)).toBe(true);
  });
});

describe('batches', () => {
  it('are cut at the batch size, by group', () => {
    const hosts = Array.from({ length: 5 }, (_, index) => ({ id: index + 1, name: `H${index}` }));
    const made = plan(
      hosts,
      hosts.map(({ id }) => ({ id, group: id < 4 ? 'Berlin' : 'Munich' })),
      { batchSize: 2 },
    );
    expect(steps(made)).toEqual(['move 1+2 to Berlin', 'move 3 to Berlin', 'move 4+5 to Munich']);
    expect(made.calls).toMatchObject({ planned: 3, minimum: 3 });
  });
});

describe('limits and approvals', () => {
  const hosts = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, name: `H${index}` }));
  const toDelete = (count: number) =>
    hosts.slice(0, count).map(({ id }) => ({ id, ensure: 'absent' as const }));
  const limited = (count: number, options: Partial<PlanInputs> = {}) =>
    makePlan({
      desired: givenDesired(toDelete(count)),
      observed: givenFleet(hosts),
      account,
      now: at,
      ...options,
    });

  it('deletions are refused if the list is much shorter than after the last run', () => {
    expect(limited(1, { lastFleetSize: 24 }).applicable).toBe(true);
    const made = limited(1, { lastFleetSize: 40 });
    expect(made.problems.at(-1)?.message).toBe(
      'the list is 50 % shorter than after the last run, and deletions are planned',
    );
    expect(limited(0, { lastFleetSize: 40 }).applicable).toBe(true);
  });
  it('deletions are refused if too many pinned hosts are missing', () => {
    const pinned = Array.from({ length: 8 }, (_, index) => ({ id: 500 + index }));
    const made = makePlan({
      desired: givenDesired([...pinned, { id: 19 }, { id: 20 }, { id: 1, ensure: 'absent' }]),
      observed: givenFleet(hosts),
      account,
      now: at,
    });
    expect(made.problems.at(-1)?.message).toBe(
      '80 % of the hosts that the desired state pins by id are not in the list, so the list may be incomplete',
    );
  });
});
