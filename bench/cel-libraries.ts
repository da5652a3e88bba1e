/**
 * The two CEL libraries side by side: the share of CEL's own conformance tests that each passes, section by section,
 * and how each takes hostile expressions.
 */

import { Environment } from '@marcbachmann/cel-js';
import {
  type CelLibrary,
  type ConformanceCase,
  conformanceCases,
  showUint,
  showValue,
} from '../test/core/expression/cel-conformance.ts';
import { bufbuild } from '../test/core/expression/cel-libraries.ts';

const marcbachmannEnvironment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
});

const marcbachmann: CelLibrary = {
  name: '@marcbachmann/cel-js',
  evaluate: ({ source, bindings }) => showJs(marcbachmannEnvironment.evaluate(source, bindings)),
  uint: toUint,
};

/** The library does not export its class of unsigned numbers. */
function toUint(value: bigint): unknown {
  return marcbachmannEnvironment.evaluate(`${value}u`);
}

const unsigned = (toUint(0n) as object).constructor as new () => unknown;

function showJs(value: unknown): string {
  if (value instanceof unsigned) return showUint(BigInt(String(value)));
  if (Array.isArray(value)) return `[${value.map(showJs).join(', ')}]`;
  if (value instanceof Map || (typeof value === 'object' && value?.constructor === Object)) {
    const pairs = value instanceof Map ? [...value] : Object.entries(value);
    return `{${pairs
      .map(([key, each]) => `${showJs(key)}: ${showJs(each)}`)
      .toSorted()
      .join(', ')}}`;
  }
  return showValue(value);
}

function passes(library: CelLibrary, test: ConformanceCase): boolean {
  try {
    return library.evaluate(test) === test.expected;
  } catch {
    return test.expected === 'error';
  }
}

const sections = [
  'basic',
  'comparisons',
  'conversions',
  'fields',
  'fp_math',
  'integer_math',
  'lists',
  'logic',
  'macros',
  'parse',
  'string',
  'string_ext',
  'timestamps',
];
const libraries = [bufbuild, marcbachmann];

console.log(['section'.padEnd(14), 'tests', ...libraries.map(({ name }) => name.padStart(22))].join(' '));
const counts = libraries.map((library) => countBySection(library));
for (const section of [...sections, 'all']) {
  const of = counts.map((each) => each.get(section) ?? { all: 0, passed: 0 });
  console.log(
    [
      section.padEnd(14),
      String(of[0]?.all).padStart(5),
      ...of.map(({ all, passed }) => share(passed, all).padStart(22)),
    ].join(' '),
  );
}

const text = `${'a'.repeat(24)}!`;
const hostile: readonly (readonly [string, string])[] = [
  ['a pattern that backtracks', `"${text}".matches("^(a+)+$")`],
  ['5,000 nested brackets', `${'('.repeat(5_000)}1${')'.repeat(5_000)}`],
  ['a text doubled 20 times', `["${'x'.repeat(16)}"]${'.map(x, x + x)'.repeat(20)}[0].size()`],
  [
    'nested macros, 100 to the 3rd',
    `[${list(100)}].exists(a, [${list(100)}].exists(b, [${list(100)}].exists(c, a + b + c < 0)))`,
  ],
  ['the name of a prototype', 'a.constructor == 1'],
  ['another name of a prototype', 'a.__proto__ == 1'],
];
console.log();
for (const [name, source] of hostile) {
  const shown = libraries.map((library) => outcome(library, source).padEnd(46));
  console.log([name.padEnd(32), ...shown].join(' '));
}

function countBySection(library: CelLibrary): ReadonlyMap<string, { all: number; passed: number }> {
  const counted = new Map<string, { all: number; passed: number }>([['all', { all: 0, passed: 0 }]]);
  for (const test of conformanceCases(library)) {
    if (!sections.includes(test.section)) continue;
    const passed = passes(library, test) ? 1 : 0;
    for (const key of [test.section, 'all']) {
      const count = counted.get(key) ?? { all: 0, passed: 0 };
      counted.set(key, { all: count.all + 1, passed: count.passed + passed });
    }
  }
  return counted;
}

function outcome(library: CelLibrary, source: string): string {
  const start = performance.now();
  const value = valueOf(library, source);
  return `${(performance.now() - start).toFixed(0)} ms: ${value.split('\n')[0]?.slice(0, 34)}`;
}

function valueOf(library: CelLibrary, source: string): string {
  try {
    return library.evaluate({ section: '', name: '', source, bindings: { a: new Map() }, expected: '' });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function list(length: number): string {
  return Array.from({ length }, (_, index) => index).join(',');
}

function share(passed: number, all: number): string {
  return `${passed} (${((100 * passed) / all).toFixed(1)} %)`;
}
