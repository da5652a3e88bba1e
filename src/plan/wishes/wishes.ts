import type { Entry, IgnoredAttribute } from '../../model/desired.ts';
import type { GroupWish } from '../../model/group.ts';
import type { Observed, ObservedHost } from '../../model/observed.ts';
import type { Claim } from './claim.ts';
import type { Match, Matching } from './match.ts';
import type { RuleBook, RuleClaims } from './rule-book.ts';

/** All that is asked for one host, and by whom. An attribute that is absent is not managed. */
export interface Wish {
  readonly host: ObservedHost;
  /** The entry that means this host. */
  readonly entry?: Entry;
  readonly name?: { readonly to: string; readonly claim: Claim };
  readonly group?: { readonly wish: GroupWish; readonly claim: Claim };
  readonly antivirus?: Claim;
  /** It is to be deleted. */
  readonly absent?: Claim;
}

/** Of every managed host: those with an entry in the entries' order, then those of rules in the list's order. */
export function collectWishes(matching: Matching, observed: Observed, book: RuleBook): readonly Wish[] {
  const wishes: Wish[] = matching.matches.map((match) => wishOfMatch(match, book));
  if (book.isEmpty) return wishes;
  for (let index = 0; index < observed.count; index += 1) {
    const host = observed.at(index);
    if (matching.isSpokenFor(host.id)) continue;
    const claims = book.claimsOn(host);
    if (claims !== undefined) wishes.push(wishOf(host, claims));
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

function wishOf(host: ObservedHost, claims: RuleClaims = {}, entry?: Entry): Wish {
  if (claims.ensure?.ensure === 'absent') return { host, absent: { kind: 'rule', rule: claims.ensure } };
  const isOurs = (attribute: IgnoredAttribute) => !(entry?.ignore?.includes(attribute) ?? false);
  const name = isOurs('name') ? nameWish(claims, entry) : undefined;
  const group = isOurs('group') ? groupWish(claims, entry) : undefined;
  const antivirus = isOurs('antivirus') ? antivirusClaim(claims, entry) : undefined;
  const wish: Writable<Wish> = { host };
  if (entry !== undefined) wish.entry = entry;
  if (name !== undefined) wish.name = name;
  if (group !== undefined) wish.group = group;
  if (antivirus !== undefined) wish.antivirus = antivirus;
  return wish;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function nameWish(claims: RuleClaims, entry: Entry | undefined): Wish['name'] {
  return entry?.name === undefined ? claims.name : { to: entry.name, claim: { kind: 'entry', entry } };
}

function groupWish({ group: rule }: RuleClaims, entry: Entry | undefined): Wish['group'] {
  if (entry?.group !== undefined) return { wish: entry.group, claim: { kind: 'entry', entry } };
  return rule?.group === undefined ? undefined : { wish: rule.group, claim: { kind: 'rule', rule } };
}

function antivirusClaim({ antivirus: rule }: RuleClaims, entry: Entry | undefined): Claim | undefined {
  if (entry?.antivirus === true) return { kind: 'entry', entry };
  return rule === undefined ? undefined : { kind: 'rule', rule };
}
