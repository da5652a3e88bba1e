import { readFileSync } from 'node:fs';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { FleetApply } from '../../src/cdktf/index.ts';

export interface ReviewedStackProps {
  /** The path of the desired state. */
  readonly desiredState: string;
}

/** The same for teams that can't install a provider: the command applies a reviewed plan. */
export class ReviewedStack extends TerraformStack {
  constructor(scope: Construct, id: string, { desiredState }: ReviewedStackProps) {
    super(scope, id);
    new NullProvider(this, 'null');
    new FleetApply(this, 'offices', {
      desiredState: readFileSync(desiredState, 'utf8'),
      planFile: 'plan.json',
    });
  }
}
