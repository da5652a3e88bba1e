import { compileCondition } from '../../core/expression/compile.ts';
import { defined } from '../../core/lib/defined.ts';
import { quoted } from '../../core/lib/words.ts';
import type { Rule, RuleAttribute } from '../../core/model/desired.ts';
import type { Condition } from '../../core/model/expression.ts';
import { ruleFields, stageFields } from '../schema/file-fields.ts';
import type { Member, SourceText, Span, YamlNode } from '../sources/source-text.ts';
import { readSection } from '../values/read-fields.ts';
import { type Reading, readItems, report, valueSpan } from '../values/reading.ts';

/** A rule with its place, before it gets its index among those of all files. */
export interface PlacedRule {
  readonly rule: Omit<Rule, 'index'>;
  readonly source: SourceText;
  readonly span: Span;
  readonly attributes: Readonly<Partial<Record<RuleAttribute, Span>>>;
}

const example =
  'write, for example: - { name: Berlin, when: \'host.name.startsWith("BER-")\', group: Berlin Servers }';

/** Reads the items of `rules:`. */
export function readRules(reading: Reading, rules: Member | undefined): readonly PlacedRule[] {
  return readItems(reading, rules, example, (item) => readRule(reading, item)).flat();
}

/** The rules of the stages of a rule, then the rule itself if it sets something. */
function readRule(reading: Reading, node: YamlNode): readonly PlacedRule[] | undefined {
  const section = readSection(reading, node, ruleFields, { what: 'a rule', example });
  if (section === undefined) return undefined;
  const { members, head: span } = section;
  const { name, when, antivirus, ...optional } = section.values;
  const { ensure } = optional;
  const asks = [members.group, members.rename, members.antivirus, members.ensure];
  const isEmpty = asks.every((each) => each === undefined);
  if (isEmpty && members.stages === undefined) {
    report(reading, span, 'missing-key', 'the rule sets nothing', {
      hint: 'add "group", "rename", "antivirus", "ensure: absent" or "stages"',
    });
  }
  if (members.successor !== undefined && members.rename === undefined) {
    report(reading, members.successor.key, 'missing-key', '"successor" needs "rename"', {
      hint: 'add "rename", or remove "successor"',
    });
  }
  if (ensure === 'absent') {
    for (const member of [members.group, members.rename, members.antivirus, members.stages]) {
      if (member === undefined) continue;
      report(reading, member.key, 'invalid-value', `absent hosts can't have "${member.key.text}"`, {
        hint: `remove "${member.key.text}", or move it to a separate rule`,
      });
    }
  }
  if (name === undefined || when === undefined) return undefined;
  const stages = members.stages === undefined ? [] : readStages(reading, members.stages, { name, when });
  if (isEmpty) return stages;
  const rule = { ...defined(optional), name, when, antivirus: antivirus !== undefined };
  return [...stages, { rule, source: reading.source, span, attributes: spansOf(members) }];
}

type StagedRule = Pick<Rule, 'name' | 'when'>;
type PlacedStage = PlacedRule & { readonly afterMs: number };

/** The last stage comes first, because the first rule that matches a host and sets an attribute wins. */
function readStages(reading: Reading, stages: Member, staged: StagedRule): readonly PlacedRule[] {
  const read = readItems(reading, stages, stageExample, (item) => readStage(reading, item, staged));
  if (stages.value.kind === 'sequence' && stages.value.items.length === 0)
    report(reading, valueSpan(stages), 'invalid-value', '"stages" is empty', { hint: stageExample });
  for (const [index, { afterMs, rule, span, attributes }] of read.entries()) {
    const next = read[index + 1];
    if (next === undefined) break;
    if (next.afterMs <= afterMs) {
      const message = 'a stage must begin later than the stage before it';
      report(reading, next.attributes.when ?? next.span, 'invalid-value', message, {
        hint: 'sort the stages by "after"',
      });
      return [];
    }
    if (rule.ensure !== undefined) {
      const message = 'no stage can follow a stage that deletes the host';
      report(reading, attributes.ensure ?? span, 'invalid-value', message, {
        hint: 'make the stage with "ensure: absent" the last one',
      });
    }
  }
  return read.toReversed();
}

const stageExample =
  'write, for example, stages: [{ after: 90d, group: Quarantine }, { after: 180d, ensure: absent }]';

/** A stage becomes a rule for those hosts of its rule that have been offline for longer than its age. */
function readStage(reading: Reading, node: YamlNode, { name, when }: StagedRule): PlacedStage | undefined {
  const section = readSection(reading, node, stageFields, { what: 'a stage', example: stageExample });
  if (section === undefined) return undefined;
  const { members, head: span } = section;
  const { after: afterMs, ...sets } = section.values;
  if ((members.group === undefined) === (members.ensure === undefined)) {
    const message = 'a stage needs "group" or "ensure: absent", and not both';
    return report(reading, span, 'missing-key', message, { hint: stageExample });
  }
  if (afterMs === undefined || members.after?.value.kind !== 'scalar') return undefined;
  const offline = `!host.online && (${when.source})`;
  const aged = compile(`${offline} && age(host.stateChangedAt) > duration("${afterMs / 1000}s")`);
  const ofAnyAge = compile(offline);
  if (aged === undefined || ofAnyAge === undefined) {
    const message = `the "when" of rule ${quoted(name)} is too long for a rule with stages`;
    return report(reading, span, 'invalid-expression', message, { hint: 'make it shorter' });
  }
  const title = `${name} (after ${members.after.value.text})`;
  const rule = { ...defined(sets), name: title, when: aged, antivirus: false, ofAnyAge };
  const attributes = { ...spansOf(members), when: valueSpan(members.after) };
  return { rule, source: reading.source, span, attributes, afterMs };

  function compile(text: string): Condition | undefined {
    const compiled = compileCondition(text, 'rule', reading.tables);
    return compiled.ok ? compiled.value : undefined;
  }
}

function spansOf(members: Readonly<Partial<Record<RuleAttribute, Member>>>): PlacedRule['attributes'] {
  const spans: Partial<Record<RuleAttribute, Span>> = {};
  for (const [attribute, member] of Object.entries(members) as [RuleAttribute, Member][]) {
    const { start, end } = valueSpan(member);
    spans[attribute] = { start, end };
  }
  return spans;
}
