import {
  type Attribute,
  type BlockBody,
  typeOfAttribute,
  typeOfBody,
} from '../../../../src/terraform/protocol/schema/schema.ts';
import {
  isRecord,
  isUnknown,
  type RecordValue,
  recordOf,
  type Type,
  type Value,
} from '../../../../src/terraform/protocol/value/value.ts';

/** The work of Terraform's core between the calls, written again from its rules. */

/** The configured value if there is one, and the prior value if a computed attribute is not configured. */
export function proposedNew(body: BlockBody, prior: RecordValue | null, config: RecordValue): RecordValue {
  const attributes = Object.entries(body.attributes ?? {}).map(([name, attribute]) => {
    const now = config[name] ?? null;
    return [name, now === null && attribute.computed ? (prior?.[name] ?? null) : now] as const;
  });
  const blocks = Object.keys(body.blocks ?? {}).map((name) => [name, config[name] ?? null] as const);
  return recordOf([...attributes, ...blocks]);
}

/** What a service might make of a plan: something in the place of everything unknown. */
export function carriedOut(body: BlockBody, planned: RecordValue): RecordValue {
  const types = typeOfBody(body).object;
  return recordOf(
    Object.entries(planned).map(([name, value]) => {
      const attribute = body.attributes?.[name];
      return [name, known(types[name] as Type, value, attribute)] as const;
    }),
  );
}

function known(type: Type, value: Value, attribute?: Attribute): Value {
  if (isUnknown(value)) return anyOf(attribute === undefined ? type : typeOfAttribute(attribute));
  if (typeof type === 'string' || value === null) return value;
  if ('object' in type) {
    return recordOf(
      Object.entries(value as RecordValue).map(([name, each]) => [
        name,
        known(type.object[name] as Type, each),
      ]),
    );
  }
  const inner = 'list' in type ? type.list : 'set' in type ? type.set : type.map;
  if (Array.isArray(value)) return value.map((each: Value) => known(inner, each));
  if (!isRecord(value)) return value;
  return recordOf(Object.entries(value).map(([key, each]) => [key, known(inner, each)]));
}

function anyOf(type: Type): Value {
  switch (type) {
    case 'string':
      return 'made';
    case 'bool':
      return true;
    case 'number':
      return 7;
    default:
      if ('object' in type)
        return recordOf(Object.entries(type.object).map(([name, each]) => [name, anyOf(each)]));
      return 'map' in type ? {} : [];
  }
}
