import { expect } from 'vitest';
import type { Emulator } from '../../../src/service/emulator/emulator.ts';
import { type FleetWorkspaceOptions, fleetWorkspace } from './given/fleet-workspace.ts';
import { storedState } from './given/stored-state.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const parts = {
  groups: [{ id: '17', name: 'Servers' }],
  hosts: ['1', '2', '3', '4'].map((id) => ({ id, name: `H-${id}` })),
};

/** A fleet whose service reports success for everything. `undo` changes its effects before anyone reads them. */
async function lying(
  action: 'renameHost' | 'moveHosts' | 'deleteHosts',
  undo: 'nothing-done' | ((emulator: Emulator) => void),
) {
  const lie = { isOn: true };
  const options: FleetWorkspaceOptions = {
    ...parts,
    faults: (call) =>
      lie.isOn && undo === 'nothing-done' && call.action === action ? [{ kind: 'nothing-done' }] : [],
    hooks: {
      afterEach: (call) => {
        if (lie.isOn && undo !== 'nothing-done' && call.action === action) undo(fleet.emulator);
      },
    },
  };
  const fleet = await fleetWorkspace(options);
  return { ...fleet, lie };
}

const host = (id: string, argument: string) => `
      resource "rampart_host" "h${id}" {
        host_id = "${id}"
        ${argument}
      }`;
const group = (ids: readonly string[], mode = 'additive') => `
      resource "rampart_group_members" "servers" {
        group    = "Servers"
        host_ids = ${JSON.stringify(ids)}
        mode     = "${mode}"
      }`;
const flat = (text: string) => text.replace(/[\s│╷╵]+/g, ' ');

describeTerraform(
  'a service that answers that it did what it did not do, under the real terraform',
  (test) => {
    test('that renames nothing fails the apply of a new host and of a changed one, and the next plan shows both', async () => {
      const fleet = await lying('renameHost', 'nothing-done');
      await fleet.begin(host('1', 'on_destroy = "forget"'));
      fleet.configure(host('1', 'name = "NEW-1"') + host('2', 'name = "NEW-2"'));
      const { status, stderr } = await fleet.apply();
      expect([status, flat(stderr)]).toEqual([
        1,
        expect.stringContaining('Host 1 still needs: the name "NEW-1"'),
      ]);
      expect(flat(stderr)).toContain('Host 2 still needs: the name "NEW-2"');
      expect(flat(stderr)).toContain('a list that was read after it does not show it');
      const planned = await fleet.plan();
      expect([planned.status, planned.stdout]).toEqual([2, expect.stringContaining('"H-1" -> "NEW-1"')]);
      expect(planned.stdout).toContain('1 to add, 1 to change, 0 to destroy');
      fleet.lie.isOn = false;
      await fleet.settle(host('1', 'name = "NEW-1"') + host('2', 'name = "NEW-2"'));
      expect(['1', '2'].map(fleet.nameOf)).toEqual(['NEW-1', 'NEW-2']);
    });

    test('that moves half of the hosts fails the apply, and the next plan moves the others', async () => {
      const fleet = await lying('moveHosts', (emulator) => {
        for (const id of ['3', '4']) emulator.edit({ kind: 'move', id, groupId: '-1' });
      });
      await fleet.begin(group([]));
      fleet.configure(group(['1', '2', '3', '4']));
      const { status, stderr } = await fleet.apply();
      expect([status, flat(stderr)]).toEqual([
        1,
        expect.stringContaining('Host 3 still needs: the group "Servers"'),
      ]);
      expect(flat(stderr)).toContain('Host 4 still needs: the group "Servers"');
      expect(flat(stderr)).not.toContain('Host 1 still needs');
      fleet.lie.isOn = false;
      await fleet.settle(group(['1', '2', '3', '4']));
      expect(['1', '2', '3', '4'].map(fleet.groupOf)).toEqual(['17', '17', '17', '17']);
    });

    test('that deletes nothing fails the destroy, and the host stays in the state', async () => {
      const fleet = await lying('deleteHosts', 'nothing-done');
      const limits = 'provider "rampart" {\n  limits = { delete = "100%" }\n}\n';
      await fleet.begin(limits + host('1', 'on_destroy = "delete"'));
      fleet.configure(limits);
      const { status, stderr } = await fleet.apply();
      expect([status, flat(stderr)]).toEqual([
        1,
        expect.stringContaining('Host 1 still needs: its deletion'),
      ]);
      expect((await fleet.run('state', 'list')).stdout).toContain('rampart_host.h1');
      expect(await fleet.plan()).toMatchObject({
        status: 2,
        stdout: expect.stringContaining('1 to destroy'),
      });
      fleet.lie.isOn = false;
      expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '' });
      expect(fleet.nameOf('1')).toBeUndefined();
    });

    test('is read once or twice for more resources than Terraform applies at once, and each false response is reported', async () => {
      const count = 24;
      const hosts = Array.from({ length: count }, (_, index) => ({
        id: `${index + 1}`,
        name: `H-${index + 1}`,
      }));
      const lie = { isOn: true };
      const fleet = await fleetWorkspace({
        hosts,
        faults: ({ action, nth }) =>
          lie.isOn && action === 'renameHost' && [3, 15].includes(nth) ? [{ kind: 'nothing-done' }] : [],
      });
      const renamed = `
      resource "rampart_host" "all" {
        for_each = toset([for i in range(${count}) : tostring(i + 1)])
        host_id  = each.key
        name     = "NEW-\${each.key}"
      }`;
      fleet.write('terraform.tfstate', storedState({ all: hosts }));
      fleet.configure(renamed);
      const { status, stderr } = await fleet.apply();
      const left = fleet.emulator.state().hosts.filter(({ name }) => name?.startsWith('H-') === true);
      expect([status, left.length]).toEqual([1, 2]);
      for (const { id } of left)
        expect(flat(stderr)).toContain(`Host ${id} still needs: the name "NEW-${id}"`);
      // One list for the plan, one for the apply, and those that verify it.
      expect(fleet.callsOf('listHostsWithGroups')).toBeLessThanOrEqual(4);
      lie.isOn = false;
      expect((await fleet.plan()).stdout).toContain('0 to add, 2 to change, 0 to destroy');
      await fleet.settle(renamed);
    });
  },
);
