import { quoted } from '../../../core/lib/quoted.ts';
import type { HostId } from '../../../core/model/host-id.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import type { ApprovedPlans, ShownPlan } from '../../fleet/approved-plans.ts';

/** What a plan shows of a host that it adopts. */
export interface ShownAdoption {
  readonly host_id: string;
  readonly adopted_name: string | null;
  readonly adopted_group: string | null;
}

/** The configuration identifies a host by its id, or else by its name. */
type Naming = { readonly host_id: string } | { readonly name: string };

export function shownAdoption(
  naming: Naming,
  { host_id, adopted_name, adopted_group }: ShownAdoption,
): ShownPlan {
  return {
    resource: `rampart_host ${JSON.stringify(naming)}`,
    shown: JSON.stringify({ host_id, adopted_name, adopted_group }),
  };
}

const replacementOf = (hostId: string) => `rampart_host instead of another ${JSON.stringify(hostId)}`;

/** The plan adopts a host instead of another one, which it deletes. */
export function shownReplacement(hostId: string, deleted: string): ShownPlan {
  return { resource: replacementOf(hostId), shown: JSON.stringify(deleted) };
}

/** In an apply, the host that the approved plan deletes because it adopts this one; undefined if that is not known. */
export function deletedFor(approved: ApprovedPlans, hostId: string): HostId | undefined {
  const found = approved.find(replacementOf(hostId));
  return found === undefined ? undefined : (JSON.parse(found.shown) as HostId);
}

/** The host is not as the approved plan showed it. */
export function adoptionChanged(approved: ShownPlan, now: ShownAdoption): Problem {
  const before = JSON.parse(approved.shown) as ShownAdoption;
  const hint = 'nothing was sent for this host. Plan again, and apply that plan';
  const hostIds = [before.host_id as HostId, now.host_id as HostId];
  if (before.host_id !== now.host_id)
    return problem(
      'stale-plan',
      `the plan adopts host ${before.host_id}, and now the name identifies host ${now.host_id}`,
      { hint, hostIds },
    );
  return problem(
    'stale-plan',
    `someone else has changed host ${now.host_id} since the plan: ${differences(before, now).join('; ')}`,
    { hint, hostIds: hostIds.slice(1) },
  );
}

function differences(before: ShownAdoption, now: ShownAdoption): readonly string[] {
  const groups = [before, now].map(({ adopted_group: group }) =>
    group === null ? 'no group' : quoted(group),
  );
  const name = ({ adopted_name }: ShownAdoption, verb: string, without: string) =>
    adopted_name === null ? `it ${without} no name` : `its name ${verb} ${quoted(adopted_name)}`;
  return [
    ...(before.adopted_name === now.adopted_name
      ? []
      : [`${name(before, 'was', 'had')} in the plan, and ${name(now, 'is', 'has')} now`]),
    ...(groups[0] === groups[1] ? [] : [`it was in ${groups[0]} in the plan, and is in ${groups[1]} now`]),
  ];
}
