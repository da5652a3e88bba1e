import type { HostId } from '../../model/host-id.ts';
import { foldName } from '../../model/host-name.ts';
import type { Plan } from '../types/plan.ts';
import type { Expectation, RenameStep, Step, StepId, StepKind, TemporaryRenameStep } from '../types/step.ts';
import type { Report } from './flaw.ts';

/** Everything that the steps say about one host. */
export interface TouchedHost {
  /** The host in the fleet that the plan relied on. */
  readonly expects: Expectation;
  /** Its name in that fleet, folded. */
  readonly was: string | null;
  /** Its name after the steps so far. */
  name: string | null;
  readonly steps: { -readonly [Kind in StepKind]?: Extract<Step, { readonly kind: Kind }> };
}

export type TouchedHosts = ReadonlyMap<HostId, TouchedHost>;

/** Can every step be sent in this order, and does each find its hosts as the fleet and the steps before it leave them? */
export function touchedHosts({ steps, deleteFirst }: Plan, report: Report): TouchedHosts {
  const hosts = new Map<HostId, TouchedHost>();
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
    if (step.kind === 'rename' || step.kind === 'temporary-rename') {
      const host = touch(step.hostId, step.expects.name, step.expects, step, hosts, report);
      if (step.from !== host.name)
        report(step.id, `it renames host ${step.hostId} from a name that the host does not have then`);
      host.name = step.to;
    } else {
      for (const { hostId, name, expects } of step.hosts) touch(hostId, name, expects, step, hosts, report);
    }
  }
  return hosts;
}

/** The step that gives a host its first other name. */
export function firstRename({ steps }: TouchedHost): RenameStep | TemporaryRenameStep | undefined {
  return steps['temporary-rename'] ?? steps.rename;
}

function touch(
  hostId: HostId,
  name: string | null,
  expects: Expectation,
  step: Step,
  hosts: Map<HostId, TouchedHost>,
  report: Report,
): TouchedHost {
  const known = hosts.get(hostId) ?? newHost(expects);
  hosts.set(hostId, known);
  const { name: before, groupId } = known.expects;
  if (expects.hostId !== hostId) report(step.id, `it changes host ${hostId}, but expects ${expects.hostId}`);
  if (expects.name !== before || name !== before || expects.groupId !== groupId)
    report(step.id, `it expects host ${hostId} in another state than the steps before it`);
  if (known.steps[step.kind] !== undefined)
    report(step.id, `it repeats what another step does to host ${hostId}`);
  (known.steps as Partial<Record<StepKind, Step>>)[step.kind] = step;
  const { rename, move, antivirus, refresh } = known.steps;
  if (known.steps.delete !== undefined && (rename ?? move ?? antivirus ?? refresh) !== undefined)
    report(step.id, `host ${hostId} is deleted, and changed in another way as well`);
  if (step.kind === 'move' && step.groupId === groupId)
    report(step.id, `host ${hostId} is in this group already`);
  return known;
}

function newHost(expects: Expectation): TouchedHost {
  const { name } = expects;
  return { expects, was: name === null ? null : foldName(name), name, steps: {} };
}
