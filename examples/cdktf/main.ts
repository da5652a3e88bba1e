import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { App, TerraformStack } from 'cdktf';
import { FleetApply } from '../../src/cdktf/index.ts';

const folder = join(import.meta.dirname, '..', 'main-job');

const app = new App();
const stack = new TerraformStack(app, 'fleet');
new NullProvider(stack, 'null');
new FleetApply(stack, 'Offices', {
  desiredState: readFileSync(join(folder, 'fleet.yaml'), 'utf8'),
  planFile: 'plan.json',
});
app.synth();
