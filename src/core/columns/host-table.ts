import { hashOf, hashOfFolded } from './text-hash.ts';

/** The values of a host that the tables need. */
export interface HostTableRow {
  readonly id: string;
  /** Null for a host without a name. */
  readonly name: string | null;
  readonly groupId: string;
}

/** The hosts of a list in its order, kept as objects or as the bytes they were read from. */
export interface HostTable<Host extends HostTableRow = HostTableRow> {
  readonly count: number;
  /** Makes a new object for each call if the host is kept as bytes. */
  at(index: number): Host;
  idAt(index: number): Host['id'];
  nameAt(index: number): string | null;
  groupIdAt(index: number): Host['groupId'];
  hasIdAt(index: number, id: string): boolean;
  hasNameAt(index: number, name: string): boolean;
  /** Indexes of hosts whose names contain this ASCII text, in the order of the list. */
  indexesNaming(part: string): readonly number[];
  /** Is each id certainly greater than all before it of its length? Then no two are equal. */
  hasIdsInOrder(): boolean;
  /** `hashOf` each id. */
  idHashes(): Float64Array;
  /** `hashOfFolded` of each name; -1 for a host without a name. */
  nameHashes(): Float64Array;
}

export function tableOf<Host extends HostTableRow>(hosts: readonly Host[]): HostTable<Host> {
  const host = (index: number) => hosts[index] as Host;
  return {
    count: hosts.length,
    at: host,
    idAt: (index) => host(index).id,
    nameAt: (index) => host(index).name,
    groupIdAt: (index) => host(index).groupId,
    hasIdAt: (index, id) => hosts[index]?.id === id,
    hasNameAt: (index, name) => host(index).name === name,
    indexesNaming: (part) =>
      hosts.flatMap(({ name }, index) => (name?.includes(part) === true ? [index] : [])),
    hasIdsInOrder: () => false,
    idHashes: () => Float64Array.from(hosts, ({ id }) => hashOf(id)),
    nameHashes: () => Float64Array.from(hosts, ({ name }) => (name === null ? -1 : hashOfFolded(name))),
  };
}
