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
  for (const count of [40, 200]) {
    test(`${count} hosts shift their names by one in one apply, with one call for each host`, async () => {
      const fleet = await fleetWorkspace({ hosts: hostsCalled(count) });
      await fleet.settle(configuration(count, 'i + 1'));
      await fleet.settle(configuration(count, 'i + 2'));
      expect(fleet.emulator.state().hosts.map(({ name }) => name)).toEqual(
        hostsCalled(count).map((_, index) => nameAt(index + 2)),
      );
      expect(fleet.callsOf('renameHost')).toBe(count);
    });
  }

  test('200 hosts rotate their names in one apply, with one temporary rename', async () => {
    const fleet = await fleetWorkspace({ hosts: hostsCalled(200) });
    await fleet.settle(configuration(200, 'i + 1'));
    await fleet.settle(configuration(200, '(i + 1) % 200 + 1'));
    expect(fleet.nameOf('200')).toBe(nameAt(1));
    expect(fleet.nameOf('1')).toBe(nameAt(2));
    expect(fleet.callsOf('renameHost')).toBe(201);
  });
});
