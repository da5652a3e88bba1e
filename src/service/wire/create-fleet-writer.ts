import type { CallResult } from '../client/call-failure.ts';
import type { Client } from '../client/client.ts';
import type { FleetWriter, WriteResult } from './fleet.ts';
import { fromInstallStatus } from './install-answer.ts';
import { refreshAntivirus } from './refresh-antivirus.ts';

/** Writes one step's call each; the client paces it, and repeats only what can't have been seen. */
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
