import { describe, expect, it } from 'vitest';
import { temporaryName } from '../../../src/core/model/temporary-name.ts';
import type { FaultRule } from '../../../src/service/emulator/fault.ts';
import type { HostParts } from '../../../src/service/emulator/fleet-state.ts';
import { realisticLimits } from '../../../src/service/emulator/realistic-limits.ts';
import type { HostSpec } from '../../../src/terraform/fleet/find-host.ts';
import { groupId, hostId } from '../../given/fleet.ts';
import { fleetWorld, inParallel, numbered } from './fleet-world.ts';
import { problemsOf } from './operations.ts';

const groups = { 10: 'Berlin Servers', 11: 'Munich Servers', 12: 'Twins', 13: 'Twins' };

describe('the shared list', () => {
  it('is read once for 10,000 resources at the same time, under the limit of one call a minute', async () => {
    const world = fleetWorld({ hosts: numbered(10_000), limits: realisticLimits });
    const found = await inParallel(
      10_000,
      Array.from(
        { length: 10_000 },
        (_, index) => () => world.session.findHost({ hostId: hostId(index + 1) }),
      ),
    );
    expect(found.every((each, index) => each.ok && each.value.name === `h${index + 1}`)).toBe(true);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1 });
  });

  it('is read again only when it is older than allowed', async () => {
    const world = fleetWorld({ hosts: numbered(1), maxAgeMs: 60_000 });
    await world.session.observed();
    await world.clock.sleep(59_000);
    await world.session.observed();
    expect(world.calls()['listHostsWithGroups']).toBe(1);
    await world.clock.sleep(2_000);
    await world.session.observed();
    expect(world.calls()['listHostsWithGroups']).toBe(2);
    await world.session.observed({ maxAgeMs: 0 });
    expect(world.calls()['listHostsWithGroups']).toBe(3);
  });

  it('that failed fails all waiting callers, and the next caller tries again', async () => {
    const faults: readonly FaultRule[] = [{ action: 'reads', effect: { kind: 'status', status: 401 } }];
    const world = fleetWorld({ hosts: numbered(1), faults });
    const reads = await Promise.all([1, 2, 3].map(() => world.session.observed()));
    expect(problemsOf(reads).map(({ code }) => code)).toEqual(Array(3).fill('not-authenticated'));
    expect(world.calls()).toEqual({ listHostsWithGroups: 1 });
    world.setFaults([]);
    expect((await world.session.observed()).ok).toBe(true);
  });

  it('releases a caller that is cancelled, and serves the others', async () => {
    const world = fleetWorld({ hosts: numbered(1), latencyMs: 5_000 });
    const stop = new AbortController();
    const both = Promise.all([
      world.session.observed({ signal: stop.signal }),
      world.session.observed(),
      world.session.observed({ signal: AbortSignal.abort() }),
    ]);
    stop.abort();
    expect((await both).map((read) => (read.ok ? 'read' : read.problems[0]?.code))).toEqual([
      'cancelled',
      'read',
      'cancelled',
    ]);
  });
});

describe('the latest observation', () => {
  const shown = async (world: ReturnType<typeof fleetWorld>) => {
    const read = await world.session.observed();
    if (!read.ok) throw new Error('the list was not read');
    const fleet = read.value;
    return Array.from({ length: fleet.count }, (_, index) => fleet.at(index)).map(
      ({ id, name, groupId: group }) => `${id} ${name} ${group}`,
    );
  };

  it('shows our own calls at once, through every lookup', async () => {
    const world = fleetWorld({ hosts: numbered(4), groups });
    await shown(world);
    await world.session.findHost({ name: 'h1' });
    const { writer } = world.session.observation;
    await writer.rename(hostId(1), 'new');
    await writer.move(groupId(10), [hostId(2)]);
    await writer.remove([hostId(3)]);
    expect(await shown(world)).toEqual(['1 new -1', '2 h2 10', '4 h4 -1']);
    const { session } = world;
    expect((await session.findHost({ name: 'new' })).ok).toBe(true);
    expect((await session.findHost({ name: 'h1' })).ok).toBe(false);
    expect(session.observation.fleet?.byFoldedName('h3')).toEqual([]);
    expect(session.hostNow(hostId(3))).toBeUndefined();
    expect(world.calls()['listHostsWithGroups']).toBe(1);
  });

  it('is not read again if the names have shown the result of a call', async () => {
    const faults: readonly FaultRule[] = [
      { action: 'renameHost', nth: 1, effect: { kind: 'drop', when: 'after' } },
    ];
    const world = fleetWorld({ hosts: numbered(2), faults });
    const renamed = await world.coordinator.rename(hostId(1), 'new');
    expect(renamed.ok && renamed.value.name).toBe('new');
    expect(await shown(world)).toEqual(['1 new -1', '2 h2 -1']);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1, renameHost: 1, listHosts: 1 });
  });

  it('is read again after a call whose effect is unknown', async () => {
    const faults: readonly FaultRule[] = [{ action: 'writes', effect: { kind: 'drop', when: 'after' } }];
    const world = fleetWorld({ hosts: numbered(2), faults });
    await shown(world);
    await world.session.observation.writer.rename(hostId(1), 'new');
    expect(await shown(world)).toEqual(['1 new -1', '2 h2 -1']);
    expect(world.calls()['listHostsWithGroups']).toBe(2);
    await shown(world);
    expect(world.calls()['listHostsWithGroups']).toBe(2);
  });
});

