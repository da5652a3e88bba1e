import { type Attribute, isNested } from '../../../../src/terraform/protocol/schema/attribute.ts';
import type { Block, BlockBody } from '../../../../src/terraform/protocol/schema/schema.ts';
import { typeOfAttribute } from '../../../../src/terraform/protocol/schema/type-of-schema.ts';
import { isSameValue } from '../../../../src/terraform/protocol/value/same-value.ts';
import { isUnknown } from '../../../../src/terraform/protocol/value/unknown.ts';
import {
  isRecord,
  type RecordValue,
  recordOf,
  type Value,
} from '../../../../src/terraform/protocol/value/value.ts';
import type { Type } from '../../../../src/terraform/protocol/value/value-type.ts';

/** What Terraform's core does between the calls, written anew from its rules. */

/** Configuration where it says something, and what was where a computed attribute is left alone. */
export function proposedNew(body: BlockBody, prior: RecordValue | null, config: RecordValue): RecordValue {
  const attributes = Object.entries(body.attributes ?? {}).map(([name, attribute]) => {
    const [before, now] = [prior?.[name] ?? null, config[name] ?? null];
    if (now === null) return [name, attribute.computed ? before : null] as const;
    return [name, isNested(attribute) ? collected(attribute.nested, attribute, before, now) : now] as const;
  });
  const blocks = Object.entries(body.blocks ?? {}).map(
    ([name, block]) =>
      [name, collected(block.nesting, block, prior?.[name] ?? null, config[name] ?? null)] as const,
  );
  return recordOf([...attributes, ...blocks]);
}

function collected(nesting: Block['nesting'], body: BlockBody, before: Value, now: Value): Value {
  if (now === null || isUnknown(now)) return now;
  const one = (was: Value | undefined, is: Value): Value =>
    isRecord(is) ? proposedNew(body, isRecord(was) ? was : null, is) : is;
  if (Array.isArray(now)) {
    const all = Array.isArray(before) ? (before as readonly Value[]) : [];
    return now.map((each: Value, index) =>
      one(nesting === 'set' ? all.find((was) => answers(body, was, each)) : all[index], each),
    );
  }
  if (nesting === 'map' && isRecord(now)) {
    const all = isRecord(before) ? before : {};
    return recordOf(
      Object.entries(now).map(([key, each]) => [key, one(Object.hasOwn(all, key) ? all[key] : null, each)]),
    );
  }
  return one(before, now);
}

function answers(body: BlockBody, was: Value, is: Value): boolean {
  if (!isRecord(was) || !isRecord(is)) return false;
  return Object.entries(body.attributes ?? {}).every(
    ([name, each]) =>
      (each.computed && (is[name] ?? null) === null) ||
      isSameValue(typeOfAttribute(each), was[name] ?? null, is[name] ?? null),
  );
}

/** What a service might make of a plan: something in the place of everything unknown. */
export function carriedOut(type: Type, planned: Value, attribute?: Attribute): Value {
  if (isUnknown(planned)) return anyOf(type, attribute);
  if (planned === null || typeof type === 'string') return planned;
  const nested = attribute !== undefined && isNested(attribute) ? attribute.attributes : undefined;
  if ('object' in type) {
    const record = planned as RecordValue;
    return recordOf(
      Object.entries(type.object).map(([name, each]) => [
        name,
        carriedOut(each, record[name] ?? null, nested?.[name]),
      ]),
    );
  }
  const inner = 'list' in type ? type.list : 'set' in type ? type.set : 'map' in type ? type.map : null;
  if (inner === null) return planned;
  const pass = nested === undefined ? undefined : ({ ...attribute, nested: 'single' } as Attribute);
  if (Array.isArray(planned)) return planned.map((each: Value) => carriedOut(inner, each, pass));
  return recordOf(
    Object.entries(planned as RecordValue).map(([key, each]) => [key, carriedOut(inner, each, pass)]),
  );
}

function anyOf(type: Type, attribute?: Attribute): Value {
  if (attribute?.writeOnly) return null;
  switch (type) {
    case 'string':
      return 'made';
    case 'bool':
      return true;
    case 'number':
    case 'numeric':
      return 7;
    case 'int64':
      return 7n;
    case 'dynamic':
      return null;
    default: {
      if ('object' in type) {
        const inner = attribute !== undefined && isNested(attribute) ? attribute.attributes : {};
        return recordOf(Object.entries(type.object).map(([name, each]) => [name, anyOf(each, inner[name])]));
      }
      return 'map' in type ? {} : 'tuple' in type ? type.tuple.map((each) => anyOf(each)) : [];
    }
  }
}
