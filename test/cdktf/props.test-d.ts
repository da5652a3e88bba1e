import type { IResolvable, TerraformMetaArguments } from 'cdktf';
import { expectTypeOf, test } from 'vitest';
import type {
  AntivirusCoverageProps,
  DataRampartAntivirus,
  DataRampartAntivirusConfig,
  DataRampartCustomFieldValues,
  DataRampartCustomFieldValuesConfig,
  DataRampartHardwareInventory,
  DataRampartHost,
  DataRampartHostConfig,
  DataRampartHosts,
  DataRampartHostsConfig,
  DataRampartInventoryConfig,
  EphemeralConnectionTicket,
  EphemeralConnectionTicketConfig,
  Fleet,
  FleetApplyLimits,
  FleetApplyProps,
  FleetChangeBlock,
  FleetConfig,
  FleetFreezeBlock,
  FleetGroupBlock,
  FleetHostBlock,
  FleetLimitsBlock,
  FleetPolicyBlock,
  FleetProtectBlock,
  FleetRuleBlock,
  FleetWindowBlock,
  GroupMembers,
  GroupMembersConfig,
  Host,
  HostConfig,
  HostGroup,
  HostGroupProps,
  IHostGroup,
  IManagedHost,
  ManagedFleetOptions,
  ManagedHost,
  ManagedHostProps,
  RampartProvider,
  RampartProviderConfig,
} from '../../src/cdktf/index.ts';
import type { BodyShape, Camel } from '../../src/cdktf/l1/shape.ts';

type Value<T> = T extends 'string'
  ? string
  : T extends 'number'
    ? number
    : T extends 'bool'
      ? boolean | IResolvable
      : T extends { readonly map: infer Each }
        ? { [key: string]: Value<Each> }
        : string[];

type Named<S, Trait> = {
  [Name in keyof S]: S[Name] extends Trait ? Name : never;
}[keyof S] &
  string;

type Demanded<S extends BodyShape> = {
  readonly [Name in Named<S['attributes'], { readonly required: true }> as Camel<Name>]: Value<
    TypeOf<S, Name>
  >;
};

type Allowed<S extends BodyShape> = {
  readonly [Name in Named<S['attributes'], { readonly optional: true }> as Camel<Name>]?: Value<
    TypeOf<S, Name>
  >;
};

type TypeOf<S extends BodyShape, Name extends string> = NonNullable<S['attributes']>[Name] extends {
  readonly type: infer T;
}
  ? T
  : never;

/** What a shape says can be given, as a type. */
type ArgumentsOf<S extends BodyShape> = Flat<Demanded<S> & Allowed<S>>;

/** What a configuration takes beside what Terraform has for every resource. */
type Own<Config> = Flat<Omit<Config, keyof TerraformMetaArguments>>;

type Flat<T> = { [Key in keyof T]: T[Key] };

test('a construct of Terraform takes exactly what its shape lists', () => {
  expectTypeOf<Own<HostConfig>>().toEqualTypeOf<ArgumentsOf<typeof Host.shape>>();
  expectTypeOf<Own<GroupMembersConfig>>().toEqualTypeOf<ArgumentsOf<typeof GroupMembers.shape>>();
  expectTypeOf<Flat<Omit<Own<FleetConfig>, keyof typeof Fleet.shape.blocks>>>().toEqualTypeOf<
    ArgumentsOf<typeof Fleet.shape>
  >();
  expectTypeOf<Own<DataRampartHostConfig>>().toEqualTypeOf<ArgumentsOf<typeof DataRampartHost.shape>>();
  expectTypeOf<Own<DataRampartHostsConfig>>().toEqualTypeOf<ArgumentsOf<typeof DataRampartHosts.shape>>();
  expectTypeOf<Own<DataRampartAntivirusConfig>>().toEqualTypeOf<
    ArgumentsOf<typeof DataRampartAntivirus.shape>
  >();
  expectTypeOf<Own<DataRampartCustomFieldValuesConfig>>().toEqualTypeOf<
    ArgumentsOf<typeof DataRampartCustomFieldValues.shape>
  >();
  expectTypeOf<Own<DataRampartInventoryConfig>>().toEqualTypeOf<
    ArgumentsOf<typeof DataRampartHardwareInventory.shape>
  >();
  expectTypeOf<Own<EphemeralConnectionTicketConfig>>().toEqualTypeOf<
    ArgumentsOf<typeof EphemeralConnectionTicket.shape>
  >();
  expectTypeOf<Flat<Omit<RampartProviderConfig, 'alias' | 'state' | 'emulator'>>>().toEqualTypeOf<
    ArgumentsOf<typeof RampartProvider.shape>
  >();
  expectTypeOf<NonNullable<RampartProviderConfig['state']>>().toEqualTypeOf<
    ArgumentsOf<(typeof RampartProvider.shape)['blocks']['state']>
  >();
  expectTypeOf<NonNullable<RampartProviderConfig['emulator']>>().toEqualTypeOf<
    ArgumentsOf<(typeof RampartProvider.shape)['blocks']['emulator']>
  >();
});

