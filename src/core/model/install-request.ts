import type { HostId, Observed, ObservedHost } from './observed.ts';

/**
 * An install that an earlier run requested, as recorded in its journal. `accepted`: the service accepted it.
 * `in-doubt`: it was sent, or may have been, and was not acknowledged.
 */
export interface InstallRequest {
  readonly state: 'accepted' | 'in-doubt';
  /** An RFC 3339 time. */
  readonly requestedAt: string;
  /** The time after the request at which a status refresh was delivered to the host; absent if there was none. */
  readonly refreshedAt?: string;
}

/** The recorded install requests, and how long a refreshed host may take to report. */
export interface InstallRecall {
  /** Only requests whose window has not passed. */
  readonly requests: ReadonlyMap<HostId, InstallRequest>;
  readonly windowMs: number;
  /** The time in milliseconds after a delivered refresh from which "not installed" refutes a request in doubt. */
  readonly settleMs: number;
}

/**
 * How long a requested install that no list shows counts as in progress or in doubt, unless a flag sets another time.
 */
export const defaultInstallWindowMs = 24 * 3600 * 1000;
/** Longer than an install takes, so that an install in progress is not mistaken for one that never began. */
export const defaultInstallSettleMs = 2 * 3600 * 1000;

export const nothingRecalled: InstallRecall = {
  requests: new Map(),
  windowMs: defaultInstallWindowMs,
  settleMs: defaultInstallSettleMs,
};

export type PendingState = 'in-progress' | 'in-doubt';

/**
 * The state of a request for a host that the list does not show as installed; undefined if an install may be requested.
 */
export function pendingStateOf(
  host: ObservedHost,
  recall: InstallRecall,
  observed: Pick<Observed, 'lists' | 'takenAt'>,
): PendingState | undefined {
  const request = recall.requests.get(host.id);
  if (request === undefined || host.antivirus?.installed === true) return undefined;
  if (request.state === 'accepted') return 'in-progress';
  return isRefuted(host, request, recall, observed) ? undefined : 'in-doubt';
}

/** The host was asked to report, had enough time, and still reports that nothing is installed. */
function isRefuted(
  { antivirus }: ObservedHost,
  { refreshedAt }: InstallRequest,
  { settleMs }: InstallRecall,
  { lists, takenAt }: Pick<Observed, 'lists' | 'takenAt'>,
): boolean {
  if (refreshedAt === undefined || antivirus?.supported !== true) return false;
  const readAt = lists.find(({ list }) => list === 'antivirus-details')?.at ?? takenAt;
  return Date.parse(readAt) - Date.parse(refreshedAt) >= settleMs;
}
