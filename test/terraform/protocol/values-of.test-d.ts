import { expectTypeOf, test } from 'vitest';
import { defineSchema } from '../../../src/terraform/protocol/schema/schema.ts';
import type {
  ConfigOf,
  KnownConfigOf,
  PartialStateOf,
  PlannedOf,
  StateInput,
  StateOf,
} from '../../../src/terraform/protocol/schema/values-of.ts';
import type { Unknown } from '../../../src/terraform/protocol/value/value.ts';

const schema = defineSchema({
  description: '',
  attributes: {
    id: { type: 'string', computed: true, nonNull: true, description: '' },
    name: { type: 'string', required: true, description: '' },
    pages: { type: 'number', optional: true, description: '' },
    size: { type: 'number', optional: true, computed: true, description: '' },
    tags: { type: { set: 'string' }, optional: true, description: '' },
    labels: { type: { map: 'bool' }, required: true, description: '' },
    parts: {
      nested: 'list',
      computed: true,
      nonNull: true,
      description: '',
      attributes: { label: { type: 'string', computed: true, nonNull: true, description: '' } },
    },
  },
  blocks: {
    port: {
      nesting: 'list',
      description: '',
      attributes: { number: { type: 'number', required: true, description: '' } },
    },
  },
});

type S = typeof schema;

test('configuration may be unknown anywhere', () => {
  expectTypeOf<ConfigOf<S>['name']>().toEqualTypeOf<string | Unknown>();
  expectTypeOf<ConfigOf<S>['pages']>().toEqualTypeOf<number | null | Unknown>();
  expectTypeOf<ConfigOf<S>['tags']>().toEqualTypeOf<readonly (string | Unknown)[] | null | Unknown>();
  expectTypeOf<KnownConfigOf<S>['name']>().toEqualTypeOf<string>();
});

test('an applied plan is unknown only where it is computed', () => {
  expectTypeOf<PlannedOf<S>['name']>().toEqualTypeOf<string>();
  expectTypeOf<PlannedOf<S>['size']>().toEqualTypeOf<number | null | Unknown>();
});

test('a state is known', () => {
  expectTypeOf<StateOf<S>['id']>().toEqualTypeOf<string>();
  expectTypeOf<StateOf<S>['size']>().toEqualTypeOf<number | null>();
  expectTypeOf<StateOf<S>['labels']>().toEqualTypeOf<Readonly<Record<string, boolean>>>();
  expectTypeOf<StateOf<S>['parts'][number]['label']>().toEqualTypeOf<string>();
  expectTypeOf<StateOf<S>['port'][number]['number']>().toEqualTypeOf<number>();
  expectTypeOf<PartialStateOf<S>['id']>().toEqualTypeOf<string | null>();
});

test('a returned state can leave out nullable values and blocks', () => {
  const least = { id: '1', name: 'a', labels: {}, parts: [{ label: 'x' }] };
  expectTypeOf(least).toExtend<StateInput<S>>();
  expectTypeOf<{ name: string }>().not.toExtend<StateInput<S>>();
  expectTypeOf<StateOf<S>>().toExtend<StateInput<S>>();
});
