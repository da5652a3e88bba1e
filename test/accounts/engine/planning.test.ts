import { describe, expect, it } from 'vitest';
import { checkAccount } from '../../../src/accounts/engine/check-account.ts';
import { ownTurn } from '../../../src/accounts/engine/own-turn.ts';
import { checkCompany, createPlanner, type PlanOptions } from '../../../src/accounts/engine/planning.ts';
import { readLive } from '../../../src/accounts/engine/read-facts.ts';
import type { Rule } from '../../../src/core/model/desired.ts';
import type { ExpressionSubject } from '../../../src/core/model/expression.ts';
import { noFacts } from '../../../src/core/model/facts.ts';
import { failed, ok, problem, type Result, warning } from '../../../src/core/problem/problem.ts';
import { givenAccountConfig } from '../../given/account-config.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { at, type GivenHost, givenFleet, groupId, hostId } from '../../given/fleet.ts';
import { givenRules } from '../../given/rules.ts';

const account = { companyId: '1000', service: 'https://remote.example.com' };
const clock = { now: () => Date.parse(at), sleep: async () => {} } as never;
const runsOf = (...listed: readonly object[]) =>
  ({ clockSkewMs: async () => ok(0), listRuns: async () => ok(listed) }) as never;
const runs = runsOf();
const broken = {
  clockSkewMs: async () => ok(0),
  listRuns: async () => failed(problem('state', 'the disk is full')),
} as never;
/** What an earlier run did. */
const earlier = (parts: object = {}) => ({
  head: { account: { company_id: account.companyId, service: account.service }, fleet_size: 40 },
  deleted: 0,
  requests: [],
  ...parts,
});
const fleet = givenFleet([
  { id: 1, name: 'OLD' },
  { id: 2, name: 'B' },
]);
const desired = givenDesired([{ id: 1, name: 'NEW' }], noLimits);

describe('a file for another account', () => {
  it('is refused, and the error says which account the credentials are for', () => {
    const place = { file: 'fleet.yaml', line: 2, col: 1 };
    const forCompany = (value: string) => ({ ...desired, companyId: { value, place } });
    expect(checkCompany(desired, account).ok).toBe(true);
    expect(checkCompany(forCompany('1000'), account).ok).toBe(true);
    expect(checkCompany(forCompany('9'), account)).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'account-mismatch',
          message: 'the file is for account 9, and the credentials are for account 1000',
          hint: 'choose the correct --account, or correct the file',
          place,
        },
      ],
    });
    expect(checkCompany(forCompany('9'), { ...account, companyId: null })).toMatchObject({
      problems: [
        {
          message: 'the file is for account 9, and the credentials do not contain a company ID',
          hint: 'set RAMPART_COMPANY_ID in addition to the session credentials',
        },
      ],
    });
  });

  it('sends no request', async () => {
    let reads = 0;
    const reader = {
      read: async () => {
        reads += 1;
        return ok(fleet);
      },
    };
    const wrong = { ...desired, companyId: { value: '9', place: { file: 'fleet.yaml', line: 2, col: 1 } } };
    const live = await readLive({ account, reader } as never, wrong, needs, options);
    expect([live.ok, reads]).toEqual([false, 0]);
  });
});

const needs = { antivirus: false, customFields: false, hardware: [], system: [] } as never;
const options = { clock, inventory: { stateDir: '', shared: async () => ok(undefined) } } as never;

