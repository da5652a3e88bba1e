import type { InstallRequest } from '../../../core/model/install-request.ts';
import type { HostId, ObservedHost } from '../../../core/model/observed.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import type { InstallEnd } from '../../fleet/check-install.ts';
import { findLiveGroup } from '../../fleet/find-group.ts';
import { type InstallMemory, installsOf } from '../../fleet/plan-fleet.ts';
import type { ConfirmOptions } from '../../fleet/write-verifier.ts';
import { type Diagnostic, hasErrorDiagnostics, type ProviderCall } from '../../protocol/provider/call.ts';
import type { ApplyInput, ApplyReply } from '../../protocol/provider/resource.ts';
import { isUnknown, knownOrNull } from '../../protocol/value/value.ts';
import { durationMs } from '../connection/duration.ts';
import { duringApply, knownInstalls, type ProviderService, type Rampart, toDiagnostics } from '../service.ts';
import { summarizeProblems, theRest } from '../summarize-problems.ts';
import { factsOfHost, hasTemporaryName } from './host-facts.ts';
import { hostSpecOf } from './host-spec.ts';
import {
  type HostMemory,
  type HostResourceState,
  type HostValues,
  memoryFrom,
  type PlannedHostState,
} from './host-values.ts';
import { installOn } from './install-on-host.ts';
import { groupAsPlanned, type HostChanges, plannedHostChanges } from './planned-changes.ts';

/**
 * Adopts the host and applies the planned changes. Nothing is stored after an error, so that the next apply adopts the
 * host again: Terraform would taint a stored resource, and replace it.
 *
 * The install is requested last, after a list has shown the other changes. If it ends in doubt, the resource is stored
 * nevertheless, because only its private state can remember the doubt for its successor.
 */
export function adoptHost(
  change: ApplyInput<HostValues>,
  call: ProviderCall<Rampart>,
): Promise<ApplyReply<HostValues>> {
  return duringApply(call, async (service) => {
    const { signal } = call;
    const host = await hostOf(service, change, signal);
    if (!host.ok) return { diagnostics: toDiagnostics(host.problems) };
    const target = { planned: change.planned, prior: null };
    const placed = await place(service, host.value, target, signal);
    if (hasErrorDiagnostics(placed)) return { diagnostics: placed };
    const confirmed = await confirm(service, host.value, { signal, mayEndUnread: 'first' });
    const before = [...placed, ...confirmed.diagnostics];
    if (hasErrorDiagnostics(before)) return { diagnostics: before };
    const installed = await install(service, host.value, { ...target, private: change.private }, signal);
    const diagnostics = [...before, ...toDiagnostics(installed.result.problems, ['antivirus'])];
    const isRemembered = requestIn(installed, host.value.id)?.state === 'in-doubt';
    if (hasErrorDiagnostics(diagnostics) && !isRemembered) return { diagnostics };
    const state = await stateNow(service, host.value, { ...target, installed, ...confirmed });
    return { diagnostics, private: storedBy(service, installed), state: asPlanned(change.planned, state) };
  });
}

/** After an error, the state contains what the apply has reached. */
export function updateHost(
  change: ApplyInput<HostValues> & { readonly prior: HostResourceState },
  call: ProviderCall<Rampart>,
): Promise<ApplyReply<HostValues>> {
  return duringApply(call, async (service) => {
    const { session } = service;
    const host = await session.findHost({ hostId: change.prior.id as HostId }, { signal: call.signal });
    if (!host.ok) return { diagnostics: toDiagnostics(host.problems) };
    // Together, so that the coordinator can batch them.
    const [placed, installed] = await Promise.all([
      place(service, host.value, change, call.signal),
      install(service, host.value, change, call.signal),
    ]);
    const confirmed = await confirm(service, host.value, { signal: call.signal, mayEndUnread: 'last' });
    const { result } = installed;
    const diagnostics = [
      ...placed,
      ...toDiagnostics(result.problems, ['antivirus']),
      ...confirmed.diagnostics,
    ];
    const done = { diagnostics, private: storedBy(service, installed) };
    const state = await stateNow(service, host.value, { ...change, installed, ...confirmed });
    if (!hasErrorDiagnostics(diagnostics)) return { ...done, state: asPlanned(change.planned, state) };
    const isRequested = result.ok && result.value !== null;
    return {
      ...done,
      state: { ...state, antivirus: isRequested ? state.antivirus : change.prior.antivirus },
    };
  });
}

/**
 * The host of the plan, or the one that was still unknown in the plan. In an apply, `host_id` is unknown only if the
 * configuration does not set it.
 */
function hostOf(
  { session }: ProviderService,
  { planned }: ApplyInput<HostValues>,
  signal: AbortSignal,
): Promise<Result<ObservedHost>> {
  const spec = hostSpecOf({ ...planned, host_id: knownOrNull(planned.host_id) });
  if (spec === null) throw new Error('the applied plan does not identify a host');
  const timeoutMs = durationMs(planned.wait_for_enrollment);
  return timeoutMs === undefined
    ? session.findHost(spec, { signal })
    : session.waitForHost(spec, { timeoutMs, signal });
}

interface Target {
  readonly planned: PlannedHostState;
  /** Null: the host is adopted. */
  readonly prior: HostResourceState | null;
}