test('the blocks of a fleet take what their shapes say', () => {
  type Blocks = typeof Fleet.shape.blocks;
  type Policy = Blocks['policy']['blocks'];
  expectTypeOf<Flat<FleetHostBlock>>().toEqualTypeOf<ArgumentsOf<Blocks['host']>>();
  expectTypeOf<Flat<FleetRuleBlock>>().toEqualTypeOf<ArgumentsOf<Blocks['rule']>>();
  expectTypeOf<FleetLimitsBlock>().toEqualTypeOf<ArgumentsOf<Blocks['group']['blocks']['limits']>>();
  expectTypeOf<Flat<NonNullable<FleetPolicyBlock['limits']>>>().toEqualTypeOf<
    ArgumentsOf<Policy['limits']>
  >();
  expectTypeOf<FleetProtectBlock>().toEqualTypeOf<ArgumentsOf<Policy['protect']>>();
  expectTypeOf<FleetChangeBlock>().toEqualTypeOf<ArgumentsOf<Policy['deny']>>();
  expectTypeOf<FleetWindowBlock>().toEqualTypeOf<ArgumentsOf<Policy['window']>>();
  expectTypeOf<FleetFreezeBlock>().toEqualTypeOf<ArgumentsOf<Policy['freeze']>>();
  expectTypeOf<keyof FleetPolicyBlock>().toEqualTypeOf<keyof Policy>();
  expectTypeOf<keyof FleetGroupBlock>().toEqualTypeOf<
    keyof ArgumentsOf<Blocks['group']> | keyof Blocks['group']['blocks']
  >();
});

test('parts of computed lists have types', () => {
  expectTypeOf<ReturnType<DataRampartHosts['host']>['groupId']>().toEqualTypeOf<string>();
  expectTypeOf<ReturnType<DataRampartHosts['host']>['online']>().toEqualTypeOf<IResolvable>();
  expectTypeOf<ReturnType<DataRampartAntivirus['host']>['threats']>().toEqualTypeOf<number>();
});

test('a host is described by words that exist', () => {
  expectTypeOf<{ readonly name: string }>().toExtend<ManagedHostProps>();
  expectTypeOf<{ readonly hostId: number }>().not.toExtend<ManagedHostProps>();
  expectTypeOf<{ readonly name: string; readonly antivirus: 'yes' }>().not.toExtend<ManagedHostProps>();
  expectTypeOf<{ readonly name: string; readonly onDestroy: 'keep' }>().not.toExtend<ManagedHostProps>();
  expectTypeOf<{ readonly name: undefined }>().not.toExtend<ManagedHostProps>();
  expectTypeOf<HostGroup | string | null>().toExtend<ManagedHostProps['group']>();
});

test('every kind of host and group is accepted', () => {
  expectTypeOf<ManagedHost>().toExtend<IManagedHost>();
  expectTypeOf<HostGroup>().toExtend<IHostGroup>();
  expectTypeOf<readonly IManagedHost[] | undefined>().toEqualTypeOf<HostGroupProps['hosts']>();
});

test('limits name every kind of change, as numbers or shares', () => {
  expectTypeOf<{ rename: 1; move: '5%'; antivirus: 0; delete: 0 }>().toExtend<FleetApplyLimits>();
  expectTypeOf<{ rename: 1; move: 1; antivirus: 0 }>().not.toExtend<FleetApplyLimits>();
  expectTypeOf<{ rename: 1; move: 1; antivirus: 0; delete: 'all' }>().not.toExtend<FleetApplyLimits>();
  expectTypeOf<{ desiredState: string; kind: 'local_file' }>().not.toExtend<FleetApplyProps>();
  expectTypeOf<AntivirusCoverageProps['limit']>().toEqualTypeOf<number | `${number}%` | undefined>();
  expectTypeOf<keyof NonNullable<ManagedFleetOptions['acks']>>().toEqualTypeOf<
    'rename' | 'move' | 'antivirus' | 'delete'
  >();
});
