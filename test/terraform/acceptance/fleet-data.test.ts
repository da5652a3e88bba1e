import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraform } from './given/terraform-cli.ts';

const site = { id: 'c-1', name: 'Site', values: [{ id: 'v-1', name: 'Berlin' }] };

const known = {
  groups: [{ id: '17', name: 'Servers' }],
  categories: [site],
  hosts: [
    {
      id: '9007199254740993',
      name: 'BER-WEB-01',
      groupId: '17',
      customFields: { 'c-1': 'v-1' },
      antivirus: { installed: true },
      inventory: {
        hardware: { serviceTag: 'ABC123', processors: [{ type: 'fast', speed: '3000' }] },
        system: { operatingSystem: { type: 'Windows' } },
      },
    },
    { id: '2', name: 'KIOSK', online: false },
    { id: '3', name: 'BUSY', inSession: true },
  ],
};

describeTerraform('data sources, tickets and functions under the real terraform', (test) => {
  test('all data sources read everything, with one request for each list', async () => {
    const fleet = await fleetWorkspace(known);
    fleet.configure(`
      data "rampart_hosts" "all" {}
      data "rampart_hosts" "servers" { where = "host.group == \\"Servers\\" && host.customFields[\\"Site\\"] == \\"Berlin\\"" }
      data "rampart_hosts" "bare" { where = "!host.antivirus.installed" }
      data "rampart_host" "web" { name = "BER-WEB-01" }
      data "rampart_host" "kiosk" { host_id = "2" }
      data "rampart_groups" "all" {}
      data "rampart_custom_field_categories" "all" {}
      data "rampart_custom_field_values" "all" {}
      data "rampart_antivirus" "web" { host_ids = [data.rampart_host.web.id] }
      data "rampart_hardware_inventory" "web" { host_ids = [data.rampart_host.web.id] }
      data "rampart_system_inventory" "web" {
        host_ids = [data.rampart_host.web.id, "2"]
        fields   = ["OsType"]
      }
      output "seen" {
        value = {
          all       = length(data.rampart_hosts.all.hosts)
          servers   = data.rampart_hosts.servers.ids
          bare      = data.rampart_hosts.bare.ids
          web       = data.rampart_host.web.group_id
          kiosk     = data.rampart_host.kiosk.online
          size      = one([for g in data.rampart_groups.all.groups : g.size if g.name == "Servers"])
          group     = data.rampart_groups.all.ids["Servers"]
          category  = data.rampart_custom_field_categories.all.categories[0].values[0].name
          site      = data.rampart_custom_field_values.all.values["9007199254740993"]["Site"]
          installed = data.rampart_antivirus.web.hosts["9007199254740993"].installed
          tag       = data.rampart_hardware_inventory.web.values["9007199254740993"]["serviceTag"]
          speed     = data.rampart_hardware_inventory.web.values["9007199254740993"]["processors[0].speed"]
          systems   = keys(data.rampart_system_inventory.web.values)
        }
      }`);
    const applied = await fleet.apply();
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    const { stdout } = await fleet.run('output', '-json', 'seen');
    expect(JSON.parse(stdout)).toEqual({
      all: 3,
      servers: ['9007199254740993'],
      bare: ['2', '3'],
      web: '17',
      kiosk: false,
      size: 1,
      group: '17',
      category: 'Berlin',
      site: 'Berlin',
      installed: true,
      tag: 'ABC123',
      speed: '3000',
      systems: ['9007199254740993'],
    });
    for (const action of [
      'listHostsWithGroups',
      'listCustomFields',
      'listAntivirusDetails',
      'createHardwareReport',
    ])
      expect([action, fleet.callsOf(action)]).toEqual([action, 1]);
  });

  test('an invalid expression is reported with its place before anything is sent', async () => {
    const fleet = await fleetWorkspace(known);
    fleet.configure('data "rampart_hosts" "x" {\n  where = "host.nam == 1"\n}\n');
    const { status, output } = await fleet.run('validate', '-no-color');
    expect(status).toBe(1);
    expect(output).toMatch(/where = "host\.nam == 1"/);
    expect(output).toMatch(/at character \d+/);
    expect(fleet.emulator.requests).toEqual([]);
  });

  test('a ticket is used in the run and stored nowhere, and a connected person is not disturbed', async () => {
    const fleet = await fleetWorkspace(known);
    const ticket = (host: string, more = '') => `
      ephemeral "rampart_connection_ticket" "t" {
        host_id = "${host}"
        ${more}
      }
      provider "rampart" {
        alias     = "elsewhere"
        state_dir = ephemeral.rampart_connection_ticket.t.gateway_url
      }
      data "rampart_hosts" "x" { provider = rampart.elsewhere }`;
    fleet.configure(ticket('9007199254740993'));
    expect(await fleet.apply()).toMatchObject({ status: 0 });
    expect(fleet.stateText()).not.toContain('http');
    fleet.configure(ticket('3'));
    expect(await fleet.plan()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Someone is already connected to host 3'),
    });
    fleet.configure(ticket('3', 'fail_when_in_session = false'));
    expect((await fleet.plan()).status).not.toBe(1);
    fleet.configure(ticket('2'));
    expect(await fleet.plan()).toMatchObject({ status: 1, stderr: expect.stringContaining('offline') });
  });

  test('functions parse and build names, and find conflicting ones', async () => {
    const fleet = await fleetWorkspace(known);
    fleet.configure(`
      output "seen" {
        value = {
          parts     = provider::rampart::parse_host_name("BER-WEB-01", "{site}-{role}-{number}")
          no        = provider::rampart::parse_host_name("KIOSK", "{site}-{role}")
          name      = provider::rampart::format_host_name("{site}-{role}", { site = "BER", role = "DB" })
          conflicts = provider::rampart::host_name_conflicts(["A", "b", "a"])
        }
      }`);
    expect(await fleet.apply()).toMatchObject({ status: 0 });
    const { stdout } = await fleet.run('output', '-json', 'seen');
    expect(JSON.parse(stdout)).toEqual({
      parts: { site: 'BER', role: 'WEB', number: '01' },
      no: null,
      name: 'BER-DB',
      conflicts: [['A', 'a']],
    });
    fleet.configure('output "x" { value = provider::rampart::parse_host_name("A", "{a}{b}") }');
    const { output } = await fleet.plan();
    expect(output.replace(/\s+/g, ' ')).toContain('two fields without a separator between them');
  });
});