describe('the other lists', () => {
  it('are read once, when they are first requested', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    const { session } = world;
    await Promise.all([
      session.antivirus(),
      session.antivirus(),
      session.customFields(),
      session.customFields(),
    ]);
    await session.antivirus();
    expect(world.calls()).toEqual({
      listAntivirusDetails: 1,
      listCustomFields: 1,
      listCustomFieldCategories: 1,
    });
    session.forgetAntivirus();
    await session.antivirus();
    expect(world.calls()['listAntivirusDetails']).toBe(2);
  });

  it('that failed are tried again', async () => {
    const faults: readonly FaultRule[] = [{ action: 'reads', effect: { kind: 'status', status: 403 } }];
    const world = fleetWorld({ hosts: numbered(2), faults });
    expect((await world.session.antivirus()).ok).toBe(false);
    world.setFaults([]);
    expect((await world.session.antivirus()).ok).toBe(true);
  });
});

describe('finding a host', () => {
  const temporary = temporaryName('rename', hostId(5), 'landing', { taken: new Set() });
  const hosts: readonly HostParts[] = [
    { id: '1', name: 'web' },
    { id: '2', name: 'old' },
    { id: '3', name: 'older' },
    { id: '4', name: 'Case' },
    { id: '5', name: temporary },
    { id: '9007199254740993', name: 'big' },
  ];
  const cases: readonly [string, HostSpec, string][] = [
    ['by its id', { hostId: hostId(1) }, '1'],
    ['by an id beyond 2^53', { hostId: hostId('9007199254740993') }, '9007199254740993'],
    ['by an id that is not there', { hostId: hostId(77) }, 'missing-host'],
    ['by its name', { name: 'web' }, '1'],
    ['by its name, while an older one is alive too', { name: 'web', previously: ['old'] }, '1'],
    ['by what it was called before', { name: 'new', previously: ['none', 'old'] }, '2'],
    ['by two older names of two hosts', { name: 'new', previously: ['old', 'older'] }, 'ambiguous-host'],
    ['by the final name of its temporary name', { name: 'landing' }, '5'],
    ['by no name of any host', { name: 'nobody' }, 'awaiting-enrollment'],
    ['by its name in other letters', { name: 'CASE' }, 'awaiting-enrollment'],
  ];
  it.each(cases)('%s', async (_, spec, expected) => {
    const world = fleetWorld({ hosts });
    const found = await world.session.findHost(spec);
    expect(found.ok ? found.value.id : found.problems[0]?.code).toBe(expected);
    for (const problem of found.problems) expect(problem.place).toBeUndefined();
  });

  it.each<readonly [string, HostSpec, string, string, string]>([
    [
      'an earlier name that a host still has',
      { name: 'web', previously: ['old'] },
      'previous-name-alive',
      'a host has the name "web", and another host has the previous name "old"',
      'if host 2 is the intended one, set host_id to its id. Otherwise, remove its name from previously',
    ],
    [
      'two hosts for one resource',
      { name: 'new', previously: ['old', 'older'] },
      'ambiguous-host',
      '2 hosts match: "old" (2), "older" (3)',
      'identify the host by its id',
    ],
    [
      'letters of another case',
      { name: 'CASE' },
      'awaiting-enrollment',
      'no host has the name "CASE"',
      'did you mean "Case" (4)?',
    ],
    [
      'a slip in a name',
      { name: 'oldr', previously: ['oldrr'] },
      'awaiting-enrollment',
      'no host has the name "oldr"',
      'did you mean "old" (2) or "older" (3)?',
    ],
    [
      'a name like no other',
      { name: 'nobody' },
      'awaiting-enrollment',
      'no host has the name "nobody"',
      'names are case-sensitive, and the data source rampart_hosts has all of them',
    ],
    [
      'an id of no host',
      { hostId: hostId(77) },
      'missing-host',
      'host 77 is not in the list',
      'check the id: the data source rampart_hosts has the ids of all hosts. If the host was deleted, remove it from the configuration',
    ],
  ])('reports %s with a hint for Terraform users', async (_, spec, code, message, hint) => {
    const { problems } = await fleetWorld({ hosts }).session.findHost(spec);
    expect(problems).toMatchObject([{ code, message, hint }]);
  });

  it('names hosts with similar names for the first 20 names that no host has', async () => {
    const { session } = fleetWorld({ hosts: numbered(30) });
    const hintFor = async (index: number) =>
      (await session.findHost({ name: `H${index}` })).problems[0]?.hint;
    const hints: (string | undefined)[] = [];
    for (let index = 1; index <= 21; index += 1) hints.push(await hintFor(index));
    expect(hints.filter((hint) => hint?.startsWith('did you mean "h') === true)).toHaveLength(20);
    expect(hints.at(-1)).toContain('case-sensitive');
    expect(await hintFor(20)).toContain('did you mean "h20" (20)');
  });
});

