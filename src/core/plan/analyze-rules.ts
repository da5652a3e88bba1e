import {
  type ExampleValue,
  type ExampleValues,
  exampleValues,
} from '../expression/running/example-values.ts';
import { namePrefixes } from '../expression/running/name-prefixes.ts';
import { quoted } from '../lib/words.ts';
import type { Desired, Rule } from '../model/desired.ts';
import type { Condition, ExpressionSubject } from '../model/expression.ts';
import { noFacts } from '../model/facts.ts';
import { type HostId, ungroupedId } from '../model/observed.ts';
import { note, type Problem, warning } from '../problem/problem.ts';
import { everySet, maySet, type RuleSets, setsAttribute } from './intents/rule-book.ts';

/** A rule with its condition, begun for all examples. */
export interface AskedRule extends Rule {
  readonly ask: ReturnType<Condition['begin']>;
  /** How the name of each host begins that it matches; undefined if that is not known. */
  readonly prefixes: readonly string[] | undefined;
}

/** Rules with more combinations are not analyzed. */
const mostExamples = 5_000;

/**
 * Rules that match no host, rules that set nothing because earlier ones set it, and pairs that set one attribute of one
 * host to different values, each with such a host. Exact for rules that test only the facts of `exampleValues`; nothing
 * is reported about others.
 */
export function analyzeRules({
  rules,
  placeOfRule,
}: Pick<Desired, 'rules' | 'placeOfRule'>): readonly Problem[] {
  const known = askedRules(rules);
  return known.flatMap((rule, index): readonly Problem[] => {
    const place = placeOfRule(rule.index, 'when');
    const earlier = known
      .slice(0, index)
      .filter((each) => each.ofAnyAge === undefined && setsSame(each, rule) && meet(each, rule));
    const examples = examplesOf([rule, ...earlier]);
    if (examples === undefined) return [];
    const matched = examples.filter((each) => holds(rule, each) !== 'no');
    const first = matched.find((each) => holds(rule, each) === 'yes') ?? matched[0];
    if (first === undefined)
      return [
        warning(
          'rule-without-effect',
          `rule ${quoted(rule.name)} matches no host: its "when" contradicts itself`,
          {
            place,
            hint: 'correct its "when", or remove the rule',
          },
        ),
      ];
    const wins = matched.some((each) =>
      everySet.some((set) => winner(set, each, [...earlier, rule]) === rule),
    );
    if (!wins) return [shadowed(rule, first, earlier, place)];
    return overlap(rule, matched, earlier, place);
  });
}

/** The rules for which an analysis is exact, and the stages of such rules, as if hosts could be offline for any time. */
export function askedRules(rules: readonly Rule[]): readonly AskedRule[] {
  return rules.flatMap((rule): readonly AskedRule[] => {
    const when = rule.ofAnyAge ?? rule.when;
    if (exampleValues([when]) === undefined) return [];
    return [{ ...rule, ask: when.begin(), prefixes: namePrefixes(when) }];
  });
}

function shadowed(
  rule: AskedRule,
  example: ExpressionSubject,
  earlier: readonly AskedRule[],
  place: Problem['place'],
): Problem {
  const by = [...new Set(everySet.flatMap((set) => winner(set, example, earlier) ?? []))];
  const why =
    by.length === 0
      ? 'a fact that it tests is unknown wherever it matches'
      : `earlier rules set all that it sets, for example ${by.map(({ name }) => quoted(name)).join(' and ')} for ${hostWords(example)}`;
  return warning('rule-without-effect', `rule ${quoted(rule.name)} sets nothing: ${why}`, {
    ...(place === undefined ? {} : { place }),
    hint: 'move it before them, make their "when" narrower, or remove the rule',
  });
}

/** The first earlier rule that sets another value for one host. */
function overlap(
  rule: AskedRule,
  matched: readonly ExpressionSubject[],
  earlier: readonly AskedRule[],
  place: Problem['place'],
): readonly Problem[] {
  for (const set of everySet)
    for (const example of matched) {
      const other = winner(set, example, earlier);
      if (other === undefined || !claims(rule, set, example) || valueOf(other, set) === valueOf(rule, set))
        continue;
      const message = `rules ${quoted(other.name)} and ${quoted(rule.name)} both set "${set}" of ${hostWords(example)}: the first one decides`;
      return [note('rules-overlap', message, place === undefined ? {} : { place })];
    }
  return [];
}

