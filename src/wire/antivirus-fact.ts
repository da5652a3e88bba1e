import type { ResponseBody } from '../contract/api.ts';
import type { HostId } from '../model/host-id.ts';
import type { AntivirusFact } from '../model/observed.ts';

export function fromAntivirusHost(
  host: ResponseBody<'listAntivirusDetails'>['hosts'][number],
): readonly [HostId, AntivirusFact] {
  return [
    host.hostId as HostId,
    { installed: host.hasVendorInstalled, supported: host.vendorInstallSupported },
  ];
}
