/** All data of the service about one account, as plain data. Ids are decimal strings, so they stay exact. */
export interface FleetState {
  readonly companyId: string;
  /** Absent: the emulator's own key (see credentials.ts). */
  readonly psk?: string;
  /** Without the group for ungrouped hosts, which always exists. */
  readonly groups: readonly GroupState[];
  readonly categories: readonly CategoryState[];
  readonly hosts: readonly StoredHostState[];
}

export interface GroupState {
  readonly id: string;
  readonly name: string | null;
}

/** A column of custom fields, and its possible values. */
export interface CategoryState {
  readonly id: string;
  readonly name: string;
  readonly values: readonly CategoryValue[];
}

interface CategoryValue {
  readonly id: string;
  readonly name: string;
}

export interface StoredHostState {
  readonly id: string;
  /** `description` on the wire. */
  readonly name: string | null;
  readonly groupId: string;
  readonly online: boolean;
  /** `hostName` on the wire: the computer's own name. */
  readonly computerName: string | null;
  /** RFC 3339 in UTC: the last time it came online or went offline. */
  readonly stateChangedAt: string;
  /** Someone is connected to the host. */
  readonly inSession: boolean;
  readonly antivirus: StoredAntivirus;
  /** Value id by category id. */
  readonly customFields: Readonly<Record<string, string>>;
  /** Absent: the host reports no inventory. */
  readonly inventory?: InventoryState;
}

export interface StoredAntivirus {
  readonly installed: boolean;
  readonly supported: boolean;
  /** When an install in progress ends, in milliseconds since the epoch; null if there is none. */
  readonly installEndsAt: number | null;
  readonly isMac: boolean;
  readonly buildNumber: number | null;
  /** AvStatus, specification section 2. */
  readonly status: number | null;
  readonly product: string | null;
  readonly realTimeProtection: boolean;
  readonly definitionsUpToDate: boolean | null;
  readonly definitionVersion: string | null;
  /** An RFC 3339 time. */
  readonly lastFullScan: string | null;
  readonly threats: number;
  readonly severalProducts: boolean;
  readonly canReportThreatLog: boolean;
  readonly canReportRealTimeProtection: boolean;
}

/** Records as they are on the wire, without their `hostId`. */
export interface InventoryState {
  readonly hardware?: JsonRecord;
  readonly system?: JsonRecord;
}

export type Json = string | number | boolean | null | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [key: string]: Json;
}

export const defaultCompanyId = '1234567890';

export const defaultAntivirus: StoredAntivirus = {
  installed: false,
  supported: true,
  installEndsAt: null,
  isMac: false,
  buildNumber: 17763,
  status: 2,
  product: null,
  realTimeProtection: false,
  definitionsUpToDate: null,
  definitionVersion: null,
  lastFullScan: null,
  threats: 0,
  severalProducts: false,
  canReportThreatLog: true,
  canReportRealTimeProtection: true,
};

/** Only the id is required; a missing name is null. */
export type HostParts = Pick<StoredHostState, 'id'> &
  Partial<Omit<StoredHostState, 'antivirus'>> & { readonly antivirus?: Partial<StoredAntivirus> };

export interface FleetParts extends Partial<Omit<FleetState, 'hosts'>> {
  readonly hosts?: readonly HostParts[];
}

/** Completes a whole fleet from the parts that the caller specifies. */
export function fleetState(parts: FleetParts): FleetState {
  return {
    companyId: parts.companyId ?? defaultCompanyId,
    ...(parts.psk === undefined ? {} : { psk: parts.psk }),
    groups: parts.groups ?? [],
    categories: parts.categories ?? [],
    hosts: (parts.hosts ?? []).map(hostState),
  };
}

export function hostState(parts: HostParts): StoredHostState {
  return {
    name: null,
    groupId: ungrouped,
    online: true,
    computerName: parts.name ?? null,
    stateChangedAt: '2026-01-01T00:00:00Z',
    inSession: false,
    customFields: {},
    ...parts,
    antivirus: parts.antivirus === undefined ? defaultAntivirus : { ...defaultAntivirus, ...parts.antivirus },
  };
}

/** The anti-virus facts of a host with the vendor's product installed. */
export function withVendorInstalled(antivirus: StoredAntivirus): StoredAntivirus {
  return {
    ...antivirus,
    installed: true,
    installEndsAt: null,
    status: 3,
    product: 'Endpoint Security',
    realTimeProtection: true,
    definitionsUpToDate: true,
  };
}

/** The id that the service uses for hosts without a group. */
export const ungrouped = '-1';
