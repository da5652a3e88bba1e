import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Desired, Rule } from '../../../../src/core/model/desired.ts';
import { hostsOf } from '../../../../src/core/model/observed.ts';
import { temporaryName } from '../../../../src/core/model/temporary-name.ts';
import { explain } from '../../../../src/core/plan/explain.ts';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import { failed, ok, problem, type Result } from '../../../../src/core/problem/problem.ts';
import type { AccountRecord } from '../../../../src/server/accounts/records/account-record.ts';
import type { HostWithFacts } from '../../../../src/server/hosts/records/hosts.ts';
import { createThreadedExplainer } from '../../../../src/server/hosts/rules/explain-over-thread.ts';
import { createHostExplainer } from '../../../../src/server/hosts/rules/explain-stored-host.ts';
import { systemClock } from '../../../../src/service/client/system-clock.ts';
import { condition, template } from '../../../core/expression/given-subject.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../../given/desired.ts';
import { at, type GivenHost, givenFleet, hostId } from '../../../given/fleet.ts';

const groups = { 10: 'Berlin', 11: 'Munich' };
const berlin = { kind: 'named', name: 'Berlin' } as const;
const account = { name: 'berlin', commit: 'c1', companyId: '1', service: 'emulator' } as AccountRecord;
const config = { name: 'berlin', labels: { region: 'eu' } };

type GivenCondition = Partial<Omit<Rule, 'when' | 'rename'>> & { readonly when: string; rename?: string };

function rulesOf(rules: readonly GivenCondition[]): readonly Rule[] {
  return rules.map(({ when, rename, ...rest }, index) => ({
    index,
    name: `rule ${index}`,
    antivirus: false,
    ...rest,
    when: condition(when, 'rule'),
    ...(rename === undefined ? {} : { rename: template(rename) }),
  }));
}

/** The records that a check of these hosts leaves. */
function recordsOf(hosts: readonly GivenHost[]): readonly HostWithFacts[] {
  const fleet = givenFleet(hosts, groups);
  return hostsOf(fleet).map(({ id, name, groupId, online, antivirus }) => ({
    account: 'berlin',
    host_id: id,
    name: name ?? '',
    group: fleet.groupById(groupId)?.name ?? null,
    state: online ? 'online' : 'offline',
    drifted: false,
    seen_at: new Date(at),
    facts:
      antivirus === undefined
        ? {}
        : {
            antivirus: antivirus.installed
              ? 'installed'
              : antivirus.supported
                ? 'not installed'
                : 'unsupported',
          },
  }));
}

function explainer(desired: Desired, hosts: readonly HostWithFacts[]) {
  const load = vi.fn(async (): Promise<Result<Desired>> => ok(desired));
  const explainWith = createHostExplainer();
  const explainHost = (host: HostWithFacts, of = account) =>
    explainWith(host, of, {
      load,
      named: async (names) => hosts.filter(({ name }) => name !== null && names.includes(name)),
      facts: config,
      now: at,
    });
  return { explainHost, load };
}

async function explained(
  hosts: readonly GivenHost[],
  entries: readonly GivenEntry[],
  rules: readonly GivenCondition[] = [],
) {
  const records = recordsOf(hosts);
  const { explainHost } = explainer(givenDesired(entries, noLimits, rulesOf(rules)), records);
  const claims = await explainHost(records[0] as HostWithFacts);
  if (!claims.ok) throw new Error(claims.problems[0]?.message);
  return new Map(claims.value.attributes.map((each) => [each.attribute, each]));
}

