import '../../tiers/uses-a-system.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { GroupId, HostId } from '../../../src/core/model/observed.ts';
import { temporaryName } from '../../../src/core/model/temporary-name.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import { openFilesState } from '../../../src/run/state/files/files-state.ts';
import { listLocks } from '../../../src/run/state/files/lock.ts';
import { listRunIds, readRun } from '../../../src/run/state/files/read-runs.ts';
import type { FaultRule } from '../../../src/service/emulator/fault.ts';
import { realisticLimits } from '../../../src/service/emulator/realistic-limits.ts';
import { applyFleet } from '../../../src/terraform/fleet/apply-fleet.ts';
import { planFleet } from '../../../src/terraform/fleet/plan-fleet.ts';
import { type FleetWorld, fleetWorld, numbered } from './fleet-world.ts';

const groups = { 10: 'Berlin', 11: 'Munich' };
const text = `version: 1
hosts:
  - { id: 1, name: h2, group: Berlin }
  - { id: 2, name: h1 }
  - { id: 3, antivirus: installed }
  - { id: 4, ensure: absent }
  - { id: 5, name: h5 }
`;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-fleet-'));
  folders.push(folder);
  return folder;
}

/** Runs are recorded in this folder. */
const inFolder = (stateDir: string) => ({ openState: async () => ok(openFilesState(stateDir)) });

describe('planning a whole fleet', () => {
  it('returns counts, a row for each change and a checksum, and sends only reads', async () => {
    const world = fleetWorld({ hosts: numbered(12), groups });
    const planned = await planFleet({ text }, world);
    if (!planned.ok) throw new Error('not planned');
    const { counts, calls, changes, checksum, applicable, empty } = planned.value;
    expect(counts).toMatchObject({
      rename: 2,
      temporaryRename: 1,
      move: 1,
      antivirus: 1,
      delete: 1,
      unchanged: 1,
    });
    expect({ calls, applicable, empty }).toEqual({ calls: 6, applicable: true, empty: false });
    expect(changes).toEqual([
      { hostId: '2', name: 'h2', kind: 'rename', from: 'h2', to: 'h1', reason: 'fleet.yaml:4' },
      { hostId: '1', name: 'h1', kind: 'rename', from: 'h1', to: 'h2', reason: 'fleet.yaml:3' },
      { hostId: '1', name: 'h1', kind: 'move', from: null, to: 'Berlin', reason: 'fleet.yaml:3' },
      { hostId: '3', name: 'h3', kind: 'antivirus', from: null, to: null, reason: 'fleet.yaml:5' },
      { hostId: '4', name: 'h4', kind: 'delete', from: null, to: null, reason: 'fleet.yaml:6' },
    ]);
    expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1, listAntivirusDetails: 1 });
  });

  it('uses the rules as reasons', async () => {
    const world = fleetWorld({ hosts: numbered(3), groups });
    const rules = `version: 1\nrules:\n  - { name: all, when: 'host.name == "h2"', group: Munich }\n`;
    const planned = await planFleet({ text: rules, file: 'all.yaml' }, world);
    expect(planned.ok && planned.value.changes.map(({ reason }) => reason)).toEqual([
      'all.yaml:3 (rule all)',
    ]);
  });

  it.each([
    [
      'a text that is not right, before anything is sent',
      'version: 1\nhosts:\n  - { nam: x }',
      'unknown-key',
      {},
    ],
    ['another account', 'version: 1\naccount: { companyId: 7 }\nhosts: []', 'account-mismatch', {}],
  ])('fails with %s', async (_, source, code, calls) => {
    const world = fleetWorld({ hosts: numbered(3) });
    const planned = await planFleet({ text: source }, world);
    expect(planned.ok ? [] : planned.problems.map((each) => each.code)).toContain(code);
    expect(world.calls()).toEqual(calls);
  });

  it('with rules that read inventory needs a folder with inventory', async () => {
    const world = fleetWorld({ hosts: numbered(3) });
    const source = `version: 1\nrules:\n  - { name: r, when: 'host.inventory.hardware.serviceTag == "X"', antivirus: installed }\n`;
    const planned = await planFleet({ text: source }, world);
    expect(planned.problems.map(({ code }) => code)).toContain('inventory-missing');
  });
});

