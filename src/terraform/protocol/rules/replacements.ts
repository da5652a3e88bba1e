import { type Attribute, isNested } from '../schema/attribute.ts';
import type { Block, BlockBody } from '../schema/schema.ts';
import { typeOfAttribute, typeOfBlock } from '../schema/type-of-schema.ts';
import type { Path } from '../value/path.ts';
import { isSameValue } from '../value/same-value.ts';
import { isWhollyKnown, type RecordValue } from '../value/value.ts';
import { memberOf } from './complete.ts';
import { elementsOf } from './elements.ts';

/** The attributes whose change needs a replacement. An unknown value counts as a change. */
export function replacementsOf(
  body: BlockBody,
  prior: RecordValue | null,
  planned: RecordValue,
): readonly Path[] {
  const inside = (nesting: Block['nesting'], inner: BlockBody, name: string): readonly Path[] =>
    elementsOf(nesting, inner, memberOf(planned, name), { prior: memberOf(prior, name) }).flatMap(
      ({ path, value, others }) =>
        replacementsOf(inner, others.prior, value).map((each) =>
          // The elements of a set have no address: the path ends at the set.
          nesting === 'set' ? [name] : [name, ...path, ...each],
        ),
    );
  return [
    ...Object.entries(body.attributes ?? {}).flatMap(([name, attribute]) => {
      const before = memberOf(prior, name);
      const after = memberOf(planned, name);
      if (attribute.writeOnly || isSameValue(typeOfAttribute(attribute), before, after)) return [];
      if (isReplacing(attribute, before, after)) return [[name]];
      return isNested(attribute) ? inside(attribute.nested, attribute, name) : [];
    }),
    ...Object.entries(body.blocks ?? {}).flatMap(([name, block]) =>
      isSameValue(typeOfBlock(block), memberOf(prior, name), memberOf(planned, name))
        ? []
        : inside(block.nesting, block, name),
    ),
  ];
}

function isReplacing(attribute: Attribute, before: unknown, after: unknown): boolean {
  return (attribute.plan ?? []).some((each) => {
    if (each.kind === 'requires-replace') return true;
    if (each.kind !== 'requires-replace-if') return false;
    const [prior, planned] = [before, after] as Parameters<typeof each.holds>;
    return !isWhollyKnown(planned) || each.holds(prior, planned);
  });
}
