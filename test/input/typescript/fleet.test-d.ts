import { expectTypeOf, test } from 'vitest';
import {
  defineFleet,
  type Fleet,
  type FleetGroupPolicy,
  type FleetHost,
  type FleetPolicy,
  type FleetRule,
  type FleetTable,
  host,
} from '../../../src/index.ts';
import type { entryFields } from '../../../src/input/schema/entry-fields.ts';
import type { fileFields, ruleFields } from '../../../src/input/schema/file-fields.ts';
import type { groupPolicyFields, policyFields } from '../../../src/input/schema/policy-fields.ts';
import type { tableFields } from '../../../src/input/schema/table-fields.ts';

type KeysOf<T> = T extends unknown ? keyof T : never;

test('the types have the keys of the format', () => {
  expectTypeOf<keyof Fleet>().toEqualTypeOf<keyof typeof fileFields>();
  expectTypeOf<KeysOf<FleetHost>>().toEqualTypeOf<keyof typeof entryFields | 'source'>();
  expectTypeOf<keyof FleetRule>().toEqualTypeOf<keyof typeof ruleFields | 'source'>();
  expectTypeOf<keyof FleetTable>().toEqualTypeOf<keyof typeof tableFields>();
  expectTypeOf<keyof FleetPolicy>().toEqualTypeOf<keyof typeof policyFields>();
  expectTypeOf<keyof FleetGroupPolicy>().toEqualTypeOf<keyof typeof groupPolicyFields>();
});

test('everything that the format refuses fails to compile', () => {
  // @ts-expect-error an entry needs an id or a name
  host({ group: 'Berlin' });
  // @ts-expect-error an absent host has no group
  host({ id: 1, ensure: 'absent', group: 'Berlin' });
  // @ts-expect-error a group is no number
  host({ id: 1, group: 17 });
  // @ts-expect-error the key is called group
  host({ id: 1, gruop: 'Berlin' });
  // @ts-expect-error so it is in a fleet
  void defineFleet({ hosts: [{ id: 1, gruop: 'Berlin' }] });
  // @ts-expect-error there is no such key
  void defineFleet({ polices: {} });
  // @ts-expect-error a share has its sign
  void defineFleet({ policy: { limits: { delete: '10' } } });
});

test('everything that the format accepts compiles', () => {
  void defineFleet({
    hosts: [{ id: 1n }, { id: '1' }, { id: 1, name: undefined }, { name: 'A', group: null }],
  });
  void defineFleet({ hosts: [{ name: 'A', ensure: 'absent', deleteAfter: new Date() }], version: 1 });
  void defineFleet(async () => ({ policy: { limits: { delete: '10%', move: 5 } } }));
});
