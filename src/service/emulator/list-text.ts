import { type CategoryState, type GroupState, type StoredHostState, ungrouped } from './fleet-state.ts';
import type { FleetView } from './fleet-store.ts';

/*
 * The lists are written without `JSON.stringify`, because it needs a wrapper object for each long integer, and fleets
 * have a hundred thousand hosts and more.
 */

export interface HostListOptions {
  readonly groups: boolean;
  readonly extras: boolean;
}

export function hostListText(view: FleetView, options: HostListOptions): string {
  const hosts = listOf(view.hosts, (host) => listedHost(host, options));
  if (!options.groups) return `{"hosts":${hosts}}`;
  const groups = listOf(
    withUngrouped(view.groups),
    (group) => `{"id":${group.id},"name":${text(group.name)}}`,
  );
  return `{"groups":${groups},"hosts":${hosts}}`;
}

function listedHost(host: StoredHostState, options: HostListOptions): string {
  const group = options.groups ? `,"groupid":${host.groupId}` : '';
  const extras = options.extras
    ? `,"hostName":${text(host.computerName)},"hostStateChangeDate":${text(host.stateChangedAt)}`
    : '';
  return `{"description":${text(host.name)}${group},"id":${host.id},"isHostOnline":${host.online}${extras}}`;
}

/**
 * Names are never null here: section 2 of the specification defines a string, while the host lists have a string or
 * null.
 */
export function antivirusList(view: FleetView, vendorWord: string): string {
  const supported = text(`${vendorWord}InstallSupported`);
  const installed = text(`has${vendorWord.charAt(0).toUpperCase()}${vendorWord.slice(1)}Installed`);
  const groups = listOf(
    withUngrouped(view.groups),
    (group) => `{"groupId":${group.id},"groupName":${text(group.name ?? '')}}`,
  );
  const hosts = listOf(view.hosts, (host) => {
    const facts = host.antivirus;
    return (
      `{"hostId":${host.id},"hostDescription":${text(host.name ?? '')},"groupId":${host.groupId},"isOnline":${host.online},` +
      `"buildNumber":${facts.buildNumber},"isMac":${facts.isMac},"antiVirusStatus":${facts.status},` +
      `"antiVirusName":${text(facts.product)},"isRealTimeProtectionOn":${facts.realTimeProtection},` +
      `"isVirusDefinitionUpToDate":${facts.definitionsUpToDate},"virusDefinitionVersion":${text(facts.definitionVersion)},` +
      `"lastFullScanTime":${text(facts.lastFullScan)},"numberOfThreats":${facts.threats},` +
      `"isMultipleAntiVirusDetected":${facts.severalProducts},"capabilities":{"canReportThreatLog":${facts.canReportThreatLog},` +
      `"canReportRealTimeProtectionStatus":${facts.canReportRealTimeProtection}},` +
      `${supported}:${facts.supported},${installed}:${facts.installed}}`
    );
  });
  return `{"hostGroups":${groups},"hosts":${hosts}}`;
}

export function customFieldList(view: FleetView, options: { readonly emptyToo: boolean }): string {
  const lines: string[] = [];
  for (const host of view.hosts) {
    const values = Object.entries(host.customFields);
    if (values.length === 0 && !options.emptyToo) continue;
    const metadata = values.map(([categoryId, valueId]) => ({ categoryId, valueId }));
    lines.push(`{"id":${host.id},"metadata":${JSON.stringify(metadata)}}`);
  }
  return `{"hosts":[${lines.join(',')}]}`;
}

export function categoryList(categories: readonly CategoryState[]): string {
  return JSON.stringify({ metadataCategories: categories });
}

function listOf<T>(items: Iterable<T>, write: (item: T) => string): string {
  const lines: string[] = [];
  for (const item of items) lines.push(write(item));
  return `[${lines.join(',')}]`;
}

function* withUngrouped(groups: Iterable<GroupState>): Iterable<GroupState> {
  yield { id: ungrouped, name: null };
  yield* groups;
}

function text(value: string | null): string {
  return JSON.stringify(value);
}
