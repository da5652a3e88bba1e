import { type Attribute, isNested } from '../schema/attribute.ts';
import type { BlockBody } from '../schema/schema.ts';
import { typeOfBody } from '../schema/type-of-schema.ts';
import { isSameValue } from '../value/same-value.ts';
import { type Unknown, unknownValue } from '../value/unknown.ts';
import { type RecordValue, recordOf, type Value } from '../value/value.ts';
import { memberOf } from './complete.ts';
import { mapElements } from './elements.ts';

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
export function planFromSchema(body: BlockBody, change: Change): RecordValue {
  const settled = settle(body, change);
  if (change.prior !== null && isSameValue(typeOfBody(body), settled, change.prior)) return change.prior;
  return markUnknown(body, { ...change, proposed: settled });
}

/** Without write-only values, and with defaults. */
function settle(body: BlockBody, change: Change): RecordValue {
  return mapBody(body, change, settle, (name, attribute, value) => {
    if (attribute.writeOnly) return null;
    const config = memberOf(change.config, name);
    if (config === null && attribute.default !== undefined) return attribute.default;
    return value;
  });
}

function markUnknown(body: BlockBody, change: Change): RecordValue {
  return mapBody(body, change, markUnknown, (name, attribute, value) => {
    const isGiven = memberOf(change.config, name) !== null || attribute.default !== undefined;
    if (attribute.computed !== true || isGiven) return value;
    if (change.prior === null) return value ?? unknownOf(attribute);
    return value !== null && keepsPrior(attribute) ? value : unknownOf(attribute);
  });
}

function keepsPrior({ plan }: Attribute): boolean {
  return plan?.some(({ kind }) => kind === 'keep-prior') === true;
}

function unknownOf({ nonNull }: Attribute): Unknown {
  return nonNull ? unknownValue({ nullable: false }) : unknownValue();
}

/** Changes every attribute of a body, nested objects first. */
function mapBody(
  body: BlockBody,
  change: Change,
  mapNested: (body: BlockBody, change: Change) => RecordValue,
  map: (name: string, attribute: Attribute, value: Value) => Value,
): RecordValue {
  const nested = (nesting: Parameters<typeof mapElements>[0], inner: BlockBody, name: string): Value =>
    mapElements(
      nesting,
      inner,
      memberOf(change.proposed, name),
      { config: memberOf(change.config, name), prior: memberOf(change.prior, name) },
      ({ value, others }) => mapNested(inner, { ...others, proposed: value }),
    );
  const attributes = Object.entries(body.attributes ?? {}).map(([name, attribute]) => {
    const isSetByConfig = memberOf(change.config, name) !== null;
    const value =
      isNested(attribute) && isSetByConfig
        ? nested(attribute.nested, attribute, name)
        : memberOf(change.proposed, name);
    return [name, map(name, attribute, value)] as const;
  });
  const blocks = Object.entries(body.blocks ?? {}).map(
    ([name, block]) => [name, nested(block.nesting, block, name)] as const,
  );
  return recordOf([...attributes, ...blocks]);
}
