import type { IResolvable, TerraformMetaArguments } from 'cdktf';
import { expectTypeOf, test } from 'vitest';
import type {
  AntivirusCoverageProps,
  DataRampartAntivirus,
  DataRampartHosts,
  DataRampartHostsConfig,
  FleetApplyLimits,
  FleetApplyProps,
  FleetConfig,
  FleetHostBlock,
  FleetPolicyBlock,
  FleetPolicyWindowBlock,
  GroupMembersConfig,
  HostGroup,
  HostGroupProps,
  IHostGroup,
  IManagedHost,
  ManagedFleetOptions,
  ManagedHost,
  ManagedHostProps,
} from '../../src/cdktf/index.ts';

test('arguments have the types of the schema', () => {
  expectTypeOf<FleetConfig['content']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<FleetConfig['strict']>().toEqualTypeOf<boolean | IResolvable | undefined>();
  expectTypeOf<FleetConfig['acks']>().toEqualTypeOf<{ [key: string]: number } | undefined>();
  expectTypeOf<FleetConfig['host']>().toEqualTypeOf<readonly FleetHostBlock[] | IResolvable | undefined>();
  expectTypeOf<FleetConfig['policy']>().toEqualTypeOf<FleetPolicyBlock | undefined>();
  expectTypeOf<FleetPolicyWindowBlock['only']>().toEqualTypeOf<string[]>();
  expectTypeOf<keyof DataRampartHostsConfig>().toEqualTypeOf<keyof TerraformMetaArguments | 'where'>();
  expectTypeOf<{ readonly group: string }>().not.toExtend<GroupMembersConfig>();
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
