import type { PendingCounts, PendingInstall } from '../types/plan.ts';
import type { PendingHost } from './installs.ts';

/** Hosts whose report can settle an install in doubt: online, and not refreshed since the request. */
export function worthRefreshing(pending: readonly PendingHost[]): readonly PendingHost[] {
  return pending.filter(
    ({ host, state, request }) => state === 'in-doubt' && host.online && request.refreshedAt === undefined,
  );
}

export function toPendingInstall({ host, state, request }: PendingHost): PendingInstall {
  const { requestedAt, refreshedAt } = request;
  return {
    hostId: host.id,
    name: host.name,
    state,
    requestedAt,
    ...(refreshedAt === undefined ? {} : { refreshedAt }),
  };
}

export function pendingCounts(pending: readonly Pick<PendingInstall, 'state'>[]): PendingCounts {
  const inDoubt = pending.filter(({ state }) => state === 'in-doubt').length;
  return { installsInProgress: pending.length - inDoubt, installsInDoubt: inDoubt };
}
