import { type Attribute, isNested } from '../schema/attribute.ts';
import type { Block, BlockBody } from '../schema/schema.ts';
import { typeOfAttribute, typeOfBlock } from '../schema/type-of-schema.ts';
import type { Fault } from '../value/conformity.ts';
import type { Path } from '../value/path.ts';
import { isSameValue } from '../value/same-value.ts';
import { isUnknown } from '../value/unknown.ts';
import { isRecord, type RecordValue, type Value } from '../value/value.ts';
import { memberOf } from './complete.ts';
import { elementsOf } from './elements.ts';

interface Planned {
  readonly config: RecordValue | null;
  readonly prior: RecordValue | null;
  readonly planned: RecordValue;
}

/** Violations in a plan of Terraform's rules for providers. */
export function faultsOfPlan(body: BlockBody, plan: Planned, path: Path = []): readonly Fault[] {
  return [
    ...Object.entries(body.attributes ?? {}).flatMap(([name, attribute]) =>
      faultsOfAttribute(attribute, membersOf(plan, name), [...path, name]),
    ),
    ...Object.entries(body.blocks ?? {}).flatMap(([name, block]) =>
      faultsOfBlock(block, membersOf(plan, name), [...path, name]),
    ),
  ];
}

interface Members {
  readonly config: Value;
  readonly prior: Value;
  readonly planned: Value;
}

function membersOf({ config, prior, planned }: Planned, name: string): Members {
  return {
    config: memberOf(config, name),
    prior: memberOf(prior, name),
    planned: memberOf(planned, name),
  };
}

function faultsOfAttribute(attribute: Attribute, members: Members, path: Path): readonly Fault[] {
  const { config, prior, planned } = members;
  const type = typeOfAttribute(attribute);
  if (attribute.writeOnly)
    return planned === null ? [] : [{ path, fault: 'is write-only, so its planned value must be null' }];
  if (config === null) {
    if (attribute.computed || planned === null) return [];
    return [{ path, fault: 'is neither configured nor computed, so its planned value must be null' }];
  }
  if (isSameValue(type, planned, config)) return [];
  if (prior !== null && isSameValue(type, planned, prior)) return [];
  if (isNested(attribute) && isCollected(config) && isCollected(planned))
    return faultsOfCollection(attribute.nested, attribute, members, path);
  return [
    { path, fault: 'is configured, so its planned value must be the configured value or the prior value' },
  ];
}

function faultsOfBlock(block: Block, members: Members, path: Path): readonly Fault[] {
  const { config, planned } = members;
  if (isSameValue(typeOfBlock(block), planned, config)) return [];
  if (!isCollected(config) || !isCollected(planned))
    return [{ path, fault: 'is a block, so the plan must contain the same blocks as the configuration' }];
  return faultsOfCollection(block.nesting, block, members, path);
}

function faultsOfCollection(
  nesting: Block['nesting'],
  body: BlockBody,
  { config, prior, planned }: Members,
  path: Path,
): readonly Fault[] {
  if (keysOf(planned) !== keysOf(config))
    return [{ path, fault: 'must contain all elements of the configuration' }];
  return elementsOf(nesting, body, planned, { config, prior }).flatMap((element) => {
    if (nesting === 'set' && element.others.config === null)
      return [{ path, fault: 'has an element that is not in the configuration' }];
    return faultsOfPlan(body, { ...element.others, planned: element.value }, [...path, ...element.path]);
  });
}

function isCollected(value: Value): boolean {
  return value !== null && !isUnknown(value);
}

/** The number of elements of a list or set, or the keys of a map; nothing for a single object. */
function keysOf(value: Value): string {
  if (Array.isArray(value)) return String(value.length);
  return isRecord(value) ? Object.keys(value).sort().join() : '';
}
