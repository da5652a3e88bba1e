import type { HostId } from '../../src/core/model/observed.ts';
import { isTemporaryNameFor, readTemporaryName } from '../../src/core/model/temporary-name.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { hostIdsOf } from '../../src/core/plan/types/step.ts';
import type { Edit } from '../../src/service/emulator/edit.ts';
import { hostState, type StoredHostState } from '../../src/service/emulator/fleet-state.ts';
import { givenGroups } from '../given/arbitrary-fleet.ts';
import type { GivenEntry } from '../given/desired.ts';
import type { Shown, WriteCall } from './call-log.ts';
import type { World } from './world.ts';

/** What a law finds wrong, one sentence each; empty when it holds. */
export type Breaches = readonly string[];

/** A fleet before and now, and its intended state. */
export type FleetRecord = Pick<World, 'fleet' | 'initial' | 'edits' | 'emulator'>;

/** The laws that hold in every case. */
export function allBreaches(world: World): Breaches {
  return [...outsideThePlan(world), ...overwritten(world), ...wrongDeletions(world)];
}

/** No run requests anything beyond its plan: no other host, no other name, no other group. */
function outsideThePlan(world: World): Breaches {
  return world.writes.flatMap((call) =>
    call.hosts.flatMap((id) => {
      const transition = transitionOf(world.plans[call.run], id);
      return transition !== undefined && isPlanned(call, transition, id)
        ? []
        : [`${describe(call, id)}, which its plan does not say`];
    }),
  );
}

/**
 * The values of a host in the latest read before a call are those that the plan relied on, or a name or group that the
 * plan gives it: otherwise the call overwrites somebody else's change, and the run could have known.
 */
function overwritten(world: World): Breaches {
  return world.writes.flatMap((call) =>
    call.hosts.flatMap((id) => {
      const transition = transitionOf(world.plans[call.run], id);
      const shown = call.view.get(id);
      if (transition === undefined) return [];
      if (shown === undefined) return [`${describe(call, id)}, which the latest read no longer showed`];
      return isOurs(call, shown, transition, id)
        ? []
        : [`${describe(call, id)}, while the latest read showed "${shown.name}" in group ${shown.groupId}`];
    }),
  );
}

/**
 * Only hosts that the desired state wants deleted are deleted, and none that are already deleted and no longer listed.
 */
function wrongDeletions(world: World): Breaches {
  const toDelete = new Set(
    world.fleet.entries.filter(({ ensure }) => ensure === 'absent').map(({ id }) => String(id)),
  );
  return world.writes
    .filter(({ action }) => action === 'deleteHosts')
    .flatMap((call) =>
      call.hosts.flatMap((id) => {
        if (!toDelete.has(id)) return [`${describe(call, id)}, which nobody wants gone`];
        if (world.listsMayBeStale) return [];
        const gone = call.truth !== null && call.truth.get(id) === undefined && !deletedByHuman(world, id);
        return gone ? [`${describe(call, id)}, which is gone already`] : [];
      }),
    );
}

/** No host's install was taken on more often than this. */
export function repeatedInstalls(world: Pick<World, 'installs'>, atMost: number): Breaches {
  return [...world.installs()]
    .filter(([, times]) => times > atMost)
    .map(([id, times]) => `the install on ${id} was asked for ${times} times`);
}

/** Hosts are unchanged except for what someone else did; with `converged`, they also match the entries. */
export function differences(world: FleetRecord, options: { readonly converged: boolean }): Breaches {
  const wanted = expectedHosts(world);
  const now = new Map(world.emulator.state().hosts.map((host) => [host.id, host]));
  const lost = [...wanted.values()].filter(
    ({ host, entry }) => host !== null && !now.has(host.id) && !mayBeDeleted(entry),
  );
  return [
    ...lost.map(({ host }) => `host ${host?.id} is gone`),
    ...[...now.values()].flatMap((host) => {
      const expected = wanted.get(host.id);
      return expected === undefined ? [] : compare(host, expected, options.converged);
    }),
  ];
}

interface Expected {
  /** Null: someone else has deleted it. */
  readonly host: StoredHostState | null;
  readonly entry: GivenEntry | undefined;
}

function expectedHosts(world: FleetRecord): ReadonlyMap<string, Expected> {
  const hosts = new Map<string, StoredHostState | null>(world.initial.hosts.map((host) => [host.id, host]));
  for (const change of world.edits) applyEdit(hosts, change);
  const entries = new Map(world.fleet.entries.map((entry) => [idOf(entry, world), entry] as const));
  const renamed = new Set(world.edits.flatMap((change) => (change.kind === 'rename' ? change.id : [])));
  return new Map(
    [...hosts]
      // An entry that means a host by its name can't find it under another.
      .filter(([id]) => entries.get(id)?.id !== undefined || !renamed.has(id) || !entries.has(id))
      .map(([id, host]) => [id, { host, entry: entries.get(id) }]),
  );
}

function idOf(entry: GivenEntry, { initial }: FleetRecord): string | undefined {
  if (entry.id !== undefined) return String(entry.id);
  const names = [entry.name, ...(entry.previously ?? [])];
  return initial.hosts.find((host) => host.name !== null && names.includes(host.name))?.id;
}

