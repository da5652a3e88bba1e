import { quoted } from '../../core/lib/quoted.ts';
import type { GroupIntent } from '../../core/model/group.ts';
import { type GroupPolicy, type Policy, type Unmanaged, unmanagedWords } from '../../core/model/policy.ts';
import { groupLimitKeys, groupPolicyKeys } from '../schema/file-keys.ts';
import type { Span } from '../sources/source-text.ts';
import type { Member, YamlNode } from '../sources/yaml-tree.ts';
import { readBoolean } from '../values/read-boolean.ts';
import { readGroup } from '../values/read-group.ts';
import { headOf, readItems } from '../values/read-items.ts';
import { readMember, readMembers, valueSpan } from '../values/read-members.ts';
import { readWord } from '../values/read-word.ts';
import { type Reading, report } from '../values/reading.ts';
import { readLimits } from './read-limits.ts';

const example = 'write, for example: - { group: Berlin Servers, unmanaged: forbid }';

/** Reads `unmanaged:` of the whole file. */
export function readFleetUnmanaged(reading: Reading, member: Member): Policy['unmanaged'] {
  const what = readMember(member, (value, at) => readUnmanaged(reading, value, at));
  return what === undefined ? undefined : { what, place: reading.source.placeOf(member.key) };
}

/** Reads the items of `groups:`. */
export function readGroupPolicies(reading: Reading, groups: Member): readonly GroupPolicy[] {
  return readItems(reading, groups, example, (item) => readGroupPolicy(reading, item));
}

/** A key for a group intent: equal intents have equal keys. */
export function intentKey(intent: GroupIntent): string {
  switch (intent.kind) {
    case 'ungrouped':
      return 'null';
    case 'id':
      return `id ${intent.id}`;
    case 'named':
      return quoted(intent.name);
  }
}

function readGroupPolicy(reading: Reading, node: YamlNode): GroupPolicy | undefined {
  const members = readMembers(reading, node, groupPolicyKeys, { what: 'an item of "groups"', example });
  if (members === undefined) return undefined;
  const head = headOf(node);
  const group = readMember(members.group, (value, at) => readGroup(reading, value, at));
  const unmanaged = readMember(members.unmanaged, (value, at) => readUnmanaged(reading, value, at));
  const exclusive = readMember(members.exclusive, (value, at) =>
    readBoolean(reading, value, '"exclusive"', at),
  );
  const othersTo = readMember(members.othersTo, (value, at) => readGroup(reading, value, at));
  const limits =
    members.limits === undefined ? [] : readLimits(reading, members.limits.value, groupLimitKeys);

  if (members.group === undefined) {
    report(reading, head, 'missing-key', 'an item of "groups" needs a "group"', { hint: example });
  }
  if ([members.unmanaged, members.exclusive, members.limits].every((each) => each === undefined)) {
    report(reading, head, 'missing-key', 'the item sets nothing for the group', {
      hint: 'add "unmanaged", "exclusive" or "limits"',
    });
  }
  const isExclusive = members.exclusive === undefined ? false : exclusive;
  if (members.othersTo !== undefined && isExclusive === false) {
    report(reading, members.othersTo.key, 'invalid-value', '"othersTo" needs "exclusive: true"', {
      hint: 'add "exclusive: true" to move hosts that no entry or rule assigns to the group, or remove "othersTo"',
    });
  }
  if (members.othersTo !== undefined && group !== undefined && othersTo !== undefined) {
    if (intentKey(group) === intentKey(othersTo)) {
      report(reading, valueSpan(members.othersTo), 'invalid-value', '"othersTo" is the same group', {
        hint: 'use another group, or null for no group',
      });
    }
  }
  if (group === undefined) return undefined;
  return {
    group,
    ...(unmanaged === undefined ? {} : { unmanaged }),
    exclusive: exclusive ?? false,
    ...(othersTo === undefined || members.othersTo === undefined
      ? {}
      : { othersTo: { group: othersTo, place: reading.source.placeOf(valueSpan(members.othersTo)) } }),
    limits: Object.fromEntries(limits.map(({ name, limit }) => [name, limit])),
    place: reading.source.placeOf(head),
  };
}

function readUnmanaged(reading: Reading, node: YamlNode, at: Span): Unmanaged | undefined {
  return readWord(reading, node, '"unmanaged"', unmanagedWords, at);
}