describe('applying a whole fleet', () => {
  it('applies it as planned, verifies it, and finds nothing to do afterwards', async () => {
    const world = fleetWorld({ hosts: numbered(12), groups });
    const planned = await planFleet({ text }, world);
    const checksum = planned.ok ? planned.value.checksum : '';
    const run = await applyFleet({ text }, { ...world, checksum });
    if (!run.ok) throw new Error('not applied');
    expect(run.value).toMatchObject({
      outcome: 'done',
      runId: null,
      left: [],
      sent: { rename: 3, move: 1, antivirus: 1, delete: 1 },
    });
    expect(run.value.applied).toEqual(planned.ok ? planned.value.changes : []);
    const again = await planFleet({ text }, world);
    expect(again.ok && again.value.empty).toBe(true);
    const nothing = await applyFleet({ text }, world);
    expect(nothing.ok && nothing.value.outcome).toBe('nothing-to-do');
    expect(world.calls()['listHostsWithGroups']).toBe(2);
  });

  it('sends nothing if another plan was approved', async () => {
    const world = fleetWorld({ hosts: numbered(12), groups });
    const planned = await planFleet({ text }, world);
    const checksum = planned.ok ? planned.value.checksum : '';
    world.emulator.edit({ kind: 'move', id: '1', groupId: '10' });
    const run = await applyFleet({ text }, { ...world.start(), checksum });
    expect(run.problems).toMatchObject([{ code: 'stale-plan' }]);
    expect(world.calls()['renameHost']).toBeUndefined();
  });

  it('sends nothing over a limit, except with the exact approval', async () => {
    const world = fleetWorld({ hosts: numbered(12), groups });
    const source = {
      text: 'version: 1\nhosts:\n  - { id: 1, ensure: absent }\n  - { id: 2, ensure: absent }\n',
    };
    const refused = await applyFleet(source, world);
    expect(refused.problems).toMatchObject([{ code: 'limit-exceeded' }]);
    const run = await applyFleet(source, { ...world, acks: { delete: 2 } });
    expect(run.ok && run.value.outcome).toBe('done');
  });

  it('reports what failed and why, and does the rest', async () => {
    const world = fleetWorld({ hosts: numbered(12), groups });
    await world.session.observed();
    world.emulator.edit({ kind: 'delete', id: '2' });
    world.emulator.edit({ kind: 'enroll', host: { id: '20', name: 'new' } });
    const source = {
      text: 'version: 1\nhosts:\n  - { id: 1, group: Berlin }\n  - { id: 2, group: Berlin }\n  - { id: 3, name: new }\n',
    };
    const run = await applyFleet(source, world);
    if (!run.ok) throw new Error('not applied');
    expect(run.value.outcome).toBe('incomplete');
    expect(run.value.applied.map(({ hostId }) => hostId)).toEqual(['1']);
    expect(run.value.left.map(({ hostId, outcome, problem }) => [hostId, outcome, problem?.code])).toEqual([
      ['3', 'failed', 'name-conflict'],
      ['2', 'failed', expect.any(String)],
    ]);
    expect(run.value.problems.map(({ severity }) => severity)).toEqual(['error', 'error']);
  });

  it('reports the changes that were not started if it is cancelled', async () => {
    const world = fleetWorld({ hosts: numbered(12), groups });
    const stop = new AbortController();
    const running = applyFleet({ text }, { ...world, signal: stop.signal });
    await world.clock.sleep(50);
    stop.abort();
    const run = await running;
    expect(run.ok && run.value.outcome).toBe('interrupted');
    expect(run.ok && run.value.left.length).toBeGreaterThan(0);
    const again = await applyFleet({ text }, world.start());
    expect(again.ok && again.value.outcome).toBe('done');
  });

  it('survives lost responses and the limits of real services', async () => {
    const faults: readonly FaultRule[] = [
      { action: 'writes', nth: 1, effect: { kind: 'drop', when: 'after' } },
    ];
    const world = fleetWorld({ hosts: numbered(12), groups, faults, limits: realisticLimits });
    const run = await applyFleet({ text }, world);
    expect(run.ok && run.value.outcome).toBe('done');
  });

  it('records the run if it has a folder, and requests no install twice', async () => {
    const stateDir = stateFolder();
    const world = fleetWorld({ hosts: numbered(12), groups, switches: { installTakesMs: 3_600_000 } });
    const run = await applyFleet({ text }, { ...world, ...inFolder(stateDir) });
    expect(run.ok && run.value.outcome).toBe('done');
    expect(await listRunIds(stateDir)).toEqual([run.ok ? run.value.runId : '']);
    expect(await listLocks(stateDir)).toEqual([]);
    const again = await planFleet({ text }, { ...world.start(), ...inFolder(stateDir) });
    expect(again.ok && again.value.empty).toBe(true);
    expect(again.problems.map(({ code }) => code)).toEqual([]);
    expect(again.ok && again.value.problems.map(({ code }) => code)).toContain('antivirus-in-progress');
  });

  it('shows in the observation that the other resources share', async () => {
    const world = fleetWorld({ hosts: numbered(12), groups });
    await applyFleet({ text }, world);
    const found = await world.session.findHost({ name: 'h1' });
    expect(found.ok && found.value.id).toBe('2');
  });
});

