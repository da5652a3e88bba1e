import { describe, expect, test } from 'vitest';
import { createEvaluator } from '../../../src/core/expression/running/engine.ts';
import { readExpression } from '../../../src/core/expression/syntax/read-expression.ts';
import { bracketFault, orderFault } from '../../../src/core/expression/syntax/syntax-fault.ts';
import { readTokens } from '../../../src/core/expression/syntax/tokens.ts';
import { conformanceCases, showValue } from './cel-conformance.ts';
import { bufbuild, showCel } from './cel-libraries.ts';
import { givenSubject } from './given-subject.ts';

const cases = conformanceCases(bufbuild);
describe('the conformance tests of CEL', () => {
  test('every expression that our checker accepts has the value that CEL gives it', () => {
    const subject = givenSubject();
    const ours = cases.flatMap((each) => {
      if (Object.keys(each.bindings).length > 0) return [];
      const read = readExpression(each.source, 'host');
      if (!read.ok) return [];
      const result = createEvaluator(read.value.expr)(subject, undefined, { missing: 'reads-empty' });
      return [{ ...each, found: result.ok ? showCel(result.value) : 'error' }];
    });
    expect(ours.length).toBeGreaterThan(500);
    const others = ours.filter(({ expected, found }) => expected !== found);
    expect(others.map(({ name, source, expected, found }) => ({ name, source, expected, found }))).toEqual(
      [],
    );
  });

  test('our tokenizer refuses nothing that the library accepts', () => {
    const read = cases.filter(({ source }) => {
      try {
        return (
          bufbuild.evaluate({
            section: '',
            name: '',
            source: `[${source}].size()`,
            bindings: {},
            expected: '',
          }) !== ''
        );
      } catch {
        return false;
      }
    });
    expect(read.length).toBeGreaterThan(500);
    const refused = read.filter(({ source }) => {
      const tokens = readTokens(source);
      return (
        !tokens.ok ||
        bracketFault(tokens.value) !== undefined ||
        orderFault(tokens.value, source) !== undefined
      );
    });
    expect(refused.map(({ source }) => source)).toEqual([]);
  });

  test('values of two types never look alike', () => {
    expect(new Set([1n, 1, '1', true, [1n], [1]].map(showValue)).size).toBe(6);
  });
});
