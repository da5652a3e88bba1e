import { defined } from '../../core/lib/defined.ts';
import { quoted } from '../../core/lib/words.ts';
import type { GroupIntent } from '../../core/model/observed.ts';
import type { GroupPolicy } from '../../core/model/policy.ts';
import { groupLimitFields, groupPolicyFields } from '../schema/policy-fields.ts';
import type { Member, YamlNode } from '../sources/source-text.ts';
import { readSection } from '../values/read-fields.ts';
import { type Reading, readItems, report, valueSpan } from '../values/reading.ts';
import { readLimits } from './read-limits.ts';

const words = {
  what: 'an item of "groups"',
  example: 'write, for example: - { group: Berlin Servers, unmanaged: forbid }',
};

/** Reads the items of `groups:`. */
export function readGroupPolicies(reading: Reading, groups: Member | undefined): readonly GroupPolicy[] {
  return readItems(reading, groups, words.example, (item) => readGroupPolicy(reading, item));
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
  const section = readSection(reading, node, groupPolicyFields, words);
  if (section === undefined) return undefined;
  const { members, head, place } = section;
  const { group, othersTo, exclusive, ...optional } = section.values;
  const limits =
    members.limits === undefined ? [] : readLimits(reading, members.limits.value, groupLimitFields);
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
    ...defined(optional),
    group,
    exclusive: exclusive ?? false,
    ...(othersTo === undefined || members.othersTo === undefined
      ? {}
      : { othersTo: { group: othersTo, place: reading.source.placeOf(valueSpan(members.othersTo)) } }),
    limits: Object.fromEntries(limits.map(({ name, limit }) => [name, limit])),
    place,
  };
}
