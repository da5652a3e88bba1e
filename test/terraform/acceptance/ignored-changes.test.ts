import { expect } from 'vitest';
import type { BlockBody } from '../../../src/terraform/protocol/schema/schema.ts';
import { fleetSchema } from '../../../src/terraform/provider/fleet/fleet-schema.ts';
import { hostSchema } from '../../../src/terraform/provider/host/schema.ts';
import { membersSchema } from '../../../src/terraform/provider/members/members-schema.ts';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { applyAsPlanned } from './given/planned-writes.ts';
import { describeTerraform } from './given/terraform-cli.ts';

/** Two versions of one resource: `ignored` changes and is ignored, and something else changes, so that there is an apply. */
interface Case {
  readonly ignored: string;
  readonly first: string;
  readonly later: string;
}

/** Every resource with its attribute ignored, and all of them in the first or in the second version. */
function resources(type: string, cases: readonly Case[], version: 'first' | 'later'): string {
  return cases
    .map(
      (each) => `
      resource "${type}" "${each.ignored}" {
        ${each[version]}
        lifecycle { ignore_changes = [${each.ignored}] }
      }`,
    )
    .join('');
}

/** All possible configuration, so that none is left out. */
function argumentsOf(schema: BlockBody): readonly string[] {
  const attributes = Object.entries(schema.attributes ?? {}).filter(
    ([, each]) => each.required ?? each.optional,
  );
  return [...attributes.map(([name]) => name), ...Object.keys(schema.blocks ?? {})].sort();
}

const ignoredIn = (cases: readonly Case[]) => cases.map(({ ignored }) => ignored).sort();

const hostCases: readonly Case[] = [
  {
    ignored: 'name',
    first: 'host_id = "1"\n name = "N1"\n group = "Servers"',
    later: 'host_id = "1"\n name = "UNPLANNED"\n group = "Kiosks"',
  },
  {
    ignored: 'group',
    first: 'host_id = "2"\n name = "N2"\n group = "Servers"',
    later: 'host_id = "2"\n name = "M2"\n group = "Kiosks"',
  },
  {
    ignored: 'group_id',
    first: 'host_id = "3"\n name = "N3"\n group_id = "17"',
    later: 'host_id = "3"\n name = "M3"\n group_id = "18"',
  },
  {
    ignored: 'antivirus',
    first: 'host_id = "4"\n name = "N4"',
    later: 'host_id = "4"\n name = "M4"\n antivirus = "installed"',
  },
  {
    ignored: 'previously',
    first: 'host_id = "5"\n name = "N5"',
    later: 'host_id = "5"\n name = "M5"\n previously = ["H9"]',
  },
  {
    ignored: 'on_destroy',
    first: 'host_id = "6"\n name = "N6"',
    later: 'host_id = "6"\n name = "M6"\n on_destroy = "delete"',
  },
  {
    ignored: 'host_id',
    first: 'host_id = "7"\n name = "N7"',
    later: 'host_id = "9"\n name = "M7"',
  },
  {
    ignored: 'wait_for_enrollment',
    first: 'host_id = "8"\n name = "N8"',
    later: 'host_id = "8"\n name = "M8"\n wait_for_enrollment = "15m"',
  },
];

const memberCases: readonly Case[] = [
  {
    ignored: 'group',
    first: 'group = "G1"\n host_ids = ["1"]',
    later: 'group = "Kiosks"\n host_ids = ["1", "11"]',
  },
  {
    ignored: 'group_id',
    first: 'group_id = "102"\n host_ids = ["2"]',
    later: 'group_id = "18"\n host_ids = ["2", "12"]',
  },
  {
    ignored: 'host_ids',
    first: 'group = "G3"\n host_ids = ["3"]',
    later: 'group = "G3"\n host_ids = ["13"]\n mode = "authoritative"',
  },
  {
    ignored: 'mode',
    first: 'group = "G4"\n host_ids = ["4"]',
    later: 'group = "G4"\n host_ids = ["4", "14"]\n mode = "authoritative"',
  },
  {
    ignored: 'acks',
    first: 'group = "G5"\n host_ids = ["5"]',
    later: 'group = "G5"\n host_ids = ["5", "15"]\n acks = { evict = 7 }',
  },
];

const content = (id: number, name: string, more = '') =>
  `content = "version: 1\\nhosts:\\n  - { id: ${id}, name: ${name} }\\n${more}"`;
const block = (id: number, name: string) => `host {\n id = "${id}"\n name = "${name}"\n }`;
/** Entries from a file, and a rule that names a host after another host's row. */
const table = (name: string) => `content = <<-EOT
  version: 1
  hostsFrom: t.csv
  tables: [{ name: asset, file: a.csv, key: Id, join: string(host.id) }]
  rules: [{ name: names, when: has(asset.Name), rename: '$$\{asset.Name}' }]
  EOT
  tables = { "t.csv" = "id,name\\n13,${name}\\n", "a.csv" = "Id,Name\\n16,${name}-ROW\\n" }`;
const identity = (key: string) => `identity {\n key = "${key}"\n }`;
const rule = (id: number, name: string) =>
  `rule {\n name = "r"\n when = "host.id == ${id}"\n rename = "${name}"\n }`;

