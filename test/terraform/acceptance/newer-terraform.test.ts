import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { runGuide } from './given/run-guide.ts';
import { describeNewerTerraform } from './given/terraform-cli.ts';

const examples = join(import.meta.dirname, '../../../examples/terraform');
const three = {
  groups: [
    { id: '17', name: 'Servers' },
    { id: '18', name: 'Twins' },
    { id: '19', name: 'Twins' },
  ],
  hosts: [
    { id: '9007199254740993', name: 'BER-1', groupId: '17', antivirus: { installed: false } },
    { id: '2', name: 'HAM ${1} "x"', groupId: '18' },
    { id: '3', name: null },
  ],
};

describeNewerTerraform('list resources and actions under Terraform 1.14 or newer', (test) => {
  test('query imports a whole fleet, and the plan is empty', async () => {
    const fleet = await fleetWorkspace(three);
    fleet.configure('');
    fleet.write('all.tfquery.hcl', 'list "rampart_host" "all" {\n  provider = rampart\n  limit = 1000\n}\n');
    const queried = await fleet.run('query', '-no-color', '-generate-config-out=imported.tf');
    expect(queried).toMatchObject({ status: 0, stdout: expect.stringContaining('BER-1') });
    expect(await fleet.plan()).toMatchObject({
      stdout: expect.stringContaining('3 to import, 0 to add, 0 to change, 0 to destroy'),
    });
    expect(await fleet.apply()).toMatchObject({ status: 0 });
    expect(await fleet.plan()).toMatchObject({ status: 0 });
    expect(fleet.emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('the guide "Importing a fleet" works with a query', async () => {
    const fleet = await fleetWorkspace({ hosts: [] });
    await runGuide(fleet, 'importing-a-fleet.md', [
      'The fleet and the provider',
      'Import with Terraform 1.14 or newer',
    ]);
    expect(await fleet.plan()).toMatchObject({ status: 0 });
  });

  test('an action is invoked by itself, and an install needs its approval', async () => {
    const fleet = await fleetWorkspace(three);
    const install = (acks: string) =>
      `action "rampart_antivirus_install" "one" {\n  config {\n    host_ids = ["9007199254740993"]\n${acks}  }\n}\n`;
    fleet.configure(install(''));
    const invoke = ['apply', '-auto-approve', '-no-color', '-invoke=action.rampart_antivirus_install.one'];
    expect(await fleet.run(...invoke)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('which needs an approval'),
    });
    fleet.configure(install('    acks = { antivirus = 1 }\n'));
    expect(await fleet.run(...invoke)).toMatchObject({ status: 0 });
    expect(fleet.emulator.installs.get('9007199254740993')).toBe(1);
  });

  test('the examples of actions and queries are valid', async () => {
    const fleet = await fleetWorkspace(three);
    fleet.configure('');
    const paths = readdirSync(examples, { recursive: true, encoding: 'utf8' });
    for (const path of paths.filter((each) => /^(actions|list-resources)\/.*\.(tf|hcl)$/.test(each)))
      fleet.write(path.replaceAll('/', '-'), readFileSync(join(examples, path), 'utf8'));
    expect(await fleet.run('validate', '-no-color')).toMatchObject({ status: 0 });
    expect(await fleet.run('query', '-no-color')).toMatchObject({ status: 0 });
  });
});