describe('reading the fleet of a plan', () => {
  it('asks for anti-virus only if it is needed, and leaves unreadable hosts to the plan', async () => {
    const asked: unknown[] = [];
    const reader = {
      read: async (what: unknown) => {
        asked.push(what);
        return ok(fleet, [
          warning('unreadable-host', 'one host'),
          warning('clock-skew' as never, 'the clock'),
        ]);
      },
    };
    for (const antivirus of [true, false]) {
      const live = await readLive(
        { account, reader } as never,
        desired,
        { ...(needs as object), antivirus } as never,
        options,
      );
      expect(live).toMatchObject({ ok: true, value: { account, observed: fleet } });
      expect(live.problems.map(({ message }) => message)).toEqual(['the clock']);
    }
    expect(asked).toEqual([{ antivirus: true }, { antivirus: false }]);
  });

  it("fails if the fleet can't be read", async () => {
    const reader = { read: async () => failed(problem('network', 'nobody answers')) };
    expect(await readLive({ account, reader } as never, desired, needs, options)).toMatchObject({
      ok: false,
      problems: [{ code: 'network' }],
    });
  });

  it('fails if the inventory that expressions need is missing', async () => {
    const reader = { read: async () => ok(fleet) };
    const hardware = { ...(needs as object), hardware: ['hardware.ram'] } as never;
    const inventory = { stateDir: '', shared: async () => failed(problem('state', 'the disk is full')) };
    const live = await readLive({ account, reader } as never, desired, hardware, { clock, inventory });
    expect(live).toMatchObject({ ok: false, problems: [{ code: 'state' }] });
  });
});

describe('the planner', () => {
  const inputsWith = async (flags: PlanOptions, parts: object = {}) => {
    const planner = await createPlanner({ desired, account, facts: noFacts, runs, clock, ...parts }, flags);
    if (!planner.ok) throw new Error('no planner');
    return planner.value.inputsOn(fleet);
  };

  it('uses only the options that were given', async () => {
    const inputs = await inputsWith({});
    expect(inputs.ok && inputs.value).toMatchObject({
      now: '2026-11-21T09:00:00.000Z',
      account,
      observed: fleet,
      acks: {},
      deleteFirst: false,
      skipBlocked: false,
      strict: false,
      allowEmptyFleet: false,
    });
    expect(inputs.ok && inputs.value.acks).toEqual({});
    expect(inputs.ok && inputs.value.facts).toBe(noFacts);
    expect(inputs.ok && inputs.value.desired).toBe(desired);
    for (const name of ['batchSize', 'pace', 'lastFleetSize', 'target', 'exclude'])
      expect(inputs.ok && inputs.value).not.toHaveProperty(name);
  });

  it('passes on every option', async () => {
    const flags: PlanOptions = {
      ack: { delete: 3 },
      deleteFirst: true,
      skipBlocked: true,
      strict: true,
      allowEmptyFleet: true,
      batchSize: 50,
      assumeRate: 20,
      assumeLatency: 150,
    };
    const target = new Set([hostId(1)]);
    const inputs = await inputsWith(flags, { choose: () => ok({ target }) });
    expect(inputs.ok && inputs.value).toMatchObject({
      acks: { delete: 3 },
      deleteFirst: true,
      skipBlocked: true,
      strict: true,
      allowEmptyFleet: true,
      batchSize: 50,
      // In seconds.
      pace: { rate: 20, latency: 0.15 },
      target,
    });
  });

  it('gets the account and its limits from the operator', async () => {
    const rename = { kind: 'count', count: 0 } as const;
    const operator = givenAccountConfig({ limits: { rename } });
    const inputs = await inputsWith({}, { operator });
    expect(inputs.ok && inputs.value.facts?.account).toBe(operator);
    expect(inputs.ok && inputs.value.desired.limits.rename).toBe(rename);
  });

  it('uses what earlier runs measured, left behind and requested', async () => {
    const pace = { rate: 8, latency: 0.5 };
    const requests = [{ host_id: '2', kind: 'antivirus', at: '2026-11-21T08:00:00Z', in_doubt: false }];
    const known = runsOf(earlier({ deleted: 3, pace, requests }));
    const inputs = await inputsWith({}, { runs: known });
    expect(inputs.ok && inputs.value).toMatchObject({ pace, lastFleetSize: 37 });
    expect(inputs.ok && inputs.value.installs?.requests.size).toBe(1);
    const assumed = await inputsWith({ assumeRate: 20 }, { runs: known });
    expect(assumed.ok && assumed.value.pace).toEqual({ rate: 20, latency: 0.5 });
    const past = await inputsWith({ antivirusWindow: 60_000, antivirusSettle: 7_000 }, { runs: known });
    expect(past.ok && past.value.installs).toMatchObject({ windowMs: 60_000, settleMs: 7_000 });
    expect(past.ok && past.value.installs?.requests.size).toBe(0);
  });

  it("fails if the hosts can't be chosen", async () => {
    const choose = () => failed(problem('usage', 'no such host'));
    const refused = { ok: false, problems: [{ message: 'no such host' }] };
    expect(await inputsWith({}, { choose })).toMatchObject(refused);
    const planner = await createPlanner({ desired, account, facts: noFacts, runs, clock, choose });
    expect(planner.ok && planner.value.planOn(fleet)).toMatchObject(refused);
  });

  it("plans, and fails if earlier runs can't be read", async () => {
    const planner = await createPlanner({ desired, account, facts: noFacts, runs, clock });
    if (!planner.ok) throw new Error('no planner');
    const plan = planner.value.planOn(fleet);
    expect(plan.ok && plan.value.steps).toMatchObject([{ kind: 'rename', to: 'NEW' }]);
    expect(await createPlanner({ desired, account, facts: noFacts, runs: broken, clock })).toMatchObject({
      ok: false,
      problems: [{ code: 'state' }],
    });
  });
});

