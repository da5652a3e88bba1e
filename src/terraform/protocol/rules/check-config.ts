import { type BlockBody, isNested, type Schema } from '../schema/schema.ts';
import { type Fault, faultsOfType } from '../value/conformity.ts';
import type { Path } from '../value/path.ts';
import { isPresent, isRecord, isWhollyKnown, type RecordValue, type Value } from '../value/value.ts';
import { memberOf } from './complete.ts';

/** Violations of the schema in the configuration. Unknown values are not checked yet. */
export function faultsOfConfig(schema: Schema, config: RecordValue): readonly Fault[] {
  const ofRules = (schema.rules ?? []).flatMap((rule) => {
    const broken = rule.check(config);
    return broken === null ? [] : [{ path: [broken.attribute], fault: broken.fault }];
  });
  return [...faultsOfBody(schema, config, []), ...ofRules];
}

function faultsOfBody(body: BlockBody, config: RecordValue, path: Path): readonly Fault[] {
  const attributes = Object.entries(body.attributes ?? {}).flatMap(([name, attribute]) => {
    if (isNested(attribute)) return [];
    const value = memberOf(config, name);
    const here = [...path, name];
    const ofType = faultsOfType(attribute.type, value, here);
    if (ofType.length > 0 || !isPresent(value) || !isWhollyKnown(value)) return ofType;
    return (attribute.validate ?? []).flatMap((each) => {
      const fault = each.check(value);
      return fault === null ? [] : [{ path: here, fault }];
    });
  });
  const blocks = Object.entries(body.blocks ?? {}).flatMap(([name, block]) => {
    const value = memberOf(config, name);
    const here = [...path, name];
    if (block.nesting === 'single') return isRecord(value) ? faultsOfBody(block, value, here) : [];
    return elementsOf(value).flatMap((each, index) => faultsOfBody(block, each, [...here, index]));
  });
  return [...attributes, ...blocks];
}

function elementsOf(value: Value): readonly RecordValue[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
