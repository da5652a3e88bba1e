import type { GroupId, Observed } from '../../model/observed.ts';
import type { HostState, TouchedGroup } from '../types/plan.ts';
import type { Expectation, Step } from '../types/step.ts';

/** The current and new groups of the hosts in the steps, in the order of the steps, with their values in the list. */
export function touchedGroups(steps: readonly Step[], observed: Observed): readonly TouchedGroup[] {
  const sizes = new Map<GroupId, number>();
  const touch = ({ groupId }: Pick<Expectation, 'groupId'>) => sizes.set(groupId, 0);
  for (const step of steps) {
    if (step.kind === 'rename' || step.kind === 'temporary-rename') touch(step.expects);
    else for (const { expects } of step.hosts) touch(expects);
    if (step.kind === 'move') touch(step);
  }
  for (let index = 0; index < observed.count; index += 1) {
    const groupId = observed.groupIdAt(index);
    const size = sizes.get(groupId);
    if (size !== undefined) sizes.set(groupId, size + 1);
  }
  return [...sizes].map(([id, hosts]) => ({ id, name: observed.groupById(id)?.name ?? null, hosts }));
}

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
