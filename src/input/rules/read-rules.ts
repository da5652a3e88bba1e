import { quoted } from '../../core/lib/quoted.ts';
import type { Rule, RuleAttribute } from '../../core/model/rule.ts';
import type { Place } from '../../core/problem/place.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { ruleFields } from '../schema/file-fields.ts';
import type { SourceText, Span } from '../sources/source-text.ts';
import type { Member, YamlNode } from '../sources/yaml-tree.ts';
import { defined, readFields, requireFields } from '../values/read-fields.ts';
import { headOf, readItems } from '../values/read-items.ts';
import { readMembers, valueSpan } from '../values/read-members.ts';
import { type Reading, report } from '../values/reading.ts';

/** A rule with its place, before it gets its index among those of all files. */
export interface PlacedRule {
  readonly rule: Omit<Rule, 'index'>;
  readonly source: SourceText;
  readonly span: Span;
  readonly attributes: Readonly<Partial<Record<RuleAttribute, Span>>>;
}

const example =
  'write, for example: - { name: Berlin, when: \'host.name.startsWith("BER-")\', group: Berlin Servers }';

/** Plans identify a rule by its name, so no two may have the same. */
export function checkRuleNames(rules: readonly PlacedRule[]): readonly Problem[] {
  const first = new Map<string, Place>();
  return rules.flatMap(({ rule, source, span, attributes }) => {
    const place = source.placeOf(attributes.name ?? span);
    const earlier = first.get(rule.name);
    if (earlier === undefined) {
      first.set(rule.name, place);
      return [];
    }
    return problem('duplicate-name', `two rules have the name ${quoted(rule.name)}`, {
      place,
      related: [earlier],
      hint: 'give one of them another name: plans report a rule by its name',
    });
  });
}

/** Reads the items of `rules:`. */
export function readRules(reading: Reading, rules: Member): readonly PlacedRule[] {
  return readItems(reading, rules, example, (item) => readRule(reading, item));
}

function readRule(reading: Reading, node: YamlNode): PlacedRule | undefined {
  const words = { what: 'a rule', example };
  const members = readMembers(reading, node, ruleFields, words);
  if (members === undefined) return undefined;
  const span = headOf(node);
  const { name, when, antivirus, ...optional } = readFields(reading, members, ruleFields);
  const { ensure } = optional;
  requireFields(reading, span, members, ruleFields, words);
  const asks = [members.group, members.rename, members.antivirus, members.ensure];
  if (asks.every((each) => each === undefined)) {
    report(reading, span, 'missing-key', 'the rule sets nothing', {
      hint: 'add "group", "rename", "antivirus" or "ensure: absent"',
    });
  }
  if (ensure === 'absent') {
    for (const member of [members.group, members.rename, members.antivirus]) {
      if (member === undefined) continue;
      report(reading, member.key, 'invalid-value', `absent hosts can't have "${member.key.text}"`, {
        hint: `remove "${member.key.text}", or move it to a separate rule`,
      });
    }
  }
  if (name === undefined || when === undefined) return undefined;
  return {
    rule: { ...defined(optional), name, when, antivirus: antivirus !== undefined },
    source: reading.source,
    span,
    attributes: spansOf(members),
  };
}

function spansOf(members: Readonly<Partial<Record<RuleAttribute, Member>>>): PlacedRule['attributes'] {
  const spans: Partial<Record<RuleAttribute, Span>> = {};
  for (const [attribute, member] of Object.entries(members) as [RuleAttribute, Member][]) {
    const { start, end } = valueSpan(member);
    spans[attribute] = { start, end };
  }
  return spans;
}
