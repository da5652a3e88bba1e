import { areSurelyDistinct } from '../../columns/are-distinct.ts';
import type { Desired } from '../../model/desired.ts';
import { foldName } from '../../model/host-name.ts';
import type { HostId, Observed, ObservedHost } from '../../model/observed.ts';
import { type Problem, problem, warning } from '../../problem/problem.ts';
import { placeOfClaim } from './claim.ts';
import { hostList } from './host-list.ts';
import type { Intent } from './intents.ts';

interface Rival extends Intent {
  readonly name: NonNullable<Intent['name']>;
}

/**
 * Names that an entry or a rule requests and that could be a temporary name, folded. Each contains a tilde, which few
 * other names do.
 */
export function claimedTemporaryNames(desired: Desired, intents: Iterable<Intent>): ReadonlySet<string> {
  const names = new Set<string>();
  for (let index = 0; index < desired.count; index += 1) {
    const name = desired.nameAt(index);
    if (name?.includes('~') === true && desired.at(index).ensure === 'present') names.add(foldName(name));
  }
  for (const { name } of intents) if (name?.to.includes('~') === true) names.add(foldName(name.to));
  return names;
}

interface Renamed {
  readonly host: ObservedHost;
  readonly rename?: string | undefined;
}

/**
 * The result of `checkNameClaims` if it would certainly find nothing, judging by the renamed hosts alone: all live names
 * differ, the new names differ, and the owner of each new name gives it up.
 */
export function undisputedNames(changes: readonly Renamed[], observed: Observed): NameCheck | undefined {
  if (observed.hasNamesAlike()) return undefined;
  const renamed = changes.filter(({ rename }) => rename !== undefined);
  const given = renamed.map(({ rename }) => foldName(rename as string));
  if (!areSurelyDistinct(given)) return undefined;
  const isFree = (folded: string) => observed.byFoldedName(folded).length === 0;
  const areFree = given.every(isFree);
  const named = areFree ? [] : renamed.flatMap(({ host }) => host.name ?? []);
  const left = new Set(named.map(foldName));
  return areFree || given.every((folded) => left.has(folded) || isFree(folded))
    ? { contested: new Set(), problems: [], areFree }
    : undefined;
}

export interface NameCheck {
  /** Hosts that are not renamed because another host requests the same name. */
  readonly contested: ReadonlySet<HostId>;
  readonly problems: readonly Problem[];
  /** Is it certain that no live host has a name that a change requests? */
  readonly areFree: boolean;
}

/**
 * Two hosts can't get names that fold alike. If these are the current names of hosts pinned by id, nothing is changed:
 * the fleet already has them, and that is a warning.
 */
export function checkNameClaims(desired: Desired, intents: readonly Intent[], observed: Observed): NameCheck {
  const claims = Map.groupBy(intents.filter(isRival), ({ name }) => foldName(name.to));
  const problems: Problem[] = [];
  const contested = new Set<HostId>();
  for (const [folded, rivals] of claims) {
    const settled = rivals.every((rival) => isPinned(rival) && rival.host.name === rival.name.to);
    if (rivals.length > 1 && !settled) {
      problems.push(claimedTwice(desired, rivals));
      for (const { host } of rivals) contested.add(host.id);
    } else if (rivals.every(({ name, host }) => host.name === name.to)) {
      problems.push(...liveDuplicates(folded, rivals, desired, observed));
    }
  }
  return { contested, problems, areFree: false };
}

function isRival(intent: Intent): intent is Rival {
  return intent.name !== undefined;
}

/** A rule applies to all hosts that it matches; a name does not decide which. */
function isPinned({ entry }: Rival): boolean {
  return entry === undefined || entry.id !== undefined;
}

function claimedTwice(desired: Desired, rivals: readonly Rival[]): Problem {
  const [first, ...others] = rivals.map(({ name }) => placeOfClaim(desired, name.claim, 'name'));
  const names = [...new Set(rivals.map(({ name }) => `"${name.to}"`))];
  const what = names.length === 1 ? names[0] : `${names.join(' and ')} (equal names to the service)`;
  const rules = new Set(
    rivals.flatMap(({ name }) => (name.claim.kind === 'rule' ? name.claim.rule.name : [])),
  );
  const hosts = rivals.map(({ host }) => host);
  return problem(
    'duplicate-name',
    rules.size === 0
      ? `${what} is requested ${rivals.length} times`
      : `${what} would be the name of ${rivals.length} hosts, by ${ruleWords(rules)}: ${hostList(hosts)}`,
    {
      ...(first === undefined ? {} : { place: first }),
      related: distinct(others, first),
      hint:
        rules.size === 0
          ? 'host names are unique in an account: give one of them another name'
          : 'host names are unique in an account: use a fact that distinguishes these hosts, such as ${host.id}',
      hostIds: hosts.map(({ id }) => id),
    },
  );
}

function ruleWords(rules: ReadonlySet<string>): string {
  return [...rules].map((name) => `rule "${name}"`).join(' and ');
}

/** One rule claims names for many hosts from one place. */
function distinct<P extends { readonly file: string; readonly line: number; readonly col: number }>(
  places: readonly P[],
  first: P | undefined,
): readonly P[] {
  const key = ({ file, line, col }: P) => `${line}:${col} ${file}`;
  const seen = new Set(first === undefined ? [] : [key(first)]);
  return places.filter((place) => seen.size !== seen.add(key(place)).size);
}

function liveDuplicates(
  folded: string,
  rivals: readonly Rival[],
  desired: Desired,
  observed: Observed,
): readonly Problem[] {
  const live = observed.byFoldedName(folded);
  const first = rivals[0];
  if (live.length < 2 || first === undefined) return [];
  return [
    warning('live-duplicate', `${live.length} hosts have the name "${live[0]?.name}"`, {
      place: placeOfClaim(desired, first.name.claim, 'name'),
      hint: `give each host a unique name: ${live.map((host) => host.id).join(', ')}`,
      hostIds: live.map((host) => host.id),
    }),
  ];
}
