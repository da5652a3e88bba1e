import { quoted } from '../../core/lib/words.ts';
import { type GroupId, type Observed, type ObservedHost } from '../../core/model/observed.ts';
import { describeGroup } from '../../core/plan/intents/groups.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';

/** The state in which a plan showed a host that it changes. Absent fields do not matter to the change. */
export interface AsPlanned {
  readonly name?: string | null;
  readonly groupId?: GroupId;
}

/** The values that our successful calls have set on a host since the first read. */
export interface OurCalls {
  readonly name?: string;
  readonly groupId?: GroupId;
}

/**
 * Why nothing is sent for a host: its name or group is neither what the plan showed nor what our own calls set since,
 * so someone else changed it.
 */
export function changedSincePlan(
  host: ObservedHost,
  planned: AsPlanned | undefined,
  ours: OurCalls | undefined,
  fleet: Pick<Observed, 'groupById'>,
): Problem | undefined {
  const { id, name, groupId } = host;
  if (planned?.name !== undefined && name !== planned.name && name !== ours?.name) {
    const before = planned.name === null ? 'it had no name' : `its name was ${quoted(planned.name)}`;
    const now = name === null ? 'it has no name' : `its name is ${quoted(name)}`;
    return changed(id, `${before} in the plan, and ${now} now`);
  }
  if (planned?.groupId !== undefined && groupId !== planned.groupId && groupId !== ours?.groupId) {
    const [before, now] = [planned.groupId, groupId].map((group) =>
      describeGroup({ id: group, name: fleet.groupById(group)?.name ?? null }, quoted),
    );
    return changed(id, `it was in ${before} in the plan, and is in ${now} now`);
  }
  return undefined;
}

function changed(id: ObservedHost['id'], how: string): Problem {
  return problem('stale-plan', `someone else has changed host ${id} since the plan: ${how}`, {
    hint: 'nothing was sent for this host. If a resource of another provider block manages the host too, let only one of them manage it. Plan again, and apply that plan',
    hostIds: [id],
  });
}
