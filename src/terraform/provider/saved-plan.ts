import { readFileSync } from 'node:fs';
import type { HostId } from '../../core/model/host-id.ts';
import type { ShownPlan } from '../fleet/approved-plans.ts';
import type { PlannedRename } from '../fleet/planned-renames.ts';
import { readPlanFile, type SavedChange } from '../protocol/plan-file/read-plan-file.ts';
import { typeOfBody } from '../protocol/schema/type-of-schema.ts';
import { isPresent } from '../protocol/value/unknown.ts';
import { isWhollyKnown } from '../protocol/value/value.ts';
import { fleetSchema } from './fleet/fleet-schema.ts';
import type { FleetState } from './fleet/fleet-values.ts';
import { nothingShown, shownFleet } from './fleet/shown-fleet.ts';
import type { HostState, PlannedHost } from './host/host-values.ts';
import { hostSchema } from './host/schema.ts';
import { shownAdoption, shownReplacement } from './host/shown-adoption.ts';
import { membersSchema } from './members/members-schema.ts';
import type { MembersState } from './members/members-values.ts';
import { shownMoves } from './members/shown-moves.ts';

/**
 * The saved plan that Terraform applies. Terraform passes each resource only its own plan, so the provider reads the
 * plan file to know all of them. The plan may have been made on another machine.
 */
export interface SavedPlan {
  /** The renames of `rampart_host`, for each provider block: the provider does not know its own. */
  readonly renames: readonly (readonly PlannedRename[])[];
  readonly shown: readonly ShownPlan[];
}

const types = {
  rampart_host: typeOfBody(hostSchema),
  rampart_fleet: typeOfBody(fleetSchema),
  rampart_group_members: typeOfBody(membersSchema),
};

const nothing: SavedPlan = { renames: [], shown: [] };

/** Null: there is none. A file of another format, such as an encrypted plan of OpenTofu, is the same as none. */
export function readSavedPlan(path: string | null): SavedPlan {
  if (path === null) return nothing;
  try {
    const changes = readPlanFile(readFileSync(path), types);
    const hosts = Map.groupBy(
      changes.filter(({ type }) => type === 'rampart_host'),
      ({ provider }) => provider,
    );
    return {
      renames: [...hosts.values()].map((own) => own.flatMap(renameIn)),
      shown: changes.flatMap(shownIn),
    };
  } catch {
    return nothing;
  }
}

function renameIn({ before, after }: SavedChange): readonly PlannedRename[] {
  const prior = before as HostState | null;
  const { id, name: to, adopted_name: adopted } = after as PlannedHost;
  const from = prior?.id === id ? prior.name : adopted;
  if (!isPresent(id) || !isPresent(to) || !isWhollyKnown(from) || from === to) return [];
  return [{ hostId: id as HostId, from: from as string | null, to }];
}

function shownIn({ type, before, after }: SavedChange): readonly ShownPlan[] {
  switch (type) {
    case 'rampart_host':
      return shownOfHost(before, after as HostState);
    case 'rampart_group_members':
      return isWhollyKnown(after) ? [shownMoves(after as MembersState, after as MembersState)] : [];
    default:
      return shownOfFleet(before as FleetState | null, after as FleetState);
  }
}

function shownOfHost(before: SavedChange['before'], after: HostState): readonly ShownPlan[] {
  const { host_id, name, adopted_name, adopted_group } = after;
  const isAdopted = before === null || before['host_id'] !== host_id;
  if (!isAdopted || !isPresent(host_id) || ![adopted_name, adopted_group].every(isWhollyKnown)) return [];
  const deleted = before?.['on_destroy'] === 'delete' ? (before['host_id'] as string) : null;
  return [
    shownAdoption({ host_id }, after),
    ...(isPresent(name) ? [shownAdoption({ name }, after)] : []),
    ...(deleted === null ? [] : [shownReplacement(host_id, deleted)]),
  ];
}

function shownOfFleet(before: FleetState | null, after: FleetState): readonly ShownPlan[] {
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  const { checksum, summary } = after;
  if (!isPresent(checksum) || !isPresent(summary)) return [];
  return [shownFleet(after, before, isSame ? nothingShown : after)];
}
