import { quoted } from '../../../core/lib/words.ts';
import type { HostId, ObservedHost } from '../../../core/model/observed.ts';
import { type Problem, problem, warning } from '../../../core/problem/problem.ts';
import type { LiveFleet } from '../../fleet/live-fleet.ts';
import { joined } from '../../fleet/plan-fleet.ts';
import { whyNotDeleted } from '../../fleet/why-not-deleted.ts';
import {
  type Diagnostic,
  errorDiagnostic,
  type PrivateReply,
  type ProviderCall,
  type Reply,
} from '../../protocol/provider/call.ts';
import type { StoredResource } from '../../protocol/provider/resource.ts';
import { isPresent } from '../../protocol/value/value.ts';
import { duringApply, type ProviderService, type Rampart, toDiagnostics, withService } from '../service.ts';
import { summarizeProblems, theRest } from '../summarize-problems.ts';
import { factsOfHost } from './host-facts.ts';
import { type HostConfig, type HostMemory, type HostValues, memoryFrom } from './host-values.ts';
import { hostText } from './planned-deletions.ts';

/** Plans a destroy: nothing, a refusal, or a deletion that is shown, counted and stored for the apply. */
export async function planHostDeletion(
  before: StoredResource<HostValues>,
  call: ProviderCall<Rampart>,
): Promise<Reply & PrivateReply> {
  const { state } = before;
  if (state.on_destroy === 'prevent') return { diagnostics: [prevented] };
  if (state.on_destroy === 'delete')
    return withService(call, (service) => planDeletion(service, state.id as HostId, call.signal));
  const { service } = call.client;
  if (service.ok) service.value.names.forgets(state.id as HostId);
  return {};
}

/** A host that the resource releases because it adopts another one. */
export async function planReplacement(
  service: ProviderService,
  { hostId, onDestroy }: NonNullable<HostMemory['replaces']>,
  adopted: ObservedHost | undefined,
  signal: AbortSignal,
): Promise<Reply & PrivateReply> {
  if (onDestroy === 'prevent') return { diagnostics: [prevented] };
  if (adopted?.id === hostId)
    return { diagnostics: toDiagnostics([cannotComeBack(adopted)], ['on_destroy']) };
  return planDeletion(service, hostId, signal);
}

async function planDeletion(
  { session, deletions, names, claims }: ProviderService,
  hostId: HostId,
  signal: AbortSignal,
): Promise<Reply & PrivateReply> {
  const fleet = await session.observed({ signal });
  if (!fleet.ok) return { diagnostics: toDiagnostics(fleet.problems) };
  const hidden = whyNotDeleted(fleet.value, hostId);
  if (hidden !== undefined) return { diagnostics: toDiagnostics([hidden]) };
  const host = fleet.value.byId(hostId);
  if (host === undefined) return { private: { deletes: null } };
  names.releases(hostId);
  const refusal = await deletions.add(host, fleet.value.count, signal);
  const { name, group } = factsOfHost(host, fleet.value);
  const where = group === null ? 'in no group' : `in "${group}"`;
  const shown = warning('irreversible', 'a host is deleted from the account', {
    hint: `this deletes ${hostText(host)}, ${where}, because its on_destroy is "delete". A deletion can't be undone`,
  });
  const found = [shown, ...claims.claimHost(hostId, true)];
  return {
    diagnostics: toDiagnostics(refusal === undefined ? found : [...found, refusal]),
    private: { deletes: { name, groupId: host.groupId } },
  };
}

