import { describe, expect, test } from 'vitest';
import {
  compileCondition,
  compileTemplate,
  type ExpressionScope,
} from '../../../src/core/expression/compile.ts';

/** The faults as texts: the affected part of the source, the problem, and the hint. */
function faultsOf(source: string, scope: ExpressionScope = 'host'): readonly string[] {
  return shown(source, compileCondition(source, scope));
}

function shown(source: string, compiled: ReturnType<typeof compileTemplate | typeof compileCondition>) {
  if (compiled.ok) return [];
  return compiled.faults.map(({ start, end, message, hint }) => {
    const place = `${start}-${end} ${source.slice(start, end)}`;
    return `${place}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
  });
}

const fields =
  'its fields are id, name, hostName, group, groupId, online, stateChangedAt, customFields, antivirus, inventory';
const numbers = 'int(…) converts a string to a number, and string(…) a number to a string';

describe('a broken condition is reported with its place', () => {
  test.each<readonly [string, string, readonly string[]]>([
    ['it is empty', '', ['0-0 : the expression is empty']],
    ['it is blank', '  ', ['0-2   : the expression is empty']],
    ['it breaks off', 'host.name ==', ['10-12 ==: a value is missing after ==']],
    ['it begins with an operator', '== "a"', ['0-2 ==: a value is missing before ==']],
    ['two operators meet', 'host.online && || true', ['15-17 ||: a value is missing between && and ||']],
    ['a text has no end', 'host.name == "BER', ['13-14 ": the string that starts here has no closing "']],
    ['a bracket has no end', '(host.online', ['0-1 (: ( is never closed']],
    ['a bracket has no beginning', 'host.online)', ['11-12 ): ) has no opening bracket']],
    ['brackets cross', 'host.name in ["a")', ['17-18 ): [ must be closed by ], not by )']],
    ['a point leads nowhere', 'host.', ['4-5 .: a value is missing after .']],
    [
      'a single equals sign',
      'host.name = "a"',
      ['10-11 =: a single = is not an operator (did you mean ==?)'],
    ],
    [
      'operators as words',
      'host.online and true',
      ['12-15 and: an operator is missing before and (did you mean &&?)'],
    ],
    [
      'an escape that is none',
      String.raw`host.name == "\d"`,
      [
        String.raw`14-16 \d: \d is not an escape sequence (write \\ for a backslash, or put r before the string to use backslashes literally)`,
      ],
    ],
    ['a character without meaning', 'host.name == “a”', ['13-14 “: "“" is not allowed here']],
    ['a semicolon', 'host.online; true', ['11-12 ;: ";" is not allowed here']],
    [
      'a misspelled field',
      'host.invntory == "a"',
      ['5-13 invntory: host has no field "invntory" (did you mean "inventory"?)'],
    ],
    [
      'a misspelled field deep inside',
      'host.inventory.hardware.hardwareInfo.modle == "a"',
      ['37-42 modle: host.inventory.hardware.hardwareInfo has no field "modle" (did you mean "model"?)'],
    ],
    [
      'a misspelled field of an item',
      'host.inventory.hardware.processors.exists(p, p.sped == "1")',
      ['47-51 sped: host.inventory.hardware.processors[] has no field "sped" (did you mean "speed"?)'],
    ],
    [
      'a field after emoji',
      '"😀" == host.nme',
      ['13-16 nme: host has no field "nme" (did you mean "name"?)'],
    ],
    [
      'a field on the second line',
      'host.online &&\n  host.nme',
      ['22-25 nme: host has no field "nme" (did you mean "name"?)'],
    ],
    [
      'a misspelled function',
      'host.name.lowr() == "a"',
      ['10-14 lowr: the function "lowr" does not exist (did you mean "lower"?)'],
    ],
    [
      'a function of another language',
      'host.name.toLowerCase() == "a"',
      ['10-21 toLowerCase: the function "toLowerCase" does not exist (did you mean "lower"?)'],
    ],
    [
      'the wrong arguments',
      'host.name.substring("a") == "b"',
      [
        '10-19 substring: string.substring(string) does not exist (call it as string.substring(int) or string.substring(int, int))',
      ],
    ],
    [
      'two types compared',
      'host.name == 1',
      [`0-14 host.name == 1: == does not compare a string with an int (${numbers})`],
    ],
    [
      'a text and a number added',
      'host.name + 1 == "a1"',
      [`0-13 host.name + 1: + does not take a string with an int (${numbers})`],
    ],
    [
      'no condition',
      'host.name',
      ['0-9 host.name: a condition must be a bool, and this is a string (compare it with a value: == "…")'],
    ],
    ['a number for a condition', ' 1 + 1 ', ['1-6 1 + 1: a condition must be a bool, and this is an int']],
    [
      'a text negated',
      '!host.name',
      ['1-10 host.name: ! takes bools, not a string (compare it with a value: == "…")'],
    ],
    ['a name without host', 'name == "a"', ['0-4 name: "name" does not exist (did you mean host.name?)']],
    [
      'a text without quotation marks',
      'host.group == Berlin',
      ['14-20 Berlin: "Berlin" does not exist (put a string in quotation marks: "Berlin")'],
    ],
    [
      'the change in a rule',
      'change.kind == "delete"',
      ['0-6 change: "change" does not exist (only policies can read change)'],
    ],
    [
      'an object compared',
      'host.antivirus == "a"',
      ['0-14 host.antivirus: host.antivirus is not a value (use one of its fields, or test it with has(…))'],
    ],
    [
      'an object with brackets',
      'host["name"] == "a"',
      ['0-12 host["name"]: write a dot before the field of an object (write .name)'],
    ],
    [
      'null',
      'host.name == null',
      [
        '13-17 null: null is not supported (a missing value reads as "", 0, false or an empty list; test it with has(…))',
      ],
    ],
    [
      'a number that is too big',
      'host.id == 9223372036854775808',
      ['11-30 9223372036854775808: the number does not fit in 64 bits'],
    ],
    [
      'items of two types',
      'host.name in ["a", 1]',
      ['19-20 1: all items of a list or map must have the same type: found an int after a string'],
    ],
    [
      'in a text',
      '"a" in host.name',
      [`0-16 "a" in host.name: a string can't be in a string (use .contains(…) to search a string)`],
    ],
    [
      'a pattern that is none',
      'host.name.matches("(a")',
      ['18-22 "(a": the pattern is not a valid regular expression: missing closing ): `(a`'],
    ],
    [
      'a pattern that looks ahead',
      'host.name.matches("(?=a)")',
      [
        '18-25 "(?=a)": the pattern is not a valid regular expression: invalid or unsupported Perl syntax: `(?=`',
      ],
    ],
    [
      'a macro without a name',
      '["a"].exists("x", true)',
      ['6-12 exists: exists takes a name and a condition, such as list.exists(x, x == "a")'],
    ],
    [
      'a macro whose condition is none',
      '["a"].exists(x, x)',
      ['16-17 x: the condition of a macro must be a bool, not a string'],
    ],
    [
      'a macro over a text',
      'host.name.exists(x, x == "a")',
      ['0-9 host.name: a macro works on a list or a map, not on a string'],
    ],
    [
      'a macro that hides the host',
      '["a"].exists(host, host == "a")',
      [
        '0-31 ["a"].exists(host, host == "a"): the name "host" is already in use: choose another name for the item',
      ],
    ],
    ['has of a text', 'has("a")', ['0-3 has: has takes a field, such as has(host.hostName)']],
    [
      'a choice of two types',
      '(host.online ? 1 : "a") == 1',
      ['1-22 host.online ? 1 : "a": both results of ? : must have the same type, not an int and a string'],
    ],
    [
      'the name of a prototype',
      'host.constructor == "a"',
      [`5-16 constructor: host has no field "constructor" (${fields})`],
    ],
    [
      'another name of a prototype',
      'host.__proto__.x == "a"',
      [`5-14 __proto__: host has no field "__proto__" (${fields})`],
    ],
    [
      'a prototype for a variable',
      'toString == "a"',
      ['0-8 toString: "toString" does not exist (put a string in quotation marks: "toString")'],
    ],
    ['an escape to any type', 'dyn(host.name) == 1', ['0-3 dyn: the function "dyn" does not exist']],
    ['a message', 'Host{name: "a"} == 1', ['0-4 Host: the type "Host" does not exist']],
    [
      'several faults at once',
      'host.nam == "a" || foo.bar || host.name.lowr() == "a"',
      [
        '5-8 nam: host has no field "nam" (did you mean "name"?)',
        '19-22 foo: "foo" does not exist (put a string in quotation marks: "foo")',
        '40-44 lowr: the function "lowr" does not exist (did you mean "lower"?)',
      ],
    ],
  ])('%s', (_case, source, faults) => {
    expect(faultsOf(source)).toEqual(faults);
  });
});

