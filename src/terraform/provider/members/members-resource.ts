import type { GroupId, HostId } from '../../../core/model/observed.ts';
import { ok } from '../../../core/problem/problem.ts';
import { findLiveGroup } from '../../fleet/find-group.ts';
import { ackFaults } from '../connection/limits.ts';
import { hostIdFaults, kit, planning, toDiagnostics, withFleet } from '../service.ts';
import { membersOf } from './members-of.ts';
import { membersSchema } from './members-schema.ts';

const noMoves = { joins: {}, evicts: {} };

export const membersResource = kit.resource({
  schema: membersSchema,
  identity: {
    attributes: { group_id: { type: 'string', description: "The group's id.", required: true } },
    of: ({ id }) => ({ group_id: id }),
  },
  validate: ({ host_ids, acks }) => [...hostIdFaults(host_ids), ...ackFaults(acks, 'evict')],
  plan: (change, call) =>
    planning(call, async () => (await import('./plan-members.ts')).planMembers(change, call)),
  create: async (change, call) => (await import('./gather-members.ts')).gatherMembers(change, call),
  update: async (change, call) => (await import('./gather-members.ts')).gatherMembers(change, call),
  read: ({ state }, call) =>
    withFleet(call, async (fleet) => {
      const id = state.id as GroupId;
      if (fleet.groupById(id) === undefined) return { state: null };
      const members = membersOf(fleet, id);
      const listed = (state.host_ids ?? []) as readonly HostId[];
      const mode = state.mode ?? 'additive';
      // A deleted host is kept: the plan then warns about it, and does not treat it as a mistake in the configuration.
      const gone = listed.filter((each) => fleet.byId(each) === undefined);
      const kept = mode === 'authoritative' ? members : listed.filter((each) => members.has(each));
      const host_ids = [...kept, ...gone];
      return { state: { ...state, id, host_ids, mode, ...noMoves } };
    }),
  forget: (stored) => ({ ...stored, ...noMoves }),
  delete: () => ({}),
  import: (target, call) =>
    withFleet(call, async (fleet) => {
      const word = target.by === 'id' ? target.id : String(target.identity['group_id'] ?? '');
      const listed = fleet.groupById(word as GroupId);
      const group = listed === undefined ? findLiveGroup(fleet, { kind: 'named', name: word }) : ok(listed);
      if (!group.ok) return { diagnostics: toDiagnostics(group.problems) };
      const named = listed === undefined ? { group: word } : { group_id: word };
      // Another mode than the default would remove the hosts that the configuration does not list.
      const host_ids = [...membersOf(fleet, group.value.id)];
      return { state: { id: group.value.id, ...named, host_ids, mode: 'additive' } };
    }),
});