describe('the explanation of a stored host', () => {
  it('lists the entry, the rule, and the rules that they override, even if nothing differs', async () => {
    const found = await explained(
      [{ id: 1, name: 'A', group: 10, antivirus: 'installed' }],
      [{ id: 1, name: 'A' }],
      [
        { when: 'account.labels.region == "eu"', group: berlin },
        { when: 'host.name == "A"', group: berlin, rename: 'x-${host.name}', antivirus: true },
        { when: '!host.online', group: berlin },
      ],
    );
    expect(found.get('name')).toMatchObject({
      intended: 'A',
      decidedBy: { kind: 'entry', place: { line: 1 } },
      overruled: [{ rule: 'rule 1' }],
    });
    expect(found.get('group')).toMatchObject({
      intended: 'Berlin',
      decidedBy: { kind: 'rule', rule: 'rule 0', place: { line: 1000 } },
      overruled: [{ rule: 'rule 1' }],
    });
    expect(found.get('antivirus')?.decidedBy?.rule).toBe('rule 1');
    expect(found.get('ensure')).toMatchObject({ attribute: 'ensure', overruled: [], ignored: false });
  });

  it('reports attributes that no entry or rule sets, and those that an entry ignores', async () => {
    const found = await explained([{ id: 1, name: 'A' }], [{ id: 1, group: 'Berlin', ignore: ['name'] }]);
    expect(found.get('name')).toEqual({ attribute: 'name', observed: 'A', overruled: [], ignored: true });
    expect(found.get('antivirus')).not.toHaveProperty('decidedBy');
  });

  it('leaves an attribute open if an earlier rule reads what the server does not store', async () => {
    const rules = [
      { when: 'host.customFields["Site"] == "B"', group: berlin },
      { when: 'host.name == "A"', group: berlin, antivirus: true as const },
      { when: 'host.hostName == "pc"', antivirus: true as const },
    ];
    const found = await explained([{ id: 1, name: 'A' }], [], rules);
    expect(found.get('group')?.undecided).toMatchObject({
      why: 'rule "rule 0" reads host.customFields, which the server does not store',
      place: { line: 1000 },
    });
    expect(found.get('antivirus')).toMatchObject({ decidedBy: { rule: 'rule 1' } });
    expect(found.get('antivirus')).not.toHaveProperty('undecided');
    expect(found.get('name')).not.toHaveProperty('undecided');
    const pinned = await explained([{ id: 1, name: 'A' }], [{ id: 1, group: 'Berlin' }], rules);
    expect(pinned.get('group')).not.toHaveProperty('undecided');
  });

  it('agrees with the explanation of the whole fleet, for any names and entries', async () => {
    const names = fc.constantFrom(
      'A',
      'B',
      'C',
      temporaryName('deletion', hostId(1), 'A', { taken: new Set() }),
      temporaryName('rename', hostId(1), 'B', { taken: new Set() }),
    );
    const entry = fc.oneof(
      fc.record({ id: fc.integer({ min: 1, max: 4 }), name: names }),
      fc.record({ name: names, previously: fc.array(names, { maxLength: 2 }) }),
      fc.record({ name: names, ensure: fc.constant('absent' as const) }),
    );
    const host = fc.record({ name: names, group: fc.constantFrom(10, 11, -1) });
    const fleets = fc.record({
      hosts: fc.array(host, { minLength: 1, maxLength: 4 }),
      entries: fc.array(entry, { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fleets, async ({ hosts: given, entries }) => {
        const hosts = given.map((each, index) => ({ id: index + 1, ...each }));
        const desired = givenDesired(
          entries,
          noLimits,
          rulesOf([{ when: 'host.name.startsWith("A")', group: berlin }]),
        );
        const inputs = {
          desired,
          observed: givenFleet(hosts, groups),
          account: { companyId: '1', service: 'emulator' },
          now: at,
        };
        const plan = makePlan(inputs);
        const records = recordsOf(hosts);
        const { explainHost } = explainer(desired, records);
        for (const record of records) {
          const claims = await explainHost(record);
          const whole = explain(hostId(record.host_id), inputs, plan);
          expect(claims.ok && claims.value.attributes).toEqual(whole?.attributes);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the desired state that explains hosts', () => {
  const records = recordsOf([{ id: 1, name: 'A' }]);
  const [host] = records as [HostWithFacts];

  it('is read once for the hosts of one account at one commit', async () => {
    const { explainHost, load } = explainer(givenDesired([{ id: 1, name: 'A' }]), records);
    await Promise.all([explainHost(host), explainHost(host)]);
    await explainHost(host);
    expect(load).toHaveBeenCalledTimes(1);
    await explainHost(host, { ...account, commit: 'c2' });
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('is read again after a failure, which is passed on', async () => {
    const { explainHost, load } = explainer(givenDesired([]), records);
    load.mockResolvedValueOnce(failed(problem('configuration', 'the source is away')));
    expect(await explainHost(host)).toMatchObject({ problems: [{ message: 'the source is away' }] });
    expect((await explainHost(host)).ok).toBe(true);
  });
});

describe('the thread that explains hosts', () => {
  const [host] = recordsOf([{ id: 1, name: 'A' }]) as [HostWithFacts];

  /** Its code instead of that of the real thread. */
  function explainerOver(code: string, { commit = 'c1', clock = systemClock } = {}) {
    const files = { source: 'files', commit, author: null, folder: '.', paths: ['fleet.yaml'] };
    return createThreadedExplainer(
      {
        settings: { accounts: [config] } as never,
        store: {} as never,
        desired: { locate: async () => ok(files), register: vi.fn() },
        clock,
      },
      new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    );
  }
  const silent = "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {});";

  it('is not asked about a desired state other than that of the last check', async () => {
    expect(await explainerOver('throw 1', { commit: 'c2' })(host, account)).toMatchObject({
      problems: [{ message: 'the desired state has changed since the last check' }],
    });
  });

  it('stops waiting when a person would', async () => {
    const clock = { now: () => 0, sleep: async () => {} };
    expect(await explainerOver(silent, { clock })(host, account)).toMatchObject({
      problems: [{ message: 'reading the desired state takes longer than 5 seconds' }],
    });
  });

  it('is started again for the next question if it ends without an answer', async () => {
    const explainHost = explainerOver(
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit());",
    );
    for (const _ of [1, 2])
      expect(await explainHost(host, account)).toMatchObject({
        problems: [{ message: 'the thread that reads the desired state has ended' }],
      });
  });
});
