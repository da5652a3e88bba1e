import type { HostId } from '../../../core/model/host-id.ts';
import type { ObservedHost } from '../../../core/model/observed.ts';
import { matchEntries } from '../../../core/plan/intents/match.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { LiveFleet } from './live-fleet.ts';
import { smallDesired, withoutPlace } from './small-desired.ts';

/** The host of a resource: by id, or by `name` or a name in `previously`. */
export type HostSpec =
  | { readonly hostId: HostId }
  | { readonly name: string; readonly previously?: readonly string[] };

/**
 * The host by the rules of the desired state: the host with the id and no other; else the one with the name `name`,
 * else the one with a name in `previously`, else the one to which an earlier run gave a temporary name. A missing host
 * is the problem `missing-host` (by id) or `awaiting-enrollment` (by name); several hosts are `ambiguous-host`.
 */
export function findHost(fleet: LiveFleet, spec: HostSpec): Result<ObservedHost> {
  const sure = findSure(fleet, spec);
  if (sure !== undefined) return ok(sure);
  const entry = 'hostId' in spec ? { id: spec.hostId } : { name: spec.name };
  const previously = 'hostId' in spec ? [] : (spec.previously ?? []);
  const desired = smallDesired({ ...entry, previously, antivirus: false, ensure: 'present' });
  const { matches, problems } = matchEntries(desired, fleet, { strict: true });
  const unplaced = problems.map(withoutPlace);
  const [match] = matches();
  if (match !== undefined) return ok(match.host, unplaced);
  if ('hostId' in spec) return failed(missingHost(spec.hostId));
  return failed(...unplaced);
}

export function missingHost(id: HostId) {
  return problem('missing-host', `host ${id} is not in the list`, {
    hint: 'if the host was deleted, remove the resource from the configuration and from the state',
    hostIds: [id],
  });
}

/** Used if nothing can be in doubt, which is true for nearly every resource. */
function findSure(fleet: LiveFleet, spec: HostSpec): ObservedHost | undefined {
  if ('hostId' in spec) return fleet.byId(spec.hostId);
  if (spec.previously !== undefined && spec.previously.length > 0) return undefined;
  const called = fleet.byName(spec.name);
  return called.length === 1 ? called[0] : undefined;
}
