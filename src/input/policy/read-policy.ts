import { protectedFrom } from '../../core/model/entry.ts';
import type { ChangePolicy, Freeze, Policy, Protection, WindowPolicy } from '../../core/model/policy.ts';
import { readCondition } from '../rules/read-expression.ts';
import {
  changePolicyKeys,
  freezeKeys,
  limitKeys,
  policyKeys,
  protectKeys,
  windowKeys,
} from '../schema/file-keys.ts';
import type { Member, YamlNode } from '../sources/yaml-tree.ts';
import { headOf, readItems } from '../values/read-items.ts';
import { readMember, readMembers } from '../values/read-members.ts';
import { readText } from '../values/read-text.ts';
import { readTimestamp } from '../values/read-timestamp.ts';
import { readWords } from '../values/read-words.ts';
import { type Reading, report } from '../values/reading.ts';
import { readLimits, type SetLimit } from './read-limits.ts';
import { readKinds, readWindows } from './read-windows.ts';

/** The contents of `policy:` in one file. */
export interface FilePolicy extends Pick<Policy, 'protect' | 'changes' | 'windows' | 'freezes'> {
  readonly limits: readonly SetLimit[];
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
  const members = readMembers(reading, node, policyKeys, {
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
  const freeze = members.freeze;
  const single = freeze?.value.kind === 'mapping' ? readFreeze(reading, freeze.value) : undefined;
  return {
    limits: members.limits === undefined ? [] : readLimits(reading, members.limits.value, limitKeys),
    protect: list(members.protect, examples.protect, (item) => readProtection(reading, item)),
    changes: [...changes(members.deny, 'deny'), ...changes(members.warn, 'warn')],
    windows: list(members.windows, examples.windows, (item) => readWindowPolicy(reading, item)),
    freezes:
      freeze?.value.kind === 'mapping'
        ? single === undefined
          ? []
          : [single]
        : list(freeze, examples.freeze, (item) => readFreeze(reading, item)),
  };
}

function readProtection(reading: Reading, node: YamlNode): Protection | undefined {
  const what = 'a protection';
  const members = readMembers(reading, node, protectKeys, { what, example: examples.protect });
  if (members === undefined) return undefined;
  const name = readMember(members.name, textOf(reading, 'the name of a protection'));
  const when = readMember(members.when, (value, at) => readCondition(reading, value, '"when"', at, 'host'));
  const from = readMember(members.from, (value, at) => readWords(reading, value, 'from', protectedFrom, at));
  const message = readMember(members.message, textOf(reading, '"message"'));
  requireKeys(reading, node, what, members, ['when', 'from'], examples.protect);
  if (
    from?.length === 0 &&
    members.from?.value.kind === 'sequence' &&
    members.from.value.items.length === 0
  ) {
    report(reading, members.from.value, 'invalid-value', 'the protection has an empty "from"', {
      hint: 'list one of delete, rename and move, or remove the protection',
    });
  }
  if (when === undefined || from === undefined) return undefined;
  return {
    name: name ?? when.source,
    when,
    from,
    ...optional('message', message),
    ...placeAt(reading, node),
  };
}

function readChangePolicy(
  reading: Reading,
  node: YamlNode,
  effect: ChangePolicy['effect'],
): ChangePolicy | undefined {
  const what = `an item of "${effect}"`;
  const members = readMembers(reading, node, changePolicyKeys, { what, example: examples.change });
  if (members === undefined) return undefined;
  const name = readMember(members.name, textOf(reading, 'the name of a policy'));
  const when = readMember(members.when, (value, at) => readCondition(reading, value, '"when"', at, 'change'));
  const message = readMember(members.message, textOf(reading, '"message"'));
  requireKeys(reading, node, what, members, ['name', 'when', 'message'], examples.change);
  if (name === undefined || when === undefined || message === undefined) return undefined;
  return { name, effect, when, message, ...placeAt(reading, node) };
}

function readWindowPolicy(reading: Reading, node: YamlNode): WindowPolicy | undefined {
  const what = 'an item of "windows"';
  const members = readMembers(reading, node, windowKeys, { what, example: examples.windows });
  if (members === undefined) return undefined;
  const name = readMember(members.name, textOf(reading, 'the name of a policy'));
  const only = readMember(members.only, (value, at) => readWindows(reading, value, at));
  const kinds = readMember(members.kinds, (value, at) => readKinds(reading, value, at));
  const message = readMember(members.message, textOf(reading, '"message"'));
  requireKeys(reading, node, what, members, ['name', 'only'], examples.windows);
  if (name === undefined || only === undefined) return undefined;
  return {
    name,
    only,
    ...optional('kinds', kinds),
    ...optional('message', message),
    ...placeAt(reading, node),
  };
}

function readFreeze(reading: Reading, node: YamlNode): Freeze | undefined {
  const members = readMembers(reading, node, freezeKeys, { what: 'a freeze', example: examples.freeze });
  if (members === undefined) return undefined;
  const name = readMember(members.name, textOf(reading, 'the name of a freeze'));
  const from = readMember(members.from, (value, at) => readTimestamp(reading, value, '"from"', at));
  const until = readMember(members.until, (value, at) => readTimestamp(reading, value, '"until"', at));
  const message = readMember(members.message, textOf(reading, '"message"'));
  if (from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until)) {
    report(reading, members.until?.value ?? node, 'invalid-value', 'the freeze ends before it starts', {
      hint: 'set "until" to a time after "from"',
    });
  }
  return {
    name: name ?? 'freeze',
    ...optional('from', from),
    ...optional('until', until),
    ...optional('message', message),
    ...placeAt(reading, node),
  };
}

function textOf(reading: Reading, what: string) {
  return (value: YamlNode, at: YamlNode) => readText(reading, value, what, at);
}

function requireKeys<K extends string>(
  reading: Reading,
  node: YamlNode,
  what: string,
  members: Readonly<Partial<Record<K, Member>>>,
  keys: readonly K[],
  example: string,
): void {
  for (const key of keys) {
    if (members[key] !== undefined) continue;
    report(reading, headOf(node), 'missing-key', `${what} needs "${key}"`, { hint: example });
  }
}

function placeAt(reading: Reading, node: YamlNode) {
  return { place: reading.source.placeOf(headOf(node)) };
}

function optional<K extends string, T>(key: K, value: T | undefined): { readonly [Key in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [Key in K]?: T };
}
