import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { storedState } from './given/stored-state.ts';
import { describeTerraformAndTofu } from './given/terraform-cli.ts';

/** Hosts 1 to n, of which each is to get the name of the next. */
function rotation(count: number) {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const named = (shift: number) =>
    `provider "rampart" {\n  max_wait = "2s"\n}\n` +
    `locals { hosts = { for i in range(${count}) : tostring(i + 1) => format("NAME-%03d", (i + ${shift}) % ${count} + 1) } }\n` +
    'resource "rampart_host" "all" {\n  for_each = local.hosts\n  host_id  = each.key\n  name     = each.value\n}\n';
  return {
    hosts: ids.map((id) => ({ id: String(id), name: `NAME-${String(id).padStart(3, '0')}` })),
    before: named(0),
    after: named(1),
    intended: ids.map((id) => `NAME-${String((id % count) + 1).padStart(3, '0')}`),
  };
}

describeTerraformAndTofu('names that go round, under the real terraform', (test) => {
  test('two hosts swap their names in one apply, by three calls', async () => {
    const { hosts, before, after, intended } = rotation(2);
    const fleet = await fleetWorkspace({ hosts });
    await fleet.settle(before);
    await fleet.settle(after);
    expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(intended);
    expect(fleet.callsOf('renameHost')).toBe(3);
  });

  test('eight hosts rotate their names in one apply, with one temporary rename', async () => {
    const { hosts, after, intended } = rotation(8);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    await fleet.settle(after);
    expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(intended);
    expect(fleet.callsOf('renameHost')).toBe(9);
  });

  test('eight hosts rotate their names in one apply, four at a time, with one temporary rename', async () => {
    const { hosts, after, intended } = rotation(8);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    await fleet.settle(after, '-parallelism=4');
    expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(intended);
    expect(fleet.callsOf('renameHost')).toBe(9);
  });

  test('a chain of twenty-five moves up in one apply, without a call more than there are names', async () => {
    const { hosts, before } = rotation(25);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    await fleet.settle(before.replace('% 25 + 1', '+ 2').replace('(i + 0)', 'i'), '-parallelism=30');
    expect(fleet.nameOf('25')).toBe('NAME-026');
    expect(fleet.callsOf('renameHost')).toBe(25);
  });

  test('fifty hosts in one cycle rotate by a saved plan, ten at a time', async () => {
    const { hosts, after, intended } = rotation(50);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    fleet.configure(after);
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2, stderr: '' });
    expect(await fleet.run('apply', '-no-color', 'saved')).toMatchObject({ status: 0, stderr: '' });
    expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(intended);
    expect(fleet.callsOf('renameHost')).toBe(51);
  });

  test('twenty-four hosts in one cycle rotate in one apply, ten at a time, and the plan says what an apply elsewhere needs', async () => {
    const { hosts, after, intended } = rotation(24);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    const { stdout } = await fleet.settle(after);
    expect(stdout.replace(/[\s│]+/g, ' ')).toMatch(
      /Warning: 24 hosts exchange their names, .*-parallelism=24, or manage these hosts with one rampart_fleet/,
    );
    expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(intended);
    expect(fleet.callsOf('renameHost')).toBe(25);
  });

  test('a plan that was discarded renames no host in the apply of a later one', async () => {
    const { hosts, after } = rotation(24);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    fleet.configure(after);
    expect(await fleet.plan('-out=discarded')).toMatchObject({ status: 2, stderr: '' });
    // Without the last host, whose name the one before it needs.
    fleet.configure(after.replace('range(24)', 'range(23)'));
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2 });
    expect((await fleet.run('apply', '-no-color', 'saved')).status).toBe(1);
    expect(fleet.nameOf('24')).toBe('NAME-024');
    expect(fleet.emulator.state().hosts).toMatchObject(hosts);
    expect(fleet.callsOf('renameHost')).toBe(0);
  });

  test('a saved plan from another machine changes nothing ten at a time, and the error names the parallelism that works', async () => {
    const { hosts, after, intended } = rotation(50);
    const fleet = await fleetWorkspace({ hosts });
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    fleet.configure(after);
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2, stderr: '' });
    rmSync(fleet.temporaryFolder, { recursive: true });
    const refused = await fleet.run('apply', '-no-color', 'saved');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('-parallelism=50');
    expect(refused.stderr).toContain('rampart_fleet');
    expect(fleet.emulator.state().hosts).toMatchObject(hosts);
    expect(fleet.callsOf('renameHost')).toBe(0);
    rmSync(fleet.temporaryFolder, { recursive: true, force: true });
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2, stderr: '' });
    rmSync(fleet.temporaryFolder, { recursive: true });
    const applied = await fleet.run('apply', '-no-color', '-parallelism=50', 'saved');
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(intended);
  });
});
