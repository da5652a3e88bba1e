import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraform } from './given/terraform-cli.ts';

/** A thousand hosts take Terraform a minute or two. */
const isSoak = process.env['RAMPART_SOAK'] === '1';
const size = isSoak ? 100 : 60;
const blocks = isSoak ? 10 : 1;

const many = (count: number) => ({
  groups: [{ id: '17', name: 'Servers' }],
  hosts: Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, name: `H-${index + 1}` })),
});

const block = (from: number) => `
      resource "rampart_host" "from_${from}" {
        for_each = toset([for i in range(${size}) : tostring(${from} + i + 1)])
        host_id  = each.key
        name     = "H-\${each.key}"
        group    = "Servers"
      }`;

describeTerraform('many hosts, limits and refusals under the real terraform', (test) => {
  test('a hundred hosts of one for_each are planned with one list call, and moved ten by ten', async () => {
    const fleet = await fleetWorkspace(many(blocks * size));
    const configuration = Array.from({ length: blocks }, (_, index) => block(index * size)).join('');
    fleet.configure(configuration);
    expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2 });
    expect(fleet.emulator.requests).toHaveLength(1);
    expect(await fleet.run('apply', '-no-color', 'saved')).toMatchObject({ status: 0, stderr: '' });
    expect(fleet.emulator.state().hosts.every(({ groupId }) => groupId === '17')).toBe(true);
    // Ten come at a time: no fewer calls are possible, and a slow machine costs a few more.
    expect(fleet.callsOf('moveHosts')).toBeGreaterThanOrEqual((blocks * size) / 10);
    expect(fleet.callsOf('moveHosts')).toBeLessThan((blocks * size) / 5);
    const before = fleet.emulator.requests.length;
    expect(await fleet.plan()).toMatchObject({ status: 0 });
    expect(fleet.emulator.requests.slice(before).map(({ action }) => action)).toEqual([
      'listHostsWithGroups',
    ]);
  }, 300_000);

  test("a host that replaces another one, which is deleted afterwards, can't get its name: the error says why, and deleting first works", async () => {
    const fleet = await fleetWorkspace(many(3));
    const one = (id: number, lifecycle = '') =>
      `provider "rampart" {\n  max_wait = "2s"\n}\nresource "rampart_host" "one" {\n  host_id = "${id}"\n  name = "KEEP"\n  on_destroy = "delete"\n${lifecycle}}\n`;
    await fleet.begin(one(1));
    fleet.configure(one(2, '  lifecycle {\n    create_before_destroy = true\n  }\n'));
    const { status, stderr } = await fleet.apply();
    expect([status, stderr.replace(/[\s│]+/g, ' ')]).toEqual([
      1,
      expect.stringMatching(
        /Host 2 \("H-2"\) can't become "KEEP" yet: host 1 has the name, .*create_before_destroy/,
      ),
    ]);
    expect(fleet.callsOf('renameHost')).toBe(1);
    await fleet.settle(one(2));
    expect([fleet.nameOf('1'), fleet.nameOf('2')]).toEqual([undefined, 'KEEP']);
  });

  test('values that depend on what is yet to be applied are unknown in the plan, and right after it', async () => {
    const fleet = await fleetWorkspace(many(3));
    await fleet.settle(`
      resource "terraform_data" "later" { input = "2" }
      data "rampart_host" "late" {
        host_id    = "1"
        depends_on = [terraform_data.later]
      }
      resource "rampart_host" "by_later_id" {
        host_id = terraform_data.later.output
        name    = "FOUND-\${data.rampart_host.late.name}"
        group   = terraform_data.later.output == "2" ? "Servers" : null
      }
      resource "rampart_host" "named_after" { 
        host_id = "3"
        name    = "AFTER-\${rampart_host.by_later_id.id}"
      }`);
    expect(['2', '3'].map(fleet.nameOf)).toEqual(['FOUND-H-1', 'AFTER-2']);
    expect(fleet.groupOf('2')).toBe('17');
  });

  test('a removed block with destroy = false keeps the host, and otherwise on_destroy decides', async () => {
    const fleet = await fleetWorkspace(many(3));
    const one = (id: string) =>
      `resource "rampart_host" "h${id}" {\n  host_id    = "${id}"\n  on_destroy = "delete"\n}\n`;
    const removed = (id: string, destroy: boolean) =>
      `removed {\n  from = rampart_host.h${id}\n  lifecycle {\n    destroy = ${destroy}\n  }\n}\n`;
    await fleet.begin(one('1') + one('2'));
    await fleet.begin(removed('1', false) + one('2'));
    expect(fleet.stateText()).not.toContain('"h1"');
    fleet.configure(removed('2', true));
    expect(await fleet.plan()).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('Warning: A host is deleted from the account'),
    });
    expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '' });
    expect(['1', '2', '3'].map(fleet.nameOf)).toEqual(['H-1', undefined, 'H-3']);
    expect(fleet.callsOf('deleteHosts')).toBe(1);
  });

  test('moved blocks keep the host, and terraform test runs on a module', async () => {
    const fleet = await fleetWorkspace(many(2));
    const one = (name: string) =>
      `resource "rampart_host" "${name}" {\n  host_id = "1"\n  name = "KEPT"\n}\n`;
    await fleet.begin(one('before'));
    fleet.configure(`${one('after')}moved {\n  from = rampart_host.before\n  to = rampart_host.after\n}\n`);
    expect(await fleet.apply()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('0 added, 0 changed, 0 destroyed'),
    });
    fleet.write(
      'names.tftest.hcl',
      'run "named" {\n  assert {\n    condition = rampart_host.after.name == "KEPT"\n    error_message = "not named"\n  }\n}\n',
    );
    const tested = await fleet.run('test', '-no-color');
    expect(tested).toMatchObject({ status: 0, stdout: expect.stringContaining('1 passed, 0 failed') });
  });
});
