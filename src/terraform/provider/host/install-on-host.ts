import {
  type InstallRecall,
  type InstallRequest,
  type PendingState,
  pendingStateOf,
} from '../../../core/model/install-request.ts';
import type { ObservedHost } from '../../../core/model/observed.ts';
import { failed, ok, type Problem, type Result, warning } from '../../../core/problem/problem.ts';
import type { AntivirusList } from '../../../service/wire/read-antivirus.ts';
import { checkInstall, type InstallEnd, installInDoubt } from '../../fleet/check-install.ts';
import type { InstallMemory } from '../../fleet/plan-fleet.ts';
import type { ProviderService } from '../service.ts';

export interface InstallDone {
  readonly result: Result<InstallEnd>;
  readonly memory: InstallMemory;
}

/**
 * Requests the install, unless an earlier apply may have requested it without acknowledgement. Then the list decides:
 * an online host is asked to report, and is asked to install again only if it reports no install for long enough after
 * that.
 */
export async function installOn(
  service: ProviderService,
  host: ObservedHost,
  recall: InstallRecall,
  signal: AbortSignal,
): Promise<InstallDone> {
  const { session } = service;
  const earlier = recall.requests.get(host.id);
  if (earlier === undefined) return request(service, host, signal);
  const memory = remember(host, earlier);
  if (earlier.state === 'accepted') return { result: ok('asked'), memory };
  const list = await session.antivirus({ signal });
  if (!list.ok) return { result: list, memory };
  const checked = checkInstall(host.id, list.value);
  if (checked !== 'needed') return { result: checked, memory: checked.ok ? {} : memory };
  if (pendingInstall(host, recall, list.value) === undefined) return request(service, host, signal);
  const asked =
    earlier.refreshedAt === undefined && host.online
      ? await refresh(service, host, earlier, signal)
      : earlier;
  return { result: failed(installInDoubt(host.id, earlier)), memory: remember(host, asked) };
}

/** The state of an install that the list does not show; undefined if one may be requested. */
export function pendingInstall(
  host: ObservedHost,
  recall: InstallRecall,
  { facts, read }: AntivirusList,
): PendingState | undefined {
  const antivirus = facts.get(host.id);
  const listed = antivirus === undefined ? host : { ...host, antivirus };
  return pendingStateOf(listed, recall, { lists: [read], takenAt: read.at });
}

function remember({ id: hostId }: ObservedHost, earlier: InstallRequest): InstallMemory {
  return { installs: [{ hostId, ...earlier }] };
}

async function request(
  { coordinator, session }: ProviderService,
  host: ObservedHost,
  signal: AbortSignal,
): Promise<InstallDone> {
  const result = await coordinator.installAntivirus(host.id, { signal });
  const requestedAt = new Date(session.clock.now()).toISOString();
  if (result.ok) {
    const isAsked = result.value === 'asked';
    return { result, memory: isAsked ? remember(host, { state: 'accepted', requestedAt }) : {} };
  }
  const isInDoubt = result.problems.some(({ code }) => code === 'antivirus-in-doubt');
  return { result, memory: isInDoubt ? remember(host, { state: 'in-doubt', requestedAt }) : {} };
}

async function refresh(
  { session }: ProviderService,
  { id }: ObservedHost,
  earlier: InstallRequest,
  signal: AbortSignal,
): Promise<InstallRequest> {
  const sent = await session.observation.writer.refreshAntivirus([id], { stop: signal });
  const isDelivered = sent.ok && sent.value.get(id) === true;
  return isDelivered ? { ...earlier, refreshedAt: new Date(session.clock.now()).toISOString() } : earlier;
}

/** The warnings of a plan for a host whose install is in doubt. */
export function doubtWarnings(
  host: ObservedHost,
  recall: InstallRecall,
  list: AntivirusList,
): readonly Problem[] {
  const earlier = recall.requests.get(host.id);
  if (earlier?.state !== 'in-doubt') return [];
  const { message } = installInDoubt(host.id, earlier);
  const next =
    pendingInstall(host, recall, list) === undefined
      ? 'the host still reports no install, so the apply requests it again'
      : earlier.refreshedAt !== undefined
        ? 'the apply waits for the host to report'
        : host.online
          ? 'the apply sends one call that asks the host to report, and requests no install'
          : 'the apply waits until the host is online';
  return [warning('antivirus-in-doubt', `${message}: ${next}`, { hostIds: [host.id] })];
}
