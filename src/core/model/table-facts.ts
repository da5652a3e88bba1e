import type { HostId } from './observed.ts';

/** A host, as far as these facts are concerned. */
interface Joined {
  readonly id: HostId;
}

/** The rows of tables that belong to hosts. */
export interface TableFacts {
  /** The row of a table for a host; -1 if it has none. */
  rowOf(table: string, host: Joined): number;
  /** Undefined if the host has no row, or its cell is empty. */
  cellOf(table: string, column: string, host: Joined): string | undefined;
}

/** The keys of hosts, as `identity` reads them. */
export interface KeyFacts {
  /** Why a rule does not give a host a name by its key; undefined if nothing speaks against it. */
  doubtAbout(host: Joined, name: string): KeyDoubt | undefined;
}

/** No key identifies the host, two hosts share its key, its facts are too old, or no host has the name so far. */
export type KeyDoubt = 'none' | 'shared' | 'old' | 'vacant';

/** The name that `next` gives a host; undefined if all numbers are used. */
export interface NumberFacts {
  nameOf(prefix: string, digits: number, host: Joined): string | undefined;
}

/** How many other hosts have the same value; undefined for a value that identifies nothing. */
export interface TwinFacts {
  othersWith(source: string, value: string): number | undefined;
}
