import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const hosts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, name: `H-${index + 1}` }));

const oneLine = (text: string) => text.replace(/[\s│]+/g, ' ');

const each = (count: number, prefix: string) =>
  `resource "rampart_host" "all" {\n  for_each = toset([for i in range(${count}) : tostring(i + 1)])\n  host_id  = each.key\n  name     = "${prefix}-\${each.key}"\n}\n`;

describeTerraform('what changes by itself, and what goes wrong for many hosts, in few words', (test) => {
  test('a host that goes offline is not drift, and an update shows only its changes, and that a read must confirm it', async () => {
    const fleet = await fleetWorkspace({ hosts: hosts(3) });
    await fleet.begin(each(3, 'H'));
    fleet.emulator.edit({ kind: 'online', id: '2', online: false });
    expect(await fleet.plan('-refresh-only')).toMatchObject({ status: 0 });
    fleet.configure(each(3, 'NEW'));
    const { stdout } = await fleet.plan();
    expect(stdout.match(/^ +~ .* -> .*$/gm)?.map((line) => line.trim().replace(/\s+/g, ' '))).toEqual(
      ['1', '2', '3'].flatMap((id) => [
        `~ name = "H-${id}" -> "NEW-${id}"`,
        '~ status = "settled" -> (known after apply)',
      ]),
    );
    expect(stdout.match(/known after apply/g)).toHaveLength(3);
    expect(await fleet.apply()).toMatchObject({ status: 0 });
    expect(await fleet.plan()).toMatchObject({ status: 0, stdout: expect.not.stringContaining('status') });
  });

  test('a host that vanished is a warning, and the apply changes the others', async () => {
    const fleet = await fleetWorkspace({ hosts: hosts(3) });
    await fleet.begin(each(3, 'H'));
    fleet.emulator.edit({ kind: 'delete', id: '2' });
    fleet.configure(each(3, 'NEW'));
    const planned = await fleet.plan();
    expect(planned.status).toBe(2);
    expect(planned.output).toContain('Host 2 is not in the account anymore');
    const applied = await fleet.apply();
    expect(applied.status).toBe(1);
    expect(applied.stderr.match(/Error: /g)).toHaveLength(1);
    expect(['1', '3'].map(fleet.nameOf)).toEqual(['NEW-1', 'NEW-3']);
    // The state does not have the host now, and the next plan does not fail either.
    const later = await fleet.plan();
    expect([later.status, oneLine(later.stdout)]).toEqual([
      2,
      expect.stringContaining('Host 2 is not in the account'),
    ]);
  });

  test('names that other hosts keep are warnings in the plan, whether a host is unmanaged or only leaves the state', async () => {
    const fleet = await fleetWorkspace({ hosts: hosts(6) });
    const configuration = (id: string, name: string) => `
      resource "rampart_host" "one" {
        host_id = "${id}"
        name    = "H-1"
      }
      resource "rampart_host" "three" {
        host_id = "3"
        name    = "${name}"
      }
      resource "rampart_host" "four" {
        host_id = "4"
        name    = "${name === 'H-3' ? 'H-4' : 'H-3'}"
      }`;
    await fleet.begin(configuration('1', 'H-3'));
    fleet.configure(configuration('2', 'H-5'));
    const { status, stdout } = await fleet.plan();
    expect(status).toBe(2);
    const warnings = oneLine(stdout).split('Warning: ').slice(1);
    expect(warnings, stdout).toHaveLength(2);
    expect(warnings.find((each) => each.startsWith('Host 2'))).toContain(
      'Host 2 ("H-2") can\'t become "H-1": host 1 has the name, and this plan removes host 1 from the state only',
    );
    expect(warnings.find((each) => each.startsWith('Host 3'))).toContain(
      'Host 3 ("H-3") can\'t become "H-5": host 5 has the name, and nothing in this plan renames or deletes host 5',
    );
  });

  test('an interrupted apply of a fleet of 300 renames is one error, with the first ten and the number', async () => {
    let interrupt = () => {};
    const fleet = await fleetWorkspace({
      hosts: hosts(300),
      hooks: {
        afterEach: ({ action, nth }) => {
          if (action === 'renameHost' && nth === 20) interrupt();
        },
      },
    });
    fleet.configure(
      `resource "rampart_fleet" "all" {\n  content = yamlencode({ version = 1, hosts = [for i in range(300) : { id = i + 1, name = "NEW-\${i + 1}" }] })\n}\n`,
    );
    const applied = await fleet.watch(['apply', '-auto-approve', '-no-color'], (_stdout, stop) => {
      interrupt = stop;
    });
    expect(applied.status).toBe(1);
    expect(applied.stderr.match(/problems of the same kind, such as: the rename of host/g)).toHaveLength(1);
    expect(applied.stderr.replace(/[\s│]+/g, ' ')).toMatch(/The first 10 of \d+: - the rename of host/);
    // Requests in flight end in their own ways.
    expect(applied.stderr.match(/Error: /g)?.length).toBeLessThan(20);
  });
});
