import { nearest, quoted } from '../../core/lib/words.ts';
import { type HostId, hostsOf, type ObservedHost } from '../../core/model/observed.ts';
import { matchEntries } from '../../core/plan/intents/match.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { LiveFleet } from './live-fleet.ts';
import { smallDesired, withoutSourcePlace } from './small-desired.ts';

/** The host of a resource: by id, or by `name` or a name in `previously`. */
export type HostSpec =
  | { readonly hostId: HostId }
  | { readonly name: string; readonly previously?: readonly string[] };

/**
 * The host by the rules of the desired state: the host with the id and no other; else the one with the name `name`,
 * else the one with a name in `previously`, else the one to which an earlier run gave a temporary name. A missing host
 * is the problem `missing-host` (by id) or `awaiting-enrollment` (by name); several hosts are `ambiguous-host`.
 */
export function findLiveHost(fleet: LiveFleet, spec: HostSpec): Result<ObservedHost> {
  const sure = findSure(fleet, spec);
  if (sure !== undefined) return ok(sure);
  if ('hostId' in spec) return failed(missingHost(spec.hostId));
  const { name, previously = [] } = spec;
  const desired = smallDesired({ name, previously, antivirus: false, ensure: 'present' });
  const { matches, problems } = matchEntries(desired, fleet, { strict: true, skipsMisspelled: true });
  const reported = problems.map((each) => inArguments(withoutSourcePlace(each), fleet, name));
  const [match] = matches();
  return match === undefined ? failed(...reported) : ok(match.host, reported);
}

export function missingHost(id: HostId): Problem {
  return problem('missing-host', `host ${id} is not in the list`, {
    hint: 'check the id: the data source rampart_hosts has the ids of all hosts. If the host was deleted, remove it from the configuration',
    hostIds: [id],
  });
}

/** The problems of an entry, in the words of a resource, a data source or an import. */
function inArguments(each: Problem, fleet: LiveFleet, name: string): Problem {
  const { code, hostIds = [] } = each;
  const words = hostIds.flatMap((id) => wordsOf(fleet.byId(id as HostId)));
  switch (code) {
    case 'ambiguous-host':
      return {
        ...each,
        message: `${words.length} hosts match: ${words.join(', ')}`,
        hint: 'identify the host by its id',
      };
    case 'previous-name-alive':
      return {
        ...each,
        hint: `if host ${hostIds[1]} is the intended one, set host_id to its id. Otherwise, remove its name from previously`,
      };
    case 'awaiting-enrollment':
      return { ...each, hint: hintFor(name, fleet) };
    default:
      return each;
  }
}

/** Comparing a name with all others takes a while in a large fleet, and nobody reads more of these hints. */
const mostCompared = 20;
const compared = new WeakMap<LiveFleet, Set<string>>();

function hintFor(name: string, fleet: LiveFleet): string {
  const names = compared.get(fleet) ?? new Set();
  compared.set(fleet, names);
  if (names.size < mostCompared) names.add(name);
  const all = new Set(names.has(name) ? hostsOf(fleet).flatMap((host) => host.name ?? []) : []);
  const near = nearest(name, all);
  const hosts = near.flatMap((each) => fleet.byName(each).flatMap(wordsOf));
  return hosts.length > 0
    ? `did you mean ${hosts.join(' or ')}?`
    : 'names are case-sensitive, and the data source rampart_hosts has all of them';
}

function wordsOf(host: ObservedHost | undefined): readonly string[] {
  return host === undefined ? [] : [`${quoted(host.name ?? '')} (${host.id})`];
}

/** Used if nothing can be in doubt, which is true for nearly every resource. */
function findSure(fleet: LiveFleet, spec: HostSpec): ObservedHost | undefined {
  if ('hostId' in spec) return fleet.byId(spec.hostId);
  if (spec.previously !== undefined && spec.previously.length > 0) return undefined;
  const called = fleet.byName(spec.name);
  return called.length === 1 ? called[0] : undefined;
}
