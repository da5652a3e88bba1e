import { expect } from 'vitest';
import { type FleetWorkspace, fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const parts = {
  groups: [
    { id: '17', name: 'Servers' },
    { id: '18', name: 'Kiosks' },
  ],
  hosts: Array.from({ length: 40 }, (_, index) => ({
    id: `${index + 1}`,
    name: `H${index + 1}`,
    groupId: index < 30 ? '18' : '-1',
  })),
};

const oneLine = (text: string) => text.replace(/[\s│]+/g, ' ');

const provider = (more: string) => `provider "rampart" {\n ${more}\n}\n`;

const managed = (count: number) => `
      resource "rampart_host" "all" {
        for_each   = toset([for i in range(${count}) : tostring(i + 1)])
        host_id    = each.key
        on_destroy = "delete"
      }`;

const deletions = ({ emulator }: FleetWorkspace) => 40 - emulator.state().hosts.length;

describeTerraform('deletions by rampart_host', (test) => {
  test('up to the limit are shown as warnings, and go through', async () => {
    const fleet = await fleetWorkspace(parts);
    await fleet.begin(managed(4));
    const destroyed = await fleet.run('destroy', '-auto-approve', '-no-color');
    expect(destroyed).toMatchObject({ status: 0, stderr: '' });
    expect(destroyed.stdout).toContain('A host is deleted from the account');
    expect(oneLine(destroyed.stdout)).toMatch(/This deletes host \d+ "H\d+", in "Kiosks"/);
    expect(deletions(fleet)).toBe(4);
  });

  test('above it are refused in the plan, once and with their number, until exactly that is approved', async () => {
    const fleet = await fleetWorkspace(parts);
    await fleet.begin(managed(8));
    const destroy = async (more: string) => {
      fleet.configure(provider(more) + managed(8));
      const { status, stderr } = await fleet.run('destroy', '-auto-approve', '-no-color');
      expect(status).toBe(1);
      expect(deletions(fleet)).toBe(0);
      expect(stderr.match(/Error: /g)).toHaveLength(1);
      return oneLine(stderr);
    };
    const refused = await destroy('');
    expect(refused).toContain('This run deletes 8 hosts, and 4 may be deleted');
    expect(refused).toContain('acks = { delete = 8 }');
    expect(await destroy('acks = { delete = 9 }')).toContain(
      'This run deletes 8 hosts, and acks in the provider block approves 9',
    );
    fleet.configure(provider('acks = { delete = 8 }') + managed(8));
    expect(await fleet.run('destroy', '-auto-approve', '-no-color')).toMatchObject({ status: 0, stderr: '' });
    expect(deletions(fleet)).toBe(8);
  });

  test('are subject to the limit of the provider block, even if they are removed from the configuration', async () => {
    const fleet = await fleetWorkspace(parts);
    await fleet.begin(managed(8));
    fleet.configure(provider('limits = { delete = "2" }') + managed(5));
    expect(oneLine((await fleet.plan()).stderr)).toContain('This run deletes 3 hosts, and 2 may be deleted');
    await fleet.settle(provider('limits = { delete = "3" }') + managed(5));
    expect(deletions(fleet)).toBe(3);
    fleet.configure(provider('limits = { delete = "a few", rename = "1" }\n acks = { evict = 1 }'));
    const { stderr } = await fleet.plan();
    expect(stderr).toContain('The limit delete is neither a number of hosts nor a share of the fleet');
    expect(stderr.match(/is not a valid kind of change/g)).toHaveLength(2);
  });

  test('a replacement counts and is shown, and is refused if it could not adopt its host again', async () => {
    const fleet = await fleetWorkspace(parts);
    const one = (id: string) =>
      `resource "rampart_host" "one" {\n host_id = "${id}"\n on_destroy = "delete"\n}\n`;
    await fleet.begin(one('1'));
    const same = await fleet.plan('-replace=rampart_host.one');
    expect(same.status).toBe(1);
    expect(oneLine(same.stderr)).toContain(
      'The replacement deletes host 1 "H1", which then can\'t be adopted again',
    );
    fleet.configure(provider('limits = { delete = "0" }') + one('2'));
    expect(oneLine((await fleet.plan()).stderr)).toContain('This run deletes 1 host, and 0 may be deleted');
    fleet.configure(one('2'));
    const other = await fleet.plan('-out=saved');
    expect(other).toMatchObject({ status: 2, stderr: '' });
    expect(oneLine(other.stdout)).toContain('This deletes host 1 "H1", in "Kiosks"');
    expect(await fleet.run('apply', '-no-color', 'saved')).toMatchObject({ status: 0, stderr: '' });
    expect(fleet.nameOf('1')).toBeUndefined();
    expect(fleet.stateText()).toContain('"host_id": "2"');
  });

  test('a protected host is not replaced, and a tainted one is not deleted, because no plan can show it', async () => {
    const fleet = await fleetWorkspace(parts);
    const one = (protect: string) =>
      `resource "rampart_host" "one" {\n host_id = "1"\n on_destroy = "${protect}"\n}\n`;
    await fleet.begin(one('prevent'));
    expect((await fleet.plan('-replace=rampart_host.one')).stderr).toContain('protected from destruction');
    await fleet.begin(one('delete'));
    expect(await fleet.run('taint', 'rampart_host.one')).toMatchObject({ status: 0 });
    const tainted = await fleet.apply();
    expect(tainted.status).toBe(1);
    expect(oneLine(tainted.stderr)).toContain('No plan showed the deletion of host 1');
    expect(fleet.nameOf('1')).toBe('H1');
    expect(await fleet.run('untaint', 'rampart_host.one')).toMatchObject({ status: 0 });
    await fleet.settle(one('forget'));
    expect(await fleet.apply('-replace=rampart_host.one')).toMatchObject({ status: 0 });
    expect(deletions(fleet)).toBe(0);
  });
});

const members = (ids: readonly number[], more = '') => `
      resource "rampart_group_members" "k" {
        group    = "Kiosks"
        host_ids = ${JSON.stringify(ids.map(String))}
        mode     = "authoritative"
        ${more}
      }`;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describeTerraform('evictions by an authoritative rampart_group_members', (test) => {
  test('above the limit are refused until exactly their number is approved, for one apply', async () => {
    const fleet = await fleetWorkspace(parts);
    const errorOf = async (text: string) => {
      fleet.configure(text);
      const { status, stderr } = await fleet.plan();
      expect(status).toBe(1);
      return oneLine(stderr);
    };
    const five = range(1, 25);
    expect(await errorOf(members(five))).toContain(
      'The plan removes 5 hosts from the group, and the limit is 4',
    );
    expect(await errorOf(members(five, 'acks = { evict = 6 }'))).toContain('acks approves 6');
    await fleet.settle(members(five, 'acks = { evict = 5 }'));
    expect(fleet.callsOf('moveHosts')).toBe(1);
    for (const id of range(26, 30)) fleet.emulator.edit({ kind: 'move', id: `${id}`, groupId: '18' });
    expect(await errorOf(members(five, 'acks = { evict = 5 }'))).toContain('the limit is 4');
    expect(await errorOf(provider('limits = { evict = "0%" }') + members(range(1, 29)))).toContain(
      'The plan removes 1 host from the group, and the limit is 0',
    );
    expect(fleet.callsOf('moveHosts')).toBe(1);
  });

  test('that only the apply knows are mentioned in the plan, and subject to the limit in the apply', async () => {
    const fleet = await fleetWorkspace(parts);
    fleet.configure(`
      resource "terraform_data" "later" { input = "1" }
      resource "rampart_group_members" "k" {
        group    = "Kiosks"
        host_ids = [terraform_data.later.output]
        mode     = "authoritative"
      }`);
    const planned = await fleet.plan('-out=saved');
    expect(planned).toMatchObject({ status: 2, stderr: '' });
    expect(planned.stdout).toContain('This plan does not show which hosts the apply moves');
    const applied = await fleet.run('apply', '-no-color', 'saved');
    expect(applied.status).toBe(1);
    expect(oneLine(applied.stderr)).toContain('The plan removes 29 hosts from the group');
    expect(fleet.callsOf('moveHosts')).toBe(0);
  });
});
