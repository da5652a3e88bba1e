/**
 * The cost of our constructs at synth, as a ratio to the same number of plain `TerraformResource`s with the same
 * arguments: 100 and 1,000 hosts as separate resources, without aspects and with all five; and as one fleet, and as one
 * `for_each`.
 */
import { Aspects, TerraformResource, TerraformStack, Testing } from 'cdktf';
import {
  AntivirusEverywhere,
  Host,
  ManagedFleet,
  ManagedHost,
  NamingConvention,
  NoDeletions,
  ProtectedHosts,
  RampartProvider,
  RequiredGroup,
} from '../src/cdktf/index.ts';
import { inTurns } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { openReport } from './report/report.ts';

const ways: readonly (readonly [string, (stack: TerraformStack, hosts: number) => void])[] = [
  ['Host', (stack, hosts) => each(hosts, (index) => new Host(stack, `h${index}`, argumentsOf(index)))],
  ['ManagedHost', managedHosts],
  [
    'ManagedHost, five aspects',
    (stack, hosts) => {
      managedHosts(stack, hosts);
      addAspects(stack);
    },
  ],
  ['ManagedFleet, forEach', (stack, hosts) => fleet(stack, hosts, 'forEach')],
  ['ManagedFleet, fleet', (stack, hosts) => fleet(stack, hosts, 'fleet')],
  [
    'ManagedFleet, five aspects',
    (stack, hosts) => {
      fleet(stack, hosts, 'fleet');
      addAspects(stack);
    },
  ],
];

const report = openReport(
  'CDKTF synth',
  'Our constructs compared with the same number of plain `TerraformResource`s, in turns',
);
const row = report.table(['as', 'hosts', 'plain', 'ours', 'ratio']);
for (const hosts of isQuick ? [100] : [100, 1_000]) {
  for (const [way, build] of ways) {
    const [plain = 0, ours = 0] = inTurns(hosts === 100 ? 15 : 5, [
      () => synthesize((stack) => plainHosts(stack, hosts)),
      () => synthesize((stack) => build(stack, hosts)),
    ]);
    row([
      way,
      hosts.toLocaleString('en'),
      `${plain.toFixed(1)} ms`,
      `${ours.toFixed(1)} ms`,
      (ours / plain).toFixed(2),
    ]);
  }
}

function synthesize(build: (stack: TerraformStack) => void): void {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  new RampartProvider(stack, 'rampart');
  build(stack);
  Testing.synth(stack);
}

function plainHosts(stack: TerraformStack, hosts: number): void {
  each(hosts, (index) => {
    const { hostId, name, group, antivirus } = argumentsOf(index);
    const resource = new TerraformResource(stack, `h${index}`, { terraformResourceType: 'rampart_host' });
    resource.addOverride('host_id', hostId);
    resource.addOverride('name', name);
    resource.addOverride('group', group);
    resource.addOverride('antivirus', antivirus);
  });
}

function managedHosts(stack: TerraformStack, hosts: number): void {
  each(hosts, (index) => new ManagedHost(stack, `h${index}`, argumentsOf(index)));
}

function fleet(stack: TerraformStack, hosts: number, form: 'fleet' | 'forEach'): void {
  const entries = Array.from({ length: hosts }, (_, index) => {
    const { hostId, name, group, antivirus } = argumentsOf(index);
    return `  - { id: ${hostId}, name: ${name}, group: ${group}, antivirus: ${antivirus} }\n`;
  });
  new ManagedFleet(stack, 'all', { desiredState: `version: 1\nhosts:\n${entries.join('')}`, form });
}

function addAspects(stack: TerraformStack): void {
  const aspects = Aspects.of(stack);
  aspects.add(new NamingConvention({ pattern: '{site}-{role}-{number}' }));
  aspects.add(new NoDeletions());
  aspects.add(new RequiredGroup());
  aspects.add(new AntivirusEverywhere());
  aspects.add(new ProtectedHosts({ hosts: [{ id: '1' }] }));
}

function argumentsOf(index: number) {
  return {
    hostId: String(200_000_000 + index),
    name: `BER-WEB-${index}`,
    group: `Group ${index % 40}`,
    antivirus: 'installed',
  } as const;
}

function each(count: number, work: (index: number) => void): void {
  for (let index = 0; index < count; index += 1) work(index);
}
