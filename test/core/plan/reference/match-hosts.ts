import type { HostId } from '../../../../src/core/model/host-id.ts';
import { foldName as fold } from '../../../../src/core/model/host-name.ts';
import { isTemporaryNameFor, readTemporaryName } from '../../../../src/core/model/temporary-name.ts';
import type { Report } from './plan-text.ts';
import { type Entry, type Host, lineOf, type PlanningCase } from './planning-case.ts';

/** Finds the host of each entry. */
export function matchHosts({ entries, strict }: PlanningCase, hosts: readonly Host[], report: Report) {
  const found = entries.map((entry) => hostsMeant(entry, hosts));
  /** Does an entry match the host, or could it? */
  const isClaimed = (host: Host) => found.some((each) => each.includes(host));
  const isAlone = (host: Host) => found.filter((each) => each.length === 1 && each[0] === host).length === 1;
  const matches = entries.flatMap((entry, index) => {
    const [host, ...more] = found[index] ?? [];
    const line = lineOf.entry(index);
    if (host === undefined && entry.ensure !== 'absent') reportMissing(entry, line);
    if (host !== undefined && more.length > 0) report('error', 'ambiguous-host', line, [host, ...more]);
    if (host === undefined || more.length > 0) return [];
    const first = found.findIndex((each) => each.length === 1 && each[0] === host);
    if (!isAlone(host)) report('error', 'host-claimed-twice', lineOf.entry(first), [host]);
    return isAlone(host) ? [{ entry, host, line, isRefused: hasOtherName(entry, host) }] : [];
  });
  for (const { entry, host, line, isRefused } of matches) {
    const { id, name, previously = [], ensure } = entry;
    const isSpare = (other: Host) =>
      previously.includes(other.name ?? '') && !matches.some((match) => match.host === other);
    if (id === undefined && host.name === name && hosts.some(isSpare))
      report('warning', 'previous-name-alive', line, [host, ...hosts.filter(isSpare)]);
    if (isRefused) report('error', 'name-differs', line, [host]);
    if (id === undefined || ensure !== 'absent' || name === undefined || host.name === null) continue;
    const isExpected = [name, ...previously].some(
      (each) => host.name === each || hasTemporary(host, 'deletion', each),
    );
    if (!isExpected) report('warning', 'name-differs', line, [host]);
  }
  const awaiting = entries.filter(({ ensure }, at) => ensure !== 'absent' && found[at]?.length === 0).length;
  return { matches, awaiting, isClaimed };

  function reportMissing({ id, name = '', previously = [] }: Entry, line: number) {
    if (id !== undefined) return report(strict ? 'error' : 'warning', 'missing-host', line, [{ id }]);
    const names = [name, ...previously].map(fold);
    const isLikely = hosts.some((host) => {
      const live = fold(host.name ?? '');
      return live === fold(name) || (!isClaimed(host) && names.some((each) => areNear(each, live)));
    });
    return report(strict ? 'error' : isLikely ? 'warning' : 'note', 'awaiting-enrollment', line);
  }
}

/** An entry with an id matches that host. Without one, its names decide, the present one first. */
function hostsMeant(
  { id, name = '', previously = [], ensure }: Entry,
  hosts: readonly Host[],
): readonly Host[] {
  if (id !== undefined) return hosts.filter((host) => host.id === id);
  const kind = ensure === 'absent' ? 'deletion' : 'rename';
  const named = hosts.filter((host) => host.name === name);
  const before = hosts.filter((host) => previously.some((each) => host.name === each));
  const setAside = hosts.filter((host) =>
    [name, ...previously].some((each) => hasTemporary(host, kind, each)),
  );
  return [named, before, setAside].find(({ length }) => length > 0) ?? [];
}

function hasTemporary({ id, name: live }: Host, kind: 'rename' | 'deletion', name: string): boolean {
  const temporary = readTemporaryName(live);
  return temporary !== undefined && isTemporaryNameFor(temporary, kind, id as HostId, name);
}

/** Has the host another name than its entry expects? */
function hasOtherName({ current, name = current, ensure }: Entry, host: Host): boolean {
  if (current === undefined || name === undefined) return false;
  const isSetAside = (each: string) =>
    hasTemporary(host, 'rename', each) || (ensure === 'absent' && hasTemporary(host, 'deletion', each));
  return ![current, name].some((each) => host.name === each || isSetAside(each));
}

/** Do two folded names differ in one letter, or in two neighbors that changed places, but not in digits alone? */
function areNear(a: string, b: string): boolean {
  if ([a, b].some(({ length }) => length < 4 || length > 64)) return false;
  if (a.replace(/\d+/g, '#') === b.replace(/\d+/g, '#')) return false;
  const without = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1);
  const swapped = (at: number) => a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2);
  return Array.from(a + b).some((_, at) =>
    a.length === b.length
      ? (at < a.length && without(a, at) === without(b, at)) || swapped(at) === b
      : without(a, at) === b || without(b, at) === a,
  );
}
