import { expect, test } from 'vitest';
import { compileTemplate } from '../../../src/core/expression/compile.ts';
import { functionForms } from '../../../src/core/expression/functions/functions.ts';
import { asked, givenSubject } from './given-subject.ts';

// Values that make as many functions fail as possible, each with a text that nothing else contains.
const cells: Readonly<Record<string, string>> = {
  Text: '(cell-77',
  Whole: '7700077',
  Below: '-7700077',
  Huge: '9223372036854700077',
  Fraction: '77.0077',
};
const types = new Map([
  [
    'asset',
    new Map([
      ...['Whole', 'Below', 'Huge'].map((name) => [name, 'int'] as const),
      ['Fraction', 'number'] as const,
    ]),
  ],
]);
const subject = givenSubject({ name: 'a-b', customFields: {} });
const joined = {
  ...subject,
  facts: {
    ...subject.facts,
    tables: { rowOf: () => 0, cellOf: (_: string, column: string) => cells[column] },
  },
};

/** The faults of a text with cells. */
function faultOf(source: string): string | undefined {
  const compiled = compileTemplate(`\${${source}}`, types);
  if (!compiled.ok) return undefined;
  const result = compiled.value.begin()(joined);
  return result.ok ? undefined : result.fault.message;
}

const texts = ['asset.Text', '""'];
const wholes = ['asset.Whole', 'asset.Below', 'asset.Huge', '1'];

/** Cells for each parameter of a function, so that it is called in every combination of them. */
function argumentsOf(type: string): readonly string[] {
  if (type === 'string') return texts;
  if (type === 'int') return wholes;
  if (type === 'double') return ['asset.Fraction'];
  if (type.startsWith('list')) return ['[asset.Text]', '["a", asset.Text]'];
  if (type.startsWith('map')) return ['{asset.Text: asset.Text}'];
  if (type === 'timestamp') return ['timestamp(asset.Text)'];
  if (type === 'duration') return ['duration(asset.Text)'];
  return ['asset.Text == ""'];
}

/** The types in a signature such as `string.substring(int, int): string`. */
function callsOf(signature: string): readonly string[] {
  const [, receiver, name = '', params = ''] = /^(?:([^(.]+)\.)?(\w+)\((.*)\):/.exec(signature) ?? [];
  const given = params === '' ? [] : params.split(/, (?![^<]*>)/).map(argumentsOf);
  const all = given.reduce<readonly (readonly string[])[]>(
    (calls, options) => calls.flatMap((call) => options.map((option) => [...call, option])),
    [[]],
  );
  const targets = receiver === undefined ? [''] : argumentsOf(receiver).map((each) => `${each}.`);
  return targets.flatMap((target) => all.map((args) => `${target}${name}(${args.join(', ')})`));
}

const operators = [
  '{"a": "b"}[asset.Text]',
  '{asset.Text: "a", asset.Text + "": "b"}["c"]',
  'host.customFields[asset.Text]',
  'account.labels[asset.Text]',
  'asset.Text.split("-")[asset.Whole]',
  '["a"][asset.Below]',
  'asset.Huge + asset.Huge',
  'asset.Huge * asset.Whole',
  'asset.Whole / 0',
  '-asset.Below % 0',
  'bool(asset.Text)',
  'int(asset.Text) == 1 && int(asset.Text + "0") == 2',
  '[asset.Text].map(each, int(each))[0]',
  '[asset.Text].all(each, int(each) > 0)',
  'asset.Text.matches(asset.Text)',
  '"a".inNetwork(asset.Text)',
  'next(asset.Whole + "", 1)',
  'next(asset.Text, asset.Whole)',
  'next(asset.Text + "-", asset.Whole)',
];

test('a fault of an expression that reads cells shows none of them, whatever the function or operator', () => {
  const calls = [...functionForms.flatMap(({ signature }) => callsOf(signature)), ...operators];
  const faults = calls.flatMap((call) =>
    [call, `string(${call})`, `(${call}) ? "a" : "b"`, `string((${call}).size())`].flatMap(
      (source) => faultOf(source) ?? [],
    ),
  );
  expect(faults.filter((fault) => /77|cell/.test(fault))).toEqual([]);
  expect(new Set(faults).size).toBeGreaterThan(12);
});

test('a fault of an expression without cells shows the value', () => {
  expect(asked('int(host.name) == 1', subject)).toBe('fault: int("a-b"): the string is not a 64-bit integer');
});