function applyEdit(hosts: Map<string, StoredHostState | null>, change: Edit): void {
  if (change.kind === 'enroll') {
    hosts.set(change.host.id, hostState(change.host));
    return;
  }
  const host = hosts.get(change.id) ?? null;
  if (host === null) return;
  if (change.kind === 'delete') hosts.set(change.id, null);
  if (change.kind === 'rename') hosts.set(change.id, { ...host, name: change.name });
  if (change.kind === 'move') hosts.set(change.id, { ...host, groupId: change.groupId });
}

function compare(host: StoredHostState, { host: before, entry }: Expected, converged: boolean): Breaches {
  const breaches: string[] = [];
  const expect = (what: string, actual: string | boolean | null, expected: string | boolean | null) => {
    if (actual !== expected) breaches.push(`the ${what} of host ${host.id} is ${actual}, not ${expected}`);
  };
  if (before === null) return [`host ${host.id} has come back`];
  if (entry?.ensure === 'absent') {
    if (converged) breaches.push(`host ${host.id} is still there`);
    return breaches;
  }
  if (entry?.name === undefined) expect('name', host.name, before.name);
  else if (converged) expect('name', host.name, entry.name);
  if (entry?.group === undefined) expect('group', host.groupId, before.groupId);
  else if (converged) expect('group', host.groupId, groupIdOf(entry.group));
  if (entry?.antivirus !== true) expect('anti-virus', host.antivirus.installed, before.antivirus.installed);
  if (converged && readTemporaryName(host.name) !== undefined)
    breaches.push(`host ${host.id} keeps a temporary name`);
  expect('online state', host.online, before.online);
  return breaches;
}

function groupIdOf(group: NonNullable<GivenEntry['group']> | null): string {
  if (group === null) return '-1';
  if (typeof group !== 'string') return String(group.id);
  return Object.entries(givenGroups).find(([, name]) => name === group)?.[0] ?? 'no group';
}

/** Without the run having to wait for it, a host to be deleted may be deleted at any time. */
function mayBeDeleted(entry: GivenEntry | undefined): boolean {
  return entry?.ensure === 'absent';
}

/** Everything in a plan about one host. */
interface Transition {
  readonly names: ReadonlySet<string | null>;
  readonly groups: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  /** The names that a temporary one may represent. */
  readonly ends: readonly string[];
}

function transitionOf(plan: Plan | undefined, id: HostId): Transition | undefined {
  const steps = plan?.steps.filter((step) => hostIdsOf(step).includes(id)) ?? [];
  if (steps.length === 0) return undefined;
  const names = new Set<string | null>();
  const groups = new Set<string>();
  const ends: string[] = [];
  for (const step of steps) {
    const expects =
      step.kind === 'rename' || step.kind === 'temporary-rename'
        ? step.expects
        : step.hosts.find((each) => each.hostId === id)?.expects;
    names.add(expects?.name ?? null);
    if (expects !== undefined) groups.add(expects.groupId);
    if (step.kind === 'move') groups.add(step.groupId);
    if (step.kind === 'rename' || step.kind === 'temporary-rename') {
      names.add(step.to);
      ends.push(step.kind === 'temporary-rename' ? step.finalName : step.to);
    }
  }
  return { names, groups, ends, kinds: new Set(steps.map((step) => step.kind)) };
}

function isPlanned(call: WriteCall, transition: Transition, id: HostId): boolean {
  switch (call.action) {
    case 'renameHost':
      return (
        (transition.kinds.has('rename') || transition.kinds.has('temporary-rename')) &&
        (transition.names.has(call.to) || isTemporary(transition, id, call.to))
      );
    case 'moveHosts':
      return transition.kinds.has('move') && call.to !== null && transition.groups.has(call.to);
    case 'deleteHosts':
      return transition.kinds.has('delete');
    case 'installAntivirus':
      return transition.kinds.has('antivirus');
    case 'refreshAntivirusStatus':
      return transition.kinds.has('refresh');
  }
}

function isOurs(call: WriteCall, shown: Shown, transition: Transition, id: HostId): boolean {
  const hasOurName = transition.names.has(shown.name) || isTemporary(transition, id, shown.name);
  const hasOurGroup = shown.groupId === undefined || transition.groups.has(shown.groupId);
  switch (call.action) {
    case 'renameHost':
      return hasOurName;
    case 'moveHosts':
      return hasOurGroup;
    case 'deleteHosts':
      return hasOurName && hasOurGroup;
    case 'installAntivirus':
    case 'refreshAntivirusStatus':
      return true;
  }
}

/** Is it a temporary name that leads to one which the plan gives? */
function isTemporary(transition: Transition, id: HostId, name: string | null): boolean {
  const temporary = readTemporaryName(name);
  return (
    temporary !== undefined &&
    transition.ends.some((end) => isTemporaryNameFor(temporary, temporary.kind, id, end))
  );
}

function deletedByHuman(world: World, id: string): boolean {
  return world.edits.some((change) => change.kind === 'delete' && change.id === id);
}

function describe({ run, action, to }: WriteCall, id: string): string {
  return `run ${run + 1} sent ${action} for host ${id}${to === null ? '' : ` (to ${to})`}`;
}
