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
    groupId: index < 20 ? '17' : '-1',
  })),
};

const host = (id: string, more: string) => `
      resource "rampart_host" "h${id}" {
        host_id = "${id}"
        ${more}
      }`;

/** Applies a plan that was made before someone else's change; returns the errors on one line. */
async function refusalOf(fleet: FleetWorkspace): Promise<string> {
  const { status, stderr } = await fleet.run('apply', '-no-color', 'saved');
  expect(status).toBe(1);
  return stderr.replace(/[\s│]+/g, ' ');
}

async function saved(text: string, first = ''): Promise<FleetWorkspace> {
  const fleet = await fleetWorkspace(parts);
  if (first !== '') await fleet.begin(first);
  fleet.configure(text);
  expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2, stderr: '' });
  return fleet;
}

const writes = ({ emulator }: FleetWorkspace) =>
  emulator.requests.filter(({ method }) => method !== 'GET').map(({ action }) => action);

describeTerraform('a saved plan does not overwrite what someone has changed since', (test) => {
  test('a host that someone renamed is not renamed: the error has the host and both names', async () => {
    const fleet = await saved(host('1', 'name = "NEW"'), host('1', 'name = "OLD"'));
    fleet.emulator.edit({ kind: 'rename', id: '1', name: 'BY-HAND' });
    expect(await refusalOf(fleet)).toContain(
      'Someone else has changed host 1 since the plan: its name was "OLD" in the plan, and its name is "BY-HAND" now',
    );
    expect(fleet.nameOf('1')).toBe('BY-HAND');
    expect(writes(fleet)).toEqual(['renameHost']);
  });

  test('a change by someone else to an attribute that the plan leaves alone is left alone', async () => {
    const first = host('1', 'name = "N1"\n group = "Servers"') + host('2', 'name = "N2"\n group = "Servers"');
    const then = host('1', 'name = "M1"\n group = "Servers"') + host('2', 'name = "N2"\n group = "Kiosks"');
    const fleet = await saved(then, first);
    fleet.emulator.edit({ kind: 'move', id: '1', groupId: '18' });
    fleet.emulator.edit({ kind: 'rename', id: '2', name: 'BY-HAND' });
    expect(await fleet.run('apply', '-no-color', 'saved')).toMatchObject({ status: 0, stderr: '' });
    expect(['1', '2'].map(fleet.nameOf)).toEqual(['M1', 'BY-HAND']);
    expect(['1', '2'].map(fleet.groupOf)).toEqual(['18', '18']);
    expect((await fleet.plan()).stdout).toContain('0 to add, 2 to change');
  });

  test('an adopted host is shown with its current values, and Terraform refuses if it is another host by now', async () => {
    const text = host('1', 'name = "NEW"') + host('2', 'group = "Kiosks"');
    const fleet = await saved(text);
    const shown = (await fleet.run('show', '-no-color', 'saved')).stdout;
    expect(shown).toMatch(/\+ adopted_name += "H1"/);
    expect(shown).toMatch(/\+ adopted_group += "Servers"/);
    fleet.emulator.edit({ kind: 'rename', id: '1', name: 'BY-HAND' });
    fleet.emulator.edit({ kind: 'move', id: '2', groupId: '-1' });
    const refusal = await refusalOf(fleet);
    expect(refusal).toMatch(
      /rampart_host\.h1.*adopted_name: was cty.StringVal\("H1"\), but now cty.StringVal\("BY-HAND"\)/,
    );
    expect(refusal).toMatch(/rampart_host\.h2.*adopted_group: was cty.StringVal\("Servers"\), but now null/);
    expect(writes(fleet)).toEqual([]);
  });

  test('hosts that joined an authoritative group since the plan stay, with a warning, and no host is moved from elsewhere', async () => {
    const members = (ids: string) => `
      resource "rampart_group_members" "k" {
        group    = "Kiosks"
        host_ids = [${ids}]
        mode     = "authoritative"
      }`;
    const fleet = await saved(members('"1"'), members('"1", "2"'));
    fleet.emulator.edit({ kind: 'move', id: '5', groupId: '18' });
    const applied = await fleet.run('apply', '-no-color', 'saved');
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    expect(applied.stdout).toContain('The group has hosts that the plan did not show');
    expect(['1', '2', '5'].map(fleet.groupOf)).toEqual(['18', '-1', '18']);
    fleet.configure(members('"1", "5", "6"'));
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2 });
    fleet.emulator.edit({ kind: 'move', id: '6', groupId: '-1' });
    const before = writes(fleet).length;
    expect(await refusalOf(fleet)).toMatch(
      /joins\["6"\]: was cty.StringVal\("\x27H6\x27 from \x27Servers\x27"\), but now/,
    );
    expect(writes(fleet)).toHaveLength(before);
  });

  test('a host that someone changed is not deleted', async () => {
    const both = host('1', 'on_destroy = "delete"') + host('2', 'on_destroy = "delete"');
    const fleet = await saved('', both + host('3', 'on_destroy = "delete"'));
    fleet.emulator.edit({ kind: 'rename', id: '1', name: 'IN-USE-AGAIN' });
    fleet.emulator.edit({ kind: 'move', id: '2', groupId: '18' });
    const refusal = await refusalOf(fleet);
    expect(refusal).toContain(
      'host 1 since the plan: its name was "H1" in the plan, and its name is "IN-USE-AGAIN" now',
    );
    expect(refusal).toContain(
      'host 2 since the plan: it was in "Servers" in the plan, and is in "Kiosks" now',
    );
    expect(['1', '2', '3'].map(fleet.nameOf)).toEqual(['IN-USE-AGAIN', 'H2', undefined]);
  });
});
