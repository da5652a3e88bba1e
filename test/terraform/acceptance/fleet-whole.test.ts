import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraformAndTofu } from './given/terraform-cli.ts';

const parts = {
  groups: [
    { id: '17', name: 'Servers' },
    { id: '18', name: 'Kiosks' },
  ],
  hosts: [
    { id: '1', name: 'A' },
    { id: '2', name: 'B' },
    { id: '3', name: 'C', groupId: '18' },
    { id: '4', name: 'D' },
    ...Array.from({ length: 20 }, (_, index) => ({ id: `${100 + index}`, name: `X-${index}` })),
  ],
};

const resource = (yaml: string, more = '') => `
      resource "rampart_fleet" "all" {
        ${more}
        content = <<-YAML
version: 1
${yaml}
YAML
      }
      output "summary" { value = rampart_fleet.all.summary }
      output "counts" { value = rampart_fleet.all.counts }`;

const swap = `hosts:
  - { id: 1, name: B }
  - { id: 2, name: A }
  - { id: 3, group: Servers }`;

describeTerraformAndTofu('rampart_fleet under the real terraform', (test) => {
  test('the plan shows each change, the apply makes them, and the next plan is empty', async () => {
    const fleet = await fleetWorkspace(parts);
    fleet.configure(resource(swap));
    const planned = await fleet.plan();
    expect(planned.status).toBe(2);
    expect(planned.stdout).toMatch(/"1" += "'A': rename to 'B' \(fleet\.yaml:3\)"/);
    expect(planned.stdout).toMatch(/"3" += "'C': move from 'Kiosks' to 'Servers' \(fleet\.yaml:5\)"/);
    expect(planned.stdout).toContain('"2 renames, 1 move (4 calls)"');
    expect(planned.stdout).toMatch(/"rename" += 2/);
    await fleet.settle(resource(swap));
    expect(['1', '2'].map(fleet.nameOf)).toEqual(['B', 'A']);
    expect(fleet.groupOf('3')).toBe('17');
    expect(JSON.parse((await fleet.run('output', '-json', 'summary')).stdout)).toBe(
      '2 renames, 1 move (4 calls)',
    );
  });

  test('hosts that others rename and move in the same apply, and another whole fleet, do not change the plan', async () => {
    const fleet = await fleetWorkspace(parts);
    await fleet.settle(`
      resource "rampart_host" "one" {
        host_id = "1"
        name    = "B"
        group   = "Kiosks"
      }
      resource "rampart_host" "two" {
        host_id = "2"
        name    = "A"
      }
      resource "rampart_fleet" "names" {
        content = "version: 1\\nhosts:\\n  - { id: 100, name: X-1 }\\n  - { id: 101, name: X-0 }\\n"
      }
      resource "rampart_fleet" "antivirus" {
        content    = "version: 1\\nrules:\\n  - { name: all, when: 'true', antivirus: installed }\\n"
        depends_on = [rampart_host.one]
      }`);
    expect(['1', '2', '100', '101'].map(fleet.nameOf)).toEqual(['B', 'A', 'X-1', 'X-0']);
    expect(fleet.groupOf('1')).toBe('18');
  });

  test('a host that another resource manages too is reported in the plan', async () => {
    const fleet = await fleetWorkspace(parts);
    fleet.configure(`
      resource "rampart_host" "one" {
        host_id = "1"
        name    = "ONE"
      }
      ${resource(swap)}`);
    const { status, stderr } = await fleet.plan();
    expect(status).toBe(1);
    expect(stderr).toMatch(/Two resources manage the name of host 1/);
  });

  test('drift is a new plan, even if it requests the very same changes again', async () => {
    const fleet = await fleetWorkspace(parts);
    const one = resource('hosts:\n  - { id: 1, name: B1 }');
    await fleet.settle(one);
    fleet.emulator.edit({ kind: 'rename', id: '1', name: 'A' });
    expect(await fleet.plan()).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('0 to add, 1 to change'),
    });
    await fleet.settle(one);
    expect(fleet.nameOf('1')).toBe('B1');
  });

  test('an approval is for one apply: later changes from the same content need another', async () => {
    const fleet = await fleetWorkspace(parts);
    const toDelete = resource(
      'rules:\n  - { name: doomed, when: \'host.name.startsWith("DOOM")\', ensure: absent }',
      'acks = { delete = 3 }',
    );
    const enroll = (from: number) => {
      for (const id of [from, from + 1, from + 2])
        fleet.emulator.edit({ kind: 'enroll', host: { id: `${id}`, name: `DOOM-${id}` } });
    };
    enroll(1000);
    await fleet.settle(toDelete);
    enroll(2000);
    fleet.configure(toDelete);
    const { status, stderr } = await fleet.plan();
    expect(status).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toContain('The approval in acks was used by the latest apply');
    expect(fleet.nameOf('2000')).toBe('DOOM-2000');
  });

  test('an approved plan is refused if the fleet needs another one by now', async () => {
    const fleet = await fleetWorkspace(parts);
    fleet.configure(resource(swap));
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2 });
    fleet.emulator.edit({ kind: 'rename', id: '1', name: 'BY-HAND' });
    const applied = await fleet.run('apply', '-no-color', 'saved');
    expect(applied).toMatchObject({ status: 1, stderr: expect.stringContaining('inconsistent final plan') });
    expect(fleet.callsOf('renameHost')).toBe(0);
  });

  test('content that only the apply knows is planned as unknown, and applied', async () => {
    const fleet = await fleetWorkspace(parts);
    fleet.configure(`
      resource "terraform_data" "later" { input = "NEW" }
      resource "rampart_fleet" "all" {
        content = yamlencode({ version = 1, hosts = [{ id = 1, name = terraform_data.later.output }] })
      }`);
    expect((await fleet.plan()).stdout).toContain('This plan does not show which hosts the apply changes');
    expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '' });
    expect(fleet.nameOf('1')).toBe('NEW');
    expect(await fleet.plan()).toMatchObject({ status: 0 });
  });
});
