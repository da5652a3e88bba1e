import { quoted } from '../../../core/lib/quoted.ts';
import type { Desired } from '../../../core/model/desired.ts';
import type { Entry } from '../../../core/model/entry.ts';
import type { GroupIntent } from '../../../core/model/group.ts';
import { formatPlace } from '../../../core/problem/place.ts';
import { readDesired } from '../../../input/read-desired.ts';
import { type Claim, type HostClaim, isSameGroup, type RuleClaim, type SaidGroup, titleOf } from './claim.ts';
import { hostsOfCondition } from './rule-hosts.ts';
import { isLater } from './said.ts';
import { type StoodIn, standInsFor } from './stand-ins.ts';

interface Remembered {
  readonly file: string;
  readonly content: string;
  readonly claims: readonly Claim[];
}

/** Each rule reads each fleet at each synth, and most find it unchanged. */
const remembered = new WeakMap<object, Remembered>();

/** The claims of a desired state. Its text is in Terraform's template language, as in the resource. */
export function claimsOfContent(content: string, file: string, resource: object): readonly Claim[] {
  const before = remembered.get(resource);
  if (before?.content === content && before.file === file) return before.claims;
  const claims = readClaims(content, file);
  remembered.set(resource, { file, content, claims });
  return claims;
}

function readClaims(content: string, file: string): readonly Claim[] {
  const stoodIn = standInsFor(content);
  if (stoodIn === undefined) return [{ kind: 'unread', title: file, why: 'later' }];
  const read = readDesired([{ file, text: stoodIn.text }]);
  if (read.ok) {
    const entries = entriesOf(read.value, stoodIn);
    return [...entries, ...rulesOf(read.value, stoodIn), ...exclusiveGroupsOf(read.value, stoodIn, entries)];
  }
  if (isLater(stoodIn.said(stoodIn.text))) return [{ kind: 'unread', title: file, why: 'later' }];
  const [first] = read.problems.filter(({ severity }) => severity === 'error');
  const place = first?.place === undefined ? {} : { place: formatPlace(first.place) };
  return [{ kind: 'unread', ...place, title: file, why: { problem: first?.message ?? 'it is not valid' } }];
}

function entriesOf(desired: Desired, { said }: StoodIn): readonly HostClaim[] {
  return Array.from({ length: desired.count }, (_, index) => {
    const entry = desired.at(index);
    const { name, group, antivirus, ensure, ignore } = entry;
    const id = entry.id === undefined ? undefined : said(entry.id);
    const called = name === undefined ? undefined : said(name);
    return {
      kind: 'host',
      place: formatPlace(desired.placeOf(index)),
      title: titleOf(id, called),
      ...(id === undefined ? {} : { id }),
      ...(called === undefined || ignore?.includes('name') === true ? {} : { name: called }),
      previously: callsOf(entry).map(said),
      ...(group === undefined || ignore?.includes('group') === true ? {} : { group: saidGroup(group, said) }),
      antivirus: antivirus && ignore?.includes('antivirus') !== true,
      deletes: ensure === 'absent' ? 'now' : 'never',
    };
  });
}

/** Other names that the host may have now. */
function callsOf({ id, current, previously }: Entry): readonly string[] {
  if (current !== undefined) return [current];
  return id === undefined ? previously : [];
}

function rulesOf(desired: Desired, { said }: StoodIn): readonly RuleClaim[] {
  return desired.rules.map((rule, index) => {
    const { name, when, rename, group, antivirus, ensure } = rule;
    return {
      kind: 'rule',
      place: formatPlace(desired.placeOfRule(index)),
      title: `the rule ${quoted(name)}`,
      hosts: hostsOfCondition({ text: when.source, said }),
      renames: rename !== undefined,
      ...(group === undefined ? {} : { group: saidGroup(group, said) }),
      antivirus,
      deletes: ensure === 'absent',
    };
  });
}

function exclusiveGroupsOf(
  desired: Desired,
  { said }: StoodIn,
  entries: readonly HostClaim[],
): readonly Claim[] {
  return desired.policy.groups.flatMap(({ group: intent, exclusive, othersTo, place }) => {
    if (!exclusive || othersTo === undefined) return [];
    const group = saidGroup(intent, said);
    return {
      kind: 'members',
      place: formatPlace(place),
      title: 'the members',
      group,
      hosts: entries.flatMap((entry) => (isSameGroup(entry.group, group) ? (entry.id ?? []) : [])),
      exclusive,
      othersTo: saidGroup(othersTo.group, said),
    };
  });
}

function saidGroup(intent: GroupIntent, said: StoodIn['said']): SaidGroup {
  if (intent.kind === 'ungrouped') return intent;
  const text = said(intent.kind === 'named' ? intent.name : intent.id);
  return isLater(text) ? text : intent;
}
