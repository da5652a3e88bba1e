import type { HostId, ListRead } from './observed.ts';

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

export const inventoryKinds = ['hardware', 'system'] as const;
export type InventoryKind = (typeof inventoryKinds)[number];

export type FactValue =
  | string
  | number
  | boolean
  | null
  | readonly FactValue[]
  | { readonly [key: string]: FactValue };

/** One host's inventory with the service's own field names (spec section 2); fields beyond the spec pass through. */
export type InventoryRecord = { readonly [field: string]: FactValue };

/** The facts that expressions read in addition to the lists of the fleet. They decide what is fetched. */
export interface FactNeeds {
  readonly antivirus: boolean;
  readonly customFields: boolean;
  /** Names of report fields, as the service's field lists spell them, such as `ServiceTag`. */
  readonly hardware: readonly string[];
  readonly system: readonly string[];
}

export const needsNothing: FactNeeds = { antivirus: false, customFields: false, hardware: [], system: [] };

/** What rules and policies can read of the account that they are evaluated for. */
export interface AccountFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Every label that any configured account has; absent if that is not known. */
  readonly configuredLabels?: ReadonlySet<string>;
}

/** Facts of hosts from lists that change slowly. They are read once, even if the fleet is read again. */
export interface Facts {
  readonly lists: readonly ListRead[];
  /** Values by category, both as names; undefined if the list was not read or does not have the host. */
  customFieldsOf(id: HostId): Readonly<Record<string, string>> | undefined;
  /** The names of all categories of custom fields; absent if their list was not read. */
  readonly customFieldCategories?: readonly string[];
  /** Undefined if the host's inventory is not known. */
  inventoryOf(kind: InventoryKind, id: HostId): InventoryRecord | undefined;
  /** RFC 3339: when the inventory of a host was read; absent, or undefined, if only the time of the list is known. */
  inventoryAt?(kind: InventoryKind, id: HostId): string | undefined;
  /** The configured account; absent if there are no configured accounts. */
  readonly account?: AccountFacts;
  /** RFC 3339: the time of the plan. Absent if nothing is planned. */
  readonly now?: string;
  /** Absent if the desired state has no tables. */
  readonly tables?: TableFacts;
  /** Absent if no expression looks for twins. */
  readonly twins?: TwinFacts;
  /** Absent if nothing is planned. */
  readonly numbers?: NumberFacts;
  /** Absent if the desired state has no identity. */
  readonly keys?: KeyFacts;
}

export const noFacts: Facts = {
  lists: [],
  customFieldsOf: () => undefined,
  inventoryOf: () => undefined,
};

export function joinNeeds(all: readonly FactNeeds[]): FactNeeds {
  const union = (kind: InventoryKind) => [...new Set(all.flatMap((needs) => needs[kind]))].sort();
  return {
    antivirus: all.some((needs) => needs.antivirus),
    customFields: all.some((needs) => needs.customFields),
    hardware: union('hardware'),
    system: union('system'),
  };
}
