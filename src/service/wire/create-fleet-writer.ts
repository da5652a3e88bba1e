import type { CallResult, Client } from '../client/client.ts';
import { InstallVendorResponseStatus as Status } from '../contract/antivirus.ts';
import type { FleetWriter, InstallAnswer, WriteResult } from './fleet.ts';
import { refreshAntivirus } from './refresh-antivirus.ts';

/**
 * Each method sends the call of one step. The client paces it, and retries it only if the service can't have received
 * it.
 */
export function createFleetWriter(client: Client): FleetWriter {
  return {
    async rename(host, name, options) {
      return done(
        await client.call(
          'renameHost',
          { path: { 'host-id': host }, body: { newDescription: name } },
          options,
        ),
      );
    },
    async move(group, hosts, options) {
      return done(
        await client.call('moveHosts', { path: { groupid: group }, body: { hostIds: [...hosts] } }, options),
      );
    },
    async remove(hosts, options) {
      return done(await client.call('deleteHosts', { body: { hostIds: [...hosts] } }, options));
    },
    async installAntivirus(hosts, options) {
      const result = await client.call('installAntivirus', { body: { targetHostIds: [...hosts] } }, options);
      return result.ok ? { ok: true, value: fromInstallStatus(result.value.status) } : result;
    },
    refreshAntivirus: (hosts, options) => refreshAntivirus(client, hosts, options),
  };
}

function done(result: CallResult<unknown>): WriteResult {
  return result.ok ? { ok: true, value: null } : result;
}

function fromInstallStatus(status: number): InstallAnswer {
  switch (status) {
    case Status.Accepted:
      return 'accepted';
    case Status.Pending:
      return 'pending';
    case Status.QuotaReached:
      return 'quota-reached';
    case Status.Unavailable:
      return 'unavailable';
    default:
      return { unknown: status };
  }
}
