import type { GroupId } from '../../model/group.ts';
import type { HostId } from '../../model/host-id.ts';
import type { Plan } from '../types/plan.ts';
import type { Step, TemporaryRenameStep } from '../types/step.ts';
import type { Report } from './flaw.ts';
import type { GivenNames } from './names.ts';
import type { TouchedHost, TouchedHosts } from './touched-hosts.ts';

/**
 * No plan with the same result needs fewer calls. Each host with another name needs a rename. A cycle of hosts that want each
 * other's names needs one more, because a first host must leave its name while its new one is taken; a host whose deletion
 * comes last needs one if another host wants its name. The temporary renames are the proof: each names its own cycle or its
 * own deletion, so there are as many of them as the fleet requires. The other calls have as many hosts as fit.
 */
export function checkCalls(plan: Plan, hosts: TouchedHosts, given: GivenNames, report: Report): void {
  const broken = new Set<HostId>();
  for (const [id, host] of hosts) {
    const { rename, 'temporary-rename': temporary, delete: deletion } = host.steps;
    if (rename !== undefined && rename.to === host.expects.name)
      report(rename.id, `host ${id} has this name already`);
    if (temporary === undefined) continue;
    if (deletion === undefined && rename === undefined)
      report(temporary.id, `host ${id} keeps a temporary name`);
    if (temporary.why === 'deletion') {
      if (deletion === undefined || plan.deleteFirst || wanterOf(host, given) === undefined)
        report(temporary.id, `host ${id} needs no temporary name: no other host gets its name`);
    } else checkCycle(temporary, hosts, given, broken, report);
  }
  checkBatches(plan, report);
}

function checkCycle(
  { id: step, hostId, finalName }: TemporaryRenameStep,
  hosts: TouchedHosts,
  given: GivenNames,
  broken: Set<HostId>,
  report: Report,
): void {
  if (hosts.get(hostId)?.steps.rename?.to !== finalName)
    report(step, `host ${hostId} gets another name than the one that is announced`);
  const cycle = cycleOf(hostId, hosts, given);
  if (cycle === undefined || cycle.some((each) => broken.has(each)))
    report(step, `host ${hostId} needs no temporary name: it is in no cycle, or its cycle is broken already`);
  for (const each of cycle ?? []) broken.add(each);
}

/** The host that gets the name of another one for good. */
function wanterOf({ was }: TouchedHost, given: GivenNames): HostId | undefined {
  const step = was === null ? undefined : given.get(was);
  return step?.kind === 'rename' ? step.hostId : undefined;
}

/** The hosts from one to the next that gets its name, until the first one gets the name of the last one. */
function cycleOf(start: HostId, hosts: TouchedHosts, given: GivenNames): readonly HostId[] | undefined {
  const cycle = new Set<HostId>();
  for (
    let id: HostId | undefined = start;
    id !== undefined;
    id = wanterOf(hosts.get(id) as TouchedHost, given)
  ) {
    // A name is given to one host, so that the first host met again is the start.
    if (cycle.has(id)) return cycle.size > 1 ? [...cycle] : undefined;
    cycle.add(id);
  }
  return undefined;
}

function checkBatches({ steps, batchSize, calls }: Plan, report: Report): void {
  const hosts = new Map<string, number>();
  const sent = new Map<string, number>();
  for (const step of steps) {
    if (step.kind === 'rename' || step.kind === 'temporary-rename') continue;
    const batch = batchOf(step);
    if (step.hosts.length > batchSize) report(step.id, `it has more than ${batchSize} hosts`);
    hosts.set(batch, (hosts.get(batch) ?? 0) + step.hosts.length);
    sent.set(batch, (sent.get(batch) ?? 0) + 1);
  }
  for (const [batch, count] of hosts)
    if ((sent.get(batch) ?? 0) > Math.ceil(count / batchSize))
      report('calls', `${sent.get(batch)} calls (${batch}) for ${count} hosts are more than needed`);
  if (calls.minimum !== calls.planned || calls.planned !== steps.length)
    report('calls', 'its numbers are not those of the steps');
}

/** Steps of one batch differ only in their hosts. */
function batchOf(step: Step & { readonly groupId?: GroupId }): string {
  return step.kind === 'move' ? `move to ${step.groupId}` : step.kind;
}
