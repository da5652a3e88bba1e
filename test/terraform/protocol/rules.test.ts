import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultsOfConfig } from '../../../src/terraform/protocol/rules/check-config.ts';
import { completeValue, faultsOfState } from '../../../src/terraform/protocol/rules/complete.ts';
import { planFromSchema } from '../../../src/terraform/protocol/rules/make-plan.ts';
import { replacementsOf } from '../../../src/terraform/protocol/rules/replacements.ts';
import { storable } from '../../../src/terraform/protocol/rules/storable.ts';
import { type Schema, typeOfBody } from '../../../src/terraform/protocol/schema/schema.ts';
import { faultsOfType } from '../../../src/terraform/protocol/value/conformity.ts';
import { isSameValue } from '../../../src/terraform/protocol/value/same-value.ts';
import { isUnknown, type RecordValue } from '../../../src/terraform/protocol/value/value.ts';
import { arbitraryConfig, arbitrarySchema } from './given/arbitrary-schema.ts';
import { faultsOfApplied } from './given/check-applied.ts';
import { faultsOfPlan } from './given/check-plan.ts';
import { carriedOut, proposedNew } from './given/core.ts';

const runs = { numRuns: 300 };

function planned(schema: Schema, prior: RecordValue | null, config: RecordValue): RecordValue {
  return planFromSchema(schema, { config, prior, proposed: proposedNew(schema, prior, config) });
}

const schemaWith = (...traits: readonly boolean[]) =>
  arbitrarySchema.chain((schema) =>
    fc.tuple(
      fc.constant(schema),
      fc.tuple(...traits.map((unknowns) => arbitraryConfig(schema, { unknowns }))),
    ),
  );

describe('for any schema and configuration', () => {
  test('the configurations of these tests are valid', () => {
    fc.assert(
      fc.property(schemaWith(true), ([schema, [config]]) => {
        expect(faultsOfConfig(schema, config as RecordValue)).toEqual([]);
      }),
      runs,
    );
  });

  test("the plan to create follows Terraform's rules", () => {
    fc.assert(
      fc.property(schemaWith(true), ([schema, [config]]) => {
        const plan = planned(schema, null, config as RecordValue);
        expect(faultsOfType(typeOfBody(schema), plan)).toEqual([]);
        expect(faultsOfPlan(schema, { config: config as RecordValue, prior: null, planned: plan })).toEqual(
          [],
        );
      }),
      runs,
    );
  });

  test('the apply follows the rules, and a second plan changes nothing', () => {
    fc.assert(
      fc.property(schemaWith(false), ([schema, [config]]) => {
        const plan = planned(schema, null, config as RecordValue);
        const state = carriedOut(schema, plan);
        expect(faultsOfState(schema, state)).toEqual([]);
        expect(faultsOfApplied(typeOfBody(schema), plan, state)).toEqual([]);
        expect(planned(schema, state, config as RecordValue)).toBe(state);
        expect(replacementsOf(schema, state, state)).toEqual([]);
      }),
      runs,
    );
  });

  test("the plan to change follows Terraform's rules", () => {
    fc.assert(
      fc.property(schemaWith(false, true), ([schema, [before, after]]) => {
        const prior = carriedOut(schema, planned(schema, null, before as RecordValue));
        const plan = planned(schema, prior, after as RecordValue);
        expect(faultsOfPlan(schema, { config: after as RecordValue, prior, planned: plan })).toEqual([]);
        const state = carriedOut(schema, plan);
        expect(faultsOfState(schema, state)).toEqual([]);
        expect(faultsOfApplied(typeOfBody(schema), plan, state)).toEqual([]);
      }),
      runs,
    );
  });

  test('the second plan, with more known values, does not contradict the first', () => {
    fc.assert(
      fc.property(schemaWith(false, true), ([schema, [before, after]]) => {
        const prior = carriedOut(schema, planned(schema, null, before as RecordValue));
        const first = planned(schema, prior, after as RecordValue);
        const known = carriedOut(schema, after as RecordValue);
        const second = planned(schema, prior, known);
        expect(faultsOfApplied(typeOfBody(schema), first, second)).toEqual([]);
      }),
      runs,
    );
  });

  test('every replacement has a change', () => {
    fc.assert(
      fc.property(schemaWith(false, false), ([schema, [before, after]]) => {
        const prior = carriedOut(schema, planned(schema, null, before as RecordValue));
        const plan = planned(schema, prior, after as RecordValue);
        for (const [name] of replacementsOf(schema, prior, plan)) {
          const type = typeOfBody(schema).object[String(name)];
          expect(isSameValue(type ?? 'bool', prior[String(name)] ?? null, plan[String(name)] ?? null)).toBe(
            false,
          );
        }
      }),
      runs,
    );
  });

  test('the state after a failure can be stored', () => {
    fc.assert(
      fc.property(schemaWith(true), ([schema, [config]]) => {
        const left = storable(planned(schema, null, config as RecordValue));
        const faults = faultsOfState(schema, left, { isPartial: true });
        // Terraform itself stores elements that are null.
        expect(faults.filter(({ fault }) => fault !== 'must not be null')).toEqual([]);
      }),
      runs,
    );
  });
});

