import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { workplace } from '../../given/command-line.ts';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraformAndTofu } from './given/terraform-cli.ts';

const groups = [
  { id: '17', name: 'Berlin Servers' },
  { id: '18', name: 'Old Computers' },
];

const four = {
  groups,
  hosts: [
    { id: '9007199254740993', name: 'BER-1', groupId: '17' },
    { id: '2', name: 'DESKTOP-8F3K2', groupId: '-1', online: false },
    { id: '3', name: 'KIOSK', groupId: '18' },
    { id: '4', name: 'SPARE', groupId: '18', antivirus: { supported: false } },
  ],
};

describeTerraformAndTofu('rampart_host under the real terraform', (test) => {
  test('a host is adopted by its exact id: renamed, moved and given the anti-virus, in three calls', async () => {
    const fleet = await fleetWorkspace(four);
    const applied = await fleet.settle(`
      resource "rampart_host" "web" {
        host_id   = "9007199254740993"
        name      = "BER-WEB-01"
        group     = "Old Computers"
        antivirus = "installed"
      }
      output "web" { value = rampart_host.web }`);
    expect(applied.stdout).toContain('1 added, 0 changed, 0 destroyed');
    expect(applied.stdout).toMatch(/id += "9007199254740993"/);
    expect(fleet.nameOf('9007199254740993')).toBe('BER-WEB-01');
    expect(fleet.groupOf('9007199254740993')).toBe('18');
    expect(fleet.emulator.installs.get('9007199254740993')).toBe(1);
    expect(['renameHost', 'moveHosts'].map(fleet.callsOf)).toEqual([1, 1]);
  });

  test("a plan shows the host's current state, and unset attributes are left alone", async () => {
    const fleet = await fleetWorkspace(four);
    fleet.configure(`
      resource "rampart_host" "desk" {
        name       = "BER-DESK"
        previously = ["LOST", "DESKTOP-8F3K2"]
      }`);
    const planned = await fleet.plan();
    expect(planned.status).toBe(2);
    expect(planned.stdout).toMatch(/\+ id += "2"/);
    expect(await fleet.apply()).toMatchObject({ status: 0 });
    expect(await fleet.plan()).toMatchObject({ status: 0 });
    expect(fleet.nameOf('2')).toBe('BER-DESK');
    expect(fleet.callsOf('moveHosts')).toBe(0);
  });

  test('drift is corrected, and a deleted host is a warning in the plan and an error in the apply', async () => {
    const fleet = await fleetWorkspace(four);
    const configuration = `
      resource "rampart_host" "web" {
        host_id  = "9007199254740993"
        name     = "BER-WEB-01"
        group_id = "-1"
      }`;
    await fleet.settle(configuration);
    fleet.emulator.edit({ kind: 'rename', id: '9007199254740993', name: 'BY-HAND' });
    fleet.emulator.edit({ kind: 'move', id: '9007199254740993', groupId: '18' });
    const drifted = await fleet.plan();
    expect(drifted).toMatchObject({ status: 2, stdout: expect.stringMatching(/"BY-HAND" -> "BER-WEB-01"/) });
    expect(drifted.stdout).toMatch(/group_id +(?:<=)?= "18" -> "-1"/);
    await fleet.settle(configuration);
    expect(fleet.nameOf('9007199254740993')).toBe('BER-WEB-01');
    expect(fleet.groupOf('9007199254740993')).toBe('-1');
    fleet.emulator.edit({ kind: 'delete', id: '9007199254740993' });
    const gone = await fleet.plan();
    expect(gone).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('Host 9007199254740993 is not in the account anymore'),
    });
    expect(await fleet.apply()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Host 9007199254740993 is not in the list'),
    });
  });

  test('destroy forgets by default, deletes by choice, and is refused if it must be prevented', async () => {
    const fleet = await fleetWorkspace(four);
    const configuration = (protect: string) => `
      resource "rampart_host" "forgotten" { host_id = "2" }
      resource "rampart_host" "deleted" {
        host_id    = "3"
        on_destroy = "delete"
      }
      resource "rampart_host" "kept" {
        host_id    = "4"
        on_destroy = "${protect}"
      }`;
    await fleet.begin(configuration('prevent'));
    const refused = await fleet.run('destroy', '-auto-approve', '-no-color');
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('protected from destruction'),
    });
    await fleet.begin(configuration('forget'));
    const destroyed = await fleet.run('destroy', '-auto-approve', '-no-color');
    expect(destroyed).toMatchObject({ status: 0, stdout: expect.stringContaining('3 destroyed') });
    expect(fleet.emulator.state().hosts.map(({ id }) => id)).toEqual(['9007199254740993', '2', '4']);
    expect(fleet.callsOf('deleteHosts')).toBe(1);
  });

  test('import by id and by name, with generated configuration, changes nothing', async () => {
    const fleet = await fleetWorkspace(four);
    fleet.configure(`
      import {
        to = rampart_host.web
        id = "9007199254740993"
      }
      import {
        to = rampart_host.desk
        id = "DESKTOP-8F3K2"
      }`);
    const planned = await fleet.plan('-generate-config-out=generated.tf');
    expect(planned).toMatchObject({
      stdout: expect.stringContaining('2 to import, 0 to add, 0 to change, 0 to destroy'),
    });
    const generated = readFileSync(join(fleet.folder, 'generated.tf'), 'utf8');
    expect(generated).toMatch(/host_id += "9007199254740993"/);
    expect(generated).toMatch(/group += "Berlin Servers"/);
    expect(await fleet.apply()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('2 imported, 0 added, 0 changed'),
    });
    expect(await fleet.plan()).toMatchObject({ status: 0 });
    expect(fleet.emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('rampart import --format hcl and an import of the fleet plan no change', async () => {
    const odd = { id: '5', name: 'odd ${name} "x" %{ y }', groupId: '20' };
    const twins = [
      { id: '20', name: 'Twins' },
      { id: '21', name: 'Twins' },
    ];
    const fleet = await fleetWorkspace({
      groups: [...groups, ...twins],
      hosts: [...four.hosts, odd, { id: '6', name: null }],
    });
    const { rampart } = await workplace();
    const written = await rampart(['import', '--format', 'hcl'], { env: fleet.env });
    expect(written.code).toBe(0);
    fleet.configure(written.out);
    const unchanged = (imports: number) =>
      expect.stringContaining(`${imports} to import, 0 to add, 0 to change, 0 to destroy`);
    expect(await fleet.plan()).toMatchObject({ stderr: '', stdout: unchanged(6) });
    expect(await fleet.apply()).toMatchObject({ status: 0 });
    expect(await fleet.plan()).toMatchObject({ status: 0 });
    fleet.configure(`import {\n  to = rampart_fleet.all\n  id = "${fleet.env['RAMPART_COMPANY_ID']}"\n}`);
    const removed = await fleet.plan('-generate-config-out=generated.tf', '-refresh=false');
    expect(removed.stdout).toContain('1 to import, 0 to add, 0 to change');
    expect(readFileSync(join(fleet.folder, 'generated.tf'), 'utf8')).toContain('"Berlin Servers"');
    expect(fleet.emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test("a host or group that can't be found is named in the plan, at its line and with similar names", async () => {
    const fleet = await fleetWorkspace(four);
    fleet.configure(`
      resource "rampart_host" "lost" {
        name  = "KIOSKS"
      }
      resource "rampart_host" "web" {
        host_id = "2"
        group   = "Berlin Server"
      }
      resource "rampart_host" "spare" {
        host_id   = "4"
        antivirus = "installed"
      }`);
    const { status, stderr } = await fleet.plan();
    expect(status).toBe(1);
    expect(stderr).toMatch(/KIOSKS[\s\S]*with rampart_host\.lost[\s\S]*Did you mean "KIOSK" \(3\)\?/);
    expect(stderr).toMatch(/Berlin Server[\s\S]*Berlin Servers/);
    expect(stderr).toMatch(/anti-virus/);
  });
});
