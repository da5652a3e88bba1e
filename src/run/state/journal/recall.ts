import { type Account, accountOfRecord, equalAccounts } from '../../../core/model/account.ts';
import type { InstallRequest } from '../../../core/model/install-request.ts';
import type { HostId } from '../../../core/model/observed.ts';
import type { RunDigest } from './run-digest.ts';

export interface RecallOptions {
  readonly account: Account;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly windowMs: number;
}

/**
 * The latest install request of each host within the window, and the refresh delivered after it. The clock of whoever
 * recorded a request may have been ahead, so one dated in the future counts too, except beyond the window: that would prevent
 * an install forever.
 */
export function recallInstalls(
  runs: readonly RunDigest[],
  { account, now, windowMs }: RecallOptions,
): ReadonlyMap<HostId, InstallRequest> {
  const records = runs
    .filter(({ head }) => equalAccounts(accountOfRecord(head.account), account))
    .flatMap(({ requests }) => requests)
    .map((request) => ({ ...request, time: Date.parse(request.at) }))
    .filter(({ time }) => time - now < windowMs)
    .sort((a, b) => a.time - b.time);
  const known = new Map<HostId, InstallRequest>();
  for (const { kind, host_id: id, at, time, in_doubt: inDoubt } of records) {
    const host = id as HostId;
    const earlier = known.get(host);
    if (kind === 'antivirus' && now - time < windowMs)
      known.set(host, { state: inDoubt ? 'in-doubt' : 'accepted', requestedAt: at });
    else if (kind === 'refresh' && earlier !== undefined && earlier.refreshedAt === undefined && !inDoubt)
      known.set(host, { ...earlier, refreshedAt: at });
  }
  return known;
}
