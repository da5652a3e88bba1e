import { defined } from '../../core/lib/defined.ts';
import type {
  ChangePolicy,
  Freeze,
  LimitName,
  Policy,
  Protection,
  WindowPolicy,
} from '../../core/model/policy.ts';
import type { Fields } from '../schema/field.ts';
import {
  changePolicyFields,
  freezeFields,
  limitFields,
  policyFields,
  protectFields,
  windowFields,
} from '../schema/policy-fields.ts';
import type { Member, YamlNode } from '../sources/source-text.ts';
import { readFields, requireFields } from '../values/read-fields.ts';
import { itemHead, type Reading, readItems, readMembers, report } from '../values/reading.ts';
import { readLimits, type SetLimit } from './read-limits.ts';

/** The contents of `policy:` in one file. */
export interface FilePolicy extends Pick<Policy, 'protect' | 'changes' | 'windows' | 'freezes'> {
  readonly limits: readonly SetLimit<LimitName>[];
}

export const noFilePolicy: FilePolicy = { limits: [], protect: [], changes: [], windows: [], freezes: [] };

const examples = {
  protect: 'write, for example: - { when: \'host.group == "Domain Controllers"\', from: [delete, rename] }',
  change:
    'write, for example: - { name: online, when: \'change.kind == "delete" && host.online\', message: they are in use }',
  windows: 'write, for example: - { name: nights, only: "Mon-Fri 20:00-06:00 Europe/Berlin" }',
  freeze: 'write, for example, freeze: { from: 2026-12-20T00:00:00Z, until: 2027-01-07T00:00:00Z }',
} as const;

export function readPolicy(reading: Reading, node: YamlNode): FilePolicy {
  const members = readMembers(reading, node, policyFields, {
    what: '"policy"',
    example: 'write, for example, policy: { limits: { delete: 5% } }',
  });
  if (members === undefined) return noFilePolicy;
  const list = <T>(
    member: Member | undefined,
    example: string,
    readItem: (item: YamlNode) => T | undefined,
  ) => (member === undefined ? [] : readItems(reading, member, example, readItem));
  const changes = (member: Member | undefined, effect: ChangePolicy['effect']) =>
    list(member, examples.change, (item) => readChangePolicy(reading, item, effect));
  return {
    limits: members.limits === undefined ? [] : readLimits(reading, members.limits.value, limitFields),
    protect: list(members.protect, examples.protect, (item) => readProtection(reading, item)),
    changes: [...changes(members.deny, 'deny'), ...changes(members.warn, 'warn')],
    windows: members.windows === undefined ? [] : readWindowPolicies(reading, members.windows),
    freezes: members.freeze === undefined ? [] : readFreezes(reading, members.freeze),
  };
}

function readProtection(reading: Reading, node: YamlNode): Protection | undefined {
  const section = readSection(reading, node, protectFields, 'a protection', examples.protect);
  if (section === undefined) return undefined;
  const { name, when, from, ...optional } = section.values;
  if (when === undefined || from === undefined) return undefined;
  return { ...defined(optional), name: name ?? when.source, when, from, place: section.place };
}

function readChangePolicy(
  reading: Reading,
  node: YamlNode,
  effect: ChangePolicy['effect'],
): ChangePolicy | undefined {
  const section = readSection(reading, node, changePolicyFields, `an item of "${effect}"`, examples.change);
  if (section === undefined) return undefined;
  const { name, when, message } = section.values;
  if (name === undefined || when === undefined || message === undefined) return undefined;
  return { name, effect, when, message, place: section.place };
}

/** The items of `windows`. */
export function readWindowPolicies(reading: Reading, member: Member): readonly WindowPolicy[] {
  return readItems(reading, member, examples.windows, (item) => readWindowPolicy(reading, item));
}

function readWindowPolicy(reading: Reading, node: YamlNode): WindowPolicy | undefined {
  const section = readSection(reading, node, windowFields, 'an item of "windows"', examples.windows);
  if (section === undefined) return undefined;
  const { name, only, ...optional } = section.values;
  if (name === undefined || only === undefined) return undefined;
  return { ...defined(optional), name, only, place: section.place };
}

/** One freeze, or a list. */
export function readFreezes(reading: Reading, member: Member): readonly Freeze[] {
  if (member.value.kind === 'mapping') return [readFreeze(reading, member.value) ?? []].flat();
  return readItems(reading, member, examples.freeze, (item) => readFreeze(reading, item));
}

function readFreeze(reading: Reading, node: YamlNode): Freeze | undefined {
  const section = readSection(reading, node, freezeFields, 'a freeze', examples.freeze);
  if (section === undefined) return undefined;
  const { name, ...optional } = section.values;
  const { from, until } = optional;
  if (from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until)) {
    report(
      reading,
      section.members.until?.value ?? node,
      'invalid-value',
      'the freeze ends before it starts',
      { hint: 'set "until" to a time after "from"' },
    );
  }
  return { ...defined(optional), name: name ?? 'freeze', place: section.place };
}

function readSection<F extends Fields>(
  reading: Reading,
  node: YamlNode,
  fields: F,
  what: string,
  example: string,
) {
  const members = readMembers(reading, node, fields, { what, example });
  if (members === undefined) return undefined;
  const head = itemHead(node);
  const values = readFields(reading, members, fields);
  requireFields(reading, head, members, fields, { what, example });
  return { members, values, place: reading.source.placeOf(head) };
}
