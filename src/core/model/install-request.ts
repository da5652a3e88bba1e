import type { HostId } from './host-id.ts';
import type { Observed, ObservedHost } from './observed.ts';

/**
 * An install that an earlier run requested, as its journal recalls it. `accepted`: the service took it on. `in-doubt`:
 * it was sent, or may have been, and nobody acknowledged it.
 */
export interface InstallRequest {
  readonly state: 'accepted' | 'in-doubt';
  /** RFC 3339. */
  readonly requestedAt: string;
  /** When a status refresh was delivered to the host after the request; absent where none was. */
  readonly refreshedAt?: string;
}

/** What is recalled of installs, and how long a refreshed host may take to report. */
export interface InstallRecall {
  /** Only requests whose window has not passed. */
  readonly requests: ReadonlyMap<HostId, InstallRequest>;
  readonly windowMs: number;
  /** Milliseconds from a delivered refresh until "not installed" refutes a request in doubt. */
  readonly settleMs: number;
}

/** How long an install that was requested and does not show counts as in progress or in doubt, unless a flag says so. */
export const defaultInstallWindowMs = 24 * 3600 * 1000;
/** Longer than an install takes, so that a host that is still installing is not taken for one that never began. */
export const defaultInstallSettleMs = 2 * 3600 * 1000;

export const nothingRecalled: InstallRecall = {
  requests: new Map(),
  windowMs: defaultInstallWindowMs,
  settleMs: defaultInstallSettleMs,
};

export type PendingState = 'in-progress' | 'in-doubt';

/** What a request means for a host that the list does not show as installed; undefined where it may be requested. */
export function pendingStateOf(
  host: ObservedHost,
  recall: InstallRecall,
  observed: Observed,
): PendingState | undefined {
  const request = recall.requests.get(host.id);
  if (request === undefined || host.antivirus?.installed === true) return undefined;
  if (request.state === 'accepted') return 'in-progress';
  return isRefuted(host, request, recall, observed) ? undefined : 'in-doubt';
}

/** The host was asked to report, had its time, and still reports that nothing is installed. */
function isRefuted(
  { antivirus }: ObservedHost,
  { refreshedAt }: InstallRequest,
  { settleMs }: InstallRecall,
  { lists, takenAt }: Observed,
): boolean {
  if (refreshedAt === undefined || antivirus?.supported !== true) return false;
  const readAt = lists.find(({ list }) => list === 'antivirus-details')?.at ?? takenAt;
  return Date.parse(readAt) - Date.parse(refreshedAt) >= settleMs;
}
