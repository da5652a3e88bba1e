import { quoted } from '../../../core/lib/words.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';

/** What a plan shows of a host that it adopts. */
export interface ShownAdoption {
  readonly host_id: string;
  readonly adopted_name: string | null;
  readonly adopted_group: string | null;
}

export function isSameAdoption(one: ShownAdoption, other: ShownAdoption): boolean {
  return one.host_id === other.host_id && differences(one, other).length === 0;
}

/** The host is not as the approved plan showed it. Terraform would report a bug in the provider. */
export function adoptionChanged(before: ShownAdoption, now: ShownAdoption): Problem {
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
