import type { InstallRequest } from '../../core/model/install-request.ts';
import { type HostId, mayBeUnreadable } from '../../core/model/observed.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { AntivirusList } from '../../service/wire/read-antivirus.ts';

/** `installed`: it was already installed. `asked`: the service has accepted the install, which takes time. */
export type InstallEnd = 'installed' | 'asked';

/** A host that has the anti-virus, or can't have it, is not asked. */
export function checkInstall(
  hostId: HostId,
  { facts, unreadable }: AntivirusList,
): Result<InstallEnd> | 'needed' {
  const fact = facts.get(hostId);
  if (fact === undefined && mayBeUnreadable({ unreadable }, hostId)) return failed(unknown(hostId));
  if (fact === undefined) return failed(unsupported(hostId, 'is not in the anti-virus list'));
  if (fact.installed) return ok('installed');
  return fact.supported ? 'needed' : failed(unsupported(hostId, 'does not support the anti-virus'));
}

function unknown(hostId: HostId): Problem {
  return problem(
    'unreadable-host',
    `the anti-virus list has an unreadable entry, which may belong to host ${hostId}`,
    { hint: "try again; if this persists, contact the service's support", hostIds: [hostId] },
  );
}

function unsupported(hostId: HostId, why: string): Problem {
  return problem('antivirus-unsupported', `host ${hostId} ${why}`, {
    hint: 'remove the attribute antivirus from this host',
    hostIds: [hostId],
  });
}

/** No read shows yet whether the request of an earlier apply reached the service. */
export function installInDoubt(
  hostId: HostId,
  { requestedAt }: Pick<InstallRequest, 'requestedAt'>,
): Problem {
  return problem(
    'antivirus-in-doubt',
    `the install on host ${hostId} may have been requested at ${requestedAt}, and no read shows it yet`,
    { hint: againLater, hostIds: [hostId] },
  );
}

/** The service gave no response to the request. */
export function installUnanswered(hostId: HostId, cause: Problem): Problem {
  return problem(
    'antivirus-in-doubt',
    `the install on host ${hostId} may have been requested: ${cause.message}`,
    { hint: againLater, hostIds: [hostId] },
  );
}

const againLater = 'apply again later: a new read of the host shows whether the install was requested';