describe('a hostile condition is refused, and nothing crashes', () => {
  test.each<readonly [string, string, RegExp]>([
    ['it is very long', `host.name == "${'a'.repeat(4_000)}"`, /at most 4000 characters; this one has 4015/],
    ['a million brackets', '('.repeat(1_000_000), /at most 4000 characters/],
    ['brackets in brackets', `${'('.repeat(500)}true${')'.repeat(500)}`, /more than 100 levels/],
    ['negations of negations', `${'!'.repeat(3_000)}true`, /more than 100 levels/],
    ['a sum without end', `1${'+1'.repeat(1_500)} == 1`, /more than 100 levels/],
    ['fields without end', `host${'.a'.repeat(1_500)}`, /more than 100 levels/],
    ['choices without end', `${'true?true:'.repeat(390)}true`, /more than 100 levels/],
    ['lists in lists', '[[[[[["a"]]]]]].size() == 1', /more than 4 levels/],
    ['a pattern that repeats repetitions', 'host.name.matches("((a{100}){100}){10}")', /pattern/],
    ['a long pattern', `host.name.matches("${'a'.repeat(1_001)}")`, /longer than 1000/],
    ['a lone surrogate', 'host.name == \ud800', /not allowed here/],
    ['a null character', 'host.name == \0', /not allowed here/],
    ['marks that turn the text around', 'host.name == \u202e"a"', /not allowed here/],
  ])('%s', (_case, source, message) => {
    expect(faultsOf(source).join('\n')).toMatch(message);
  });
});

