import type { HostId } from '../../../core/model/host-id.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import type { Service } from '../service.ts';
import type { HostMemory } from './host-values.ts';

/**
 * What is recorded about an install that was requested for a host: from the private state of the resource, or from the
 * journal if that has a later request. Terraform stores no private state for a process that was killed.
 */
export async function recallInstall(
  { recallInstalls }: Pick<Service, 'recallInstalls'>,
  hostId: HostId,
  memory: HostMemory,
): Promise<Result<HostMemory>> {
  const recalled = await recallInstalls();
  if (!recalled.ok) return recalled;
  const request = recalled.value.requests.get(hostId);
  if (request === undefined) return ok(memory);
  const { antivirusAskedAt = 0, antivirusInDoubtAt = 0 } = memory;
  const requestedAt = Date.parse(request.requestedAt);
  if (requestedAt <= Math.max(antivirusAskedAt, antivirusInDoubtAt)) return ok(memory);
  if (request.state === 'accepted') return ok({ antivirusAskedAt: requestedAt });
  const { refreshedAt } = request;
  return ok({
    antivirusInDoubtAt: requestedAt,
    ...(refreshedAt === undefined ? {} : { antivirusRefreshedAt: Date.parse(refreshedAt) }),
  });
}
