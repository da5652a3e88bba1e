import type { Entry, IgnoredAttribute } from '../../model/entry.ts';
import type { GroupIntent, Observed, ObservedHost } from '../../model/observed.ts';
import type { Claim } from './claim.ts';
import type { Match, Matching } from './matching.ts';
import type { RuleBook, RuleClaims } from './rule-book.ts';

/** All requests for one host, and the origin of each attribute. An undefined attribute is not managed. */
export interface Intent {
  readonly host: ObservedHost;
  /** The entry for this host. */
  readonly entry?: Entry | undefined;
  readonly name?: { readonly to: string; readonly claim: Claim } | undefined;
  readonly group?: { readonly intent: GroupIntent; readonly claim: Claim } | undefined;
  readonly antivirus?: Claim | undefined;
  /** Set if the host should be deleted. */
  readonly absent?: Claim | undefined;
}

/**
 * The intents of every managed host: those with an entry in the order of entries, then those of rules in the order of
 * the list.
 */
export function collectIntents(matching: Matching, observed: Observed, book: RuleBook): readonly Intent[] {
  const intents: Intent[] = matching.matches().map((match) => intentOfMatch(match, book));
  if (book.isEmpty) return intents;
  // Entries that could mean several hosts match none of them, and each has a problem.
  const hasClaims = matching.count > 0 || matching.problems.length > 0;
  for (let place = 0; place < observed.count; place += 1) {
    if (hasClaims && matching.mayBeClaimed(observed.idAt(place))) continue;
    const claims = book.claimsAt(place);
    if (claims !== undefined) intents.push(intentOf(observed.at(place), claims));
  }
  return intents;
}

export function intentOfMatch({ entry, host }: Match, book: RuleBook): Intent {
  return entry.ensure === 'absent'
    ? { host, entry, absent: { kind: 'entry', index: entry.index } }
    : intentOf(host, book.claimsOn(host, entry), entry);
}

/** The intent of a host with an entry, or of one that is left to the rules. */
export function intentFor(host: ObservedHost, entry: Entry | undefined, book: RuleBook): Intent {
  return entry === undefined ? intentOf(host, book.claimsOn(host)) : intentOfMatch({ entry, host }, book);
}

const noClaims: RuleClaims = {};
const none: readonly IgnoredAttribute[] = [];

function intentOf(host: ObservedHost, claims = noClaims, entry?: Entry): Intent {
  if (claims.ensure?.ensure === 'absent') return { host, absent: { kind: 'rule', rule: claims.ensure } };
  const ignored = entry?.ignore ?? none;
  const own: OwnClaim | undefined = entry && { entry, claim: { kind: 'entry', index: entry.index } };
  return {
    host,
    entry,
    name: ignored.includes('name') ? undefined : nameIntent(claims, own),
    group: ignored.includes('group') ? undefined : groupIntent(claims, own),
    antivirus: ignored.includes('antivirus') ? undefined : antivirusClaim(claims, own),
    absent: undefined,
  };
}

interface OwnClaim {
  readonly entry: Entry;
  readonly claim: Claim;
}

function nameIntent(claims: RuleClaims, own: OwnClaim | undefined): Intent['name'] {
  return own?.entry.name === undefined ? claims.name : { to: own.entry.name, claim: own.claim };
}

function groupIntent({ group: rule }: RuleClaims, own: OwnClaim | undefined): Intent['group'] {
  if (own?.entry.group !== undefined) return { intent: own.entry.group, claim: own.claim };
  return rule?.group === undefined ? undefined : { intent: rule.group, claim: { kind: 'rule', rule } };
}

function antivirusClaim({ antivirus: rule }: RuleClaims, own: OwnClaim | undefined): Claim | undefined {
  if (own?.entry.antivirus === true) return own.claim;
  return rule === undefined ? undefined : { kind: 'rule', rule };
}
