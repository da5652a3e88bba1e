import { stripTypeScriptTypes } from 'node:module';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { findMutants } from '../../bin/mutants/find-mutants.ts';
import { instrument } from '../../bin/mutants/instrument.ts';
import { describeMutant } from '../../bin/mutants/mutant.ts';
import { outcome } from '../../bin/mutants/records.ts';
import { isSurelyBelow, sampleOf } from '../../bin/mutants/sample.ts';

const changesOf = (text: string) => findMutants('given.ts', text).map(describeMutant);

describe('mutants of', () => {
  it('a comparison: its boundary and its opposite', () => {
    expect(changesOf('const isOver = (a: number, b: number) => a < b;')).toEqual([
      'a < b  =>  a <= b',
      'a < b  =>  a >= b',
    ]);
  });

  it('a condition: always, never, and each part alone', () => {
    expect(changesOf('function f() { if (a && !b) g(); }')).toEqual([
      'a && !b  =>  true',
      'a && !b  =>  false',
      'a && !b  =>  a',
      'a && !b  =>  !b',
      '!b  =>  b',
    ]);
  });

  it('a loop: never, because an endless loop would prove only itself', () => {
    expect(changesOf('function f() { while (g()) h(); }')).toEqual(['g()  =>  false', 'h()  =>  undefined']);
  });

  it('a statement: nothing, and without its await', () => {
    expect(changesOf('async function f() { await begin(step); count += 1; }')).toEqual([
      'await begin(step)  =>  undefined',
      'await begin(step)  =>  begin(step)',
      'count += 1  =>  undefined',
      'count += 1  =>  count -= 1',
    ]);
  });

  it('codes, as text and as numbers, but not messages', () => {
    expect(changesOf(`const exit = { stale: 7, kind: 'read-only', hint: 'Unset it' };`)).toEqual([
      '7  =>  8',
      `'read-only'  =>  "mutated"`,
    ]);
  });

  it('a list: neighbors swap, if the order matters', () => {
    expect(changesOf('const precedence = [a, b, c];')).toEqual([
      '[a, b, c]  =>  [b, a, c]',
      '[a, b, c]  =>  [a, c, b]',
    ]);
    expect(changesOf('const isOne = new Set([a, b]).has(c) || [a, b].includes(c);')).toHaveLength(2);
  });

  it('calls that leave something out or ask for all', () => {
    expect(changesOf('const left = steps.filter(isLeft).every(isDone);')).toEqual([
      'steps.filter(isLeft).every(isDone)  =>  steps.filter(isLeft).some(isDone)',
    ]);
    expect(changesOf('const left = steps.filter(isLeft);')).toEqual(['steps.filter(isLeft)  =>  steps']);
  });

  it('no type, no import, and no inner part of an optional chain', () => {
    expect(changesOf(`import a from 'a'; type B = true | 'b'; const c = a?.filter(d).e as 'e';`)).toEqual([]);
  });
});

it('one text contains all mutants, each behind its switch, on the original lines', () => {
  const text =
    'function isDue(now: number, at: number) {\n  return now >= at && at !== 0;\n}\nisDue(2, 2);\n';
  const mutants = findMutants('given.ts', text).map((mutant, index) => ({ ...mutant, id: index + 1 }));
  const compiled = stripTypeScriptTypes(instrument(text, mutants));
  expect(compiled.split('\n')).toHaveLength(text.split('\n').length);
  const run = (on: number): unknown =>
    runInNewContext(compiled, { rampartMutant: (id: number) => id === on, process: { env: {} } });
  expect(run(0)).toBe(true);
  const results = mutants.map((each) => [describeMutant(each), run(each.id)]);
  expect(results).toContainEqual(['now >= at  =>  now > at', false]);
  expect(results).toContainEqual(['at !== 0  =>  at === 0', false]);
  expect(results).toContainEqual(['now >= at && at !== 0  =>  now >= at', true]);
});

it('a sample is the same for the same seed, and differs for another', () => {
  const text = Array.from({ length: 50 }, (_, index) => `const a${index} = b < ${index};`).join('\n');
  const mutants = findMutants('given.ts', text);
  const sample = (seed: string) => sampleOf(mutants, 10, seed, ({ file }) => file).map(({ line }) => line);
  expect(sample('7')).toHaveLength(10);
  expect(sample('7')).toEqual(sample('7'));
  expect(sample('7')).not.toEqual(sample('8'));
});

describe('a sample', () => {
  it('is below a share only if chance does not explain it, whatever its size', () => {
    const isLow = (noticed: number, tried: number) => isSurelyBelow(0.85, { noticed, tried });
    expect([isLow(0, 0), isLow(0, 3), isLow(0, 4)]).toEqual([false, false, true]);
    expect([isLow(41, 60), isLow(42, 60), isLow(60, 60)]).toEqual([true, false, false]);
    expect([isLow(2450, 3000), isLow(2550, 3000)]).toEqual([true, false]);
  });
});

describe('a mutant that no test has noticed when the time is over', () => {
  const bounds = { slowestTestMs: 1000, mutantMs: 4000 };
  const reached = (test: string, ms: number) => ({ at: 'reached', test, ids: [1], ms }) as const;
  const passed = (test: string, ms = 300) => ({ at: 'end', test, id: 1, verdict: 'passed', ms }) as const;

  it.each([
    ['a test has not run with it', [reached('a', 300), reached('b', 300), passed('a')], true],
    ['no test has run with it', [reached('a', 300)], true],
    ['all tests have run with it', [reached('a', 300), reached('b', 300), passed('a'), passed('b')], false],
    ['only a slow test is left', [reached('a', 300), reached('b', 1001), passed('a')], false],
    [
      'only an unfit test is left',
      [reached('a', 300), { at: 'unfit', test: 'a', why: 'it hangs' } as const],
      false,
    ],
    ['its tests have taken all of its time', [reached('a', 9), reached('b', 1), passed('a', 4000)], false],
  ])('is open: %s', (_, entries, isOpen) => {
    expect(outcome(entries, bounds).open.has(1)).toBe(isOpen);
  });
});
