import { join } from 'node:path';
import { App } from 'cdktf';
import { OfficesStack } from './offices-stack.ts';
import { ReviewedStack } from './reviewed-stack.ts';
import { SecurityStack } from './security-stack.ts';

const mainJob = join(import.meta.dirname, '..', 'main-job');
const desiredState = join(mainJob, 'fleet.yaml');

// The provider emulates a fleet and saves it next to cdktf.out, so the example needs no account. Leave out the emulator
// in a real stack: credentials then come from the environment.
const provider = {
  emulator: {
    seedFile: join(mainJob, 'seed.yaml'),
    stateFile: join(process.cwd(), 'emulated-fleet.yaml'),
  },
};

const app = new App();
const offices = new OfficesStack(app, 'offices', { provider, desiredState });
new SecurityStack(app, 'security', { provider }).addDependency(offices);
new ReviewedStack(app, 'reviewed', { desiredState });
app.synth();