describe('a run of a whole fleet', () => {
  const world = (more: Partial<Parameters<typeof fleetWorld>[0]> = {}) =>
    fleetWorld({ hosts: numbered(12), groups, ...more });
  const lists = (of: FleetWorld) => of.calls()['listAntivirusDetails'] ?? 0;
  const endIn = async (stateDir: string) => {
    const [runId = ''] = await listRunIds(stateDir);
    const run = await readRun(stateDir, runId);
    return run.ok && run.value.records.at(-1);
  };

  it("does not begin if the text has errors, or if its journal can't be written", async () => {
    const fleet = world();
    const wrong = await applyFleet({ text: 'version: 1\nhosts:\n  - { nam: x }' }, fleet);
    expect(wrong.problems.map(({ code }) => code)).toContain('unknown-key');
    const stateDir = join(stateFolder(), 'file');
    writeFileSync(stateDir, '');
    const run = await applyFleet({ text }, { ...fleet, ...inFolder(stateDir) });
    expect(run).toMatchObject({ ok: false, problems: [{ code: 'journal' }] });
    expect(fleet.calls()['renameHost']).toBeUndefined();
  });

  it('reports its events, and sends nothing if nothing is left to do', async () => {
    const fleet = world();
    const events: string[] = [];
    await applyFleet({ text }, { ...fleet, onEvent: (event) => events.push(event.type) });
    expect(events.length).toBeGreaterThan(0);
    const nothing = await applyFleet({ text }, fleet);
    expect(nothing.ok && nothing.value).toMatchObject({
      outcome: 'nothing-to-do',
      runId: null,
      applied: [],
      left: [],
      sent: { rename: 0, move: 0, delete: 0, antivirus: 0, refresh: 0 },
    });
  });

  it('is the approved one if the fleet is as it was approved again, whatever the first read showed', async () => {
    const fleet = world();
    const planned = await planFleet({ text }, fleet);
    const later = fleet.start();
    fleet.emulator.edit({ kind: 'move', id: '1', groupId: '11' });
    await later.session.observed();
    fleet.emulator.edit({ kind: 'move', id: '1', groupId: '-1' });
    await later.session.observed({ maxAgeMs: -1 });
    const checksum = planned.ok ? planned.value.checksum : '';
    const run = await applyFleet({ text }, { ...later, checksum });
    expect(run.ok && run.value.outcome).toBe('done');
  });

  it('makes the next reader read the anti-virus list again, if it requested installs or refreshes', async () => {
    const fleet = world();
    const asked = async (source: string, options: object = fleet) => {
      await fleet.session.antivirus();
      await applyFleet({ text: source }, { ...fleet, ...options });
      const before = lists(fleet);
      await fleet.session.antivirus();
      return lists(fleet) - before;
    };
    expect(await asked('version: 1\nhosts:\n  - { id: 1, name: other }\n')).toBe(0);
    expect(await asked('version: 1\nhosts:\n  - { id: 1, antivirus: installed }\n')).toBe(1);
  });

  it('is incomplete while an install is in doubt, and refreshes the host instead of requesting it again', async () => {
    const stateDir = stateFolder();
    const installOne = 'version: 1\nhosts:\n  - { id: 3, antivirus: installed }\n';
    const fleet = world({
      switches: { installTakesMs: 3_600_000 },
      faults: [{ action: 'installAntivirus', nth: 1, effect: { kind: 'status', status: 500 } }],
    });
    const first = await applyFleet({ text: installOne }, { ...fleet, ...inFolder(stateDir) });
    expect(first.ok && first.value).toMatchObject({ outcome: 'incomplete', sent: { antivirus: 1 } });
    expect(first.ok && first.value.problems.filter(({ severity }) => severity === 'error')).toHaveLength(1);
    expect(await endIn(stateDir)).toMatchObject({ exit_code: 5 });
    const planned = await planFleet({ text: installOne }, { ...fleet.start(), ...inFolder(stateDir) });
    if (!planned.ok) throw new Error('not planned');
    expect(planned.value.changes).toMatchObject([{ hostId: '3', kind: 'refresh' }]);
    expect(planned.value.problems.map(({ code }) => code)).toContain('antivirus-in-doubt');
    const { session } = fleet.start();
    await session.antivirus();
    const second = await applyFleet({ text: installOne }, { session, ...inFolder(stateDir) });
    expect(second.ok && second.value).toMatchObject({
      outcome: 'incomplete',
      sent: { antivirus: 0, refresh: 1 },
      pendingInstalls: [{ hostId: '3', state: 'in-doubt' }],
    });
    const reported = second.ok ? second.value.problems.filter(({ severity }) => severity === 'error') : [];
    expect(reported.map(({ code }) => code)).toEqual(['antivirus-in-doubt']);
    // The next reader reads the list again.
    const before = lists(fleet);
    await session.antivirus();
    expect(lists(fleet) - before).toBe(1);
  });

  it('of installs in doubt reports those of other hosts too', async () => {
    const stateDir = stateFolder();
    const install = (...ids: readonly number[]) =>
      `version: 1\nhosts:\n${ids.map((id) => `  - { id: ${id}, antivirus: installed }\n`).join('')}`;
    const fleet = world({
      switches: { installTakesMs: 3_600_000 },
      faults: [{ action: 'installAntivirus', nth: [1, 2], effect: { kind: 'status', status: 500 } }],
    });
    await applyFleet({ text: install(3) }, { ...fleet, ...inFolder(stateDir) });
    const both = await applyFleet({ text: install(3, 4) }, { ...fleet.start(), ...inFolder(stateDir) });
    if (!both.ok) throw new Error('not applied');
    const errors = both.value.problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ hostIds }) => hostIds)).toEqual([['4'], ['3']]);
    expect(both.value.pendingInstalls).toHaveLength(2);
  });

  it('has no error for an install that the service has accepted, and that no read shows yet', async () => {
    const install = 'version: 1\nhosts:\n  - { id: 3, antivirus: installed }\n';
    const fleet = world({ switches: { installTakesMs: 3_600_000 } });
    await applyFleet({ text: install }, fleet);
    const more = `${install}  - { id: 5, name: other }\n`;
    const run = await applyFleet({ text: more }, fleet.start());
    if (!run.ok) throw new Error('not applied');
    expect(run.value).toMatchObject({
      outcome: 'done',
      pendingInstalls: [{ hostId: '3', state: 'in-progress' }],
    });
    expect(run.value.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('counts a change that someone else made meanwhile as made', async () => {
    const fleet = world();
    await fleet.session.observed();
    fleet.emulator.edit({ kind: 'rename', id: '5', name: 'other' });
    const source = 'version: 1\nhosts:\n  - { id: 4, name: first }\n  - { id: 5, name: other }\n';
    const run = await applyFleet({ text: source }, fleet);
    expect(run.ok && run.value).toMatchObject({ outcome: 'done', left: [] });
    expect(run.ok && run.value.applied.map(({ hostId }) => hostId)).toEqual(['4', '5']);
  });

  it('ends its journal with the exit code of the command line', async () => {
    const done = stateFolder();
    await applyFleet({ text }, { ...world(), ...inFolder(done) });
    expect(await endIn(done)).toMatchObject({ exit_code: 0 });

    const unverified = stateFolder();
    const temporaryOne = temporaryName('rename', '20' as HostId, 'x', { taken: new Set() });
    const odd = world({ hosts: [...numbered(12), { id: '20', name: temporaryOne }] });
    const run = await applyFleet({ text }, { ...odd, ...inFolder(unverified) });
    expect(run.ok && run.value.outcome).toBe('unverified');
    expect(await endIn(unverified)).toMatchObject({ exit_code: 8 });

    const interrupted = stateFolder();
    const stop = new AbortController();
    const onEvent = () => stop.abort();
    const options = { ...world(), ...inFolder(interrupted), signal: stop.signal, onEvent };
    const stopped = await applyFleet({ text }, options);
    if (!stopped.ok) throw new Error('not begun');
    expect(stopped.value.outcome).toBe('interrupted');
    expect(stopped.value.problems).toContainEqual(
      expect.objectContaining({
        code: 'interrupted',
        message: expect.stringMatching(/^the \w+ of host \d was not started: /),
      }),
    );
    expect(await endIn(interrupted)).toMatchObject({ exit_code: 130 });
  });

  it('counts existing values among the applied changes, and gives each remaining change its reason', async () => {
    const fleet = world();
    await fleet.session.observed();
    fleet.emulator.edit({ kind: 'delete', id: '4' });
    fleet.emulator.edit({ kind: 'enroll', host: { id: '20', name: 'taken' } });
    const source =
      'version: 1\nhosts:\n  - { id: 3, name: taken }\n  - { id: 4, ensure: absent }\n  - { id: 5, name: free }\n';
    const run = await applyFleet({ text: source }, fleet);
    if (!run.ok) throw new Error('not applied');
    expect(run.value.applied.map(({ hostId }) => hostId)).toEqual(['5', '4']);
    expect(run.value.applied[0]).not.toHaveProperty('outcome');
    const [left] = run.value.left;
    expect(run.value.problems[0]).toMatchObject({
      code: 'name-conflict',
      message: `the rename of host 3 failed: ${left?.problem?.message}`,
      hint: left?.problem?.hint,
      hostIds: ['3'],
    });
  });
});

describe('a whole fleet together with other resources of the same apply', () => {
  const installs = `version: 1\nrules:\n  - { name: all, when: 'host.group != "Munich"', antivirus: installed }\n`;

  /** Terraform's calls: a plan in one process, then in another the same plan again and its apply. */
  async function approved(source: { readonly text: string }, world: FleetWorld) {
    const planned = await planFleet(source, world);
    if (!planned.ok) throw new Error('not planned');
    return { ...world.start(), checksum: planned.value.checksum, changes: planned.value.changes };
  }

  it('is planned the same while they rename and move, and applied', async () => {
    const world = fleetWorld({ hosts: numbered(3), groups });
    const { checksum, changes, session, coordinator } = await approved({ text: installs }, world);
    await coordinator.rename('1' as HostId, 'new');
    await coordinator.move('2' as HostId, '10' as GroupId);
    const anew = await planFleet({ text: installs }, { session, view: 'at-first' });
    expect(anew.ok && anew.value.checksum).toBe(checksum);
    expect(anew.ok && anew.value.changes).toEqual(changes);
    const run = await applyFleet({ text: installs }, { session, checksum });
    expect(run.problems).toEqual([]);
    expect(run.ok && run.value.applied.map(({ hostId }) => hostId)).toEqual(['1', '2', '3']);
  });

  it('reports no host with a temporary name that one of them will finish', async () => {
    const world = fleetWorld({ hosts: numbered(3), groups });
    const { checksum, session } = await approved({ text: installs }, world);
    const temporaryOne = temporaryName('rename', '1' as HostId, 'h2', { taken: new Set() });
    await session.observed();
    await session.observation.writer.rename('1' as HostId, temporaryOne);
    const run = await applyFleet({ text: installs }, { session, checksum });
    expect(run).toMatchObject({ ok: true, problems: [], value: { outcome: 'done', problems: [] } });
  });

  it('reports a host that had a temporary name before any of them began', async () => {
    const temporaryOne = temporaryName('rename', '4' as HostId, 'h2', { taken: new Set() });
    const world = fleetWorld({ hosts: [...numbered(3), { id: '4', name: temporaryOne }], groups });
    const run = await applyFleet({ text: installs }, world);
    expect(run).toMatchObject({ ok: true, value: { outcome: 'unverified' } });
    expect(run.ok && run.value.problems.map(({ code }) => code)).toContain('temporary-name-left');
  });

  it('is refused if someone else has changed the fleet as well', async () => {
    const world = fleetWorld({ hosts: numbered(3), groups });
    const { checksum, session, coordinator } = await approved({ text: installs }, world);
    await coordinator.rename('1' as HostId, 'new');
    world.emulator.edit({ kind: 'rename', id: '2', name: 'edited' });
    await session.observed({ maxAgeMs: -1 });
    const run = await applyFleet({ text: installs }, { session, checksum });
    expect(run.problems).toMatchObject([{ code: 'stale-plan' }]);
    expect(world.calls()['installAntivirus']).toBeUndefined();
  });

  it('is refused if they cause more changes than were approved', async () => {
    const world = fleetWorld({
      hosts: [...numbered(2), { id: '3', name: 'h3', groupId: '11' }],
      groups,
    });
    const { checksum, session, coordinator } = await approved({ text: installs }, world);
    await coordinator.move('3' as HostId, '10' as GroupId);
    const run = await applyFleet({ text: installs }, { session, checksum });
    expect(run.problems).toMatchObject([
      { code: 'stale-plan', message: expect.stringContaining('has changes that were not approved') },
    ]);
  });

  it('is applied if they leave fewer changes than were approved', async () => {
    const world = fleetWorld({ hosts: numbered(3), groups });
    const { checksum, session, coordinator } = await approved({ text: installs }, world);
    await coordinator.move('3' as HostId, '11' as GroupId);
    const run = await applyFleet({ text: installs }, { session, checksum });
    expect(run.ok && run.value.applied.map(({ hostId }) => hostId)).toEqual(['1', '2']);
  });

  it('waits until another whole fleet is applied', async () => {
    const world = fleetWorld({ hosts: numbered(4), groups });
    const swap = { text: 'version: 1\nhosts:\n  - { id: 1, name: h2 }\n  - { id: 2, name: h1 }\n' };
    const first = await approved(swap, world);
    const second = await approved({ text: installs }, world);
    const [one, other] = await Promise.all([
      applyFleet(swap, { session: first.session, checksum: first.checksum }),
      applyFleet({ text: installs }, { session: first.session, checksum: second.checksum }),
    ]);
    expect(one.ok && one.value.outcome).toBe('done');
    expect(other.ok && other.value.outcome).toBe('done');
    expect(other.ok && other.value.problems).toEqual([]);
  });
});

describe('the decisions of a whole fleet', () => {
  it('covers entries and rules, and hosts that need no change', async () => {
    const world = fleetWorld({ hosts: numbered(4), groups });
    const source = `version: 1
hosts:
  - { id: 1, name: h1 }
  - { id: 2, group: Berlin }
  - { id: 3, ensure: absent }
rules:
  - { name: munich, when: 'host.name == "h4"', group: Munich }
`;
    const planned = await planFleet({ text: source }, world);
    expect(planned.ok && planned.value.decided()).toEqual([
      { hostId: '1', name: 'h1', isToGo: false },
      { hostId: '2', group: '10', isToGo: false },
      { hostId: '3', isToGo: true },
      { hostId: '4', group: '11', isToGo: false },
    ]);
  });
});
