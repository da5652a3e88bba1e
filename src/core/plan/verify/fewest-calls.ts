import type { GroupId } from '../../model/observed.ts';
import type { Plan } from '../types/plan.ts';
import type { Step } from '../types/step.ts';
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
  const broken = new Set<TouchedHost>();
  for (const { step, host } of hosts.renames) {
    const { id, steps } = host;
    if (step.kind === 'rename') {
      if (step.to === host.expects.name) report(step.id, `host ${id} has this name already`);
      continue;
    }
    if ((steps.delete ?? steps.rename) === undefined) report(step.id, `host ${id} keeps a temporary name`);
    if (step.why === 'deletion') {
      if (steps.delete === undefined || plan.deleteFirst || nextOwner(host, given) === undefined)
        report(step.id, `host ${id} needs no temporary name: no other host gets its name`);
      continue;
    }
    if (steps.rename?.to !== step.finalName)
      report(step.id, `host ${id} gets another name than the one that is announced`);
    if (!breaksCycle(host, given, broken))
      report(
        step.id,
        `host ${id} needs no temporary name: it is in no cycle, or its cycle is broken already`,
      );
  }
  checkBatches(plan, report);
}

/** The host that gets the name of another one for good. */
function nextOwner({ was }: TouchedHost, given: GivenNames): TouchedHost | undefined {
  const next = was === null ? undefined : given.get(was);
  return next?.step.kind === 'rename' ? next.host : undefined;
}

/** Does the name of each host go to the next one, until the first one gets the name of the last one? */
function breaksCycle(first: TouchedHost, given: GivenNames, broken: Set<TouchedHost>): boolean {
  let host: TouchedHost | undefined = first;
  do {
    if (broken.has(host)) return false;
    broken.add(host);
    host = nextOwner(host, given);
  } while (host !== undefined && host !== first);
  return host === first && nextOwner(first, given) !== first;
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
