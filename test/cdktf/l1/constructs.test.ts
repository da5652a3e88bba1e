import '../../tiers/uses-a-system.ts';
import { Fn, TerraformIterator, TerraformOutput, TerraformStack, Testing } from 'cdktf';
import { expect, test } from 'vitest';
import {
  DataRampartAntivirus,
  DataRampartCustomFieldCategories,
  DataRampartGroups,
  DataRampartHosts,
  EphemeralConnectionTicket,
  Fleet,
  GroupMembers,
  Host,
  RampartProvider,
} from '../../../src/cdktf/index.ts';
import { synthesized, withProvider } from '../given/stack.ts';

test('a stack may have two providers, and each resource says whose it is', () => {
  const document = synthesized((stack) => {
    new RampartProvider(stack, 'berlin', { companyId: '1' });
    const lisbon = new RampartProvider(stack, 'lisbon', { companyId: '2', alias: 'lisbon', readOnly: true });
    const host = new Host(stack, 'web', { hostId: '1', provider: lisbon });
    new EphemeralConnectionTicket(stack, 'ticket', { hostId: host.id, provider: lisbon, dependsOn: [host] });
    new DataRampartHosts(stack, 'all', { provider: lisbon });
  });
  expect(document).toMatchObject({
    provider: { rampart: [{ company_id: '1' }, { company_id: '2', alias: 'lisbon', read_only: true }] },
    resource: { rampart_host: { web: { host_id: '1', provider: 'rampart.lisbon' } } },
    data: { rampart_hosts: { all: { provider: 'rampart.lisbon' } } },
    ephemeral: {
      rampart_connection_ticket: {
        ticket: {
          host_id: '${rampart_host.web.id}',
          provider: 'rampart.lisbon',
          depends_on: ['rampart_host.web'],
        },
      },
    },
  });
});

test('a stack without the provider is refused', () => {
  expect(() => synthesized((stack) => new Host(stack, 'web', { hostId: '1' }))).toThrow(
    'without a matching provider construct',
  );
});

test('what a ticket overrides is written', () => {
  const { ephemeral } = synthesized((stack) => {
    const ticket = new EphemeralConnectionTicket(stack, 'ticket', { hostId: '1', directLink: false });
    ticket.addOverride('count', 2);
  });
  expect(ephemeral).toEqual({
    rampart_connection_ticket: { ticket: { host_id: '1', direct_link: false, count: 2 } },
  });
});

test('parts of computed lists and maps are tokens', () => {
  const { output } = withProvider((stack) => {
    const hosts = new DataRampartHosts(stack, 'hosts', { where: 'host.online' });
    const groups = new DataRampartGroups(stack, 'groups');
    const antivirus = new DataRampartAntivirus(stack, 'antivirus');
    const fields = new DataRampartCustomFieldCategories(stack, 'fields');
    const fleet = new Fleet(stack, 'fleet', { content: 'version: 1\nhosts: []\n' });
    const values = {
      name: hosts.host(0).name,
      online: hosts.host(2).online,
      size: groups.group(1).size,
      kiosks: groups.ids,
      threats: antivirus.host('9007199254740993').threats,
      field: fields.category(0).values,
      summary: fleet.summary,
      change: Fn.lookup(fleet.changes, '1002'),
      drift: fleet.drift as unknown as string,
    };
    for (const [name, value] of Object.entries(values)) new TerraformOutput(stack, name, { value });
  });
  expect(output).toEqual({
    name: { value: '${data.rampart_hosts.hosts.hosts.0.name}' },
    online: { value: '${data.rampart_hosts.hosts.hosts.2.online}' },
    size: { value: '${data.rampart_groups.groups.groups.1.size}' },
    kiosks: { value: '${data.rampart_groups.groups.ids}' },
    threats: { value: '${data.rampart_antivirus.antivirus.hosts["9007199254740993"].threats}' },
    field: { value: '${data.rampart_custom_field_categories.fields.categories.0.values}' },
    summary: { value: '${rampart_fleet.fleet.summary}' },
    change: { value: '${rampart_fleet.fleet.changes["1002"]}' },
    drift: { value: '${rampart_fleet.fleet.drift}' },
  });
});

test('an iterator goes over what a data source gives', () => {
  const { resource } = withProvider((stack) => {
    const kiosks = new DataRampartHosts(stack, 'kiosks', { where: 'host.group == "Kiosks"' });
    const each = TerraformIterator.fromComplexList(kiosks.hosts, 'id');
    new Host(stack, 'covered', { forEach: each, hostId: each.getString('id'), antivirus: 'installed' });
  });
  expect(resource).toEqual({
    rampart_host: {
      covered: {
        for_each: '${{ for key, val in data.rampart_hosts.kiosks.hosts: val.id => val }}',
        host_id: '${each.value.id}',
        antivirus: 'installed',
      },
    },
  });
});

test('blocks are written by the names that Terraform has for them, whatever is left out', () => {
  const { resource } = withProvider((stack) => {
    new Fleet(stack, 'fleet', {
      host: [{ id: '1', deleteAfter: '2027-01-31T00:00:00Z', ensure: 'absent' }, { name: 'A' }],
      group: [{ name: 'Kiosks', exclusive: true, othersToId: '-1', limits: { move: '5' } }],
      policy: { freeze: [{ until: '2027-01-31T00:00:00Z' }] },
    });
  });
  expect(resource).toEqual({
    rampart_fleet: {
      fleet: {
        host: [{ id: '1', delete_after: '2027-01-31T00:00:00Z', ensure: 'absent' }, { name: 'A' }],
        group: [{ name: 'Kiosks', exclusive: true, others_to_id: '-1', limits: { move: '5' } }],
        policy: { freeze: [{ until: '2027-01-31T00:00:00Z' }] },
      },
    },
  });
});

test('what is there can be imported', () => {
  const document = synthesized((stack) => {
    const provider = new RampartProvider(stack, 'rampart', { alias: 'a' });
    Host.generateConfigForImport(stack, 'web', '9007199254740993', provider);
    GroupMembers.generateConfigForImport(stack, 'kiosks', 'Kiosks');
    Fleet.generateConfigForImport(stack, 'all', '1234567890');
    new Host(stack, 'lobby', { name: 'LOBBY', provider }).importFrom('LOBBY');
  });
  expect(document['import']).toEqual([
    { id: '9007199254740993', provider: 'rampart.a', to: 'rampart_host.web' },
    { id: 'Kiosks', to: 'rampart_group_members.kiosks' },
    { id: '1234567890', to: 'rampart_fleet.all' },
    { id: 'LOBBY', to: 'rampart_host.lobby' },
  ]);
});

test("a stack in Terraform's own language says the same", () => {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  new RampartProvider(stack, 'rampart', { baseUrl: 'https://a.example', emulator: { stateFile: 's.yaml' } });
  new Host(stack, 'web', { hostId: '1', name: 'A', previously: ['B'] });
  new Fleet(stack, 'all', { host: [{ id: '1' }], acks: { delete: 3 }, strict: true });
  new DataRampartHosts(stack, 'hosts', { where: 'host.online' });
  const lines = Testing.synthHcl(stack)
    .split('\n')
    .map((line: string) => line.trim())
    .filter((line: string) => line !== '');
  expect(lines).toEqual(expect.arrayContaining(['emulator {', 'state_file = "s.yaml"', 'name = "A"']));
  expect(lines).toEqual(expect.arrayContaining(['previously = [', '"B"', 'host {', 'delete = 3']));
  expect(lines).toEqual(expect.arrayContaining(['strict = true', 'where = "host.online"']));
});
