import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactInteger, parseExactJson, parseExactJsonText } from '../../../src/core/lib/exact-json.ts';
import { casesOf } from '../../given/cases.ts';

const encoder = new TextEncoder();
const fromBytes = (text: string) => parseExactJson(encoder.encode(text));

/** The expected result of both readers: slow, with the source text of each number from the language itself. */
function reference(text: string): unknown {
  const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && /^-?\d{16,}$/.test(source) ? source : value,
  );
}
type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown;

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return (error as Error).name;
  }
}

/** Both readers, with the text moved along so that its digits meet the stride at every offset. */
function expectAsReference(text: string): void {
  for (let blanks = 0; blanks < 16; blanks += 1) {
    const moved = ' '.repeat(blanks) + text;
    const expected = outcome(() => reference(moved));
    expect(
      outcome(() => fromBytes(moved)),
      `bytes of ${moved}`,
    ).toEqual(expected);
    expect(
      outcome(() => parseExactJsonText(moved)),
      `text of ${moved}`,
    ).toEqual(expected);
  }
}

const long = '9007199254740993';

describe('an integer of at least sixteen digits is read as text', () => {
  test.each([
    ['the value of a member', `{"id":${long}}`, { id: long }],
    ['a negative one', `{"id":-${long}}`, { id: `-${long}` }],
    [
      'at the ends of int64',
      '[9223372036854775807,-9223372036854775808]',
      ['9223372036854775807', '-9223372036854775808'],
    ],
    ['in an array', `[${long},${long}]`, [long, long]],
    ['alone in an array in a member', `{"hostIds":[ ${long} ]}`, { hostIds: [long] }],
    ['the whole text', long, long],
    ['the whole text in blanks', ` \n${long}\t`, long],
    ['between blanks', `{"id" \t:\r\n ${long} \n}`, { id: long }],
    ['after an empty key', `{"":${long}}`, { '': long }],
    ['after a key that ends in a backslash', `{"k\\\\":${long}}`, { 'k\\': long }],
    ['after a key that ends in an escaped quotation mark', `{"k\\"":${long}}`, { 'k"': long }],
    ['after a key that ends in both', `{"k\\\\\\"":${long}}`, { 'k\\"': long }],
    ['after a key that ends in a colon', `{"k:":${long}}`, { 'k:': long }],
    ['after a key that ends in a comma and blanks', `{"k, ":${long}}`, { 'k, ': long }],
    ['of a thousand digits', `{"id":${'9'.repeat(1000)}}`, { id: '9'.repeat(1000) }],
    ['in a member whose key is unicode', `{"naïve 🏰":${long}}`, { 'naïve 🏰': long }],
    ['of exactly sixteen digits', '{"id":1234567890123456}', { id: '1234567890123456' }],
  ])('%s', (_case, text, expected) => {
    expect(fromBytes(text)).toEqual(expected);
    expect(parseExactJsonText(text)).toEqual(expected);
    expectAsReference(text);
  });
});

describe('all other JSON is read as JSON.parse reads it', () => {
  test.each([
    ['an integer of fifteen digits', '{"id":123456789012345}'],
    ['a fraction with many digits', '[0.12345678901234567890,12345678901234567.5]'],
    ['an exponent', '[12345678901234567e5,12345678901234567E+5,1e-1234567890123456789]'],
    ['digits in a string', `{"name":"${long}"}`],
    ['a name that looks like the rest of a member', `{"name":":${long},x"}`],
    ['a name that looks like that, with blanks', `{"name":" : ${long} ,x"}`],
    ['a name that looks like the end of an object', `{"name":":${long}}"}`],
    ['a name that looks like a member', `{"name":"\\":${long},"}`],
    ['a name that looks like a member with escapes', `{"name":"\\\\\\":${long},"}`],
    ['a name that looks like array elements', `{"name":"a,${long},b"}`],
    ['a name that looks like an array', `["[${long}]"]`],
    ['a name that is nothing but that', `[":${long},"]`],
    ['digits as a key', `{"${long}":1}`],
    ['digits beside a name of the kind', `{"name":":${long},","id":${long}}`],
  ])('%s', (_case, text) => {
    expectAsReference(text);
  });

  test.each([
    ['a number as a key', `{${long}:1}`],
    ['a number as a key beside a name that calls for the slow way', `{"a":",${long},",${long}:1}`],
    ['a leading zero', `{"id":0${long}}`],
    ['two signs', `{"id":--${long}}`],
    ['a plus sign', `{"id":+${long}}`],
    ['no key', `{:${long}}`],
    ['a key without its end', `{"id:${long}}`],
    ['a comma too many', `[${long},]`],
    ['a number after a string', `["a"${long}]`],
    ['two numbers', `[${long} ${long}]`],
    ['a colon in an array', `["a":${long}]`],
    ['a string without its end', `["${long}`],
    ['a letter before the digits', `[x${long}]`],
    ['nothing', ''],
    ['two byte order marks', `\ufeff\ufeff{}`],
  ])('%s is a syntax error', (_case, text) => {
    expectAsReference(text);
    expect(() => fromBytes(text)).toThrow(SyntaxError);
    expect(() => parseExactJsonText(text)).toThrow(SyntaxError);
  });

  test('a byte order mark at the start of bytes is skipped', () => {
    expect(fromBytes(`\ufeff${long}`)).toBe(long);
    expect(fromBytes(`\ufeff{"id":${long}}`)).toEqual({ id: long });
  });

  test('bytes that are not UTF-8 become the replacement character', () => {
    expect(parseExactJson(Uint8Array.of(0x22, 0xff, 0x22))).toBe('\ufffd');
  });
});

