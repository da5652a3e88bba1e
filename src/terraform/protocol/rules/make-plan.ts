import { type Attribute, type BlockBody, typeOfBody } from '../schema/schema.ts';
import { isSameValue } from '../value/same-value.ts';
import {
  type RecordValue,
  recordOf,
  type Unknown,
  unknownNotNull,
  unknownValue,
  type Value,
} from '../value/value.ts';
import { memberOf } from './complete.ts';

interface Change {
  readonly config: RecordValue | null;
  /** Null: it will be created. */
  readonly prior: RecordValue | null;
  /** The configuration merged over the previous value, as Terraform does it. */
  readonly proposed: RecordValue;
}

/**
 * The plan that a schema makes by itself: as proposed, with defaults, and with computed attributes unknown if they do
 * not exist yet or if anything changes. If nothing changes, exactly the prior state.
 */
export function planFromSchema(body: BlockBody, { config, prior, proposed }: Change): RecordValue {
  const settled = mapAttributes(body, proposed, (name, attribute, value) =>
    memberOf(config, name) === null ? (attribute.default ?? value) : value,
  );
  if (prior !== null && isSameValue(typeOfBody(body), settled, prior)) return prior;
  return mapAttributes(body, settled, (name, attribute, value) => {
    const isGiven = memberOf(config, name) !== null || attribute.default !== undefined;
    if (!attribute.computed || isGiven) return value;
    if (prior === null) return value ?? unknownOf(attribute);
    return value !== null && keepsPrior(attribute) ? value : unknownOf(attribute);
  });
}

function keepsPrior({ plan = [] }: Attribute): boolean {
  return plan.some(({ kind }) => kind === 'keep-prior');
}

function unknownOf({ nonNull }: Attribute): Unknown {
  return nonNull ? unknownNotNull : unknownValue();
}

/** Changes every attribute. Blocks are unchanged, because only configuration sets them. */
function mapAttributes(
  { attributes = {} }: BlockBody,
  record: RecordValue,
  map: (name: string, attribute: Attribute, value: Value) => Value,
): RecordValue {
  return recordOf(
    Object.entries(record).map(([name, value]) => {
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      return [name, attribute === undefined ? value : map(name, attribute, value)] as const;
    }),
  );
}
