import { defaultInstallSettleMs, defaultInstallWindowMs } from '../../../core/model/install-request.ts';
import type { ObservedHost } from '../../../core/model/observed.ts';
import { type Problem, problem, warning } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { checkInstall, type InstallEnd } from '../../fleet/check-install.ts';
import type { Service } from '../service.ts';
import type { HostMemory } from './host-values.ts';

export interface InstallDone {
  readonly result: Result<InstallEnd>;
  readonly memory: HostMemory;
}

/**
 * Requests the install, unless an earlier apply may have requested it without acknowledgement. Then the list decides:
 * an online host is asked to report, and is asked to install again only if it reports no install for long enough after
 * that.
 */
export async function installOn(
  service: Service,
  host: ObservedHost,
  memory: HostMemory,
  signal: AbortSignal,
): Promise<InstallDone> {
  const { session } = service;
  const now = session.clock.now();
  if (mayStillInstall(memory, now)) return { result: ok('asked'), memory };
  const doubt = doubtIn(memory, now);
  if (doubt === undefined) return request(service, host, signal);
  const list = await session.antivirus({ signal });
  if (!list.ok) return { result: list, memory };
  const checked = checkInstall(host.id, list.value);
  if (checked !== 'needed') return { result: checked, memory: checked.ok ? {} : memory };
  if (doubt.isRefuted) return request(service, host, signal);
  const refreshed = doubt.isRefreshed || !host.online ? memory : await refresh(service, host, memory, signal);
  return { result: failed(inDoubt(host, memory)), memory: refreshed };
}

async function request(
  { coordinator, session }: Service,
  { id }: ObservedHost,
  signal: AbortSignal,
): Promise<InstallDone> {
  const result = await coordinator.installAntivirus(id, { signal });
  const now = session.clock.now();
  if (result.ok) return { result, memory: result.value === 'asked' ? { antivirusAskedAt: now } : {} };
  const isInDoubt = result.problems.some(({ code }) => code === 'antivirus-in-doubt');
  return { result, memory: isInDoubt ? { antivirusInDoubtAt: now } : {} };
}

async function refresh(
  { session }: Service,
  { id }: ObservedHost,
  memory: HostMemory,
  signal: AbortSignal,
): Promise<HostMemory> {
  const sent = await session.observation.writer.refreshAntivirus([id], { stop: signal });
  const isDelivered = sent.ok && sent.value.get(id) === true;
  return isDelivered ? { ...memory, antivirusRefreshedAt: session.clock.now() } : memory;
}

/** The warnings of a plan for a host whose install is in doubt. */
export function doubtWarnings(host: ObservedHost, memory: HostMemory, now: number): readonly Problem[] {
  const doubt = doubtIn(memory, now);
  if (doubt === undefined) return [];
  const { message } = inDoubt(host, memory);
  const next = doubt.isRefuted
    ? 'the host still reports no install, so the apply requests it again'
    : doubt.isRefreshed
      ? 'the apply waits for the host to report'
      : host.online
        ? 'the apply sends one call that asks the host to report, and requests no install'
        : 'the apply waits until the host is online';
  return [warning('antivirus-in-doubt', `${message}: ${next}`, { hostIds: [host.id] })];
}

/** The service accepted an install, and its window has not passed: its absence does not count yet. */
export function mayStillInstall({ antivirusAskedAt = never }: HostMemory, now: number): boolean {
  const age = now - antivirusAskedAt;
  // A time in the future comes from a wrong clock.
  return age >= 0 && age < defaultInstallWindowMs;
}

/** An install that no read shows may have been requested, and its window has not passed. */
export function isInstallInDoubt(memory: HostMemory, now: number): boolean {
  return doubtIn(memory, now) !== undefined;
}

interface Doubt {
  readonly isRefreshed: boolean;
  /** The host was asked to report and had enough time, but no read showed the install. */
  readonly isRefuted: boolean;
}

/** A time in the future comes from a wrong clock and must not suppress the install, so it is ignored. */
function doubtIn(
  { antivirusInDoubtAt = never, antivirusRefreshedAt = never }: HostMemory,
  now: number,
): Doubt | undefined {
  const ageMs = now - antivirusInDoubtAt;
  if (ageMs < 0 || ageMs >= defaultInstallWindowMs) return undefined;
  const refreshedMs = now - antivirusRefreshedAt;
  return { isRefreshed: refreshedMs >= 0, isRefuted: refreshedMs >= defaultInstallSettleMs };
}

const never = Number.POSITIVE_INFINITY;

function inDoubt({ id }: ObservedHost, { antivirusInDoubtAt = 0 }: HostMemory): Problem {
  const at = new Date(antivirusInDoubtAt).toISOString();
  return problem(
    'antivirus-in-doubt',
    `the install on host ${id} may have been requested at ${at}, and no read shows it yet`,
    {
      hint: 'apply again later: a new read of the host shows whether the install was requested',
      hostIds: [id],
    },
  );
}
