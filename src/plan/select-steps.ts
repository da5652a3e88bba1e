import type { HostId } from '../model/host-id.ts';
import type { Step } from './plan.ts';

/** The same steps for some of the hosts; a batch loses the others, and a step without hosts is left out. */
export function selectSteps(steps: readonly Step[], keeps: (host: HostId) => boolean): readonly Step[] {
  return steps.flatMap((step): readonly Step[] => {
    if (step.kind === 'rename' || step.kind === 'park') return keeps(step.hostId) ? [step] : [];
    const hosts = step.hosts.filter((each) => keeps(each.hostId));
    return hosts.length === 0 ? [] : [{ ...step, hosts }];
  });
}
