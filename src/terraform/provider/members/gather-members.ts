import { firstFew } from '../../../core/lib/words.ts';
import { type GroupId, type HostId, ungroupedId } from '../../../core/model/observed.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import type { LiveFleet } from '../../fleet/live-fleet.ts';
import type { AsPlanned } from '../../fleet/since-plan.ts';
import {
  type Diagnostic,
  errorDiagnostic,
  type ProviderCall,
  warningDiagnostic,
} from '../../protocol/provider/call.ts';
import type { ApplyInput, ApplyReply } from '../../protocol/provider/resource.ts';
import { isPresent, type Unknown } from '../../protocol/value/value.ts';
import { duringApply, type ProviderService, type Rampart, toDiagnostics } from '../service.ts';
import { summarizeProblems, theRest } from '../summarize-problems.ts';
import { membersOf } from './members-of.ts';
import { desiredDigest, type MembersState, type MembersValues } from './members-values.ts';

/** Moves exactly the hosts in the plan into and out of the group. */
export function gatherMembers(
  { planned }: Pick<ApplyInput<MembersValues>, 'planned'>,
  call: ProviderCall<Rampart>,
): Promise<ApplyReply<MembersValues>> {
  const { signal } = call;
  return duringApply(call, async (service) => {
    const { session, coordinator, moves } = service;
    const fleet = await session.observed({ signal });
    if (!fleet.ok) return { diagnostics: toDiagnostics(fleet.problems) };
    const id = shown(planned.id) as GroupId;
    const joins = shown(planned.joins) as MembersState['joins'];
    const evicts = shown(planned.evicts) as MembersState['evicts'];
    const mode = shown(planned.mode);
    const idsOf = (moves: MembersState['evicts']) => Object.keys(moves) as HostId[];
    const ends = await Promise.all([
      ...idsOf(joins).map((host) => {
        const options = { signal, planned: asAtFirst(session, host) };
        return moves.after(host, () => coordinator.move(host, id, options));
      }),
      ...idsOf(evicts).map((host) => moves.after(host, () => takeOut(service, host, id, signal))),
    ]);
    const moved = [...idsOf(joins), ...idsOf(evicts)];
    const confirmed = await coordinator.confirm(moved, { signal, mayEndUnread: 'last' });
    const refused = ends.filter((end) => !end.ok).flatMap((end) => end.problems);
    const problems = summarizeProblems([...refused, ...confirmed.problems], theRest);
    if (problems.length > 0) return { diagnostics: [...toDiagnostics(problems, ['host_ids']), incomplete] };
    const { group, group_id, host_ids, acks } = planned;
    const members = membersOf(session.observation.fleet as LiveFleet, id);
    const others = [...members].filter((host) => !host_ids.includes(host));
    return {
      state: { id, group, group_id, host_ids, mode, acks, joins, evicts },
      private: acks === null ? {} : { approvedFor: desiredDigest(planned, host_ids) },
      diagnostics: mode === 'authoritative' && others.length > 0 ? [notShown(others)] : [],
    };
  });
}

/** The plan used the first list. A host that enrolled later has no planned group. */
function asAtFirst({ observation }: ProviderService['session'], id: HostId): AsPlanned {
  const host = observation.atFirst?.byId(id);
  return host === undefined ? {} : { groupId: host.groupId };
}

/** Terraform plans again in the apply, when every value is known. */
function shown<T>(value: T | null | Unknown): T {
  if (!isPresent(value)) throw new Error('the applied plan does not contain its moves');
  return value;
}

/** Except a host that is now in another group: another resource manages it. */
async function takeOut(
  { session, coordinator }: ProviderService,
  host: HostId,
  from: GroupId,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  if (session.hostNow(host)?.groupId !== from) return ok(null);
  return coordinator.move(host, ungroupedId, { signal, planned: { groupId: from } });
}

const incomplete = errorDiagnostic('Not all hosts are in the planned group', {
  detail: 'The hosts that no error names were moved. Apply again to continue.',
});

function notShown(hosts: readonly HostId[]): Diagnostic {
  return warningDiagnostic('The group has hosts that the plan did not show', {
    detail: `They joined the group after the plan, and the apply left them there: ${firstFew(hosts, 20)}. Plan again to remove them.`,
    path: ['host_ids'],
  });
}
