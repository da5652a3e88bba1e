import { defined } from '../../core/lib/defined.ts';
import { quoted } from '../../core/lib/words.ts';
import type { StackAttributes } from './attributes.ts';
import {
  type HostClaim,
  hostsOfArgument,
  isSameGroup,
  type RuleClaim,
  type StackClaim,
  titleOf,
} from './claim.ts';
import { groupArgument, readList } from './read-arguments.ts';
import { isLater, knownText, readStackText, type StackText } from './stack-text.ts';

/** The claims of a fleet's nested blocks. */
export function claimsOfBlocks(fleet: StackAttributes): readonly StackClaim[] {
  const entries = blocksOf(fleet, 'host').map(claimOfHost);
  return [
    ...entries,
    ...blocksOf(fleet, 'rule').map(claimOfRule),
    ...blocksOf(fleet, 'group').flatMap((group, index) => claimOfGroup(group, index, entries)),
    ...(fleet['dynamic'] === undefined
      ? []
      : [{ kind: 'unread', title: 'the dynamic blocks', why: 'later' } as const]),
  ];
}

function blocksOf(fleet: StackAttributes, name: string): readonly StackAttributes[] {
  const blocks = fleet[name];
  return Array.isArray(blocks) ? (blocks as readonly StackAttributes[]) : [];
}

function claimOfHost(block: StackAttributes, index: number): HostClaim {
  const id = readStackText(block['id']);
  const name = readStackText(block['name']);
  const current = readStackText(block['current']);
  const previously = id === undefined ? readList(block['previously']) : [];
  const ignored = readList(block['ignore']).map(knownText);
  const group = ignored.includes('group') ? undefined : groupArgument(block);
  return {
    kind: 'host',
    place: `host[${index}]`,
    title: titleOf(id, name),
    ...defined({ id, name: ignored.includes('name') ? undefined : name, group }),
    previously: current === undefined ? previously : [current],
    antivirus: !ignored.includes('antivirus') && isAsked(readStackText(block['antivirus'])),
    deletes: deletionOf(readStackText(block['ensure'])),
  };
}

function claimOfRule(block: StackAttributes, index: number): RuleClaim {
  const group = groupArgument(block);
  const antivirus = readStackText(block['antivirus']);
  return {
    kind: 'rule',
    place: `rule[${index}]`,
    title: `the rule ${quoted(knownText(readStackText(block['name'])) ?? '')}`,
    hosts: hostsOfArgument(block['when']),
    renames: block['rename'] !== undefined && block['rename'] !== null,
    ...(group === undefined ? {} : { group }),
    antivirus: antivirus !== undefined,
    deletes: knownText(readStackText(block['ensure'])) === 'absent',
  };
}

function claimOfGroup(
  block: StackAttributes,
  index: number,
  entries: readonly HostClaim[],
): readonly StackClaim[] {
  const group = groupArgument(block, 'name', 'id');
  const othersTo = groupArgument(block, 'others_to');
  if (group === undefined || othersTo === undefined) return [];
  const exclusive = readStackText(block['exclusive']);
  return [
    {
      kind: 'members',
      place: `group[${index}]`,
      title: 'the members',
      group,
      hosts: entries.flatMap((entry) => (isSameGroup(entry.group, group) ? (entry.id ?? []) : [])),
      exclusive: isLater(exclusive) ? 'later' : knownText(exclusive) === 'true',
      othersTo,
    },
  ];
}

function isAsked(text: StackText | undefined): boolean | 'later' {
  return isLater(text) ? 'later' : text !== undefined;
}

function deletionOf(ensure: StackText | undefined): HostClaim['deletes'] {
  if (isLater(ensure)) return 'later';
  return knownText(ensure) === 'absent' ? 'now' : 'never';
}
