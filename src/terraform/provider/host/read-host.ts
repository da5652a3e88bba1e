import type { HostId } from '../../../core/model/host-id.ts';
import type { ObservedHost } from '../../../core/model/observed.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { whyNotDeleted } from '../../fleet/why-not-deleted.ts';
import type { Call } from '../../protocol/provider/call.ts';
import type { Diagnostic } from '../../protocol/provider/diagnostic.ts';
import { type Rampart, type Service, withService } from '../service.ts';
import { toDiagnostics } from '../to-diagnostics.ts';
import { factsOf, hasTemporaryName } from './host-facts.ts';
import { type HostState, lastingMemory, memoryFrom, type PartialHostState } from './host-values.ts';
import { isInstallInDoubt, mayStillInstall } from './install-on-host.ts';

interface HostReading {
  readonly state: PartialHostState;
  readonly private: unknown;
}

interface HostRead {
  readonly state?: HostState | null;
  readonly diagnostics?: readonly Diagnostic[];
}

/** The host in the shared list. A host that is missing from a complete list is deleted. */
export function readHost(reading: HostReading, call: Call<Rampart>): Promise<HostRead> {
  return withService(call, async (service) => {
    const { signal } = call;
    service.approvedPlans.refreshing();
    const fleet = await service.session.observed({ signal });
    if (!fleet.ok) return { diagnostics: toDiagnostics(fleet.problems) };
    const id = reading.state.id as HostId;
    const hidden = whyNotDeleted(fleet.value, id);
    if (hidden !== undefined) return { diagnostics: toDiagnostics([hidden]) };
    const host = fleet.value.byId(id);
    if (host === undefined) {
      for (const each of [id, reading.state.name]) if (each !== null) service.vanished.add(each);
      return { state: null };
    }
    service.remembered.hosts.set(id, lastingMemory(memoryFrom(reading.private)));
    const antivirus = await antivirusOf(service, host, reading, signal);
    if (!antivirus.ok) return { diagnostics: toDiagnostics(antivirus.problems) };
    return {
      state: refreshedState(
        reading.state,
        { ...factsOf(host, fleet.value), ...antivirus.value },
        hasTemporaryName(host),
      ),
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
  { session }: Service,
  { id }: ObservedHost,
  { state, private: remembered }: HostReading,
  signal: AbortSignal,
): Promise<Result<AntivirusNow>> {
  if (state.antivirus === null) return ok({ antivirus: null, status: 'settled' });
  const list = await session.antivirus({ signal });
  if (!list.ok) return list;
  if (list.value.facts.get(id)?.installed === true) return ok({ antivirus: 'installed', status: 'settled' });
  const memory = memoryFrom(remembered);
  const now = session.clock.now();
  if (mayStillInstall(memory, now)) return ok({ antivirus: 'installed', status: 'installing' });
  return ok({ antivirus: null, status: isInstallInDoubt(memory, now) ? 'in-doubt' : 'settled' });
}

/** What is stored of a host after a read. */
export function refreshedState(
  before: PartialHostState,
  now: ReturnType<typeof factsOf> & AntivirusNow,
  temporary: boolean,
): HostState {
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
function isOtherwiseSame(before: PartialHostState, now: HostState): boolean {
  const lasting = ['name', 'group', 'group_id', 'host_name', 'antivirus', 'status'] as const;
  return before.online !== null && lasting.every((name) => before[name] === now[name]);
}
