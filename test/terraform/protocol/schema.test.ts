import { describe, expect, test } from 'vitest';
import { documentationOf } from '../../../bin/terraform-docs/documentation.ts';
import { planFromSchema } from '../../../src/terraform/protocol/rules/make-plan.ts';
import { replacementsOf } from '../../../src/terraform/protocol/rules/replacements.ts';
import { pathMessage, shownPath } from '../../../src/terraform/protocol/schema/attribute-path.ts';
import {
  atLeastOneOf,
  atMostOneOf,
  type ConfigRule,
  exactlyOneOf,
} from '../../../src/terraform/protocol/schema/config-rule.ts';
import { requiresReplaceIf } from '../../../src/terraform/protocol/schema/plan-modifier.ts';
import {
  lengthBetween,
  matching,
  oneOf,
  type Schema,
  type Validator,
  validator,
} from '../../../src/terraform/protocol/schema/schema.ts';
import { formatPath, type Path } from '../../../src/terraform/protocol/value/path.ts';
import {
  isPresent,
  knownOrNull,
  type Type,
  typeBytes,
  unknownValue,
  type Value,
} from '../../../src/terraform/protocol/value/value.ts';
import { shelfProvider } from './given/shelf-provider.ts';

const described = { description: '' } as const;

describe('validators', () => {
  test.each<[Validator, unknown, boolean]>([
    [oneOf('a', 'b'), 'a', true],
    [oneOf('a', 'b'), 'A', false],
    [matching(/^\d+$/g, 'digits'), '12', true],
    [matching(/^\d+$/g, 'digits'), 'x', false],
    [lengthBetween(1, 2), '😀😀', true],
    [lengthBetween(1, 2), '', false],
    [lengthBetween(1, 2), 'abc', false],
    [validator<number>('even', (value) => value % 2 === 0), 3, false],
  ])('%o of %o: %s', (each, value, holds) => {
    expect(each.check(value)).toBe(holds ? null : `must be ${each.description}`);
  });
});

describe('rules between attributes', () => {
  const later = unknownValue();
  test.each<[ConfigRule, Value, Value, string | null]>([
    [exactlyOneOf('a', 'b'), null, null, 'a'],
    [exactlyOneOf('a', 'b'), 1, null, null],
    [exactlyOneOf('a', 'b'), 1, 2, 'b'],
    [exactlyOneOf('a', 'b'), null, later, null],
    [exactlyOneOf('a', 'b'), 1, later, null],
    [atMostOneOf('a', 'b'), null, null, null],
    [atMostOneOf('a', 'b'), 1, 2, 'b'],
    [atLeastOneOf('a', 'b'), null, null, 'a'],
    [atLeastOneOf('a', 'b'), later, null, null],
  ])('%o of a=%o and b=%o', (rule, a, b, attribute) => {
    expect(rule.check({ a, b })?.attribute ?? null).toBe(attribute);
  });

  test('describe themselves', () => {
    expect(exactlyOneOf('a', 'b', 'c').description).toBe('exactly one of `a`, `b` and `c` must be set');
  });
});

const schema = {
  ...described,
  attributes: {
    name: { ...described, type: 'string', optional: true },
    labels: { ...described, type: { map: 'string' }, optional: true },
    tags: { ...described, type: { set: 'string' }, optional: true },
    hosts: {
      ...described,
      nested: 'list',
      computed: true,
      attributes: { name: { ...described, type: 'string', computed: true } },
    },
  },
  blocks: {
    disk: {
      ...described,
      nesting: 'list',
      attributes: { size: { ...described, type: { list: 'number' }, optional: true } },
    },
  },
} as const satisfies Schema;

describe('paths', () => {
  const attribute = (attributeName: string) => ({ attributeName });
  const index = (elementKeyInt: bigint) => ({ elementKeyInt });
  test.each<[Path, readonly object[], readonly object[], boolean]>([
    [['name'], [attribute('name')], [attribute('name')], false],
    [
      ['labels', 'a b'],
      [attribute('labels'), { elementKeyString: 'a b' }],
      [attribute('labels'), { elementKeyString: 'a b' }],
      false,
    ],
    [['tags', 3], [attribute('tags')], [attribute('tags')], true],
    [
      ['hosts', 0, 'name'],
      [attribute('hosts'), index(0n), attribute('name')],
      [attribute('hosts'), index(0n)],
      true,
    ],
    [
      ['disk', 1, 'size', 2],
      [attribute('disk'), index(1n), attribute('size'), index(2n)],
      [attribute('disk'), index(1n), attribute('size'), index(2n)],
      false,
    ],
    [['stranger', 'x'], [], [], true],
  ])('%j', (path, whole, shown, isCut) => {
    expect(pathMessage(schema, path).steps).toEqual(whole);
    const given = shownPath(schema, path);
    expect(given.message.steps).toEqual(shown);
    expect(given.cut).toBe(isCut ? formatPath(path) : null);
  });

  test('are written as in configuration', () => {
    expect(formatPath(['hosts', 0, 'name'])).toBe('hosts[0].name');
    expect(formatPath(['labels', 'a b'])).toBe('labels["a b"]');
  });
});

test.each<[Type, string]>([
  ['number', '"number"'],
  [{ list: { map: 'bool' } }, '["list",["map","bool"]]'],
  [{ object: { a: { set: 'number' } } }, '["object",{"a":["set","number"]}]'],
])('the type %j is %s to Terraform', (type, json) => {
  expect(new TextDecoder().decode(typeBytes(type))).toBe(json);
});

test('a replacement can depend on both values, and an unknown one counts', () => {
  const grown = requiresReplaceIf<number>('only when it shrinks', (before, after) => after < before);
  const disk = {
    ...described,
    attributes: { size: { ...described, type: 'number', required: true, plan: [grown] } },
  } as const satisfies Schema;
  const change = (before: number, after: Value) => {
    const config = { size: after };
    const prior = { size: before };
    return replacementsOf(disk, prior, planFromSchema(disk, { config, prior, proposed: config }));
  };
  expect(change(1, 2)).toEqual([]);
  expect(change(2, 1)).toEqual([['size']]);
  expect(change(1, unknownValue())).toEqual([['size']]);
});

test('values are known, null or unknown', () => {
  expect([isPresent('a'), isPresent(null), isPresent(unknownValue())]).toEqual([true, false, false]);
  expect([knownOrNull('a'), knownOrNull(null), knownOrNull(unknownValue())]).toEqual(['a', null, null]);
});

test('the schemas are the documentation', () => {
  const pages = documentationOf(shelfProvider());
  expect(pages.resources['shelf_book']).toMatchObject({ description: 'A book on a shelf.', canImport: true });
  expect(pages.resources['shelf_book']?.attributes[2]).toEqual({
    name: 'binding',
    type: 'String',
    usage: 'optional',
    description: 'How it is bound.',
    notes: ['default: "paper"', 'one of "paper", "linen"', 'a change forces a replacement: always'],
    attributes: [],
  });
  expect(pages.functions['join']?.signature).toBe('join(separator string, texts list of string) string');
});
