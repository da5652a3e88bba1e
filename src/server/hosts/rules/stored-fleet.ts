import {
  type GroupId,
  type HostId,
  type Observed,
  type ObservedHost,
  observe,
  ungroupedId,
} from '../../../core/model/observed.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import type { Expectation } from '../../../core/plan/types/step.ts';
import type { HostWithFacts } from '../records/hosts.ts';

/** The ids of groups in a plan, which the store does not have. */
type Groups = Pick<Plan, 'groups' | 'steps'>;

/**
 * Stored hosts as a list of the service would show them. The store has names of groups, without their ids: those of a plan
 * keep their ids, the others get new ones.
 */
export function storedFleet(
  hosts: readonly HostWithFacts[],
  plan: Groups = { groups: [], steps: [] },
): Observed {
  const known = plan.groups.filter(({ id }) => id !== ungroupedId);
  const nameOf = new Map(known.map(({ id, name }) => [id, name]));
  const idOf = new Map<string, GroupId>();
  for (const { id, name } of known) if (name !== null && !idOf.has(name)) idOf.set(name, id);
  const groups = known.map(({ id, name }) => ({ id, name }));
  let next = 1;
  for (const name of new Set(hosts.flatMap(({ group }) => group ?? []))) {
    if (idOf.has(name)) continue;
    while (nameOf.has(String(next) as GroupId)) next += 1;
    const id = String(next) as GroupId;
    next += 1;
    idOf.set(name, id);
    groups.push({ id, name });
  }
  const expected = new Map(expectationsOf(plan).map(({ hostId, groupId }) => [hostId, groupId]));
  const groupOf = ({ host_id: hostId, group }: HostWithFacts): GroupId => {
    const planned = expected.get(hostId as HostId);
    // Several groups may have one name, and a group may have none.
    if (planned !== undefined && (nameOf.get(planned) ?? null) === group) return planned;
    return (group === null ? undefined : idOf.get(group)) ?? ungroupedId;
  };
  return observe({
    takenAt: (hosts[0]?.seen_at ?? new Date(0)).toISOString(),
    lists: [],
    groups,
    hosts: hosts.map((host): ObservedHost => {
      const { host_id: hostId, name, state, facts } = host;
      return {
        id: hostId as HostId,
        name,
        groupId: groupOf(host),
        online: state === 'online',
        ...antivirusOf(facts['antivirus']),
      };
    }),
  });
}

function expectationsOf({ steps }: Groups): readonly Expectation[] {
  return steps.flatMap((step) =>
    'hosts' in step ? step.hosts.map(({ expects }) => expects) : [step.expects],
  );
}

function antivirusOf(word: unknown): Pick<ObservedHost, 'antivirus'> {
  switch (word) {
    case 'installed':
      return { antivirus: { installed: true, supported: true } };
    case 'not installed':
      return { antivirus: { installed: false, supported: true } };
    case 'unsupported':
      return { antivirus: { installed: false, supported: false } };
    default:
      return {};
  }
}
