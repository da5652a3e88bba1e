import { quoted } from '../../lib/words.ts';
import { foldName } from '../../model/host-name.ts';
import type { HostId } from '../../model/observed.ts';
import type { Plan } from '../types/plan.ts';
import {
  type Expectation,
  isNameStep,
  type NameStep,
  type Step,
  type StepId,
  type StepKind,
} from '../types/step.ts';
import type { Report } from './flaw.ts';

/** The renames of a plan, by the folded name that they give. */
export type GivenNames = ReadonlyMap<string, Renaming>;

/**
 * No two hosts ever have the same name, whatever order the dependencies allow: each name is given once, and only after
 * the hosts that have it have released it.
 */
export function checkNames({ steps, deleteFirst }: Plan, hosts: TouchedHosts, report: Report): GivenNames {
  const waits = waitsIn(steps);
  const given = new Map<string, Renaming>();
  for (const renaming of hosts.renames) {
    const { step, host } = renaming;
    const own = host.steps['temporary-rename'];
    if (step.kind === 'rename' && own !== undefined && !waits(step, own.id))
      report(step.id, `it does not wait for ${own.id}, which renames the same host`);
    const name = foldName(step.to);
    const other = given.get(name);
    if (other !== undefined)
      report(step.id, `it gives host ${host.id} the name ${quoted(step.to)}, which ${other.step.id} gives`);
    given.set(name, renaming);
  }
  // Lists have shown a name twice: each host that has it must leave it.
  for (const host of hosts.byId.values()) {
    const next = host.was === null ? undefined : given.get(host.was);
    if (next === undefined || next.host === host) continue;
    const { step } = next;
    const freed = freedBy(host, deleteFirst);
    if (freed === undefined)
      report(
        step.id,
        `it gives host ${next.host.id} the name ${quoted(step.to)}, which host ${host.id} keeps`,
      );
    else if (!waits(step, freed))
      report(step.id, `it does not wait for ${freed}, which frees the name ${quoted(step.to)}`);
  }
  return given;
}

/** The step after which a host no longer has its first name. Deletions at the end free it too late. */
function freedBy({ was, steps }: TouchedHost, deleteFirst: boolean): StepId | undefined {
  for (const step of [steps['temporary-rename'], steps.rename])
    if (step !== undefined && foldName(step.to) !== was) return step.id;
  return deleteFirst ? steps.delete?.id : undefined;
}

/** Does a step begin only after another one has ended? */
function waitsIn(steps: readonly Step[]): (step: Step, other: StepId) => boolean {
  let byId: ReadonlyMap<StepId, Step> | undefined;
  return ({ after }, other) => {
    if (after.includes(other)) return true;
    byId ??= new Map(steps.map((step) => [step.id, step]));
    const reached = new Set(after);
    for (const id of reached) {
      if (id === other) return true;
      for (const next of byId.get(id)?.after ?? []) reached.add(next);
    }
    return false;
  };
}

/** Everything in the steps about one host. */
export interface TouchedHost {
  readonly id: HostId;
  /** The host in the fleet that the plan relied on. */
  readonly expects: Expectation;
  /** Its name in that fleet, folded. */
  readonly was: string | null;
  /** Its name after the steps so far. */
  name: string | null;
  readonly steps: { -readonly [Kind in StepKind]: Extract<Step, { readonly kind: Kind }> | undefined };
}

export interface TouchedHosts {
  readonly byId: ReadonlyMap<HostId, TouchedHost>;
  /** Every step that gives a name, and its host, in the order of the plan. */
  readonly renames: readonly Renaming[];
}

export interface Renaming {
  readonly step: NameStep;
  readonly host: TouchedHost;
}

/** Can every step be sent in this order, and does each find its hosts as the fleet and the steps before it leave them? */
export function touchedHosts({ steps, deleteFirst }: Plan, report: Report): TouchedHosts {
  const byId = new Map<HostId, TouchedHost>();
  const renames: Renaming[] = [];
  const earlier = new Set<StepId>();
  let phase = 0;
  for (const step of steps) {
    if (earlier.has(step.id)) report(step.id, 'another step has the same id');
    for (const id of step.after)
      if (!earlier.has(id)) report(step.id, `it waits for ${id}, which does not come before it`);
    earlier.add(step.id);
    const own = (step.kind === 'delete') === deleteFirst ? 0 : 1;
    if (own < phase) report(step.id, `deletions come ${deleteFirst ? 'first' : 'last'} in this plan`);
    phase = own;
    if (isNameStep(step)) {
      const host = touch(step.hostId, step.expects.name, step.expects, step, byId, report);
      if (step.from !== host.name)
        report(step.id, `it renames host ${step.hostId} from a name that the host does not have then`);
      host.name = step.to;
      renames.push({ step, host });
    } else {
      for (const { hostId, name, expects } of step.hosts) touch(hostId, name, expects, step, byId, report);
    }
  }
  return { byId, renames };
}

function touch(
  hostId: HostId,
  name: string | null,
  expects: Expectation,
  step: Step,
  byId: Map<HostId, TouchedHost>,
  report: Report,
): TouchedHost {
  let known = byId.get(hostId);
  if (known === undefined) byId.set(hostId, (known = newHost(hostId, expects)));
  const { steps } = known;
  const { name: before, groupId } = known.expects;
  if (expects.hostId !== hostId) report(step.id, `it changes host ${hostId}, but expects ${expects.hostId}`);
  if (expects.name !== before || name !== before || expects.groupId !== groupId)
    report(step.id, `it expects host ${hostId} in another state than the steps before it`);
  if (steps[step.kind] !== undefined) report(step.id, `it repeats what another step does to host ${hostId}`);
  (steps as Record<StepKind, Step | undefined>)[step.kind] = step;
  if (
    steps.delete !== undefined &&
    (steps.rename ?? steps.move ?? steps.antivirus ?? steps.refresh) !== undefined
  )
    report(step.id, `host ${hostId} is deleted, and changed in another way as well`);
  if (step.kind === 'move' && step.groupId === groupId)
    report(step.id, `host ${hostId} is in this group already`);
  return known;
}

// All members from the start: engines reach them faster than those that are added later.
function newHost(id: HostId, expects: Expectation): TouchedHost {
  const { name } = expects;
  const steps = {
    rename: undefined,
    'temporary-rename': undefined,
    move: undefined,
    antivirus: undefined,
    refresh: undefined,
    delete: undefined,
  };
  return { id, expects, was: name === null ? null : foldName(name), name, steps };
}
