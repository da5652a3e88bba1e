import { TerraformOutput, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { ManagedFleet, RampartProvider, type RampartProviderConfig } from '../../src/cdktf/index.ts';

export interface OfficesStackProps {
  readonly provider: RampartProviderConfig;
  /** The path of the desired state. */
  readonly desiredState: string;
}

/** Reorganizes the offices with a whole desired state (swaps, chains and deletions) in one resource. */
export class OfficesStack extends TerraformStack {
  constructor(scope: Construct, id: string, { provider, desiredState }: OfficesStackProps) {
    super(scope, id);
    new RampartProvider(this, 'rampart', provider);
    const fleet = ManagedFleet.fromYaml(this, 'offices', desiredState, { form: 'fleet' });
    new TerraformOutput(this, 'state', { value: fleet.resource?.id });
  }
}
