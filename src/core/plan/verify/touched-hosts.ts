import { foldName } from '../../model/host-name.ts';
import type { HostId } from '../../model/observed.ts';
import type { Plan } from '../types/plan.ts';
import type { Expectation, RenameStep, Step, StepId, StepKind, TemporaryRenameStep } from '../types/step.ts';
import type { Report } from './flaw.ts';

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
  readonly step: RenameStep | TemporaryRenameStep;
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
    if (step.kind === 'rename' || step.kind === 'temporary-rename') {
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
