import { quoted } from '../../core/lib/words.ts';
import type { Desired } from '../../core/model/desired.ts';
import type { Entry } from '../../core/model/entry.ts';
import type { GroupIntent } from '../../core/model/observed.ts';
import { formatPlace } from '../../core/problem/problem.ts';
import { readDesired } from '../../input/read-desired.ts';
import { isLater, knownText, type StackText } from './stack-text.ts';
import { type TextWithStandIns, withStandIns } from './stand-ins.ts';

/** The hosts that a rule applies to, if its CEL condition selects all hosts or lists their ids. */
function hostsOfCondition({ text, original }: TextWithStandIns): RuleClaim['hosts'] {
  if (text.trim() === 'true') return 'all';
  const ids = /^host\.id in \[([\d, ]*)\]$/.exec(text.trim())?.[1];
  return ids === undefined ? 'some' : (ids.match(/\d+/g) ?? []).map(original);
}

/** The same for a condition in a stack. */
export function hostsOfArgument(when: unknown): RuleClaim['hosts'] {
  const standIns = typeof when === 'string' ? withStandIns(when) : undefined;
  return standIns === undefined ? 'some' : hostsOfCondition(standIns);
}

/** The group that a stack requests. */
export type StackGroup =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'ungrouped' }
  | { readonly kind: 'later'; readonly expression: string };

interface Placed {
  /** The position in the content of a fleet: `fleet.yaml:3:5`. */
  readonly place?: string;
  /** The name in messages: `host 7`, `the host "BER-WEB-01"`. */
  readonly title: string;
}

/**
 * A stack's claims on one host: from a `rampart_host`, or an entry of a `rampart_fleet`. Absent members claim nothing.
 */
export interface HostClaim extends Placed {
  readonly kind: 'host';
  readonly id?: StackText;
  readonly name?: StackText;
  /** Other names that the host may have now. */
  readonly previously: readonly StackText[];
  readonly group?: StackGroup;
  /** `later`: only Terraform knows. */
  readonly antivirus: boolean | 'later';
  /** When the host is deleted; `later`: only Terraform knows. */
  readonly deletes: 'never' | 'now' | 'with its resource' | 'later';
  /** The address by which other resources of the same stack refer to it: `rampart_host.web`. */
  readonly address?: string;
}

/** The members of a group: from a `rampart_group_members`, or an exclusive group of a `rampart_fleet`. */
export interface MembersClaim extends Placed {
  readonly kind: 'members';
  readonly group: StackGroup;
  readonly hosts: readonly StackText[];
  /** Whether all other hosts are removed from the group, and their new group. */
  readonly exclusive: boolean | 'later';
  readonly othersTo: StackGroup;
}

/** A rule of a `rampart_fleet`. */
export interface RuleClaim extends Placed {
  readonly kind: 'rule';
  /** The hosts that it applies to; `some`: only a plan knows. */
  readonly hosts: 'all' | 'some' | readonly StackText[];
  readonly renames: boolean;
  readonly group?: StackGroup;
  readonly antivirus: boolean;
  readonly deletes: boolean;
}

/** A desired state that can't be read. */
export interface UnreadClaim extends Placed {
  readonly kind: 'unread';
  /** `later`: only Terraform knows the text. */
  readonly why: 'later' | { readonly problem: string };
}

export type StackClaim = HostClaim | MembersClaim | RuleClaim | UnreadClaim;

/** The name of a host in messages. */
export function titleOf(id: StackText | undefined, name: StackText | undefined): string {
  if (id?.kind === 'known') return `host ${id.text}`;
  const text = knownText(name);
  return text === undefined ? 'the host' : `the host ${quoted(text)}`;
}

export function isSameGroup(one: StackGroup | undefined, other: StackGroup): boolean {
  if (one?.kind === 'named') return other.kind === 'named' && one.name === other.name;
  if (one?.kind === 'id') return other.kind === 'id' && one.id === other.id;
  return one?.kind === 'ungrouped' && other.kind === 'ungrouped';
}

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
