import type { Entry, IgnoredAttribute } from '../../model/desired.ts';
import type { GroupWish } from '../../model/group.ts';
import type { Observed, ObservedHost } from '../../model/observed.ts';
import type { Claim } from './claim.ts';
import type { Match, Matching } from './match.ts';
import type { RuleBook, RuleClaims } from './rule-book.ts';

/** All that is asked for one host, and by whom. An attribute that is undefined is not managed. */
export interface Wish {
  readonly host: ObservedHost;
  /** The entry that means this host. */
  readonly entry?: Entry | undefined;
  readonly name?: { readonly to: string; readonly claim: Claim } | undefined;
  readonly group?: { readonly wish: GroupWish; readonly claim: Claim } | undefined;
  readonly antivirus?: Claim | undefined;
  /** It is to be deleted. */
  readonly absent?: Claim | undefined;
}

/** Of every managed host: those with an entry in the entries' order, then those of rules in the list's order. */
export function collectWishes(matching: Matching, observed: Observed, book: RuleBook): readonly Wish[] {
  const wishes: Wish[] = matching.matches().map((match) => wishOfMatch(match, book));
  if (book.isEmpty) return wishes;
  const mayBeSpokenFor = matching.count > 0 || wishes.length > 0;
  for (let place = 0; place < observed.count; place += 1) {
    if (mayBeSpokenFor && matching.isSpokenFor(observed.idAt(place))) continue;
    const claims = book.claimsAt(place);
    if (claims !== undefined) wishes.push(wishOf(observed.at(place), claims));
  }
  return wishes;
}

export function wishOfMatch({ entry, host }: Match, book: RuleBook): Wish {
  return entry.ensure === 'absent'
    ? { host, entry, absent: { kind: 'entry', entry } }
    : wishOf(host, book.claimsOn(host, entry), entry);
}

/** Of a host that an entry means, or that is left to the rules. */
export function wishFor(host: ObservedHost, entry: Entry | undefined, book: RuleBook): Wish {
  return entry === undefined ? wishOf(host, book.claimsOn(host)) : wishOfMatch({ entry, host }, book);
}

const noClaims: RuleClaims = {};
const none: readonly IgnoredAttribute[] = [];

function wishOf(host: ObservedHost, claims = noClaims, entry?: Entry): Wish {
  if (claims.ensure?.ensure === 'absent') return { host, absent: { kind: 'rule', rule: claims.ensure } };
  const ignored = entry?.ignore ?? none;
  const own: EntryClaim | undefined = entry === undefined ? undefined : { kind: 'entry', entry };
  return {
    host,
    entry,
    name: ignored.includes('name') ? undefined : nameWish(claims, own),
    group: ignored.includes('group') ? undefined : groupWish(claims, own),
    antivirus: ignored.includes('antivirus') ? undefined : antivirusClaim(claims, own),
    absent: undefined,
  };
}

type EntryClaim = Extract<Claim, { readonly kind: 'entry' }>;

function nameWish(claims: RuleClaims, own: EntryClaim | undefined): Wish['name'] {
  return own?.entry.name === undefined ? claims.name : { to: own.entry.name, claim: own };
}

function groupWish({ group: rule }: RuleClaims, own: EntryClaim | undefined): Wish['group'] {
  if (own?.entry.group !== undefined) return { wish: own.entry.group, claim: own };
  return rule?.group === undefined ? undefined : { wish: rule.group, claim: { kind: 'rule', rule } };
}

function antivirusClaim({ antivirus: rule }: RuleClaims, own: EntryClaim | undefined): Claim | undefined {
  if (own?.entry.antivirus === true) return own;
  return rule === undefined ? undefined : { kind: 'rule', rule };
}