const fleetCases: readonly Case[] = [
  { ignored: 'content', first: content(1, 'N1'), later: `${content(1, 'UNPLANNED')}\n strict = true` },
  { ignored: 'file', first: content(2, 'N2'), later: `${content(2, 'M2')}\n file = "other.yaml"` },
  { ignored: 'company_id', first: block(3, 'N3'), later: `${block(3, 'M3')}\n company_id = "99"` },
  { ignored: 'unmanaged', first: block(4, 'N4'), later: `${block(4, 'M4')}\n unmanaged = "forbid"` },
  { ignored: 'acks', first: content(5, 'N5'), later: `${content(5, 'M5')}\n acks = { rename = 77 }` },
  {
    ignored: 'skip_blocked',
    first: content(6, 'N6'),
    later: `${content(6, 'M6')}\n skip_blocked = true`,
  },
  {
    ignored: 'delete_first',
    first: content(7, 'N7'),
    later: `${content(7, 'M7')}\n delete_first = true`,
  },
  {
    ignored: 'strict',
    first: content(8, 'N8', '  - { name: NOT-ENROLLED }\\n'),
    later: `${content(8, 'M8', '  - { name: NOT-ENROLLED }\\n')}\n strict = true`,
  },
  {
    ignored: 'ticket',
    first: `${content(15, 'N15')}\n ticket = "CHG1"`,
    later: `${content(15, 'M15')}\n ticket = "CHG2"`,
  },
  { ignored: 'tables', first: table('N13'), later: `${table('UNPLANNED')}\n strict = true` },
  {
    ignored: 'identity',
    first: `${block(14, 'N14')}\n ${identity('host.name')}`,
    later: `${block(14, 'M14')}\n ${identity('host.group')}`,
  },
  { ignored: 'host', first: block(9, 'N9'), later: `${block(9, 'UNPLANNED')}\n strict = true` },
  { ignored: 'rule', first: rule(10, 'N10'), later: `${rule(10, 'UNPLANNED')}\n strict = true` },
  {
    ignored: 'group',
    first: `${block(11, 'N11')}\n group {\n name = "G1"\n limits {\n rename = "5"\n }\n }`,
    later: `${block(11, 'M11')}\n group {\n name = "G1"\n limits {\n rename = "0"\n }\n }`,
  },
  {
    ignored: 'policy',
    first: `${block(12, 'N12')}\n policy {\n limits {\n rename = "5"\n }\n }`,
    later: `${block(12, 'M12')}\n policy {\n limits {\n rename = "0"\n }\n }`,
  },
];

const groups = [
  { id: '17', name: 'Servers' },
  { id: '18', name: 'Kiosks' },
  ...[1, 2, 3, 4, 5].map((each) => ({ id: `${100 + each}`, name: `G${each}` })),
];
/** Host n is in group Gn, for the first five. */
const hosts = Array.from({ length: 40 }, (_, index) => ({
  id: `${index + 1}`,
  name: `H${index + 1}`,
  groupId: index < 5 ? `${101 + index}` : '-1',
}));

describeTerraform('what ignore_changes leaves out of the plan is not applied', (test) => {
  test('of rampart_host, for each argument', async () => {
    expect(ignoredIn(hostCases)).toEqual(argumentsOf(hostSchema));
    const fleet = await fleetWorkspace({ groups, hosts });
    await fleet.begin(resources('rampart_host', hostCases, 'first'));
    fleet.configure(resources('rampart_host', hostCases, 'later'));
    expect(await applyAsPlanned(fleet)).toEqual([
      '1 group=Kiosks',
      '2 name=M2',
      '3 name=M3',
      '4 name=M4',
      '5 name=M5',
      '6 name=M6',
      '7 name=M7',
      '8 name=M8',
    ]);
    expect(fleet.nameOf('9')).toBe('H9');
    expect(await fleet.plan()).toMatchObject({ status: 0 });
    expect(await fleet.run('destroy', '-auto-approve', '-no-color')).toMatchObject({ status: 0 });
    expect(fleet.callsOf('deleteHosts')).toBe(0);
  });

  test('of rampart_group_members, for each argument', async () => {
    expect(ignoredIn(memberCases)).toEqual(argumentsOf(membersSchema));
    const fleet = await fleetWorkspace({ groups, hosts });
    await fleet.begin(resources('rampart_group_members', memberCases, 'first'));
    fleet.emulator.edit({ kind: 'move', id: '33', groupId: '103' });
    fleet.emulator.edit({ kind: 'move', id: '34', groupId: '104' });
    fleet.configure(resources('rampart_group_members', memberCases, 'later'));
    expect(await applyAsPlanned(fleet)).toEqual([
      '11 group=G1',
      '12 group=G2',
      '14 group=G4',
      '15 group=G5',
      '33 group=null',
    ]);
  });

  test('of rampart_fleet, for each argument and block', async () => {
    expect(ignoredIn(fleetCases)).toEqual(argumentsOf(fleetSchema));
    const fleet = await fleetWorkspace({ groups, hosts });
    fleet.emulator.edit({ kind: 'move', id: '11', groupId: '101' });
    await fleet.begin(resources('rampart_fleet', fleetCases, 'first'));
    for (const id of ['1', '9', '10', '13', '16'])
      fleet.emulator.edit({ kind: 'rename', id, name: `BY-HAND-${id}` });
    fleet.configure(resources('rampart_fleet', fleetCases, 'later'));
    expect(await applyAsPlanned(fleet)).toEqual([
      '1 name=N1',
      '10 name=N10',
      '11 name=M11',
      '12 name=M12',
      '13 name=N13',
      '14 name=M14',
      '15 name=M15',
      '16 name=N13-ROW',
      '2 name=M2',
      '3 name=M3',
      '4 name=M4',
      '5 name=M5',
      '6 name=M6',
      '7 name=M7',
      '8 name=M8',
      '9 name=N9',
    ]);
  });
});