describe('laws', () => {
  const blank = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
  const digits = fc.stringMatching(/^[1-9][0-9]{13,22}$/);
  const number = fc.oneof(
    digits,
    digits.map((each) => `-${each}`),
    fc.tuple(digits, digits).map(([a, b]) => `${a}.${b}`),
    fc.tuple(digits, fc.constantFrom('e', 'E', 'e+', 'E-')).map(([a, e]) => `${a}${e}2`),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => JSON.stringify(each)),
    fc.constantFrom('0', '-0', '1', '0.1234567890123456789'),
  );
  const piece = fc.oneof(
    digits,
    fc.constantFrom('"', '\\', ':', ',', '[', ']', '{', '}', ' ', '-', 'e', '.', '\n', 'é', '🏰', '\u2028'),
    fc.string({ maxLength: 3 }),
  );
  const string = fc.array(piece, { maxLength: 6 }).map((pieces) => JSON.stringify(pieces.join('')));
  const leaf = fc.oneof(number, string, fc.constantFrom('null', 'true', 'false'));

  /** JSON text with blanks wherever they are allowed. */
  const json = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc
        .array(fc.tuple(blank, tie('value'), blank), { maxLength: 4 })
        .map((all) => `[${all.map((each) => each.join('')).join(',')}]`),
      fc
        .array(fc.tuple(blank, string, blank, blank, tie('value'), blank), { maxLength: 4 })
        .map(
          (all) => `{${all.map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`).join(',')}}`,
        ),
    ),
  })).value;

  test('in any JSON text, only long integers differ from JSON.parse', () => {
    fc.assert(
      fc.property(json, blank, (text, before) => {
        const whole = before + text;
        const expected = reference(whole);
        expect(fromBytes(whole)).toEqual(expected);
        expect(parseExactJsonText(whole)).toEqual(expected);
      }),
      casesOf(1_000),
    );
  });

  test('any text, valid or not, has the same outcome as with JSON.parse', () => {
    const scrap = fc.oneof(piece, fc.constantFrom(long, `"${long}"`, '":', '",', '\\"', `:${long},`));
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 12 }), (scraps) => {
        const text = scraps.join('');
        const expected = outcome(() => reference(text));
        expect(outcome(() => fromBytes(text))).toEqual(expected);
        expect(outcome(() => parseExactJsonText(text))).toEqual(expected);
      }),
      casesOf(1_000),
    );
  });

  test('a valid text with one character changed has the same outcome as with JSON.parse', () => {
    const change = fc.constantFrom('"', '\\', ':', ',', '[', ']', '{', '}', ' ', '-', '0', '9', '');
    fc.assert(
      fc.property(json, fc.nat(), change, (text, position, character) => {
        const at = position % (text.length + 1);
        const changed = (text.slice(0, at) + character + text.slice(at + 1)).toWellFormed();
        const expected = outcome(() => reference(changed));
        expect(outcome(() => fromBytes(changed))).toEqual(expected);
        expect(outcome(() => parseExactJsonText(changed))).toEqual(expected);
      }),
      casesOf(1_000),
    );
  });

  test('exactInteger output is read back exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) => {
        const text = JSON.stringify({ id: exactInteger(String(id)) });
        expect(text).toBe(`{"id":${id}}`);
        expect(String((fromBytes(text) as { id: unknown }).id)).toBe(String(id));
      }),
    );
  });
});

describe('hostile texts are read in linear time', () => {
  const length = 1_000_000;
  test.each([
    ['a run of digits', `[${'1'.repeat(length)}]`],
    ['a string of escapes', `["${'\\"'.repeat(length)}",${long}]`],
    ['a string of escapes without its end', `[${long},"${'\\"'.repeat(length)}`],
    ['a string of backslashes', `["${'\\\\'.repeat(length)}",${long}]`],
    ['quotation marks', `[${long},${'"'.repeat(length)}`],
    ['blanks', `[${long},${' '.repeat(length)}${long}]`],
    ['runs just too short', `[${'123456789012345,'.repeat(length / 16)}${long}]`],
    ['long integers', `[${`${long},`.repeat(length / 16)}1]`],
    ['open brackets', `{"id":${long},"a":${'['.repeat(length)}`],
  ])('%s', (_case, text) => {
    const kind = (read: () => unknown) => (outcome(read) instanceof Object ? 'value' : 'error');
    const expected = kind(() => JSON.parse(text));
    expect(kind(() => fromBytes(text))).toBe(expected);
    expect(kind(() => parseExactJsonText(text))).toBe(expected);
  });
});

test.each(['', '01', '1.0', '1e3', '+1', '0x1', ' 1', '--1', '1\n'])('exactInteger refuses %j', (text) => {
  expect(() => exactInteger(text)).toThrow(RangeError);
});
