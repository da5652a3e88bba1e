import {
  type BlockBody,
  isNested,
  typeOfAttribute,
  typeOfBody,
} from '../../../../src/terraform/protocol/schema/schema.ts';
import type { Fault } from '../../../../src/terraform/protocol/value/conformity.ts';
import { isSameValue } from '../../../../src/terraform/protocol/value/same-value.ts';
import type { RecordValue, Type } from '../../../../src/terraform/protocol/value/value.ts';

interface CheckedPlan {
  readonly config: RecordValue;
  readonly prior: RecordValue | null;
  readonly planned: RecordValue;
}

/** The rules by which Terraform's core refuses a plan, written again from its documentation. */
export function faultsOfPlan(body: BlockBody, { config, prior, planned }: CheckedPlan): readonly Fault[] {
  const attributes = Object.entries(body.attributes ?? {}).flatMap(([name, attribute]) => {
    const [given, plan] = [config[name] ?? null, planned[name] ?? null];
    if (given === null)
      return attribute.computed || plan === null ? [] : [{ path: [name], fault: 'is not configured' }];
    const type = typeOfAttribute(attribute);
    const isKept = prior !== null && isSameValue(type, plan, prior[name] ?? null);
    return isNested(attribute) || isKept || isSameValue(type, plan, given)
      ? []
      : [{ path: [name], fault: 'is configured otherwise' }];
  });
  const blocks = Object.keys(body.blocks ?? {}).flatMap((name) =>
    isSameValue(typeOfBody(body).object[name] as Type, planned[name] ?? null, config[name] ?? null)
      ? []
      : [{ path: [name], fault: 'is a block, which only configuration sets' }],
  );
  return [...attributes, ...blocks];
}