describe('the check of an account without a server', () => {
  const operator = { limits: {}, windows: [], labels: {}, name: 'berlin' };
  const entries = [
    { id: 1, name: 'ONE' },
    { id: 2, name: 'TWO' },
    { id: 3, name: 'THREE' },
  ];
  const check = async (
    live: readonly GivenHost[],
    last: readonly GivenHost[] | null,
    given = givenDesired(entries, noLimits),
    known = runs,
  ) => {
    let baselines = 0;
    const readFleet = async () => {
      baselines += 1;
      return ok(last === null ? null : { observed: givenFleet(last) });
    };
    const result = await tried(live, given, { runs: known, readFleet });
    if (!result.ok) throw new Error(result.problems[0]?.message);
    return { ...result.value, baselines };
  };
  const tried = (
    live: readonly GivenHost[],
    given = givenDesired(entries, noLimits),
    {
      runs: known = runs,
      readFleet = async () => ok(null) as Result<unknown>,
      read = async () => ok(givenFleet(live)) as Result<unknown>,
    } = {},
    by: object = operator,
  ) => {
    const connection = { account, runs: known, reader: { read } };
    const state = { inventories: { read: async () => ok(null) }, readFleet };
    return checkAccount(connection as never, given, by as never, { clock, state } as never);
  };
  const named = (one: string, two: string, three: string): readonly GivenHost[] => [
    { id: 1, name: one },
    { id: 2, name: two },
    { id: 3, name: three },
  ];

  it('reports for each difference whether the fleet, the file or both changed, and since when', async () => {
    const { drift } = await check(named('BY HAND', 'TWO OLD', 'BOTH'), named('ONE', 'TWO OLD', 'THREE OLD'));
    expect(
      drift.map(({ hostId: id, changed, desired: want, last, live, cause }) => [
        id,
        changed,
        want,
        last,
        live,
        cause.kind,
        cause.title,
      ]),
    ).toEqual([
      ['1', 'fleet', 'ONE', 'ONE', 'BY HAND', 'fleet', 'renamed by hand, set by entries'],
      ['2', 'file', 'TWO', 'TWO OLD', 'TWO OLD', 'file', 'entries of fleet.yaml that rename hosts'],
      ['3', 'both', 'THREE', 'THREE OLD', 'BOTH', 'fleet', 'renamed by hand, set by entries'],
    ]);
    // What people do by hand has one cause, and the file another.
    expect(drift[0]?.cause.id).toBe(drift[2]?.cause.id);
    expect(drift[1]?.cause.id).not.toBe(drift[0]?.cause.id);
    for (const { cause } of drift) expect(cause.id).toMatch(/^[0-9a-f]{16}$/);
    expect(drift[0]?.cause).not.toHaveProperty('file');
  });

  it('has one cause for entries of several accounts only if they request the same', async () => {
    const live = [
      { id: 1, name: 'ONE OLD' },
      { id: 2, name: 'TWO', antivirus: 'missing' as const },
      { id: 3, name: 'THREE' },
    ];
    const wanted = givenDesired(
      [
        { id: 1, name: 'ONE' },
        { id: 2, antivirus: true },
        { id: 3, ensure: 'absent' },
      ],
      noLimits,
    );
    const causesIn = async (file: string, source?: string) => {
      const placeOf: typeof wanted.placeOf = (index) => ({ ...wanted.placeOf(index), file });
      const desired = { ...wanted, files: [file], placeOf, positionOf: placeOf };
      const result = await tried(live, desired, {}, { ...operator, source });
      if (!result.ok) throw new Error(result.problems[0]?.message);
      return new Map(result.value.drift.map(({ attribute, cause }) => [attribute, cause]));
    };
    const [one, other, same, elsewhere] = await Promise.all([
      causesIn('one.yaml'),
      causesIn('other.yaml'),
      causesIn('one.yaml'),
      causesIn('one.yaml', 'another repository'),
    ]);
    expect(one.get('name')?.title).toBe('entries of one.yaml that rename hosts');
    for (const attribute of ['name', 'presence'] as const) {
      const id = one.get(attribute)?.id;
      expect(same.get(attribute)?.id).toBe(id);
      expect(other.get(attribute)?.id).not.toBe(id);
      expect(elsewhere.get(attribute)?.id).not.toBe(id);
    }
    // All of these accounts get the anti-virus, whichever file requests it.
    for (const each of [other, same, elsewhere]) expect(each.get('antivirus')).toEqual(one.get('antivirus'));
  });

  it('has one cause for rules with one text, wherever they stand, and for changes by hand', async () => {
    const causeOf = async (
      live: readonly GivenHost[],
      wanted: ReturnType<typeof givenDesired>,
      source: string,
    ) => {
      const readFleet = async () => ok({ observed: givenFleet([{ id: 1, name: 'ONE' }]) });
      const result = await tried(live, wanted, { readFleet }, { ...operator, source });
      return result.ok ? result.value.drift[0]?.cause : undefined;
    };
    type Ruled = Partial<Parameters<typeof givenRules>[0][number]>;
    const ruled = (rule: Ruled, change: (rule: Rule) => Rule = (each) => each) =>
      givenDesired([], noLimits, givenRules([{ name: 'names', rename: () => 'NEW', ...rule }]).map(change));
    const unchanged = [{ id: 1, name: 'ONE' }];
    const rule = await causeOf(unchanged, ruled({}), 'one');
    expect(rule).toMatchObject({ kind: 'file', title: 'rule "names"' });
    expect(await causeOf(unchanged, ruled({}), 'one')).toEqual(rule);
    expect((await causeOf(unchanged, ruled({}), 'other'))?.id).toBe(rule?.id);
    const others = [
      ruled({ name: 'others' }),
      ruled({ antivirus: true }),
      ruled({}, (each) => ({ ...each, when: { ...each.when, source: 'true' } })),
      ruled({}, (each) => ({ ...each, rename: each.rename && { ...each.rename, source: '"NEW"' } }) as Rule),
    ];
    for (const each of others) expect((await causeOf(unchanged, each, 'one'))?.id).not.toBe(rule?.id);
    const installs = givenDesired(
      [],
      noLimits,
      givenRules([{ name: 'cover', when: () => true, antivirus: true }]),
    );
    const uncovered = [{ id: 1, name: 'ONE', antivirus: 'missing' as const }];
    const cover = await causeOf(uncovered, installs, 'one');
    expect(cover).toMatchObject({ title: 'anti-virus removed, set by rule "cover"' });
    expect((await causeOf(uncovered, installs, 'other'))?.id).toBe(cover?.id);
    const byHand = [{ id: 1, name: 'BY HAND' }];
    const wanted = givenDesired([{ id: 1, name: 'ONE' }], noLimits);
    const hand = await causeOf(byHand, wanted, 'one');
    expect(hand).toMatchObject({ kind: 'fleet' });
    expect(await causeOf(byHand, wanted, 'other')).toEqual(hand);
  });

  it('names the groups of moves that entries request, unless they are too many to read', async () => {
    const titlesFor = async (groups: readonly (string | null)[]) => {
      const live = groups.map((group, at) => ({
        id: at + 1,
        name: `H-${at}`,
        group: group === null ? '1' : '999',
      }));
      const wanted = givenDesired(
        groups.map((group, at) => ({ id: at + 1, group: group === null ? null : { id: group } })),
        noLimits,
      );
      const names = Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [String(at + 1), `G-${at + 1}`]),
      );
      const read = async () => ok(givenFleet(live, { ...names, 999: 'Old' }));
      const result = await tried([], wanted, { read });
      if (!result.ok) throw new Error(result.problems[0]?.message);
      return new Set(result.value.drift.map(({ cause }) => cause.title));
    };
    const many = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));
    expect(await titlesFor(['1', null])).toEqual(
      new Set(['entries that move hosts to "G-1"', 'entries that remove hosts from their groups']),
    );
    expect((await titlesFor(many(20))).size).toBe(20);
    expect(await titlesFor(many(21))).toEqual(new Set(['entries that move hosts']));
  });

  it('counts everything as new in the file before the first run', async () => {
    const { drift } = await check(named('A', 'TWO', 'THREE'), null);
    expect(drift).toMatchObject([{ hostId: '1', changed: 'file', last: null, live: 'A', desired: 'ONE' }]);
  });

  it('after the first run, counts a host that no run left as new in the fleet', async () => {
    const { drift } = await check(named('A', 'TWO', 'THREE'), named('ONE', 'TWO', 'THREE').slice(1));
    expect(drift).toMatchObject([{ hostId: '1', changed: 'fleet', last: null }]);
  });

  it('finds nothing in a fleet that is as desired, without reading the last run', async () => {
    const { drift, plan, baselines } = await check(named('ONE', 'TWO', 'THREE'), null);
    expect([drift, plan.steps, baselines]).toEqual([[], [], 0]);
  });

  it('names the rule that asks for each kind of change, and its line', async () => {
    const hosts: readonly GivenHost[] = [
      { id: 1, name: 'A', antivirus: 'installed' },
      { id: 2, name: 'B', antivirus: 'missing' },
      { id: 3, name: 'C', antivirus: 'installed' },
      { id: 4, name: 'D', antivirus: 'installed' },
    ];
    const only = (id: number) => (subject: ExpressionSubject) => subject.id === hostId(id);
    const rules = givenRules([
      { name: 'names', when: only(1), rename: () => 'NEW' },
      { name: 'cover', when: only(2), antivirus: true },
      { name: 'retired', when: only(3), ensure: 'absent' },
      { name: 'places', when: only(4), group: { kind: 'id', id: groupId(17) } },
    ]);
    const given = givenDesired([], noLimits, rules);
    const live = givenFleet(hosts, { 17: 'Berlin' });
    const connection = { account, runs, reader: { read: async () => ok(live) } };
    const state = { inventories: { read: async () => ok(null) }, readFleet: async () => ok(null) };
    const result = await checkAccount(
      connection as never,
      given,
      operator as never,
      { clock, state } as never,
    );
    if (!result.ok) throw new Error(result.problems[0]?.message);
    const causes = result.value.drift.map(({ hostId: id, attribute, cause }) => [
      id,
      attribute,
      cause.rule,
      cause.title,
    ]);
    expect(causes).toEqual(
      expect.arrayContaining([
        ['1', 'name', 'names', 'rule "names"'],
        ['2', 'antivirus', 'cover', 'rule "cover"'],
        ['3', 'presence', 'retired', 'rule "retired"'],
        ['4', 'group', 'places', 'rule "places"'],
      ]),
    );
    const ids = result.value.drift.map(({ cause }) => cause.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(result.value.drift[0]?.cause).toMatchObject({ kind: 'file', file: 'fleet.yaml', line: 1000 });
  });

  it('names the rule and its file for a host that someone changed by hand', async () => {
    const named = { name: 'names', when: () => true, rename: () => 'NEW' };
    const given = givenDesired([], noLimits, givenRules([named]));
    const cause = async (live: string, last: string) =>
      (await check([{ id: 1, name: live }], [{ id: 1, name: last }], given)).drift[0]?.cause;
    const byHand = await cause('OLD', 'NEW');
    expect(byHand).toMatchObject({
      kind: 'fleet',
      title: 'renamed by hand, set by rule "names"',
      rule: 'names',
      file: 'fleet.yaml',
      line: 1000,
    });
    expect((await cause('OLD', 'OLD'))?.id).not.toBe(byHand?.id);
  });

  it('counts neither what someone accepted nor an install in progress as drift', async () => {
    const place = { file: 'fleet.yaml', line: 9, col: 1 };
    const given = givenDesired(
      [
        { id: 1, name: 'ONE' },
        { id: 2, name: 'TWO' },
        { id: 3, antivirus: true },
        { id: 4, antivirus: true },
      ],
      noLimits,
    );
    const live: readonly GivenHost[] = [
      { id: 1, name: 'BY HAND', antivirus: 'installed' },
      { id: 2, name: 'ALSO', antivirus: 'installed' },
      { id: 3, name: 'C', antivirus: 'missing' },
      { id: 4, name: 'D', antivirus: 'missing' },
    ];
    const at = '2026-11-21T08:00:00Z';
    const requests = [{ host_id: '3', kind: 'antivirus', at, in_doubt: false }];
    const knownDrift = [{ host: { id: hostId(1) }, attributes: ['name'], reason: 'agreed', place }] as const;
    const { drift } = await check(live, live, { ...given, knownDrift }, runsOf(earlier({ requests })));
    expect(drift.map(({ hostId: id }) => id)).toEqual(['2', '4']);
  });

  it('reports a host as deleted by hand only if a run had left it', async () => {
    const { drift } = await check(named('ONE', 'TWO', 'THREE').slice(1), named('ONE', 'TWO', 'THREE'));
    expect(drift).toMatchObject([
      { hostId: '1', attribute: 'presence', cause: { title: 'deleted by hand, set by entries' } },
    ]);
    expect((await check(named('ONE', 'TWO', 'THREE').slice(1), null)).drift).toEqual([]);
  });

  it("fails if the state or the result of earlier runs can't be read", async () => {
    const lost = { ok: false, problems: [{ code: 'state' }] };
    const live = named('A', 'TWO', 'THREE');
    expect(await tried(live, undefined, { runs: broken })).toMatchObject(lost);
    const readFleet = async () => failed(problem('state', 'the disk is full'));
    expect(await tried(live, undefined, { readFleet })).toMatchObject(lost);
    const read = async () => failed(problem('state', 'nobody answers'));
    expect(await tried(live, undefined, { read })).toMatchObject(lost);
  });

  it('plans in a turn of its own', async () => {
    let turns = 0;
    const before = Array.from({ length: 50 }, () => ownTurn().then(() => (turns += 1)));
    await check(named('ONE', 'TWO', 'THREE'), null);
    expect(turns).toBe(50);
    await Promise.all(before);
  });

  it('recognizes a temporary name that a run left', async () => {
    const { drift } = await check(named('ONE ~rampart~3f9a1c', 'TWO', 'THREE'), named('ONE', 'TWO', 'THREE'));
    expect(drift[0]?.cause.title).toBe('temporary name left by a run, set by entries');
  });

  it('recognizes a move, a removed anti-virus and a new host by what happened', async () => {
    const given = givenDesired(
      [
        { id: 1, group: null },
        { id: 2, antivirus: true },
        { id: 3, ensure: 'absent' },
      ],
      noLimits,
    );
    const live: readonly GivenHost[] = [
      { id: 1, name: 'A', group: 17, antivirus: 'installed' },
      { id: 2, name: 'B', antivirus: 'missing' },
      { id: 3, name: 'C', antivirus: 'installed' },
    ];
    const last: readonly GivenHost[] = [
      { id: 1, name: 'A', antivirus: 'installed' },
      { id: 2, name: 'B', antivirus: 'installed' },
    ];
    const { drift } = await check(live, last, given);
    expect(drift.map(({ attribute, cause }) => [attribute, cause.title])).toEqual(
      expect.arrayContaining([
        ['group', 'moved by hand, set by entries'],
        ['antivirus', 'anti-virus removed, set by entries'],
        ['presence', 'new in the fleet, set by entries'],
      ]),
    );
  });
});
