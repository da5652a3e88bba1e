import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { storedState } from './given/stored-state.ts';
import { describeTerraformAndTofu } from './given/terraform-cli.ts';

/** Hosts 1 to n, each of which should get the name of the next. */
function rotation(count: number) {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const after =
    `provider "rampart" {\n  max_wait = "2s"\n}\n` +
    `locals { hosts = { for i in range(${count}) : tostring(i + 1) => format("NAME-%03d", (i + 1) % ${count} + 1) } }\n` +
    'resource "rampart_host" "all" {\n  for_each = local.hosts\n  host_id  = each.key\n  name     = each.value\n}\n';
  return {
    hosts: ids.map((id) => ({ id: String(id), name: `NAME-${String(id).padStart(3, '0')}` })),
    after,
    intended: ids.map((id) => `NAME-${String((id % count) + 1).padStart(3, '0')}`),
  };
}

describeTerraformAndTofu('names that go round, under the real terraform', (test) => {
  test('two hosts swap their names in one apply, with three calls', async () => {
    const { hosts, after, intended } = rotation(2);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    await fleet.settle(after);
    expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(intended);
    expect(fleet.callsOf('renameHost')).toBe(3);
  });

  test('twelve hosts in one cycle rotate by a saved plan, ten at a time, with one temporary rename', async () => {
    const { hosts, after, intended } = rotation(12);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    fleet.configure(after);
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2, stderr: '' });
    expect(await fleet.run('apply', '-no-color', 'saved')).toMatchObject({ status: 0, stderr: '' });
    expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(intended);
    expect(fleet.callsOf('renameHost')).toBe(13);
  });

  test('a plan that was discarded renames no host in the apply of a later one', async () => {
    const { hosts, after } = rotation(12);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    fleet.configure(after);
    expect(await fleet.plan('-out=discarded')).toMatchObject({ status: 2, stderr: '' });
    // Without the last host, whose name the one before it needs.
    fleet.configure(after.replace('range(12)', 'range(11)'));
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2 });
    expect((await fleet.run('apply', '-no-color', 'saved')).status).toBe(1);
    expect(fleet.nameOf('12')).toBe('NAME-012');
    expect(fleet.emulator.state().hosts).toMatchObject(hosts);
    expect(fleet.callsOf('renameHost')).toBe(0);
  });

  test('a saved plan from another machine changes nothing ten at a time, and the error names the parallelism that works', async () => {
    const { hosts, after, intended } = rotation(12);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    fleet.configure(after);
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2, stderr: '' });
    rmSync(fleet.temporaryFolder, { recursive: true });
    const refused = await fleet.run('apply', '-no-color', 'saved');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('-parallelism=12');
    expect(refused.stderr).toContain('rampart_fleet');
    expect(fleet.emulator.state().hosts).toMatchObject(hosts);
    expect(fleet.callsOf('renameHost')).toBe(0);
    rmSync(fleet.temporaryFolder, { recursive: true, force: true });
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2, stderr: '' });
    rmSync(fleet.temporaryFolder, { recursive: true });
    const applied = await fleet.run('apply', '-no-color', '-parallelism=12', 'saved');
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(intended);
  });
});
