import { ungroupedId } from '../../core/model/observed.ts';
import type { StackAttributes } from './attributes.ts';
import type { StackGroup } from './claim.ts';
import { readStackText, type StackText } from './stack-text.ts';

/** The group from `group` or `group_id`, or from two arguments with other names. */
export function groupArgument(
  attributes: StackAttributes,
  nameArgument = 'group',
  idArgument = `${nameArgument}_id`,
): StackGroup | undefined {
  const id = readStackText(attributes[idArgument]);
  if (id !== undefined) {
    if (id.kind === 'later') return id;
    return id.text === ungroupedId ? { kind: 'ungrouped' } : { kind: 'id', id: id.text };
  }
  const name = readStackText(attributes[nameArgument]);
  if (name === undefined || name.kind === 'later') return name;
  return { kind: 'named', name: name.text };
}

/** One expression for a whole list is a single text that only Terraform knows. */
export function readList(value: unknown): readonly StackText[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).flatMap((each) => readStackText(each) ?? []);
}