function setsSame(a: AskedRule, b: AskedRule): boolean {
  return everySet.some((set) => setsAttribute(a, set) && setsAttribute(b, set));
}

/** Could both match one host? */
export function meet(a: AskedRule, b: AskedRule): boolean {
  const areApart =
    a.prefixes?.every((one) =>
      b.prefixes?.every((other) => !one.startsWith(other) && !other.startsWith(one)),
    ) === true && b.prefixes !== undefined;
  if (areApart) return false;
  return examplesOf([a, b])?.some((each) => holds(a, each) !== 'no' && holds(b, each) !== 'no') ?? true;
}

function holds(rule: AskedRule, subject: ExpressionSubject): 'no' | 'yes' | 'guess' {
  const held = rule.ask(subject);
  if (!held.ok || !held.value) return 'no';
  return held.guessed === true ? 'guess' : 'yes';
}

function claims(rule: AskedRule, attribute: RuleSets, subject: ExpressionSubject): boolean {
  if (!setsAttribute(rule, attribute)) return false;
  const held = holds(rule, subject);
  return held !== 'no' && maySet(rule, attribute, held === 'guess');
}

export function winner(
  attribute: RuleSets,
  subject: ExpressionSubject,
  rules: readonly AskedRule[],
): AskedRule | undefined {
  return rules.find((each) => claims(each, attribute, subject));
}

function valueOf(rule: AskedRule, attribute: RuleSets): string {
  switch (attribute) {
    case 'rename':
      return rule.rename?.source ?? '';
    case 'group':
      return JSON.stringify(rule.group ?? null);
    case 'antivirus':
      return 'install';
    case 'ensure':
      return rule.ensure ?? '';
  }
}

/** A host for each combination of values that matters to these rules; undefined if there are too many. */
export function examplesOf(rules: readonly AskedRule[]): readonly ExpressionSubject[] | undefined {
  const values = exampleValues(rules.map(({ when, ofAnyAge }) => ofAnyAge ?? when));
  if (values === undefined) return undefined;
  const count = [...values.values()].reduce((product, each) => product * each.length, 1);
  return count > mostExamples ? undefined : combinations(values).map(toSubject);
}

function combinations(values: ExampleValues): readonly ReadonlyMap<string, ExampleValue>[] {
  return [...values].reduce<readonly ReadonlyMap<string, ExampleValue>[]>(
    (all, [fact, each]) => all.flatMap((known) => each.map((value) => new Map([...known, [fact, value]]))),
    [new Map()],
  );
}

function toSubject(facts: ReadonlyMap<string, ExampleValue>): ExpressionSubject {
  const text = (fact: string, usual = '') => String(facts.has(fact) ? facts.get(fact) : usual);
  const id = text('host.id', '1') as HostId;
  const name = text('host.name', 'HOST');
  const installed = facts.get('host.antivirus.installed') as boolean | undefined;
  const fields = [...facts].flatMap(([fact, value]) => {
    const [path, key] = fact.split('\n');
    return path === 'host.customFields' && key !== undefined ? [[key, String(value)] as const] : [];
  });
  return {
    id,
    name,
    group: text('host.group'),
    host: {
      id,
      name: name === '' ? null : name,
      groupId: ungroupedId,
      online: facts.get('host.online') !== false,
      ...(installed === undefined ? {} : { antivirus: { installed, supported: true } }),
    },
    facts: { ...noFacts, customFieldsOf: () => Object.fromEntries(fields) },
  };
}

/** `a host named "BER-1" in group "Berlin"`. */
export function hostWords({ name, group, host, facts }: ExpressionSubject): string {
  const fields = Object.entries(facts.customFieldsOf(host.id) ?? {}).filter(([, value]) => value !== '');
  return [
    name === '' ? 'a host without a name' : `a host named ${quoted(name)}`,
    group === '' ? 'in no group' : `in group ${quoted(group)}`,
    ...(host.online ? [] : ['that is offline']),
    ...fields.map(([key, value]) => `with ${quoted(value)} in the custom field ${quoted(key)}`),
  ].join(' ');
}
