import { type GroupId, ungroupedId } from '../../../model/group.ts';
import type { HostId } from '../../../model/host-id.ts';
import { ok, type Result } from '../../../problem/result.ts';
import type { Call } from '../../protocol/provider/call.ts';
import { type Diagnostic, errorDiagnostic } from '../../protocol/provider/diagnostic.ts';
import type { KnownConfigOf, PlannedOf, StateOf } from '../../protocol/schema/values-of.ts';
import { groupWishOf } from '../group-wish.ts';
import { type Rampart, type Service, withService } from '../service.ts';
import { toDiagnostics } from '../to-diagnostics.ts';
import { membersOf } from './members-of.ts';
import type { membersSchema } from './members-schema.ts';

type MembersState = StateOf<typeof membersSchema>;

interface MembersChange {
  readonly planned: PlannedOf<typeof membersSchema>;
  readonly config: KnownConfigOf<typeof membersSchema>;
}

interface MembersApplied {
  readonly state?: MembersState;
  readonly diagnostics?: readonly Diagnostic[];
}

/** Brings in who is missing and, where the list is the whole group, takes the others out. */
export function gatherMembers(
  { planned, config }: MembersChange,
  call: Call<Rampart>,
): Promise<MembersApplied> {
  const { signal } = call;
  return withService(call, async (service) => {
    const wish = groupWishOf(config);
    if (wish === null) throw new Error('an applied configuration names its group');
    const group = await service.session.findGroup(wish, { signal });
    const fleet = await service.session.observed({ signal });
    if (!group.ok) return { diagnostics: toDiagnostics(group.problems) };
    if (!fleet.ok) return { diagnostics: toDiagnostics(fleet.problems) };
    const { id } = group.value;
    const wanted = new Set(config.host_ids as readonly HostId[]);
    const mode = planned.mode === 'authoritative' ? 'authoritative' : 'additive';
    const leaving =
      mode === 'authoritative' ? [...membersOf(fleet.value, id)].filter((each) => !wanted.has(each)) : [];
    const ends = await Promise.all([
      ...[...wanted].map((host) =>
        service.moves.after(host, () => service.broker.move(host, id, { signal })),
      ),
      ...leaving.map((host) => service.moves.after(host, () => takeOut(service, host, id, signal))),
    ]);
    const problems = ends.flatMap((end) => (end.ok ? [] : end.problems));
    const { group: name, group_id, host_ids } = planned;
    if (problems.length === 0) return { state: { id, group: name, group_id, host_ids, mode } };
    return { diagnostics: [...toDiagnostics(problems, ['host_ids']), incomplete] };
  });
}

/** Not where it has gone to another group meanwhile: that resource has the say. */
async function takeOut(
  { session, broker }: Service,
  host: HostId,
  from: GroupId,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  return session.hostNow(host)?.groupId === from ? broker.move(host, ungroupedId, { signal }) : ok(null);
}

const incomplete = errorDiagnostic('Not all hosts are where they are to be', {
  detail: 'Those that are not named were moved. Apply again to go on.',
});
