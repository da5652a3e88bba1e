import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
    { id: '4', name: 'D', groupId: '18' },
  ],
};

const members = (name: string, group: string, ids: readonly string[], mode: string) => `
      resource "rampart_group_members" "${name}" {
        group    = "${group}"
        host_ids = ${JSON.stringify(ids)}
        mode     = "${mode}"
      }`;

describeTerraformAndTofu('rampart_group_members under the real terraform', (test) => {
  test('additive adds hosts with one call, corrects drift and leaves the others alone', async () => {
    const fleet = await fleetWorkspace(parts);
    await fleet.settle(members('k', 'Kiosks', ['1', '2'], 'additive'));
    expect(['1', '2', '3', '4'].map(fleet.groupOf)).toEqual(['18', '18', '18', '18']);
    expect(fleet.callsOf('moveHosts')).toBe(1);
    fleet.emulator.edit({ kind: 'move', id: '1', groupId: '17' });
    const drifted = await fleet.plan();
    expect(drifted).toMatchObject({ status: 2, stdout: expect.stringContaining('+ "1"') });
    await fleet.settle(members('k', 'Kiosks', ['1', '2'], 'additive'));
    await fleet.settle(members('k', 'Kiosks', ['2'], 'additive'));
    expect(fleet.groupOf('1')).toBe('18');

    // A host that vanished is only a warning, in this plan and in all later ones.
    fleet.emulator.edit({ kind: 'delete', id: '2' });
    fleet.emulator.edit({ kind: 'move', id: '3', groupId: '17' });
    const gone = expect.stringContaining('Host 2 is not in the account anymore');
    fleet.configure(members('k', 'Kiosks', ['2', '3'], 'additive'));
    expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '', stdout: gone });
    expect(fleet.groupOf('3')).toBe('18');
    expect(await fleet.plan()).toMatchObject({ status: 0, stdout: gone });
    await fleet.settle(members('k', 'Kiosks', ['3'], 'additive'));
  });

  test('authoritative removes the others, and a host can change from one such group to another', async () => {
    const fleet = await fleetWorkspace(parts);
    const both = (servers: readonly string[], kiosks: readonly string[]) =>
      members('s', 'Servers', servers, 'authoritative') + members('k', 'Kiosks', kiosks, 'authoritative');
    await fleet.settle(both(['1'], ['3']));
    expect(['1', '3', '4'].map(fleet.groupOf)).toEqual(['17', '18', '-1']);
    await fleet.settle(both(['3'], ['1']));
    expect(['1', '3'].map(fleet.groupOf)).toEqual(['18', '17']);
    await fleet.settle('');
    expect(['1', '3'].map(fleet.groupOf)).toEqual(['18', '17']);
  });

  test("a host and its group resource can agree, two group resources can't, and a host twice in one list counts once", async () => {
    const fleet = await fleetWorkspace(parts);
    await fleet.settle(`${members('k', 'Kiosks', ['1'], 'additive')}
      resource "rampart_host" "a" {
        host_id = "1"
        group   = "Kiosks"
      }`);
    expect(fleet.groupOf('1')).toBe('18');
    expect(fleet.callsOf('moveHosts')).toBe(1);
    fleet.configure(
      members('k', 'Kiosks', ['1', '2'], 'additive') + members('too', 'Kiosks', ['2', '3'], 'additive'),
    );
    expect(await fleet.plan()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Two resources manage the group of host 2'),
    });
    await fleet.settle(members('k', 'Kiosks', ['1', '1'], 'additive'));
    expect(fleet.groupOf('1')).toBe('18');
  });

  test('missing hosts are named, and import takes the whole group', async () => {
    const fleet = await fleetWorkspace(parts);
    fleet.configure(members('k', 'Kiosks', ['99'], 'additive'));
    expect(await fleet.plan()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Host 99 is not in the list'),
    });
    fleet.configure('import {\n  to = rampart_group_members.k\n  id = "Kiosks"\n}\n');
    const planned = await fleet.plan('-generate-config-out=generated.tf');
    expect(planned.stdout).toContain('1 to import, 0 to add, 0 to change, 0 to destroy');
    expect(readFileSync(join(fleet.folder, 'generated.tf'), 'utf8')).toMatch(/host_ids += \["3", "4"\]/);
    expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '' });
    expect(['3', '4'].map(fleet.groupOf)).toEqual(['18', '18']);
  });

  test('each plan shows only its own moves, and a group that was renamed in the service gets its new name in place', async () => {
    const fleet = await fleetWorkspace(parts);
    await fleet.settle(members('k', 'Kiosks', ['1', '2', '3'], 'additive'));
    const shorter = members('k', 'Kiosks', ['4', '3'], 'additive');
    fleet.configure(shorter);
    const changes = (stdout: string) =>
      (stdout.match(/^ +[-+~] .*$/gm) ?? []).map((line) => line.trim().replace(/\s+/g, ' '));
    fleet.emulator.edit({ kind: 'move', id: '4', groupId: '17' });
    expect(changes((await fleet.plan()).stdout).filter((line) => line.includes("'"))).toEqual([
      `+ "4" = "'D' from 'Servers'"`,
    ]);
    await fleet.settle(shorter);
    fleet.emulator.edit({ kind: 'put-group', id: '18', name: 'Lobby' });
    const kept = await fleet.plan();
    expect(kept).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Group 18 was renamed in the service'),
    });
    fleet.configure(shorter.replace('Kiosks', 'Lobby'));
    const renamed = await fleet.plan();
    expect(renamed.stdout).toContain('0 to add, 1 to change, 0 to destroy');
    expect(renamed.stdout).toContain('"Kiosks" -> "Lobby"');
    await fleet.settle(shorter.replace('Kiosks', 'Lobby'));
    expect(fleet.callsOf('moveHosts')).toBe(2);
  });
});