/** Deletes the host in the plan, unless someone has changed the host since. */
export async function deleteHost(
  before: StoredResource<HostValues>,
  call: ProviderCall<Rampart>,
): Promise<Reply & PrivateReply> {
  const { state } = before;
  const memory = memoryFrom(before.private);
  const { deletes: planned } = memory;
  const { service } = call.client;
  // The private state of the plan of a replacement belongs to the host that is adopted next.
  if (service.ok) service.value.remembered = joined(service.value.remembered, memory);
  if (state.on_destroy === 'prevent') return { diagnostics: [prevented] };
  if (state.on_destroy !== 'delete') return {};
  if (planned === undefined) return { diagnostics: [notPlanned(state.id)] };
  if (planned === null) return {};
  return duringApply(call, async ({ coordinator, claims }) => {
    const { signal } = call;
    const host = state.id as HostId;
    // The plan may not have known the host_id of a resource that adopts this host.
    const twice = claims.claimHost(host, true);
    if (twice.length > 0) return { diagnostics: toDiagnostics(twice) };
    const removed = await coordinator.remove(host, { signal, planned });
    if (!removed.ok) return { diagnostics: toDiagnostics(removed.problems) };
    // Once the resource has left the state, no plan would find a host that was not deleted.
    const { problems } = await coordinator.confirm([host], { signal, mayEndUnread: 'never' });
    return { diagnostics: toDiagnostics(summarizeProblems(problems, theRest)) };
  });
}

const prevented = errorDiagnostic('The host is protected from destruction', {
  detail:
    'Its on_destroy is "prevent". Set it to "forget" or "delete" and apply that first, or remove it from the state with a removed block.',
  path: ['on_destroy'],
});

function cannotComeBack(host: ObservedHost): Problem {
  return problem(
    'protected',
    `the replacement deletes ${hostText(host)}, which then can't be adopted again`,
    {
      hint: 'its on_destroy is "delete", and a deletion is final. Plan without -replace, or set on_destroy to "forget" and apply that first',
      hostIds: [host.id],
    },
  );
}

function notPlanned(id: string): Diagnostic {
  return errorDiagnostic(`No plan showed the deletion of host ${id}, so it was not deleted`, {
    detail:
      'Terraform replaces a tainted resource without asking the provider to plan the deletion. Run terraform untaint on it, then plan again.',
  });
}

interface Adoption {
  readonly config: HostConfig;
  readonly private: unknown;
}

/**
 * A host that someone deleted fails only its own resource, in the apply, and not the whole plan. After an apply, the state
 * does not have the host, so any id without a host may be one that was deleted. A replacement is refused, because it could
 * delete its earlier host and adopt none.
 */
export function notAdopted(
  { session, vanished }: ProviderService,
  { config: { host_id, name }, private: remembered }: Adoption,
  problems: readonly Problem[],
): readonly Diagnostic[] {
  const path = [host_id === null ? 'name' : 'host_id'];
  const identified = host_id ?? name;
  const mayBeGone = isPresent(identified) && (host_id !== null || vanished.has(identified));
  if (!mayBeGone || memoryFrom(remembered).replaces !== undefined || !problems.every(isAbsence))
    return toDiagnostics(problems.map(withWayOut), path);
  const hidden =
    host_id === null
      ? undefined
      : whyNotDeleted(session.observation.fleet as LiveFleet, identified as HostId);
  if (hidden !== undefined) return toDiagnostics([hidden], path);
  const called = host_id === null ? `the host ${quoted(identified)}` : `host ${identified}`;
  const isKnown = vanished.has(identified);
  const gone = warning('missing-host', `${called} is not in the account${isKnown ? ' anymore' : ''}`, {
    hint: `the apply fails for this resource only. ${isKnown ? 'Remove' : 'Check the id, remove'} the resource, or set wait_for_enrollment to wait for the host`,
  });
  return toDiagnostics([gone], path);
}

function withWayOut(each: Problem): Problem {
  if (each.code !== 'awaiting-enrollment') return each;
  const hint = `${each.hint}${each.hint?.endsWith('?') === true ? '' : '.'} Correct the name, or set host_id to adopt the host and give it this name. If the host enrolls later, set wait_for_enrollment`;
  return { ...each, hint };
}

/** The host does not exist, or has not enrolled yet. */
export function isAbsence({ code }: Problem): boolean {
  return code === 'awaiting-enrollment' || code === 'missing-host';
}
