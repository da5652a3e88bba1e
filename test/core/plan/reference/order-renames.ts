import type { HostId } from '../../../../src/core/model/host-id.ts';
import { foldName as fold } from '../../../../src/core/model/host-name.ts';
import { temporaryName } from '../../../../src/core/model/temporary-name.ts';
import type { Change } from './find-changes.ts';
import { renameText, temporaryRenameText } from './plan-text.ts';
import type { Host, PlanningCase } from './planning-case.ts';

type Pair = readonly [string, string];

export function byId(a: { readonly host: Host }, b: { readonly host: Host }): number {
  return BigInt(a.host.id) < BigInt(b.host.id) ? -1 : 1;
}

/** The renames that can be made, and the temporary ones that they need. */
export function orderRenames(
  { hosts, deleteFirst }: PlanningCase,
  changes: readonly Change[],
  reserved: readonly string[],
) {
  const renames = changes
    .flatMap((each) => (each.rename === undefined ? [] : { ...each, rename: each.rename }))
    .sort(byId);
  type Rename = (typeof renames)[number];
  const isDeleted = (host: Host) => changes.some((each) => each.host === host && each.deletes);
  const ownersOf = ({ host, rename }: Rename) =>
    hosts.filter((other) => other !== host && other.name !== null && fold(other.name) === fold(rename));
  const waitsFor = (each: Rename) =>
    renames.filter(({ host, rename }) => ownersOf(each).includes(host) && fold(rename) !== fold(each.rename));
  const conflicts = renames.flatMap((rename) => {
    const isLeaving = (owner: Host) =>
      isDeleted(owner) || waitsFor(rename).some(({ host }) => host === owner);
    return ownersOf(rename).flatMap((owner) => (isLeaving(owner) ? [] : [{ rename, owner }]));
  });
  const waits = renames.flatMap((each) => waitsFor(each).map(({ host }): Pair => [each.host.id, host.id]));
  const stuck = linked(
    conflicts.map(({ rename }) => rename.host.id),
    waits,
  );
  const blocked = renames.filter(({ host }) => stuck.has(host.id));
  const free = renames.filter(({ host }) => !stuck.has(host.id));
  const toDelete = (each: Rename) => ownersOf(each).filter(isDeleted);

  const taken = new Set([...hosts.map(({ name }) => fold(name ?? '')), ...reserved]);
  const setAside = (host: Host, kind: 'rename' | 'deletion', name: string) => {
    const to = temporaryName(kind, host.id as HostId, name, { taken });
    taken.add(fold(to));
    return [{ host, to, why: kind === 'rename' ? 'cycle' : 'deletion' }];
  };
  const temporary = free.flatMap((each) => {
    const cycle = free.filter((other) => comesTo(each, other) && comesTo(other, each));
    return [
      ...(cycle[0] === each ? setAside(each.host, 'rename', each.rename) : []),
      ...(deleteFirst
        ? []
        : toDelete(each).flatMap((owner) => setAside(owner, 'deletion', owner.name as string))),
    ];
  });
  const firstStep = (host: Host) =>
    temporary.some((each) => each.host === host)
      ? `temporary-rename ${host.id}`
      : isDeleted(host)
        ? 'delete'
        : `rename ${host.id}`;
  const steps = free.map((each) => {
    const own = temporary.find(({ host }) => host === each.host);
    const owners = [
      ...waitsFor(each).map(({ host }) => host),
      ...toDelete(each),
      ...(own === undefined ? [] : [each.host]),
    ];
    const from = own === undefined ? each.host.name : own.to;
    return renameText({
      id: each.host.id,
      from,
      to: each.rename,
      line: each.name?.line,
      after: owners.map(firstStep),
    });
  });
  const first = temporary.map(({ host, to, why }) => {
    const { name, absent } = changes.find((each) => each.host === host) as Change;
    return temporaryRenameText({ id: host.id, from: host.name, to, line: (absent ?? name)?.line, why });
  });
  const together = free.flatMap((each) =>
    [...waitsFor(each).map(({ host }) => host), ...toDelete(each)].map(({ id }): Pair => [each.host.id, id]),
  );
  return { first, steps, conflicts, blocked, together };

  /** Does the first wait for the second, or for one that does? */
  function comesTo(from: Rename, to: Rename): boolean {
    const seen = new Set<Rename>(waitsFor(from));
    for (const each of seen) for (const next of waitsFor(each)) seen.add(next);
    return seen.has(to);
  }
}

/** These, and all that pairs link with them. */
export function linked(ids: readonly string[], pairs: readonly Pair[]): ReadonlySet<string> {
  const all = new Set(ids);
  for (let before = -1; before < all.size; ) {
    before = all.size;
    for (const pair of pairs) if (pair.some((id) => all.has(id))) for (const id of pair) all.add(id);
  }
  return all;
}
