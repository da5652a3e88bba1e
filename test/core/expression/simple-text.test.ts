import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEvaluator } from '../../../src/core/expression/running/engine.ts';
import { openBudget } from '../../../src/core/expression/running/running.ts';
import { carryOutText, simpleText } from '../../../src/core/expression/running/simple-text.ts';
import { readExpression } from '../../../src/core/expression/syntax/read-expression.ts';
import { anySubject } from './arbitrary-condition.ts';
import { givenSubject, template } from './given-subject.ts';

function read(source: string) {
  const made = readExpression(source, 'host');
  if (!made.ok) throw new Error(`${source}: ${made.faults[0]?.message}`);
  return made.value.expr;
}

describe('a simple text is planned', () => {
  test.each([
    'host.name',
    '"a"',
    'host.name.substring(4)',
    'host.hostName.substring(0, host.hostName.indexOf("-"))',
    'host.name.upperAscii() + "-" + host.customFields["Site"].trim()',
    'host.inventory.hardware.serviceTag.replace("a", "b")',
  ])('%s', (source) => {
    expect(simpleText(read(source))).toBeDefined();
  });
});

describe('a text that needs the library is left to it', () => {
  test.each([
    'host.online ? "a" : "b"',
    'host.name.split("-")[0]',
    'string(host.id)',
    'host.name.size() > 3 ? host.name : "short"',
  ])('%s', (source) => {
    expect(simpleText(read(source))).toBeUndefined();
  });
});

const facts = fc.constantFrom(
  'host.name',
  'host.hostName',
  'host.group',
  'host.customFields["Site"]',
  'host.inventory.hardware.serviceTag',
  '"a-b"',
  '"Ünïcode 👩‍🚀"',
);
const place = fc.integer({ min: -1, max: 6 });
const piece = fc.constantFrom('"a"', '"-"', '""', '"Ü"');

const { text: anyText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    facts,
    fc.tuple(tie('text'), place).map(([text, at]) => `(${text}).substring(${at})`),
    fc.tuple(tie('text'), place, place).map(([text, a, b]) => `(${text}).substring(${a}, ${b})`),
    fc.tuple(tie('text'), piece).map(([text, of]) => `(${text}).substring((${text}).indexOf(${of}))`),
    fc.tuple(tie('text'), place).map(([text, at]) => `(${text}).charAt(${at})`),
    fc.tuple(tie('text'), piece, piece).map(([text, a, b]) => `(${text}).replace(${a}, ${b})`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a}) + (${b})`),
    tie('text').map((text) => `(${text}).upperAscii()`),
    tie('text').map((text) => `(${text}).trim()`),
  ),
}));

test("a planned text equals the library's, or is left to it", () => {
  let planned = 0;
  fc.assert(
    fc.property(anyText, fc.array(anySubject, { minLength: 1, maxLength: 6 }), (source, subjects) => {
      const expr = read(source);
      const simple = simpleText(expr);
      if (simple === undefined) throw new Error(`${source} is not simple`);
      const byLibrary = createEvaluator(expr);
      for (const subject of subjects) {
        const text = carryOutText(simple, subject, openBudget());
        const said = byLibrary(subject, undefined, { missing: 'is-fault' });
        expect(text).toEqual(said.ok ? said.value : undefined);
        if (text !== undefined) planned += 1;
      }
    }),
    { numRuns: 100 },
  );
  expect(planned).toBeGreaterThan(0);
});

test("a text without a value has the library's message", () => {
  const render = (source: string) => template(source).begin()(givenSubject({ name: 'AB' }));
  expect(render('${host.name.substring(4)}')).toEqual({
    ok: false,
    fault: { message: 'the index 4 is outside the string of 2 characters' },
  });
  expect(render('${host.hostName}-1')).toEqual({
    ok: false,
    fault: { message: 'host.hostName is unknown for this host', isUnknownFact: true },
  });
});
