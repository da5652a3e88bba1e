import { ungroupedId } from '../../../core/model/group.ts';
import type { Attributes } from './attributes.ts';
import type { SaidGroup } from './claim.ts';
import { readSaid, type Said } from './said.ts';

/** The group from `group` or `group_id`, or from two arguments with other names. */
export function readGroup(
  attributes: Attributes,
  nameArgument = 'group',
  idArgument = `${nameArgument}_id`,
): SaidGroup | undefined {
  const id = readSaid(attributes[idArgument]);
  if (id !== undefined) {
    if (id.kind === 'later') return id;
    return id.text === ungroupedId ? { kind: 'ungrouped' } : { kind: 'id', id: id.text };
  }
  const name = readSaid(attributes[nameArgument]);
  if (name === undefined || name.kind === 'later') return name;
  return { kind: 'named', name: name.text };
}

/** One expression for a whole list is a single text that only Terraform knows. */
export function readList(value: unknown): readonly Said[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).flatMap((each) => readSaid(each) ?? []);
}
