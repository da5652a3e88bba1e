import { nothingRecalled } from '../../../core/model/install-request.ts';
import type { HostId, ObservedHost } from '../../../core/model/observed.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import { joined, withRemembered } from '../../fleet/plan-fleet.ts';
import { whyNotDeleted } from '../../fleet/why-not-deleted.ts';
import type { ProviderCall } from '../../protocol/provider/call.ts';
import type { ReadInput, ReadReply } from '../../protocol/provider/resource.ts';
import { type ProviderService, type Rampart, toDiagnostics, withFleet } from '../service.ts';
import { factsOfHost, hasTemporaryName } from './host-facts.ts';
import { type HostResourceState, type HostValues, memoryFrom, type PartialHostState } from './host-values.ts';
import { pendingInstall } from './install-on-host.ts';

/** The host in the shared list. A host that is missing from a complete list is deleted. */
export function readHost(
  reading: Omit<ReadInput<HostValues>, 'identity'>,
  call: ProviderCall<Rampart>,
): Promise<ReadReply<HostValues>> {
  return withFleet(call, async (fleet, service) => {
    const { signal } = call;
    const id = reading.state.id as HostId;
    const hidden = whyNotDeleted(fleet, id);
    if (hidden !== undefined) return { diagnostics: toDiagnostics([hidden]) };
    const host = fleet.byId(id);
    if (host === undefined) {
      for (const each of [id, reading.state.name]) if (each !== null) service.vanished.add(each);
      return { state: null };
    }
    service.remembered = joined(service.remembered, memoryFrom(reading.private));
    const antivirus = await antivirusOf(service, host, reading, signal);
    if (!antivirus.ok) return { diagnostics: toDiagnostics(antivirus.problems) };
    const facts = { ...factsOfHost(host, fleet), ...antivirus.value };
    const isPlan = await service.phase.isPlan(signal);
    return {
      state: refreshedState(reading.state, facts, hasTemporaryName(host)),
      ...(isPlan ? { private: { ...memoryFrom(reading.private), plan: service.record.token } } : {}),
    };
  });
}

interface AntivirusNow {
  readonly antivirus: string | null;
  /** The status unless the host has a temporary name. */
  readonly status: 'settled' | 'installing' | 'in-doubt';
}

/** Read only if the resource manages the anti-virus, because that is a separate list. */
async function antivirusOf(
  { session }: ProviderService,
  host: ObservedHost,
  { state, private: remembered }: Omit<ReadInput<HostValues>, 'identity'>,
  signal: AbortSignal,
): Promise<Result<AntivirusNow>> {
  if (state.antivirus === null) return ok({ antivirus: null, status: 'settled' });
  const list = await session.antivirus({ signal });
  if (!list.ok) return list;
  const isInstalled = list.value.facts.get(host.id)?.installed === true;
  const recall = withRemembered(nothingRecalled, memoryFrom(remembered), session.clock.now());
  switch (pendingInstall(host, recall, list.value)) {
    case 'in-progress':
      return ok({ antivirus: 'installed', status: 'installing' });
    case 'in-doubt':
      return ok({ antivirus: null, status: 'in-doubt' });
    case undefined:
      return ok({ antivirus: isInstalled ? 'installed' : null, status: 'settled' });
  }
}

/** What is stored of a host after a read. */
export function refreshedState(
  before: PartialHostState,
  now: ReturnType<typeof factsOfHost> & AntivirusNow,
  temporary: boolean,
): HostResourceState {
  const state = {
    ...before,
    ...now,
    host_id: now.id,
    group_id: before.group_id === null ? null : now.group_id,
    on_destroy: before.on_destroy ?? 'forget',
    status: temporary ? 'temporary-name' : now.status,
  };
  return isOtherwiseSame(before, state) ? { ...state, online: before.online ?? state.online } : state;
}

/** Facts that change by themselves are stored only together with another change, so that a refresh finds no drift. */
function isOtherwiseSame(before: PartialHostState, now: HostResourceState): boolean {
  const lasting = ['name', 'group', 'group_id', 'host_name', 'antivirus', 'status'] as const;
  return before.online !== null && lasting.every((name) => before[name] === now[name]);
}
