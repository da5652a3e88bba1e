import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fleetWorkspace, psk } from './given/fleet-workspace.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const two = {
  hosts: [
    { id: '1', name: 'A' },
    { id: '2', name: 'B' },
  ],
};

const host = 'resource "rampart_host" "a" {\n  host_id = "1"\n  name = "NEW"\n}\n';

describeTerraform('credentials and addresses under the real terraform', (test) => {
  test('read-only refuses the first change and sends none', async () => {
    const fleet = await fleetWorkspace(two);
    fleet.configure(`provider "rampart" {\n  read_only = true\n}\n${host}`);
    expect(await fleet.plan()).toMatchObject({ status: 2 });
    expect(await fleet.apply()).toMatchObject({ status: 1, stderr: expect.stringMatching(/read-only/i) });
    expect(fleet.callsOf('renameHost')).toBe(0);
  });

  test('the key comes from a file, and a missing file is named', async () => {
    const fleet = await fleetWorkspace(two);
    const file = join(fleet.folder, 'key');
    fleet.configure(`provider "rampart" {\n  psk_file = "${file}"\n}\n${host}`);
    const refused = await fleet.plan();
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(file) });
    expect(refused.stderr).toMatch(/^.*on main\.tf line \d+, in provider "rampart":\n.*\d+: +psk_file = "/m);
    writeFileSync(file, `${psk}\n`);
    expect(await fleet.plan()).toMatchObject({ status: 2 });
  });

  test('an argument that only an apply knows is reported if something has to be read', async () => {
    const fleet = await fleetWorkspace(two);
    fleet.configure(
      'resource "terraform_data" "later" { input = "1234567890" }\n' +
        `provider "rampart" {\n  company_id = terraform_data.later.output\n}\n${host}`,
    );
    expect(await fleet.plan()).toMatchObject({ status: 2 });
    fleet.configure(
      'resource "terraform_data" "later" { input = "1234567890" }\n' +
        'provider "rampart" {\n  company_id = terraform_data.later.output\n}\ndata "rampart_hosts" "x" {}\n',
    );
    const { stderr } = await fleet.plan();
    expect(stderr).toContain('argument company_id is not known yet');
  });

  test("the provider's own emulator keeps its fleet in a file", async () => {
    const fleet = await fleetWorkspace(two);
    fleet.write('seed.yaml', 'hosts:\n  - { id: 7, name: OLD }\n');
    const block = `provider "rampart" {\n  emulator {\n    seed_file = "${join(fleet.folder, 'seed.yaml')}"\n    state_file = "${join(fleet.folder, 'fleet-state.yaml')}"\n  }\n}\n`;
    await fleet.settle(`${block}resource "rampart_host" "h" {\n  name = "NEW"\n  previously = ["OLD"]\n}\n`);
    expect(readFileSync(join(fleet.folder, 'fleet-state.yaml'), 'utf8')).toContain('NEW');
    const elsewhere = `${block.replace('fleet-state.yaml', 'missing/state.yaml')}data "rampart_hosts" "all" {}\n`;
    fleet.configure(elsewhere);
    expect((await fleet.plan()).stderr.replace(/[\s│]+/g, ' ')).toMatch(
      /The emulator can't write its state_file .*missing\/state\.yaml/,
    );
    // The file that replaces the state file can't be written.
    mkdirSync(join(fleet.folder, 'full.yaml.new'));
    fleet.configure(
      `${block.replace('fleet-state.yaml', 'full.yaml')}resource "rampart_host" "other" {\n  name = "NEW"\n  previously = ["OLD"]\n}\n`,
    );
    const refused = await fleet.apply('-target=rampart_host.other');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("the emulator can't write");
    expect(refused.stdout).not.toContain('Creation complete');
    expect(fleet.emulator.requests).toEqual([]);
  });

  test('twelve accounts by aliases are planned and applied together, each only with its own provider', async () => {
    const fleet = await fleetWorkspace(two);
    fleet.write('seed.yaml', 'hosts:\n  - { id: 7, name: OLD }\n');
    const stateFile = (account: number) => join(fleet.folder, `account-${account}.yaml`);
    const accounts = Array.from({ length: 12 }, (_, index) => index + 1);
    const blocks = accounts.map(
      (account) => `provider "rampart" {
  alias = "a${account}"
  emulator {
    seed_file  = "seed.yaml"
    state_file = "${stateFile(account)}"
  }
}
resource "rampart_host" "a${account}" {
  provider = rampart.a${account}
  host_id  = "7"
  name     = "NEW-${account}"
}
`,
    );
    await fleet.settle(blocks.join('').replaceAll('"seed.yaml"', `"${join(fleet.folder, 'seed.yaml')}"`));
    for (const account of accounts) {
      const names = [...readFileSync(stateFile(account), 'utf8').matchAll(/NEW-\d+/g)].map(([name]) => name);
      expect(names).toEqual([`NEW-${account}`]);
    }
  });
});
