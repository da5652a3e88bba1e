import type { Observed } from '../../model/observed.ts';
import type { HostState } from '../types/plan.ts';
import type { Step } from '../types/step.ts';

/** What the list showed of the hosts that a step deletes or gives the anti-virus, in the order of the steps. */
export function hostStatesOf(steps: readonly Step[], observed: Observed): readonly HostState[] {
  return steps
    .filter((step) => step.kind === 'delete' || step.kind === 'antivirus')
    .flatMap(({ hosts }) => hosts)
    .flatMap(({ hostId }) => {
      const host = observed.byId(hostId);
      if (host === undefined) return [];
      const { online, stateChangedAt } = host;
      return [{ hostId, online, ...(stateChangedAt === undefined ? {} : { stateChangedAt }) }];
    });
}
