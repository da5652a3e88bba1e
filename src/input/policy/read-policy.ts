import { defined } from '../../core/lib/defined.ts';
import type {
  ChangePolicy,
  Freeze,
  LimitName,
  Policy,
  Protection,
  WindowPolicy,
} from '../../core/model/policy.ts';
import {
  changePolicyFields,
  freezeFields,
  limitFields,
  policyFields,
  protectFields,
  windowFields,
} from '../schema/policy-fields.ts';
import type { Member, YamlNode } from '../sources/source-text.ts';
import { readSection } from '../values/read-fields.ts';
import { type Reading, readItems, readMembers, report } from '../values/reading.ts';
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
  const changes = (member: Member | undefined, effect: ChangePolicy['effect']) =>
    readItems(reading, member, examples.change, (item) => readChangePolicy(reading, item, effect));
  return {
    limits: members.limits === undefined ? [] : readLimits(reading, members.limits.value, limitFields),
    protect: readItems(reading, members.protect, examples.protect, (item) => readProtection(reading, item)),
    changes: [...changes(members.deny, 'deny'), ...changes(members.warn, 'warn')],
    windows: readWindowPolicies(reading, members.windows),
    freezes: readFreezes(reading, members.freeze),
  };
}

function readProtection(reading: Reading, node: YamlNode): Protection | undefined {
  const section = readSection(reading, node, protectFields, {
    what: 'a protection',
    example: examples.protect,
  });
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
  const section = readSection(reading, node, changePolicyFields, {
    what: `an item of "${effect}"`,
    example: examples.change,
  });
  if (section === undefined) return undefined;
  const { name, when, message } = section.values;
  if (name === undefined || when === undefined || message === undefined) return undefined;
  return { name, effect, when, message, place: section.place };
}

/** The items of `windows`. */
export function readWindowPolicies(reading: Reading, member: Member | undefined): readonly WindowPolicy[] {
  return readItems(reading, member, examples.windows, (item) => readWindowPolicy(reading, item));
}

function readWindowPolicy(reading: Reading, node: YamlNode): WindowPolicy | undefined {
  const section = readSection(reading, node, windowFields, {
    what: 'an item of "windows"',
    example: examples.windows,
  });
  if (section === undefined) return undefined;
  const { name, only, ...optional } = section.values;
  if (name === undefined || only === undefined) return undefined;
  return { ...defined(optional), name, only, place: section.place };
}

/** One freeze, or a list. */
export function readFreezes(reading: Reading, member: Member | undefined): readonly Freeze[] {
  if (member?.value.kind === 'mapping') return [readFreeze(reading, member.value) ?? []].flat();
  return readItems(reading, member, examples.freeze, (item) => readFreeze(reading, item));
}

function readFreeze(reading: Reading, node: YamlNode): Freeze | undefined {
  const section = readSection(reading, node, freezeFields, {
    what: 'a freeze',
    example: examples.freeze,
  });
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
