import { once } from '../lib/once.ts';
import { createHashIndex, type HashIndex } from './hash-index.ts';
import type { HostTable } from './host-table.ts';
import { foldText, hashOf, hashOfFolded } from './text-hash.ts';

/** From this many hosts on, columns are faster than objects and maps. */
export const manyHosts = 500;

/** Finds the indexes of hosts in a list. Each part is built when it is first used. */
export interface HostIndex {
  /** -1 for an id that the list does not have. If several hosts have this id, one of them. */
  indexOf(id: string): number;
  /** Both in the order of the list. */
  withName(name: string): readonly number[];
  folding(folded: string): readonly number[];
  /** Do any two hosts have names that fold alike? */
  hasNamesAlike(): boolean;
  /** Ids that several hosts have, each once. */
  repeatedIds(): readonly string[];
}

/** Uses maps, or columns from `many` hosts on. */
export function createHostIndex(hosts: HostTable, many = manyHosts): HostIndex {
  return hosts.count < many ? indexInMaps(hosts) : indexInColumns(hosts);
}

const none: readonly number[] = [];

function indexInMaps(hosts: HostTable): HostIndex {
  const ids = once(() => indexesById(hosts));
  const names = once(() => groupIndexes(hosts, (name) => name));
  const folded = once(() => groupIndexes(hosts, foldText));
  return {
    indexOf: (id) => ids().get(id) ?? -1,
    withName: (name) => names().get(name) ?? none,
    folding: (name) => folded().get(name) ?? none,
    hasNamesAlike: () => Array.from(folded().values()).some((alike) => alike.length > 1),
    repeatedIds: () => (ids().size === hosts.count ? [] : idsRepeatedIn(hosts)),
  };
}

/** Only names that were made to collide share one hash this often. */
const mostAlike = 100;

/** The same with hashes in typed arrays, which need less time and memory than maps. */
function indexInColumns(hosts: HostTable): HostIndex {
  const ids = once(() => createHashIndex(hosts.idHashes()));
  const names = once(() => createHashIndex(hosts.nameHashes()));
  const maps = once(() => indexInMaps(hosts));
  // Unequal hashes prove that names differ; equal ones prove nothing.
  const hasNamesAlike = once(
    () => names().hasAlike && (foundAlike(hosts, names()) ?? maps().hasNamesAlike()),
  );

  return {
    indexOf(id) {
      const index = ids();
      let at = index.first(hashOf(id));
      while (at !== -1 && !hosts.hasIdAt(at, id)) at = index.next(at);
      return at;
    },
    withName: (name) =>
      found(names(), hashOfFolded(name), (at) => hosts.hasNameAt(at, name)) ?? maps().withName(name),
    folding: (folded) =>
      found(names(), hashOf(folded), (at) => foldText(hosts.nameAt(at) ?? '') === folded) ??
      maps().folding(folded),
    hasNamesAlike,
    repeatedIds: () => (hosts.hasIdsInOrder() || !ids().hasAlike ? [] : maps().repeatedIds()),
  };
}

/** Undefined if too many hosts have this hash. */
function found(
  index: HashIndex,
  hash: number,
  isMeant: (at: number) => boolean,
): readonly number[] | undefined {
  let indexes: number[] | undefined;
  let seen = 0;
  for (let at = index.first(hash); at !== -1; at = index.next(at)) {
    seen += 1;
    if (seen > mostAlike) return undefined;
    if (isMeant(at)) (indexes ??= []).push(at);
  }
  return indexes ?? none;
}

/** Undefined if too many hosts have one hash. */
function foundAlike(hosts: HostTable, names: HashIndex): boolean | undefined {
  for (let index = 0; index < hosts.count; index += 1) {
    let other = names.next(index);
    if (other === -1) continue;
    const folded = foldText(hosts.nameAt(index) ?? '');
    for (let seen = 1; other !== -1; seen += 1, other = names.next(other)) {
      if (seen > mostAlike) return undefined;
      if (foldText(hosts.nameAt(other) ?? '') === folded) return true;
    }
  }
  return false;
}

function indexesById(hosts: HostTable): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  for (let index = 0; index < hosts.count; index += 1) indexes.set(hosts.idAt(index), index);
  return indexes;
}

function idsRepeatedIn(hosts: HostTable): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (let index = 0; index < hosts.count; index += 1) {
    const id = hosts.idAt(index);
    if (seen.has(id)) repeated.add(id);
    seen.add(id);
  }
  return [...repeated];
}

function groupIndexes(
  hosts: HostTable,
  key: (name: string) => string,
): ReadonlyMap<string, readonly number[]> {
  const indexes = new Map<string, number[]>();
  for (let index = 0; index < hosts.count; index += 1) {
    const name = hosts.nameAt(index);
    if (name === null) continue;
    const folded = key(name);
    const list = indexes.get(folded);
    if (list === undefined) indexes.set(folded, [index]);
    else list.push(index);
  }
  return indexes;
}