describe('a broken template is reported with its place in the whole text', () => {
  test.each<readonly [string, string, readonly string[]]>([
    ['a part has no end', 'BER-${host.name', ['4-6 ${: ${ is never closed']],
    ['a text swallows the end', 'BER-${"a}', ['6-7 ": the string that starts here has no closing "']],
    ['a part is empty', 'BER-${ }', ['4-8 ${ }: the braces are empty']],
    [
      'a part is a bool',
      'a${ host.online }',
      [
        '4-15 host.online: a part of a name must be a string, an int or a double, not a bool (write condition ? "one" : "other")',
      ],
    ],
    [
      'a part is a list',
      '${["a"]}',
      ['2-7 ["a"]: a part of a name must be a string, an int or a double, not a list of string'],
    ],
    [
      'a misspelled field in the second part',
      '${host.name}-${host.grup}',
      ['20-24 grup: host has no field "grup" (did you mean "group"?)'],
    ],
    [
      'a fault in each part',
      '${a}${b}',
      [
        '2-3 a: "a" does not exist (put a string in quotation marks: "a")',
        '6-7 b: "b" does not exist (put a string in quotation marks: "b")',
      ],
    ],
    ['the change', '${change.to}', ['2-8 change: "change" does not exist (only policies can read change)']],
  ])('%s', (_case, source, faults) => {
    expect(shown(source, compileTemplate(source))).toEqual(faults);
  });
});

test('policies know the change', () => {
  expect(faultsOf('change.kind == "delete" && change.from != change.to', 'change')).toEqual([]);
  expect(faultsOf('change.knd == "delete"', 'change')).toEqual([
    '7-10 knd: change has no field "knd" (did you mean "kind"?)',
  ]);
});
