import type { IAspect } from 'cdktf';
import { expectTypeOf, test } from 'vitest';
import {
  type AntivirusEverywhere,
  type GroupRef,
  NamingConvention,
  type NamingConventionProps,
  type NoDeletions,
  ProtectedHosts,
  type ProtectedHostsProps,
  type RequiredGroup,
  type RequiredGroupProps,
  type RuleId,
  suppress,
} from '../../../src/cdktf/index.ts';

test('each is an aspect, with a rule', () => {
  expectTypeOf<
    NamingConvention | ProtectedHosts | NoDeletions | RequiredGroup | AntivirusEverywhere
  >().toExtend<IAspect & { readonly ruleId: RuleId }>();
});

test('a convention has a pattern, and fields by words or an expression', () => {
  expectTypeOf<NamingConventionProps['pattern']>().toEqualTypeOf<RegExp | string>();
  expectTypeOf({ pattern: '{site}', fields: { site: ['A'] } }).toExtend<NamingConventionProps>();
  // @ts-expect-error: a pattern is needed
  new NamingConvention({});
  // @ts-expect-error: a word is no list of words
  new NamingConvention({ pattern: '{site}', fields: { site: 'A' } });
});

test('groups are names, or ids in digits, which are never numbers', () => {
  expectTypeOf<GroupRef>().toEqualTypeOf<string | { readonly id: string; readonly name?: string }>();
  expectTypeOf<RequiredGroupProps['groups']>().toEqualTypeOf<readonly GroupRef[] | undefined>();
  expectTypeOf<{ id: number }>().not.toExtend<GroupRef>();
});

test('what hosts are protected from is a closed set', () => {
  expectTypeOf<NonNullable<ProtectedHostsProps['from']>[number]>().toEqualTypeOf<
    'delete' | 'rename' | 'move'
  >();
  // @ts-expect-error: nobody is protected from the anti-virus
  new ProtectedHosts({ groups: ['A'], from: ['antivirus'] });
});

test('only existing rules can be suppressed, and with a reason', () => {
  expectTypeOf(suppress).parameter(1).toEqualTypeOf<RuleId>();
  expectTypeOf(suppress).parameter(2).toEqualTypeOf<string>();
  expectTypeOf<'rampart:no-deletion'>().not.toExtend<RuleId>();
});
