/** All that the service knows about one account, as plain data. Ids are decimal strings, so they stay exact. */
export interface FleetState {
  readonly companyId: string;
  /** Absent: the emulator's own key (see credentials.ts). */
  readonly psk?: string;
  /** Without the group of the ungrouped, which is always there. */
  readonly groups: readonly GroupState[];
  readonly categories: readonly CategoryState[];
  readonly hosts: readonly HostState[];
}

export interface GroupState {
  readonly id: string;
  readonly name: string | null;
}

/** A column of custom fields, and the values it can have. */
export interface CategoryState {
  readonly id: string;
  readonly name: string;
  readonly values: readonly CategoryValue[];
}

interface CategoryValue {
  readonly id: string;
  readonly name: string;
}

export interface HostState {
  readonly id: string;
  /** `description` on the wire. */
  readonly name: string | null;
  readonly groupId: string;
  readonly online: boolean;
  /** `hostName` on the wire: what the computer calls itself. */
  readonly computerName: string | null;
  /** RFC 3339, UTC: when it last came or went. */
  readonly stateChangedAt: string;
  /** Someone is connected to it. */
  readonly inSession: boolean;
  readonly antivirus: AntivirusState;
  /** Value id by category id. */
  readonly customFields: Readonly<Record<string, string>>;
  /** Absent: the host reports no inventory. */
  readonly inventory?: InventoryState;
}

export interface AntivirusState {
  readonly installed: boolean;
  readonly supported: boolean;
  /** When an install under way ends, in milliseconds since the epoch; null when none is. */
  readonly installEndsAt: number | null;
  readonly isMac: boolean;
  readonly buildNumber: number | null;
  /** AvStatus, spec section 2. */
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

/** Records as they go over the wire, without their `hostId`. */
export interface InventoryState {
  readonly hardware?: JsonRecord;
  readonly system?: JsonRecord;
}

export type Json = string | number | boolean | null | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [key: string]: Json;
}

export const ungroupedId = '-1';
export const defaultCompanyId = '1234567890';

export const defaultAntivirus: AntivirusState = {
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

/** Only the id is needed; a name that is left out is null. */
export type HostParts = Pick<HostState, 'id'> &
  Partial<Omit<HostState, 'antivirus'>> & { readonly antivirus?: Partial<AntivirusState> };

export interface FleetParts {
  readonly companyId?: string;
  readonly psk?: string;
  readonly groups?: readonly GroupState[];
  readonly categories?: readonly CategoryState[];
  readonly hosts?: readonly HostParts[];
}

/** A whole fleet from what matters to the caller. */
export function fleetState(parts: FleetParts): FleetState {
  return {
    companyId: parts.companyId ?? defaultCompanyId,
    ...(parts.psk === undefined ? {} : { psk: parts.psk }),
    groups: parts.groups ?? [],
    categories: parts.categories ?? [],
    hosts: (parts.hosts ?? []).map(hostState),
  };
}

export function hostState(parts: HostParts): HostState {
  return {
    name: null,
    groupId: ungroupedId,
    online: true,
    computerName: parts.name ?? null,
    stateChangedAt: '2026-01-01T00:00:00Z',
    inSession: false,
    customFields: {},
    ...parts,
    antivirus: parts.antivirus === undefined ? defaultAntivirus : { ...defaultAntivirus, ...parts.antivirus },
  };
}

/** The anti-virus facts of a host on which the vendor's product runs. */
export function withVendorInstalled(antivirus: AntivirusState): AntivirusState {
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