describe('finding a group', () => {
  it.each([
    ['by its name', { kind: 'named', name: 'Berlin Servers' }, '10'],
    ['by its id', { kind: 'id', id: groupId(11) }, '11'],
    ['by an id that is not listed', { kind: 'id', id: groupId(99) }, '99'],
    ['of the ungrouped', { kind: 'ungrouped' }, '-1'],
    ['by a name of two', { kind: 'named', name: 'Twins' }, 'ambiguous-group'],
    ['by a name with a slip', { kind: 'named', name: 'Berlin Server' }, 'unknown-group'],
  ] as const)('%s', async (_, intent, expected) => {
    const found = await fleetWorld({ hosts: numbered(1), groups }).session.findGroup(intent);
    expect(found.ok ? found.value.id : found.problems[0]?.code).toBe(expected);
    if (expected === '99') expect(found.problems[0]?.severity).toBe('warning');
    const { hint } = found.problems[0] ?? {};
    if (expected === 'unknown-group') expect(hint).toBe('did you mean "Berlin Servers"?');
    if (expected === 'ambiguous-group')
      expect(hint).toBe('identify the group by its id: set group_id to "12" or "13"');
  });
});

describe('waiting for hosts to enroll', () => {
  it('ends with the host, and a hundred waiting operations share one list per minute', async () => {
    const world = fleetWorld({ hosts: numbered(1), limits: realisticLimits });
    const waits = Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        world.session.waitForHost({ name: `new-${index}` }, { timeoutMs: 600_000 }),
      ),
    );
    await world.clock.sleep(150_000);
    for (let index = 0; index < 100; index += 1) {
      world.emulator.edit({ kind: 'enroll', host: { id: String(1_000 + index), name: `new-${index}` } });
    }
    expect(problemsOf(await waits)).toEqual([]);
    expect(world.calls()['listHostsWithGroups']).toBeLessThanOrEqual(5);
  });

  it('ends when its time is over, and reports what it waited for', async () => {
    const world = fleetWorld({ hosts: numbered(1) });
    const start = world.clock.now();
    const waited = await world.session.waitForHost({ name: 'new' }, { timeoutMs: 90_000 });
    expect(waited.problems).toMatchObject([
      { code: 'awaiting-enrollment', message: 'no host has the name "new", after a wait of 90 s' },
    ]);
    expect(world.clock.now() - start).toBeGreaterThanOrEqual(90_000);
    expect(world.clock.now() - start).toBeLessThan(91_000);
  });

  it('ends at once when it is cancelled', async () => {
    const world = fleetWorld({ hosts: numbered(1) });
    const stop = new AbortController();
    const waiting = world.session.waitForHost({ name: 'new' }, { timeoutMs: 90_000, signal: stop.signal });
    await world.clock.sleep(1_000);
    const now = world.clock.now();
    stop.abort();
    expect((await waiting).problems).toMatchObject([{ code: 'cancelled' }]);
    expect(world.clock.now()).toBe(now);
  });

  it("survives a list that can't be read for a while, but not wrong credentials", async () => {
    const world = fleetWorld({ hosts: numbered(1), faults: [failing(500)] });
    const waiting = world.session.waitForHost({ name: 'h1' }, { timeoutMs: 600_000 });
    await world.clock.sleep(100_000);
    world.setFaults([]);
    expect((await waiting).ok).toBe(true);
    const refused = fleetWorld({ hosts: numbered(1), faults: [failing(401)] });
    const end = await refused.session.waitForHost({ name: 'h1' }, { timeoutMs: 600_000 });
    expect(end.problems).toMatchObject([{ code: 'not-authenticated' }]);
  });
});

function failing(status: number): FaultRule {
  return { action: 'reads', effect: { kind: 'status', status } };
}
