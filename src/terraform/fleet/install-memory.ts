import type { InstallRecall, InstallRequest } from '../../core/model/install-request.ts';
import type { HostId } from '../../core/model/observed.ts';
import type { PendingInstall } from '../../core/plan/types/plan.ts';
import type { FleetChange } from './fleet-changes.ts';

/** The install requests that no read has shown, as the private state of a resource stores them. */
export interface InstallMemory {
  readonly installs?: readonly (InstallRequest & { readonly hostId: HostId })[];
}

/** The requests that a state folder or a database has, and those that the resource remembers. The later one counts. */
export function withRemembered(recall: InstallRecall, memory: InstallMemory, now: number): InstallRecall {
  const { installs = [] } = memory;
  const requests = new Map(recall.requests);
  for (const { hostId, refreshedAt, ...requested } of installs) {
    const ageMs = now - Date.parse(requested.requestedAt);
    const recorded = requests.get(hostId);
    // A time in the future comes from a wrong clock.
    if (ageMs < 0 || ageMs >= recall.windowMs) continue;
    const isRefreshed = refreshedAt !== undefined && Date.parse(refreshedAt) <= now;
    const request = isRefreshed ? { ...requested, refreshedAt } : requested;
    if (recorded === undefined || lastTime(recorded) < lastTime(request)) requests.set(hostId, request);
  }
  return { ...recall, requests };
}

function lastTime({ requestedAt, refreshedAt = requestedAt }: InstallRequest): number {
  return Date.parse(refreshedAt);
}

/** What several resources remember. */
export function joined(one: InstallMemory, other: InstallMemory): InstallMemory {
  const installs = [...(one.installs ?? []), ...(other.installs ?? [])];
  return installs.length === 0 ? {} : { installs };
}

/** The requests for one host. */
export function installsOf(host: HostId, { installs = [] }: InstallMemory): InstallMemory {
  const own = installs.filter(({ hostId }) => hostId === host);
  return own.length === 0 ? {} : { installs: own };
}

interface Ended {
  readonly pendingInstalls: readonly PendingInstall[];
  readonly applied: readonly Pick<FleetChange, 'kind' | 'hostId'>[];
}

/** What to remember after a run. */
export function memoryOf({ pendingInstalls, applied }: Ended, now: number): InstallMemory {
  const at = new Date(now).toISOString();
  const refreshed = new Set(applied.flatMap(({ kind, hostId }) => (kind === 'refresh' ? [hostId] : [])));
  const installs = pendingInstalls.map(({ hostId, state, requestedAt, refreshedAt }) => {
    const lastRefresh = refreshed.has(hostId) ? at : refreshedAt;
    return {
      hostId,
      state: state === 'in-progress' ? ('accepted' as const) : state,
      requestedAt,
      ...(lastRefresh === undefined ? {} : { refreshedAt: lastRefresh }),
    };
  });
  return installs.length === 0 ? {} : { installs };
}
