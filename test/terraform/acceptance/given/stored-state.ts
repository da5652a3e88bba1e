import { providerAddress } from '../../../../src/terraform/provider/address.ts';

/**
 * The token of the plan that was applied last. In the next apply, Terraform passes this one for the resource that it reads
 * first, because the provider can't know yet that a plan follows.
 */
const ofEarlierApply = Buffer.from(JSON.stringify({ plan: 'e'.repeat(64) })).toString('base64');

/**
 * A state file in which earlier applies left hosts in instances of `rampart_host`, by their keys in `for_each`, which are
 * their ids. Applying many hosts takes Terraform long. `resources` has the names of the hosts by the name of the resource.
 */
export function storedState(
  resources: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>,
): string {
  return JSON.stringify({
    version: 4,
    terraform_version: '1.5.0',
    serial: 1,
    lineage: 'a-lineage',
    outputs: {},
    resources: Object.entries(resources).map(([name, hosts]) => ({
      mode: 'managed',
      type: 'rampart_host',
      name,
      provider: `provider["${providerAddress}"]`,
      instances: hosts.map((host) => ({
        index_key: host.id,
        schema_version: 0,
        attributes: { ...host, host_id: host.id, on_destroy: 'forget', status: 'settled' },
        private: ofEarlierApply,
      })),
    })),
  });
}
