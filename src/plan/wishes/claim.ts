import type { Desired, Entry } from '../../model/desired.ts';
import type { Rule } from '../../model/rule.ts';
import type { Place } from '../../problem/place.ts';
import type { Reason } from '../plan.ts';

/** Who decides one attribute of one host. */
export type Claim =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'rule'; readonly rule: Rule }
  /** An earlier run parked the host, and no rule names it now: it goes where the parked name says. */
  | { readonly kind: 'journey'; readonly rule: Rule }
  /** A policy on a whole group. */
  | { readonly kind: 'group'; readonly place: Place };

export type Claimed = 'name' | 'group' | 'antivirus' | 'ensure';

export function placeOfClaim(desired: Desired, claim: Claim, attribute: Claimed): Place {
  switch (claim.kind) {
    case 'entry':
      return desired.placeOf(claim.entry.index, attribute);
    case 'rule':
      return desired.placeOfRule(claim.rule.index, attribute === 'name' ? 'rename' : attribute);
    case 'journey':
      return desired.placeOfRule(claim.rule.index, 'rename');
    case 'group':
      return claim.place;
  }
}

export type Reasons = (claim: Claim, attribute: Claimed) => Reason;

/**
 * A rule's reason is made once for its hosts. Where an entry stands is worked out when somebody looks: for every change
 * of a large table that would take longer than to make its steps.
 */
export function reasonsOf(desired: Desired): Reasons {
  const ofRules = new Map<Rule, Partial<Record<Claimed, Reason>>>();
  return (claim, attribute) => {
    if (claim.kind !== 'rule') return new LazyReason(desired, claim, attribute) as unknown as Reason;
    const { rule } = claim;
    const known = ofRules.get(rule) ?? {};
    ofRules.set(rule, known);
    return (known[attribute] ??= ruleReason(placeOfClaim(desired, claim, attribute), rule));
  };
}

function ruleReason({ file, line, col }: Place, { name }: Rule): Reason {
  return { file, line, col, rule: name };
}

/**
 * A reason that reads its place when somebody looks. Its members are its own, as those of any other reason, and share
 * their getters: a quarter of the memory of an object that is written down with three getters.
 */
class LazyReason {
  readonly #desired: Desired;
  readonly #claim: Claim;
  readonly #attribute: Claimed;
  #place: Place | undefined;

  constructor(desired: Desired, claim: Claim, attribute: Claimed) {
    this.#desired = desired;
    this.#claim = claim;
    this.#attribute = attribute;
    Object.defineProperties(this, LazyReason.#members);
  }

  static readonly #members: PropertyDescriptorMap & ThisType<LazyReason> = Object.fromEntries(
    (['file', 'line', 'col'] as const).map((key) => [
      key,
      {
        enumerable: true,
        get(this: LazyReason) {
          this.#place ??= placeOfClaim(this.#desired, this.#claim, this.#attribute);
          return this.#place[key];
        },
      },
    ]),
  );
}
