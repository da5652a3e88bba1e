import { quoted } from '../../core/lib/quoted.ts';
import type { Rule, RuleAttribute } from '../../core/model/rule.ts';
import type { Place } from '../../core/problem/place.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { ruleKeys } from '../schema/file-keys.ts';
import type { SourceText, Span } from '../sources/source-text.ts';
import type { Member, YamlNode } from '../sources/yaml-tree.ts';
import { readGroup } from '../values/read-group.ts';
import { readMember, readMembers, valueSpan } from '../values/read-members.ts';
import { readText } from '../values/read-text.ts';
import { readWord } from '../values/read-word.ts';
import { type Reading, report } from '../values/reading.ts';
import { describeKind } from '../values/scalar-kind.ts';
import { readCondition, readTemplate } from './read-expression.ts';

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
  if (rules.value.kind !== 'sequence') {
    report(
      reading,
      valueSpan(rules),
      'wrong-type',
      `"rules" must be a list, not ${describeKind(rules.value)}`,
      { hint: example },
    );
    return [];
  }
  return rules.value.items.flatMap((item) => readRule(reading, item) ?? []);
}

function readRule(reading: Reading, node: YamlNode): PlacedRule | undefined {
  const members = readMembers(reading, node, ruleKeys, { what: 'a rule', example });
  if (members === undefined || node.kind !== 'mapping') return undefined;
  const first = node.members[0];
  const span = first === undefined ? node : { start: first.key.start, end: first.value.end };
  const name = readMember(members.name, (value, at) => readText(reading, value, 'the name of a rule', at));
  const when = readMember(members.when, (value, at) => readCondition(reading, value, '"when"', at, 'host'));
  const group = readMember(members.group, (value, at) => readGroup(reading, value, at));
  const rename = readMember(members.rename, (value, at) => readTemplate(reading, value, '"rename"', at));
  const antivirus = readMember(members.antivirus, (value, at) =>
    readWord(reading, value, '"antivirus"', ['installed'], at),
  );
  const ensure = readMember(members.ensure, (value, at) =>
    readWord(reading, value, '"ensure"', ['present', 'absent'], at),
  );

  for (const key of ['name', 'when'] as const) {
    if (members[key] !== undefined) continue;
    report(reading, span, 'missing-key', `a rule needs a "${key}"`, {
      hint:
        key === 'name'
          ? 'add a name: plans use it to report which rule requested a change'
          : 'add an expression that selects hosts; for all hosts, write when: "true"',
    });
  }
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
    rule: {
      name,
      when,
      ...(group === undefined ? {} : { group }),
      ...(rename === undefined ? {} : { rename }),
      antivirus: antivirus !== undefined,
      ...(ensure === undefined ? {} : { ensure }),
    },
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
