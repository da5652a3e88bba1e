import { grouped } from '../../lib/words.ts';
import type { ObservedHost } from '../../model/observed.ts';
import type { Unmanaged } from '../../model/policy.ts';
import { type Place, type Problem, problem, warning } from '../../problem/problem.ts';
import { compareHostIds } from '../difference/compare-hosts.ts';
import { hostList } from '../intents/host-list.ts';

/** More hosts are counted but not named. */
const shown = 10;

/** Unmanaged hosts, if the file says that there should be none. `where`: ` in "Berlin"`. */
export function unmanagedProblems(
  hosts: readonly ObservedHost[],
  { what, where, place }: { readonly what: Unmanaged; readonly where: string; readonly place: Place },
): readonly Problem[] {
  if (what === 'ignore' || hosts.length === 0) return [];
  const { text, hostIds } = describe(hosts, where, 'unmanaged');
  if (what === 'report') return [warning('unmanaged-hosts', text, { place, hostIds })];
  const hint = 'write entries or a rule for them, or set "unmanaged: report"';
  return [problem('unmanaged-hosts', text, { place, hint, hostIds })];
}

/** Hosts in an exclusive group that have no claim for it, and that no rule moves elsewhere. */
export function intruderProblems(
  hosts: readonly ObservedHost[],
  { group, place }: { readonly group: string; readonly place: Place },
): readonly Problem[] {
  if (hosts.length === 0) return [];
  const { text, hostIds } = describe(hosts, '', `in ${group} without an entry or a rule for that group`);
  const hint = 'write entries or a rule with this group for them, or set "othersTo" to another group';
  return [warning('exclusive-group', text, { place, hint, hostIds })];
}

function describe(hosts: readonly ObservedHost[], where: string, what: string) {
  const sorted = hosts.toSorted((a, b) => compareHostIds(a.id, b.id));
  const list = hostList(sorted, shown);
  return {
    text:
      hosts.length === 1
        ? `${list}${where} is ${what}`
        : `${grouped(hosts.length)} hosts${where} are ${what}: ${list}`,
    hostIds: sorted.slice(0, shown).map(({ id }) => id),
  };
}
