import type { Rule } from '../../src/core/model/desired.ts';
import type { Evaluated, ExpressionSubject } from '../../src/core/model/expression.ts';
import { needsNothing } from '../../src/core/model/facts.ts';
import type { GroupIntent } from '../../src/core/model/observed.ts';

type Answer<T> = (subject: ExpressionSubject) => T | Error;

export interface GivenRule {
  readonly name?: string;
  readonly when?: Answer<boolean>;
  readonly rename?: Answer<string>;
  readonly group?: GroupIntent;
  readonly antivirus?: true;
  readonly ensure?: 'present' | 'absent';
}

/** Rules whose expressions are functions; an Error that a function returns is its fault. */
export function givenRules(rules: readonly GivenRule[]): readonly Rule[] {
  return rules.map(({ name, when = () => true, rename, group, antivirus, ensure }, index) => ({
    index,
    name: name ?? `rule ${index + 1}`,
    when: expression(when),
    ...(group === undefined ? {} : { group }),
    ...(rename === undefined ? {} : { rename: expression(rename) }),
    antivirus: antivirus ?? false,
    ...(ensure === undefined ? {} : { ensure }),
  }));
}

/** A condition if it answers with a truth value, a template if with a text. */
const expression = <T>(answer: Answer<T>) => ({
  source: 'a function',
  needs: needsNothing,
  reads: [],
  customFields: [],
  begin: () => (subject: ExpressionSubject) => evaluated(answer(subject)),
});

function evaluated<T>(value: T | Error): Evaluated<T> {
  return value instanceof Error ? { ok: false, fault: { message: value.message } } : { ok: true, value };
}
