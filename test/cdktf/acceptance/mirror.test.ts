import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import { App, LocalBackend, TerraformOutput, TerraformStack, Testing } from 'cdktf';
import { expect, onTestFinished, vi } from 'vitest';
import {
  FleetApply,
  HostGroup,
  ManagedFleet,
  ManagedHost,
  RampartProvider,
  terraformMatchers,
} from '../../../src/cdktf/index.ts';
import { newFolder } from '../../given/folder.ts';
import { commandIn } from '../../given/program.ts';
import { fleetWorkspace } from '../../terraform/acceptance/given/fleet-workspace.ts';
import { describeTerraform, workspaceIn } from '../../terraform/acceptance/given/terraform-cli.ts';
import { mirrorOfBoth } from './given/mirror-of-both.ts';

expect.extend(terraformMatchers);

const run = promisify(execFile);
const desiredState = 'version: 1\nhosts:\n  - { id: 1, name: A-ONE }\n';
const reviewed = 'version: 1\nhosts:\n  - { id: 3, name: C-THREE }\n';

/** Every kind of resource that the two providers have. */
function stackIn(folder: string, app = Testing.app()): TerraformStack {
  const stack = new TerraformStack(app, 'fleet');
  new LocalBackend(stack, { path: join(folder, 'terraform.tfstate') });
  new NullProvider(stack, 'null');
  new RampartProvider(stack, 'rampart');
  const odd = new ManagedHost(stack, 'odd', { hostId: '2', name: 'B-${TWO}%{x}' });
  new HostGroup(stack, 'kiosks', { groupName: 'Kiosks', hosts: [odd] });
  new ManagedFleet(stack, 'each', { desiredState, form: 'forEach' });
  new ManagedFleet(stack, 'whole', {
    desiredState: 'version: 1\nhosts: [{ id: 4, name: D-FOUR }]\n',
    form: 'fleet',
  });
  new FleetApply(stack, 'apply', { desiredState: reviewed, planFile: join(folder, 'plan.json') });
  new Resource(stack, 'note', { triggers: { odd: odd.hostId } });
  new TerraformOutput(stack, 'odd_name', { value: odd.name });
  return stack;
}

describeTerraform('a synthesized stack and both providers of a filesystem mirror', (test) => {
  test('is valid, plans, applies, and then plans nothing for any host, as files in HCL either', async () => {
    const mirror = await mirrorOfBoth();
    const fleet = await fleetWorkspace({
      hosts: ['ONE', 'TWO', 'THREE', 'FOUR'].map((name, index) => ({ id: `${index + 1}`, name })),
      groups: [{ id: '17', name: 'Kiosks' }],
      installed: () => mirror,
    });
    const folder = newFolder();
    const command = commandIn(folder);
    const env = {
      ...process.env,
      ...mirror,
      ...fleet.env,
      CHECKPOINT_DISABLE: '1',
      RAMPART_STATE_DIR: folder,
    };
    writeFileSync(join(folder, 'reviewed.yaml'), reviewed);
    await run(command, ['plan', '-f', 'reviewed.yaml', '--out', 'plan.json'], { cwd: folder, env });

    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const synthesized = Testing.fullSynth(stackIn(folder));
    onTestFinished(() => rmSync(synthesized, { recursive: true, force: true }));
    expect(synthesized).toBeValidTerraform();

    const terraform = workspaceIn(join(synthesized, 'stacks/fleet'), {
      ...mirror,
      ...fleet.env,
      PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
    });
    expect(await terraform.run('plan', '-no-color')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('6 to add, 0 to change, 0 to destroy'),
      stderr: '',
    });
    expect(await terraform.run('apply', '-auto-approve', '-no-color')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('6 added, 0 changed, 0 destroyed'),
      stderr: '',
    });
    expect(['1', '2', '3', '4'].map(fleet.nameOf)).toEqual(['A-ONE', 'B-${TWO}%{x}', 'C-THREE', 'D-FOUR']);
    expect(fleet.groupOf('2')).toBe('17');
    // As the command line does for `synth --hcl`.
    vi.stubEnv('SYNTH_HCL_OUTPUT', 'true');
    const app = new App({ outdir: join(folder, 'hcl') });
    stackIn(folder, app);
    app.synth();
    const written = workspaceIn(join(folder, 'hcl/stacks/fleet'), { ...mirror, ...fleet.env });
    expect(await written.run('init', '-no-color')).toMatchObject({ status: 0 });
    const last = await written.run('plan', '-detailed-exitcode', '-no-color');
    // A block of text in HCL ends with a line break, which no host notices.
    expect(last).toMatchObject({ stdout: expect.stringContaining('0 to add, 1 to change, 0 to destroy') });
    expect(last.stdout.match(/# .* will be .*/g)).toEqual(['# rampart_fleet.whole will be updated in-place']);
    expect(last.stdout).toContain('(8 unchanged attributes hidden)');
  });
});
