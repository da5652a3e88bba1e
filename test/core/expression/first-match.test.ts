import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMatcher } from '../../../src/core/expression/running/first-match.ts';
import type { Condition, ExpressionSubject } from '../../../src/core/model/expression.ts';
import { anyMixedCondition, anySubject } from './arbitrary-condition.ts';
import { condition, givenSubject } from './given-subject.ts';

function askedOneByOne(conditions: readonly Condition[], subject: ExpressionSubject) {
  const results = conditions.map((each) => each.begin()(subject));
  return {
    matches: results.flatMap((result, index) => (result.ok && result.value ? [index] : [])),
    faults: results.flatMap((result, index) => (result.ok ? [] : [{ index, fault: result.fault }])),
    guessed: results.flatMap((result, index) => (result.ok && result.guessed === true ? [index] : [])),
  };
}

const never = condition('false');

test('a matcher finds the same as evaluating every condition', () => {
  fc.assert(
    fc.property(
      fc.array(anyMixedCondition, { maxLength: 12 }),
      fc.array(anySubject, { minLength: 1, maxLength: 6 }),
      (sources, subjects) => {
        const conditions = sources.map((source) => condition(source));
        const matcher = createMatcher(conditions);
        for (const subject of subjects) {
          const found = matcher(subject);
          const skipped = found.faults.filter(({ fault }) => fault.isSkipped).map(({ index }) => index);
          const asked = conditions.map((each, index) => (skipped.includes(index) ? never : each));
          const faults = found.faults.filter(({ fault }) => !fault.isSkipped);
          expect({ ...found, faults }).toEqual(askedOneByOne(asked, subject));
        }
      },
    ),
    { numRuns: 100 },
  );
});

describe('a condition that fails', () => {
  const subjects = ['a', '1', 'b', 'c', '1', 'OFF'].map((name) =>
    givenSubject({ name, online: name !== 'OFF' }),
  );

  test('is not evaluated after three hosts, and has a fault for each other host that it might match', () => {
    const matcher = createMatcher([
      condition('host.online && int(host.name) == 1'),
      condition('host.online'),
    ]);
    const found = subjects.map((subject) => matcher(subject));
    expect(found.map(({ faults }) => faults.map(({ fault }) => fault.isSkipped ?? false))).toEqual([
      [false],
      [],
      [false],
      [false],
      [true],
      [],
    ]);
    expect(found.map(({ matches }) => matches)).toEqual([[1], [0, 1], [1], [1], [1], []]);
  });

  test('is evaluated again by the next matcher', () => {
    const failing = condition('int(host.name) == 1');
    const first = createMatcher([failing]);
    for (const subject of subjects) first(subject);
    expect(createMatcher([failing])(givenSubject({ name: '1' })).matches).toEqual([0]);
  });
});

describe('a matcher', () => {
  const berlin = givenSubject({ name: 'BER-1', group: 'Berlin', online: true });

  test('keeps the order of the conditions', () => {
    const sources = [
      'host.name.startsWith("B")',
      'host.online',
      'host.group in ["Berlin", "Wien", "Berlin"]',
      'host.name.startsWith("BER-")',
      'host.name == "BER-1"',
      'host.group == "Wien"',
    ];
    const matcher = createMatcher(sources.map((source) => condition(source)));
    expect(matcher(berlin).matches).toEqual([0, 1, 2, 3, 4]);
    expect(matcher(givenSubject({ group: 'Wien' })).matches).toEqual([2, 5]);
  });

  test('names the condition that has a fault', () => {
    const matcher = createMatcher([condition('host.online'), condition('int(host.name) == 1')]);
    expect(matcher(berlin)).toEqual({
      matches: [0],
      guessed: [],
      faults: [{ index: 1, fault: { message: 'int("BER-1"): the string is not a 64-bit integer' } }],
    });
  });

  test('does not evaluate conditions that their simple parts rule out', () => {
    let evaluated = 0;
    const counted = {
      ...condition('true'),
      begin: () => () => ({ ok: true as const, value: (evaluated += 1) > 0 }),
    };
    const guarded = condition('host.group == "Wien" && host.name.matches("^B")');
    const holds = guarded.begin();
    Object.assign(guarded, {
      begin: () => (subject: ExpressionSubject) => {
        evaluated += 1;
        return holds(subject);
      },
    });
    const matcher = createMatcher([guarded]);
    expect(matcher(berlin).matches).toEqual([]);
    expect(evaluated).toBe(0);
    expect(matcher(givenSubject({ name: 'BER-1', group: 'Wien' })).matches).toEqual([0]);
    expect(evaluated).toBe(1);
    expect(createMatcher([counted])(berlin).matches).toEqual([0]);
    expect(evaluated).toBe(2);
  });

  test('returns the same empty answer for every host without a match', () => {
    const matcher = createMatcher([condition('host.group == "Wien"'), condition('!host.online')]);
    expect(matcher(berlin)).toBe(matcher({ ...berlin }));
    expect(matcher(berlin).matches).toEqual([]);
  });

  test('supports the change in policies', () => {
    const matcher = createMatcher([condition('change.kind == "delete" && host.online', 'change')]);
    expect(matcher(berlin, { kind: 'delete', from: '', to: '' }).matches).toEqual([0]);
    expect(matcher(berlin, { kind: 'move', from: 'a', to: 'b' }).matches).toEqual([]);
  });
});
