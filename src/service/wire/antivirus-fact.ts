import type { HostId } from '../../core/model/host-id.ts';
import type { AntivirusDetails, AntivirusFact } from '../../core/model/observed.ts';
import { AvStatus } from '../contract/antivirus.ts';
import type { ResponseBody } from '../contract/api.ts';

export type AntivirusHost = ResponseBody<'listAntivirusDetails'>['hosts'][number];

export function fromAntivirusHost(host: AntivirusHost): readonly [HostId, AntivirusFact] {
  return [
    host.hostId as HostId,
    {
      installed: host.hasVendorInstalled,
      supported: host.vendorInstallSupported,
      details: detailsOf(host),
    },
  ];
}

function detailsOf(host: AntivirusHost): AntivirusDetails {
  return {
    product: host.antiVirusName ?? null,
    status: statusWord(host.antiVirusStatus ?? null),
    realTimeProtection: host.isRealTimeProtectionOn ?? null,
    definitionsUpToDate: host.isVirusDefinitionUpToDate ?? null,
    definitionVersion: host.virusDefinitionVersion ?? null,
    lastFullScan: host.lastFullScanTime ?? null,
    threats: host.numberOfThreats ?? null,
    several: host.isMultipleAntiVirusDetected ?? null,
    build: host.buildNumber ?? null,
    mac: host.isMac ?? null,
  };
}

/** Spec section 2, enumerations. */
const statusWords: ReadonlyMap<number, string> = new Map([
  [AvStatus.ActionRequired, 'action-required'],
  [AvStatus.Warning, 'warning'],
  [AvStatus.Unknown, 'unknown'],
  [AvStatus.Ok, 'ok'],
  [AvStatus.FreeOk, 'free-ok'],
  [AvStatus.PartialOk, 'partial-ok'],
]);

/** A number that the service may add later stays a number, as `status 7`. */
function statusWord(status: number | null): string | null {
  return status === null ? null : (statusWords.get(status) ?? `status ${status}`);
}
