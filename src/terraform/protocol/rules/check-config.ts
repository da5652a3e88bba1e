import { isNested } from '../schema/attribute.ts';
import type { Block, BlockBody, Schema } from '../schema/schema.ts';
import { typeOfAttribute } from '../schema/type-of-schema.ts';
import { type Fault, faultsOfType } from '../value/conformity.ts';
import type { Path } from '../value/path.ts';
import { isPresent } from '../value/unknown.ts';
import { isWhollyKnown, type RecordValue } from '../value/value.ts';
import { memberOf } from './complete.ts';
import { elementsOf } from './elements.ts';

export interface ConfigRules {
  /** Terraform before 1.11 would store them. */
  readonly isWriteOnlyAllowed: boolean;
}

/** Violations of the schema in the configuration. Unknown values are not checked yet. */
export function faultsOfConfig(
  schema: Schema,
  config: RecordValue,
  allowed: ConfigRules = { isWriteOnlyAllowed: true },
): readonly Fault[] {
  const ofRules = (schema.rules ?? []).flatMap((rule) => {
    const broken = rule.check(config);
    return broken === null ? [] : [{ path: [broken.attribute], fault: broken.fault }];
  });
  return [...faultsOfBody(schema, config, allowed, []), ...ofRules];
}

function faultsOfBody(
  body: BlockBody,
  config: RecordValue,
  allowed: ConfigRules,
  path: Path,
): readonly Fault[] {
  const inside = (nesting: Block['nesting'], inner: BlockBody, name: string): readonly Fault[] =>
    elementsOf(nesting, inner, memberOf(config, name), {}).flatMap((element) =>
      faultsOfBody(inner, element.value, allowed, [...path, name, ...element.path]),
    );
  const attributes = Object.entries(body.attributes ?? {}).flatMap(([name, attribute]) => {
    const value = memberOf(config, name);
    const here = [...path, name];
    if (attribute.writeOnly && value !== null && !allowed.isWriteOnlyAllowed)
      return [{ path: here, fault: 'is write-only, which needs Terraform 1.11 or newer' }];
    const ofType = isNested(attribute)
      ? inside(attribute.nested, attribute, name)
      : faultsOfType(typeOfAttribute(attribute), value, here);
    if (ofType.length > 0 || !isPresent(value) || !isWhollyKnown(value)) return ofType;
    return (attribute.validate ?? []).flatMap((each) => {
      const fault = each.check(value);
      return fault === null ? [] : [{ path: here, fault }];
    });
  });
  return [
    ...attributes,
    ...Object.entries(body.blocks ?? {}).flatMap(([name, block]) => inside(block.nesting, block, name)),
  ];
}
