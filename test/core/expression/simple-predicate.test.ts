import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planOf } from '../../../src/core/expression/running/condition-plan.ts';
import { createEvaluator } from '../../../src/core/expression/running/engine.ts';
import { readExpression } from '../../../src/core/expression/syntax/read-expression.ts';
import { anyCondition, anySubject } from './arbitrary-condition.ts';
import { condition } from './given-subject.ts';

describe('a simple condition is planned', () => {
  test.each([
    'host.group == "a"',
    '"a" == host.name',
    'host.name != "a"',
    'host.hostName in ["a", "b"]',
    'host.customFields["Site"] == "a"',
    'host.customFields.Site.startsWith("a")',
    '"Site" in host.customFields',
    'host.online',
    'host.online == false',
    '!(host.online || host.name.endsWith("a")) && host.name.contains("b")',
    'host.antivirus.installed && host.inventory.hardware.serviceTag == "a"',
    'true',
    'host.id == 1',
    '1 != host.id',
    'host.id % 100 == 0',
    '7 >= host.id % 10 && host.groupId == -1',
    'host.antivirus.threats > 0',
  ])('%s', (source) => {
    expect(planOf(condition(source)).simple).toBeDefined();
  });
});

describe('an expression that needs the library is left to it, except for its simple parts', () => {
  test.each([
    ['host.name == host.group', 0],
    ['host.name.lower() == "a"', 0],
    ['host.name in [host.group]', 0],
    ['host.id == 9007199254740993', 0],
    ['host.id == host.groupId', 0],
    ['host.id < 1.5', 0],
    ['host.id % 0 == 1', 0],
    ['host.id % -2 == 1', 0],
    ['host.id % host.groupId == 1', 0],
    ['host.id % 10 % 5 == 1', 0],
    ['host.id / 2 == 1', 0],
    ['host.name.matches("a") && host.group == "b" && host.online', 2],
    ['host.name.matches("a") || host.group == "b"', 0],
  ])('%s', (source, conjuncts) => {
    expect(planOf(condition(source)).simple).toBeUndefined();
    expect(planOf(condition(source)).conjuncts).toHaveLength(conjuncts);
  });
});

test("a planned condition gives the library's result, and is a guess if the library has a fault", () => {
  fc.assert(
    fc.property(anyCondition, fc.array(anySubject, { minLength: 1, maxLength: 8 }), (source, subjects) => {
      const read = readExpression(source, 'host');
      if (!read.ok) throw new Error(`${source}: ${read.faults[0]?.message}`);
      const byLibrary = createEvaluator(read.value.expr);
      const planned = condition(source).begin();
      for (const subject of subjects) {
        const said = byLibrary(subject, undefined, { missing: 'reads-empty' });
        const strictly = byLibrary(subject, undefined, { missing: 'is-fault' });
        const verdict = planned(subject);
        expect(verdict).toMatchObject({ ok: true, value: said.ok && said.value });
        const isGuess = verdict.ok && verdict.guessed === true;
        expect(isGuess).toBe(verdict.ok && verdict.value && !(strictly.ok && strictly.value === true));
      }
    }),
    { numRuns: 100 },
  );
});
