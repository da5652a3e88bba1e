import { type Attribute, type BlockBody, typeOfAttribute } from '../schema/schema.ts';
import type { Path } from '../value/path.ts';
import { isSameValue } from '../value/same-value.ts';
import { isWhollyKnown, type RecordValue, type Value } from '../value/value.ts';
import { memberOf } from './complete.ts';

/** The attributes whose change needs a replacement. An unknown value counts as a change. */
export function replacementsOf(body: BlockBody, prior: RecordValue, planned: RecordValue): readonly Path[] {
  return Object.entries(body.attributes ?? {}).flatMap(([name, attribute]) => {
    const before = memberOf(prior, name);
    const after = memberOf(planned, name);
    const isSame = isSameValue(typeOfAttribute(attribute), before, after);
    return isSame || !isReplacing(attribute, before, after) ? [] : [[name]];
  });
}

function isReplacing({ plan = [] }: Attribute, before: Value, after: Value): boolean {
  return plan.some(
    (each) => each.kind === 'requires-replace-if' && (!isWhollyKnown(after) || each.holds(before, after)),
  );
}
