import { createMatcher } from '../../expression/running/first-match.ts';
import { printable } from '../../lib/printable.ts';
import type { Entry } from '../../model/desired.ts';
import type { Evaluated } from '../../model/expression.ts';
import type { Facts } from '../../model/facts.ts';
import type { Observed, ObservedHost } from '../../model/observed.ts';
import { readParkedName } from '../../model/parked-name.ts';
import type { Rule } from '../../model/rule.ts';
import type { Claim } from './claim.ts';
import { subjectOf } from './subject.ts';

/** What the rules ask for one host. For each attribute by itself, the first rule that matches and sets it wins. */
export interface RuleClaims {
  readonly name?: { readonly to: string; readonly claim: Claim };
  readonly group?: Rule;
  readonly antivirus?: Rule;
  readonly ensure?: Rule;
}

/** A rule that has no answer for a host: its condition or its name can't be computed. */
export interface RuleFault {
  readonly rule: Rule;
  readonly attribute: 'when' | 'rename';
  readonly host: ObservedHost;
  readonly message: string;
}

/** A name with blanks at its ends, or with characters that can't be seen. */
export interface DoubtfulName {
  readonly rule: Rule;
  readonly host: ObservedHost;
  readonly name: string;
}

export interface RuleBook {
  readonly isEmpty: boolean;
  /** Undefined where no rule matches; what an entry decides is not asked for. */
  claimsOn(host: ObservedHost, entry?: Entry): RuleClaims | undefined;
  /** Of all hosts asked about so far. */
  faults(): readonly RuleFault[];
  /** Names that were made, and deserve a second look. */
  doubtful(): readonly DoubtfulName[];
  /** Hosts under a parked name that no rule names any more, and that are sent where it says. */
  landed(): readonly ObservedHost[];
}

export function createRuleBook(rules: readonly Rule[], observed: Observed, facts: Facts): RuleBook {
  const faults: RuleFault[] = [];
  const landed: ObservedHost[] = [];
  const doubtful: DoubtfulName[] = [];
  const match = createMatcher(rules.map(({ when }) => when));
  const naming = rules.find((rule) => rule.rename !== undefined);

  return {
    isEmpty: rules.length === 0,
    claimsOn(host, entry) {
      if (rules.length === 0) return undefined;
      const subject = subjectOf(host, observed, facts);
      const { matches, faults: undecided } = match(subject);
      for (const { index, fault } of undecided) {
        faults.push({ rule: rules[index] as Rule, attribute: 'when', host, message: fault.message });
      }
      if (matches.length === 0 && subject.name === host.name) return undefined;
      const first: { -readonly [A in 'name' | 'group' | 'antivirus' | 'ensure']?: Rule } = {};
      for (const index of matches) {
        const rule = rules[index] as Rule;
        if (rule.rename !== undefined && entry?.name === undefined) first.name ??= rule;
        if (rule.group !== undefined && entry?.group === undefined) first.group ??= rule;
        if (rule.antivirus && entry?.antivirus !== true) first.antivirus ??= rule;
        if (rule.ensure !== undefined && entry === undefined) first.ensure ??= rule;
      }
      if (first.ensure?.ensure === 'absent') return { ensure: first.ensure };
      const name = entry?.name === undefined ? nameFor(first.name, host, subject) : undefined;
      if (matches.length === 0 && name === undefined) return undefined;
      const { name: _, ...others } = first;
      return name === undefined ? others : { ...others, name };
    },
    faults: () => faults,
    doubtful: () => doubtful,
    landed: () => landed,
  };

  function nameFor(
    rule: Rule | undefined,
    host: ObservedHost,
    subject: ReturnType<typeof subjectOf>,
  ): RuleClaims['name'] {
    if (rule?.rename !== undefined) {
      const rendered = checkName(rule.rename.render(subject));
      if (rendered.ok) {
        const name = rendered.value;
        if (name !== name.trim() || printable(name) !== name) doubtful.push({ rule, host, name });
        return { to: name, claim: { kind: 'rule', rule } };
      }
      faults.push({ rule, attribute: 'rename', host, message: rendered.fault.message });
      return undefined;
    }
    const isOnItsWay =
      naming !== undefined && subject.name !== host.name && readParkedName(host.name)?.kind === 'wanted';
    if (!isOnItsWay) return undefined;
    landed.push(host);
    return { to: subject.name, claim: { kind: 'journey', rule: naming } };
  }
}

function checkName(rendered: Evaluated<string>): Evaluated<string> {
  if (!rendered.ok) return rendered;
  if (rendered.value.trim() === '') return { ok: false, fault: { message: 'the name would be empty' } };
  if (readParkedName(rendered.value) !== undefined) {
    const message = `names like "${rendered.value}" are kept for hosts on their way to another name`;
    return { ok: false, fault: { message } };
  }
  return rendered;
}
