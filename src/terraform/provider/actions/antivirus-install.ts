import { ackFaults } from '../connection/limits.ts';
import { hostIdFaults, kit, withService } from '../service.ts';
import { antivirusInstallSchema } from './antivirus-install-schema.ts';

const installing = () => import('./install-on-hosts.ts');

export const antivirusInstall = kit.action({
  schema: antivirusInstallSchema,
  validate: ({ host_ids, acks }) => [...hostIdFaults(host_ids), ...ackFaults(acks, 'antivirus')],
  plan: async (config, { client, signal }) => {
    if (!client.service.ok) return {};
    return (await installing()).planInstalls(client.service.value, config, signal);
  },
  invoke: (config, call) =>
    withService(call, async (service) => (await installing()).installOnHosts(service, config, call)),
});
