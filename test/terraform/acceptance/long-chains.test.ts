import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { storedState } from './given/stored-state.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const count = process.env['RAMPART_SOAK'] === '1' ? 200 : 14;
const nameAt = (number: number) => `NAME-${String(number).padStart(3, '0')}`;
const namesFrom = (first: number) => Array.from({ length: count }, (_, index) => nameAt(first + index));

/** Host n has the name with the number that the HCL expression of i, from 0, gives. */
function configuration(number: string): string {
  return (
    `locals { hosts = { for i in range(${count}) : tostring(i + 1) => format("NAME-%03d", ${number}) } }\n` +
    'resource "rampart_host" "all" {\n  for_each = local.hosts\n  host_id  = each.key\n  name     = each.value\n}\n'
  );
}

describeTerraform('names that more hosts exchange than Terraform applies at once', (test) => {
  test(`${count} hosts shift their names by one, and then rotate them, in one apply each at the fewest calls`, async () => {
    const hosts = namesFrom(1).map((name, index) => ({ id: `${index + 1}`, name }));
    const fleet = await fleetWorkspace({ hosts });
    const names = () => fleet.emulator.state().hosts.map(({ name }) => name);
    fleet.write('terraform.tfstate', storedState({ all: hosts }));
    fleet.configure(configuration('i + 2'));
    const shifted = await fleet.apply();
    expect(shifted).toMatchObject({ status: 0, stderr: '' });
    const printed = shifted.stdout.replace(/[\s│]+/g, ' ');
    expect(printed.match(/Warning: /g)).toHaveLength(1);
    expect(printed).toContain(`Warning: ${count} hosts swap their names`);
    expect(printed).toContain(`terraform apply -parallelism=${count},`);
    expect(printed).toContain('or manage these hosts with one rampart_fleet');
    expect(names()).toEqual(namesFrom(2));
    expect(fleet.callsOf('renameHost')).toBe(count);

    await fleet.settle(configuration(`(i + 1) % ${count} + 2`));
    expect(names()).toEqual([...namesFrom(3).slice(0, -1), nameAt(2)]);
    // One temporary rename breaks the cycle.
    expect(fleet.callsOf('renameHost')).toBe(count + count + 1);
  });
});
