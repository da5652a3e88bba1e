import { quoted } from '../../core/lib/words.ts';
import type { Desired } from '../../core/model/desired.ts';
import type { Entry } from '../../core/model/entry.ts';
import type { GroupIntent } from '../../core/model/observed.ts';
import { formatPlace } from '../../core/problem/problem.ts';
import { readDesired } from '../../input/read-desired.ts';
import {
  type HostClaim,
  isSameGroup,
  type RuleClaim,
  type StackClaim,
  type StackGroup,
  titleOf,
} from './claim.ts';
import { hostsOfCondition } from './rule-hosts.ts';
import { isLater } from './stack-text.ts';
import { type TextWithStandIns, withStandIns } from './stand-ins.ts';

interface Remembered {
  readonly file: string;
  readonly content: string;
  readonly claims: readonly StackClaim[];
}

/** Each rule reads each fleet at each synth, and most find it unchanged. */
const remembered = new WeakMap<object, Remembered>();

/** The claims of a desired state. Its text is in Terraform's template language, as in the resource. */
export function claimsOfContent(content: string, file: string, resource: object): readonly StackClaim[] {
  const before = remembered.get(resource);
  if (before?.content === content && before.file === file) return before.claims;
  const claims = readClaims(content, file);
  remembered.set(resource, { file, content, claims });
  return claims;
}

function readClaims(content: string, file: string): readonly StackClaim[] {
  const standIns = withStandIns(content);
  if (standIns === undefined) return [{ kind: 'unread', title: file, why: 'later' }];
  const read = readDesired([{ file, text: standIns.text }]);
  if (read.ok) {
    const entries = entriesOf(read.value, standIns);
    return [
      ...entries,
      ...rulesOf(read.value, standIns),
      ...exclusiveGroupsOf(read.value, standIns, entries),
    ];
  }
  if (isLater(standIns.original(standIns.text))) return [{ kind: 'unread', title: file, why: 'later' }];
  const [first] = read.problems.filter(({ severity }) => severity === 'error');
  const place = first?.place === undefined ? {} : { place: formatPlace(first.place) };
  return [{ kind: 'unread', ...place, title: file, why: { problem: first?.message ?? 'it is not valid' } }];
}

function entriesOf(desired: Desired, { original }: TextWithStandIns): readonly HostClaim[] {
  return Array.from({ length: desired.count }, (_, index) => {
    const entry = desired.at(index);
    const { name, group, antivirus, ensure, ignore } = entry;
    const id = entry.id === undefined ? undefined : original(entry.id);
    const text = name === undefined ? undefined : original(name);
    return {
      kind: 'host',
      place: formatPlace(desired.placeOf(index)),
      title: titleOf(id, text),
      ...(id === undefined ? {} : { id }),
      ...(text === undefined || ignore?.includes('name') === true ? {} : { name: text }),
      previously: otherNamesOf(entry).map(original),
      ...(group === undefined || ignore?.includes('group') === true
        ? {}
        : { group: stackGroup(group, original) }),
      antivirus: antivirus && ignore?.includes('antivirus') !== true,
      deletes: ensure === 'absent' ? 'now' : 'never',
    };
  });
}

/** Other names that the host may have now. */
function otherNamesOf({ id, current, previously }: Entry): readonly string[] {
  if (current !== undefined) return [current];
  return id === undefined ? previously : [];
}

function rulesOf(desired: Desired, { original }: TextWithStandIns): readonly RuleClaim[] {
  return desired.rules.map((rule, index) => {
    const { name, when, rename, group, antivirus, ensure } = rule;
    return {
      kind: 'rule',
      place: formatPlace(desired.placeOfRule(index)),
      title: `the rule ${quoted(name)}`,
      hosts: hostsOfCondition({ text: when.source, original }),
      renames: rename !== undefined,
      ...(group === undefined ? {} : { group: stackGroup(group, original) }),
      antivirus,
      deletes: ensure === 'absent',
    };
  });
}

function exclusiveGroupsOf(
  desired: Desired,
  { original }: TextWithStandIns,
  entries: readonly HostClaim[],
): readonly StackClaim[] {
  return desired.policy.groups.flatMap(({ group: intent, exclusive, othersTo, place }) => {
    if (!exclusive || othersTo === undefined) return [];
    const group = stackGroup(intent, original);
    return {
      kind: 'members',
      place: formatPlace(place),
      title: 'the members',
      group,
      hosts: entries.flatMap((entry) => (isSameGroup(entry.group, group) ? (entry.id ?? []) : [])),
      exclusive,
      othersTo: stackGroup(othersTo.group, original),
    };
  });
}

function stackGroup(intent: GroupIntent, original: TextWithStandIns['original']): StackGroup {
  if (intent.kind === 'ungrouped') return intent;
  const text = original(intent.kind === 'named' ? intent.name : intent.id);
  return isLater(text) ? text : intent;
}
