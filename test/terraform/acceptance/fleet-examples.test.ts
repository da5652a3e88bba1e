import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fleetWorkspace, head } from './given/fleet-workspace.ts';
import { runGuide } from './given/run-guide.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const folder = join(import.meta.dirname, '../../../examples/terraform');
const examples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  // Actions need a newer Terraform: newer-terraform.test.ts runs them.
  .filter((path) => path.endsWith('.tf') && !path.startsWith('actions/'))
  .sort();

describeTerraform('the examples under the real terraform', (test) => {
  for (const path of examples) {
    test(`examples/terraform/${path}`, async () => {
      const fleet = await fleetWorkspace({ hosts: [] });
      const text = readFileSync(join(folder, path), 'utf8');
      if (path.startsWith('provider')) {
        fleet.write('main.tf', text);
        expect(await fleet.run('validate', '-no-color')).toMatchObject({ status: 0 });
        return;
      }
      const emulator = `provider "rampart" {\n  emulator {\n    seed_file = "${join(folder, 'seed.yaml')}"\n    state_file = "${join(fleet.folder, 'fleet.yaml')}"\n  }\n}\n`;
      fleet.write('main.tf', head + emulator + text);
      expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '' });
      expect(await fleet.plan()).toMatchObject({ status: 0, stderr: '' });
    });
  }

  test('the guide "Importing a fleet" works from an empty folder to an empty plan', async () => {
    const fleet = await fleetWorkspace({ hosts: [] });
    await runGuide(fleet, 'importing-a-fleet.md', [
      'The fleet and the provider',
      'Import with any version of Terraform',
      'The whole fleet as one resource',
      'Several accounts',
    ]);
    expect(fleet.emulator.requests).toEqual([]);
    const { stderr } = await fleet.plan();
    expect(stderr).toContain('Two resources manage the name of host 1001');
    fleet.write('imported.tf', '');
    expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '' });
    expect(await fleet.plan()).toMatchObject({ status: 0 });
  });
});
