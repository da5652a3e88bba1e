import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { App, Aspects, TerraformOutput, TerraformStack, TerraformVariable, Testing } from 'cdktf';
import {
  AntivirusCoverage,
  AntivirusEverywhere,
  DataRampartAntivirus,
  DataRampartCustomFieldCategories,
  DataRampartCustomFieldValues,
  DataRampartGroups,
  DataRampartHardwareInventory,
  DataRampartHost,
  DataRampartHosts,
  DataRampartSystemInventory,
  EphemeralConnectionTicket,
  Fleet,
  FleetApply,
  GroupMembers,
  Host,
  HostGroup,
  ManagedFleet,
  ManagedHost,
  NamingConvention,
  NoDeletions,
  ProtectedHosts,
  RampartProvider,
  RequiredGroup,
  suppress,
} from '../../../src/cdktf/index.ts';
import { defineFleet } from '../../../src/index.ts';
import { type Annotation, annotationsOf } from './findings-in.ts';

export interface Gallery {
  /** The version of the core that is loaded. */
  readonly core: unknown;
  /** The classes of all constructs and aspects in it. */
  readonly classes: readonly string[];
  readonly stacks: Readonly<Record<string, unknown>>;
  readonly annotations: readonly Annotation[];
}

const desiredState = 'version: 1\nhosts:\n  - { id: 21, name: "A-${x}%{y}", group: Kiosks }\n';

/** Every construct and every aspect, in two stacks that refer to one another. */
export function gallery(): Gallery {
  const app = Testing.app();
  const first = new TerraformStack(app, 'first');
  const second = new TerraformStack(app, 'second');
  const aspects = [
    new NamingConvention({ pattern: '{site}-{role}' }),
    new NoDeletions(),
    new RequiredGroup(),
    new AntivirusEverywhere(),
    new ProtectedHosts({ groups: ['Domain Controllers'] }),
  ];
  for (const aspect of aspects) Aspects.of(first).add(aspect);
  firstLayer(first);
  secondLayer(first, second);
  const stacks = [first, second].map((stack) => {
    stack.prepareStack();
    return [stack.node.id, JSON.parse(Testing.synth(stack)) as unknown] as const;
  });
  return {
    core: new App({ outdir: app.outdir }).node.tryGetContext('cdktfVersion') as unknown,
    classes: [...app.node.findAll(), ...aspects].map((each) => each.constructor.name),
    stacks: Object.fromEntries(stacks),
    annotations: annotationsOf(first),
  };
}

function firstLayer(stack: TerraformStack): void {
  const psk = new TerraformVariable(stack, 'psk', { type: 'string', sensitive: true });
  new RampartProvider(stack, 'rampart', { baseUrl: 'https://remote.example.com', psk: psk.stringValue });
  const tried = new RampartProvider(stack, 'tried', {
    alias: 'tried',
    emulator: { stateFile: 'fleet.json' },
  });
  const host = new Host(stack, 'host', {
    hostId: '1',
    name: 'BER-WEB',
    previously: ['OLD'],
    provider: tried,
  });
  new GroupMembers(stack, 'members', { group: 'Kiosks', hostIds: [host.id, '2'], mode: 'authoritative' });
  new Fleet(stack, 'fleet', { content: desiredState, acks: { delete: 2 }, skipBlocked: true });
  const found = new DataRampartHost(stack, 'found', { name: 'CANTEEN' });
  const all = [
    new DataRampartHosts(stack, 'hosts', { where: 'host.online' }),
    new DataRampartGroups(stack, 'groups'),
    new DataRampartAntivirus(stack, 'antivirus'),
    new DataRampartCustomFieldCategories(stack, 'categories'),
    new DataRampartCustomFieldValues(stack, 'values'),
    new DataRampartHardwareInventory(stack, 'hardware', { hostIds: [found.id] }),
    new DataRampartSystemInventory(stack, 'system', { hostIds: [host.hostId] }),
  ];
  new EphemeralConnectionTicket(stack, 'ticket', { hostId: found.id });
  new TerraformOutput(stack, 'all', { value: all.map(({ fqn }) => fqn) });
}

function secondLayer(first: TerraformStack, second: TerraformStack): void {
  new NullProvider(first, 'null');
  const web = new ManagedHost(first, 'web', { hostId: '11', name: 'a${b}', onDestroy: 'delete' });
  suppress(web, 'rampart:no-deletions', 'set up anew each night');
  suppress(web, 'rampart:protected-hosts', 'of no use');
  const lobby = ManagedHost.fromName(first, 'lobby', 'LOBBY');
  new HostGroup(first, 'kiosks', { groupName: 'Kiosks', hosts: [web, lobby] });
  new HostGroup(second, 'attic', { groupId: '17', hosts: [web] });
  new AntivirusCoverage(first, 'cover', { hosts: [web], limit: '10%' });
  for (const form of ['fleet', 'hosts', 'forEach'] as const)
    new ManagedFleet(first, `as-${form}`, { desiredState, form });
  ManagedFleet.fromDesiredState(first, 'defined', defineFleet({ hosts: [{ id: 31, name: 'LAB-1' }] }));
  new FleetApply(first, 'apply', { desiredState, planFile: 'plan.json' });
  new FleetApply(first, 'data', { desiredState, planFile: 'plan.json', kind: 'terraform_data' });
}
