import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const hostsCalled = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + 1), name: nameAt(index + 1) }));

const nameAt = (number: number) => `NAME-${String(number).padStart(3, '0')}`;

/** Host n has the name with the number that the HCL expression of i, from 0, gives. */
function configuration(count: number, number: string): string {
  return (
    `locals { hosts = { for i in range(${count}) : tostring(i + 1) => format("NAME-%03d", ${number}) } }\n` +
    'resource "rampart_host" "all" {\n  for_each = local.hosts\n  host_id  = each.key\n  name     = each.value\n}\n'
  );
}

describeTerraform('names that more hosts exchange than Terraform applies at once', (test) => {
  test('200 hosts shift their names by one in one apply, with one call for each host', async () => {
    const fleet = await fleetWorkspace({ hosts: hostsCalled(200) });
    await fleet.settle(configuration(200, 'i + 1'));
    const { stdout } = await fleet.settle(configuration(200, 'i + 2'));
    const printed = stdout.replace(/[\s│]+/g, ' ');
    expect(printed.match(/Warning: /g)).toHaveLength(1);
    expect(printed).toContain('Warning: 200 hosts exchange their names');
    expect(printed).toContain('terraform apply -parallelism=200,');
    expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(
      hostsCalled(200).map((_, index) => nameAt(index + 2)),
    );
    expect(fleet.callsOf('renameHost')).toBe(200);
  });

  test('200 hosts rotate their names in one apply, with one temporary rename', async () => {
    const fleet = await fleetWorkspace({ hosts: hostsCalled(200) });
    await fleet.settle(configuration(200, 'i + 1'));
    await fleet.settle(configuration(200, '(i + 1) % 200 + 1'));
    expect(fleet.nameOf('200')).toBe(nameAt(1));
    expect(fleet.nameOf('1')).toBe(nameAt(2));
    expect(fleet.callsOf('renameHost')).toBe(201);
  });
});
