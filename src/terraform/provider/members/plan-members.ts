import type { HostId } from '../../../model/host-id.ts';
import type { Problem } from '../../../problem/problem.ts';
import { missingHost } from '../../fleet/find-host.ts';
import type { Call } from '../../protocol/provider/call.ts';
import { type Diagnostic, hasErrors } from '../../protocol/provider/diagnostic.ts';
import type { ConfigOf, ProposedInput, ProposedOf, StateOf } from '../../protocol/schema/values-of.ts';
import { isPresent, knownOrNull } from '../../protocol/value/unknown.ts';
import { groupWishOf } from '../group-wish.ts';
import type { Rampart } from '../service.ts';
import { toDiagnostics } from '../to-diagnostics.ts';
import type { membersSchema } from './members-schema.ts';

interface MembersChange {
  readonly config: ConfigOf<typeof membersSchema>;
  readonly prior: StateOf<typeof membersSchema> | null;
  readonly planned: ProposedOf<typeof membersSchema>;
}

interface MembersPlan {
  readonly planned?: ProposedInput<typeof membersSchema>;
  readonly diagnostics?: readonly Diagnostic[];
}

/** Hosts that are missing, and those that another resource wants elsewhere, are told before anything is moved. */
export async function planMembers(
  { config, prior, planned }: MembersChange,
  { client, signal }: Call<Rampart>,
): Promise<MembersPlan> {
  const wish = groupWishOf(config);
  if (!client.service.ok || wish === null) return {};
  const { session, claims } = client.service.value;
  const group = await session.findGroup(wish, { signal });
  const fleet = await session.observed({ signal });
  if (!group.ok)
    return { diagnostics: toDiagnostics(group.problems, [config.group === null ? 'group_id' : 'group']) };
  if (!fleet.ok) return { diagnostics: toDiagnostics(fleet.problems) };
  const ids = (knownOrNull(config.host_ids) ?? []).flatMap((id) => (isPresent(id) ? [id as HostId] : []));
  const by = `rampart_group_members ${JSON.stringify(config)}`;
  const faults = ids.flatMap((id): readonly Problem[] => {
    if (fleet.value.byId(id) === undefined) return [missingHost(id)];
    const contradiction = claims.claim(id, 'group', { wanted: group.value.id, by });
    return contradiction === undefined ? [] : [contradiction];
  });
  const diagnostics = [...toDiagnostics(group.problems), ...toDiagnostics(faults, ['host_ids'])];
  if (hasErrors(diagnostics) || (planned as unknown) === prior) return { diagnostics };
  return { diagnostics, planned: { ...planned, id: group.value.id } };
}
