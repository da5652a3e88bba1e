import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namePrefixes } from '../../../src/core/expression/running/name-prefixes.ts';
import { anyMixedCondition, anySubject } from './arbitrary-condition.ts';
import { condition } from './given-subject.ts';

test.each([
  ['host.name == "A" || host.name.startsWith("B-")', ['A', 'B-']],
  ['host.online && host.name in ["A", "B"]', ['A', 'B']],
  ['(host.online && host.name.startsWith("A")) || host.name == "B"', ['A', 'B']],
  ['host.name.startsWith("A") && int(host.name) == 1', ['A']],
  ['host.name.startsWith("A") || host.online', undefined],
  ['!host.name.startsWith("A")', undefined],
  ['host.group.startsWith("A")', undefined],
  ['host.customFields["Site"] == "A"', undefined],
])('%s', (source, prefixes) => {
  expect(namePrefixes(condition(source))).toEqual(prefixes);
});

test('if a condition holds or has a fault, the name begins with one of them', () => {
  fc.assert(
    fc.property(anyMixedCondition, anySubject, (source, subject) => {
      const asked = condition(source);
      const prefixes = namePrefixes(asked);
      const held = asked.begin()(subject);
      if (prefixes === undefined || (held.ok && !held.value)) return;
      expect(prefixes.some((prefix) => subject.name.startsWith(prefix))).toBe(true);
    }),
    { numRuns: 150 },
  );
});