const host = {
  description: '',
  attributes: {
    id: { type: 'string', computed: true, nonNull: true, description: '' },
    name: { type: 'string', required: true, description: '' },
    site: { type: 'string', optional: true, description: '' },
    group: { type: 'string', optional: true, computed: true, description: '' },
    tags: { type: { set: 'string' }, optional: true, description: '' },
    ports: {
      nested: 'list',
      computed: true,
      description: '',
      attributes: {
        number: { type: 'number', computed: true, nonNull: true, description: '' },
        opened: { type: 'string', computed: true, description: '' },
      },
    },
  },
  blocks: {
    disk: {
      nesting: 'list',
      description: '',
      attributes: { size: { type: 'number', required: true, description: '' } },
    },
  },
} as const satisfies Schema;

const nothing = { site: null, group: null, tags: null, ports: null, disk: [] };
const config: RecordValue = { id: null, name: 'a', ...nothing };
const prior: RecordValue = { id: '1', name: 'a', ...nothing };

describe('a plan that Terraform would refuse is refused here first', () => {
  test.each<[string, RecordValue, RecordValue, RecordValue | null, string]>([
    ['another value than configured', config, { ...prior, name: 'A' }, null, 'name'],
    ['a value where nothing is configured', config, { ...prior, site: 'x' }, null, 'site'],
    ['a block more', config, { ...prior, disk: [{ size: 1 }] }, null, 'disk'],
    ['null for what is configured', { ...config, group: 'g' }, prior, null, 'group'],
  ])('%s', (_name, given, plan, before, path) => {
    const faults = faultsOfPlan(host, { config: given, prior: before, planned: plan });
    expect(faults.map((each) => each.path.join('.'))).toEqual([path]);
  });

  test('a configured value may keep its prior form, if that means the same', () => {
    expect(faultsOfPlan(host, { config: { ...config, name: 'A' }, prior, planned: { ...prior } })).toEqual(
      [],
    );
  });
});

describe('a result that differs from the plan is found', () => {
  const type = typeOfBody(host);
  test.each<[string, RecordValue, RecordValue, string]>([
    ['another text', prior, { ...prior, name: 'b' }, 'name'],
    ['null for a value', { ...prior, group: 'g' }, prior, 'group'],
    [
      'an element of a set is missing',
      { ...prior, tags: ['a', 'b'] },
      { ...prior, tags: ['a', 'c'] },
      'tags',
    ],
  ])('%s', (_name, plan, state, path) => {
    expect(faultsOfApplied(type, plan, state).map((each) => each.path.join('.'))).toEqual([path]);
  });

  test('the order of a set and the Unicode form of a letter make no difference', () => {
    const plan = { ...prior, name: 'caf\u00e9', tags: ['a', 'b'] };
    const state = { ...prior, name: 'cafe\u0301', tags: ['b', 'a'] };
    expect(faultsOfApplied(type, plan, state)).toEqual([]);
  });

  test('a promise about an unknown value is enforced', () => {
    const plan = planned(host, null, config);
    expect(isUnknown(plan['id'])).toBe(true);
    expect(faultsOfApplied(type, plan, { ...prior, id: null })).toEqual([
      { path: ['id'], fault: 'must not be null, because the plan excludes null' },
    ]);
  });
});

test('a state without something that its schema promises is found', () => {
  expect(faultsOfState(host, { ...prior, id: null })).toHaveLength(1);
  expect(faultsOfState(host, { ...prior, id: null }, { isPartial: true })).toEqual([]);
  expect(faultsOfState(host, { ...prior, stranger: 'x' })).toEqual([
    { path: ['stranger'], fault: 'is not in the schema' },
  ]);
  expect(faultsOfState(host, { ...prior, name: 7 })).toHaveLength(1);
});

test('values that handlers leave out are filled in', () => {
  expect(completeValue(host, { id: '1', name: 'a' })).toEqual(prior);
});