/** Renames and moves the host, both at once, so that the coordinator can batch them. */
async function place(
  service: ProviderService,
  host: ObservedHost,
  { planned, prior }: Target,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const changes = plannedHostChanges(planned, prior);
  const [renamed, moved] = await Promise.all([
    rename(service, host, { changes, prior }, signal),
    move(service, host, { changes, prior }, signal),
  ]);
  return [
    ...toDiagnostics(renamed.problems, ['name']),
    ...toDiagnostics(moved.problems, [planned.group_id === null ? 'group' : 'group_id']),
  ];
}

interface Installed {
  /** Null: the plan requests no install. */
  readonly result: Result<InstallEnd | null>;
  readonly memory: InstallMemory;
}

function requestIn({ memory: { installs = [] } }: Installed, id: HostId): InstallRequest | undefined {
  return installs.find(({ hostId }) => hostId === id);
}

function storedBy({ record }: ProviderService, { memory }: Installed): HostMemory {
  return { ...memory, plan: record.token };
}

async function install(
  service: ProviderService,
  host: ObservedHost,
  { planned, prior, private: remembered }: Target & { readonly private: unknown },
  signal: AbortSignal,
): Promise<Installed> {
  const memory = installsOf(host.id, memoryFrom(remembered));
  const { antivirus } = plannedHostChanges(planned, prior);
  if (!antivirus) return { result: ok(null), memory };
  const recall = await knownInstalls(service, memory);
  return recall.ok
    ? installOn(service, host, recall.value, signal)
    : { result: failed(...recall.problems), memory };
}

interface Planned {
  readonly changes: HostChanges;
  /** Null: the host is adopted, and the plan used the first list. */
  readonly prior: HostResourceState | null;
}

async function rename(
  { coordinator, session }: ProviderService,
  host: ObservedHost,
  { changes, prior }: Planned,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  if (changes.name === null) return ok(null);
  const { name } = prior ?? atFirst(session, host);
  return coordinator.rename(host.id, changes.name, { signal, planned: { name } });
}

async function move(
  { session, coordinator, moves }: ProviderService,
  host: ObservedHost,
  { changes, prior }: Planned,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  if (changes.group === null) return ok(null);
  const fleet = await session.observed({ signal });
  if (!fleet.ok) return fleet;
  const group = findLiveGroup(fleet.value, changes.group);
  if (!group.ok) return group;
  const before =
    prior === null ? ok(atFirst(session, host).groupId) : groupAsPlanned(fleet.value, host, prior);
  if (!before.ok) return failed(...before.problems);
  const planned = { groupId: before.value };
  return moves.after(host.id, () => coordinator.move(host.id, group.value.id, { signal, planned }));
}

/**
 * The host as seen by the plan that adopts it; for a host that has enrolled since then, its state when it was found.
 */
function atFirst({ observation }: ProviderService['session'], host: ObservedHost): ObservedHost {
  return observation.atFirst?.byId(host.id) ?? host;
}

interface Confirmed {
  readonly isVerified: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Waits for a list that shows the changes, together with those of other resources. */
async function confirm(
  { coordinator }: ProviderService,
  { id }: ObservedHost,
  options: ConfirmOptions,
): Promise<Confirmed> {
  const { isVerified, problems } = await coordinator.confirm([id], options);
  return { isVerified, diagnostics: toDiagnostics(summarizeProblems(problems, theRest)) };
}

interface Reached extends Target {
  readonly installed: Installed;
  readonly isVerified: boolean;
}

/** The host after the calls, from the shared list, or as it was found if someone else has deleted it. */
async function stateNow(
  service: ProviderService,
  found: ObservedHost,
  reached: Reached,
): Promise<HostResourceState> {
  const { planned } = reached;
  const { id } = found;
  const { fleet } = service.session.observation;
  const host = fleet?.byId(id) ?? found;
  const facts = factsOfHost(host, fleet);
  const adopted = factsOfHost(found, fleet);
  return {
    ...facts,
    host_id: id,
    previously: planned.previously,
    group_id: planned.group_id === null ? null : facts.group_id,
    antivirus: planned.antivirus,
    on_destroy: planned.on_destroy as string,
    wait_for_enrollment: planned.wait_for_enrollment,
    adopted_name: isUnknown(planned.adopted_name) ? adopted.name : planned.adopted_name,
    adopted_group: isUnknown(planned.adopted_group) ? adopted.group : planned.adopted_group,
    status: hasTemporaryName(host) ? 'temporary-name' : await statusOf(service, id, reached),
  };
}

async function statusOf(
  { session }: ProviderService,
  id: HostId,
  { planned, installed, isVerified }: Reached,
): Promise<'settled' | 'unverified' | 'installing' | 'in-doubt'> {
  const settled = isVerified ? 'settled' : 'unverified';
  if (planned.antivirus === null) return settled;
  const request = requestIn(installed, id);
  if (request?.state === 'in-doubt') return 'in-doubt';
  if (!installed.result.ok) return settled;
  const list = await session.antivirus();
  if (list.ok && list.value.facts.get(id)?.installed === true) return settled;
  return list.ok || request?.state === 'accepted' ? 'installing' : 'unverified';
}

/** The known planned values are stored. The next read shows what has changed in the meantime. */
function asPlanned(planned: PlannedHostState, state: HostResourceState): HostResourceState {
  const known = Object.entries(planned).filter(([, value]) => !isUnknown(value));
  return { ...state, ...(Object.fromEntries(known) as Partial<HostResourceState>) };
}
