import { defineSchema } from '../../protocol/schema/schema.ts';
import { hostIdsArgument } from './action-hosts.ts';

export const antivirusInstallSchema = defineSchema({
  description:
    "Requests an install of the vendor's anti-virus on hosts. The plan counts the hosts on which the apply would request an install, and fails unless `acks` approves exactly this number. The apply counts again, and requests nothing if the number has changed. Hosts that have the anti-virus already, and hosts with an install in progress, do not count. The action ends when the service has accepted the requests. To wait for the result, manage the hosts with `rampart_host`.",
  attributes: {
    host_ids: hostIdsArgument,
    acks: {
      type: { map: 'number' },
      optional: true,
      description: 'Approve the exact number of installs: `{ antivirus = 3 }`. Any other number is refused.',
    },
  },
});
