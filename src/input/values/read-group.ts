import { quoted } from '../../core/lib/words.ts';
import { type GroupIntent, toGroupId } from '../../core/model/observed.ts';
import { groupFields } from '../schema/file-fields.ts';
import type { Span, YamlNode } from '../sources/source-text.ts';
import { readId } from './read-id.ts';
import { readText } from './read-text.ts';
import { kindOf, type Reading, readMembers, report, valueSpan } from './reading.ts';

/**
 * A name, `{ id: 17 }`, or an explicit null: otherwise an omitted value would move the host out of its group by
 * accident.
 */
export function readGroup(reading: Reading, node: YamlNode, at: Span): GroupIntent | undefined {
  const kind = kindOf(node);
  if (kind === 'null') return { kind: 'ungrouped' };
  if (kind === 'nothing') {
    return report(reading, at, 'wrong-type', 'the group is empty', {
      hint: 'write null for no group; to leave the group as it is, remove the key',
    });
  }
  if (node.kind === 'scalar' && (kind === 'integer' || kind === 'number')) {
    return report(reading, at, 'wrong-type', 'a group must be a name, { id: … } or null, not a number', {
      hint: `write { id: … } for the group with this id, or ${quoted(node.text)} for the one with this name`,
    });
  }
  if (node.kind !== 'mapping') {
    const name = readText(reading, node, 'the group', at);
    return name === undefined ? undefined : { kind: 'named', name };
  }
  const members = readMembers(reading, node, groupFields, { what: 'the group', example: '' });
  if (members?.id === undefined) {
    if (node.members.length > 0) return undefined;
    return report(reading, node, 'missing-key', 'the group needs an id', {
      hint: 'write { id: 17 }, or the name of the group, or null for no group',
    });
  }
  const id = readId(reading, members.id.value, groupFields.id.noun, valueSpan(members.id));
  const groupId = id === undefined ? undefined : toGroupId(id);
  return groupId === undefined ? undefined : { kind: 'id', id: groupId };
}
