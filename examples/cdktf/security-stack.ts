import { Aspects, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import {
  AntivirusCoverage,
  HostGroup,
  ManagedHost,
  NoDeletions,
  RampartProvider,
  type RampartProviderConfig,
} from '../../src/cdktf/index.ts';

export interface SecurityStackProps {
  readonly provider: RampartProviderConfig;
}

const databaseServers = ['9223372036854775801', '9223372036854775803', '9223372036854775807'];

/** The rules of the security team, independent of the offices. They never delete a host. */
export class SecurityStack extends TerraformStack {
  constructor(scope: Construct, id: string, { provider }: SecurityStackProps) {
    super(scope, id);
    new RampartProvider(this, 'rampart', provider);

    new AntivirusCoverage(this, 'kiosks', { where: 'host.group == "Kiosks"', limit: 5 });

    const lisbon = new HostGroup(this, 'lisbon', { groupName: 'Lisbon Servers' });
    for (const hostId of databaseServers)
      lisbon.addHost(ManagedHost.fromHostId(this, `database-${hostId}`, hostId));

    new ManagedHost(this, 'finance-1', {
      hostId: '812340101',
      name: 'FIN-PC-01',
      antivirus: 'installed',
      onDestroy: 'prevent',
    });
    Aspects.of(this).add(new NoDeletions());
  }
}
