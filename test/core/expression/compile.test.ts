import { describe, expect, test } from 'vitest';
import { compileTemplate } from '../../../src/core/expression/compile.ts';
import { hostileNames } from '../../given/hostile-names.ts';
import { asked, condition, givenSubject, rendered, template } from './given-subject.ts';

describe('observed values in every form', () => {
  const subject = givenSubject({
    hardware: {
      hostId: 1,
      serviceTag: 7,
      motherboard: null,
      processors: { type: 'only one', numberOfCores: 8, id: true },
      drives: [null, 'text', { name: 'C', capacity: 1.5, nested: { a: [1] } }],
      batteries: ['A', { name: 'B' }, { batteryName: 'C' }, { serial: 1 }, null, ''],
      resolution: { x: 1, y: [2] },
      wired: ['a', 2],
      hardwareInfo: 'no object',
    },
    system: { externalIp: ['203.0.113.7', '2001:db8::7'], journalEntries: 'one', localUsers: [] },
  });

  test.each([
    ['a number is a text', 'host.inventory.hardware.serviceTag == "7"'],
    [
      'null is not known',
      '!has(host.inventory.hardware.motherboard) || host.inventory.hardware.motherboard.id == ""',
    ],
    ['one object is a list of one', 'host.inventory.hardware.processors[0].numberOfCores == "8"'],
    ['a bool is a text', 'host.inventory.hardware.processors[0].id == "true"'],
    ['what is no object has no members', 'host.inventory.hardware.drives[1].name == ""'],
    ['a fraction is a text', 'host.inventory.hardware.drives[2].capacity == "1.5"'],
    ['a text for an object has no members', 'host.inventory.hardware.hardwareInfo.model == ""'],
    ['batteries are names', 'host.inventory.hardware.batteries == ["A", "B", "C", "{\\"serial\\":1}"]'],
    ['several addresses are one text', 'host.inventory.system.externalIp == "203.0.113.7, 2001:db8::7"'],
    ['one entry is a list of one', 'host.inventory.system.journalEntries == ["one"]'],
    [
      'an empty list is known',
      'has(host.inventory.system.localUsers) && host.inventory.system.localUsers.size() == 0',
    ],
    [
      'an object beyond the spec is JSON',
      'host.inventory.hardware.other["resolution"] == "{\\"x\\":1,\\"y\\":[2]}"',
    ],
    ['a list beyond the spec is joined', 'host.inventory.hardware.other.wired == "a, 2"'],
    ['what the spec has is not among the others', '!("serviceTag" in host.inventory.hardware.other)'],
    ['nor is the id', 'host.inventory.hardware.other.map(k, k) == ["resolution", "wired"]'],
    ['what a record inherits is not its own', '!("constructor" in host.inventory.hardware.other)'],
    ['nor what a map inherits', '!("__proto__" in host.customFields) && host.customFields["toString"] == ""'],
  ])('%s', (_case, source) => {
    expect(asked(source, subject)).toBe(true);
  });

  test('anti-virus details that the service leaves out are missing', () => {
    const nothing = {
      product: null,
      status: null,
      realTimeProtection: null,
      definitionsUpToDate: null,
      definitionVersion: null,
      lastFullScan: null,
      threats: null,
      several: null,
      build: null,
      mac: null,
    };
    const details = givenSubject({ antivirus: { installed: true, supported: false, details: nothing } });
    for (const fact of ['product', 'realTimeProtection', 'threats', 'build', 'mac', 'lastFullScan']) {
      expect(asked(`has(host.antivirus.${fact})`, details)).toBe(false);
    }
    expect(
      asked('host.antivirus.threats == 0 && !host.antivirus.mac && host.antivirus.installed', details),
    ).toBe(true);
    expect(rendered('${host.antivirus.threats}', details)).toBe(
      'fault: host.antivirus.threats is unknown for this host',
    );
  });
});

describe('what is missing', () => {
  const bare = givenSubject();

  test.each([
    ['a name', 'host.name'],
    ['a host name', 'host.hostName'],
    ['a time', 'host.stateChangedAt'],
    ['an anti-virus product', 'host.antivirus.product'],
    ['a custom field', 'host.customFields["Site"]'],
    ['an inventory value', 'host.inventory.hardware.serviceTag'],
    ['an inventory value of an object', 'host.inventory.system.operatingSystem.type'],
    ['an inventory value beyond the spec', 'host.inventory.hardware.other["screen"]'],
    ['an item of a list', 'host.inventory.hardware.batteries[0]'],
    ['a member of an item', 'host.inventory.hardware.processors[0].type'],
  ])('%s reads as "" in a condition and is a fault in a template', (_case, source) => {
    expect(asked(`${source} == ""`, bare)).toBe(true);
    const item = source.replace(/\[0\].*$/, '');
    expect(rendered(`\${${source}}`, bare)).toBe(`fault: ${item} is unknown for this host`);
  });

  test('lists are empty', () => {
    expect(
      asked('host.inventory.hardware.processors.size() == 0 && host.customFields.size() == 0', bare),
    ).toBe(true);
    expect(rendered('${host.inventory.hardware.batteries.join()}', bare)).toMatch(
      /^fault: .*batteries is unknown/,
    );
  });

  test('an empty text is missing', () => {
    const empty = givenSubject({ customFields: { Site: '' }, hardware: { serviceTag: '' } });
    expect(asked('"Site" in host.customFields || has(host.customFields.Site)', empty)).toBe(false);
    expect(asked('has(host.inventory.hardware.serviceTag)', empty)).toBe(false);
    expect(rendered('${host.customFields["Site"]}', empty)).toMatch(/is unknown/);
    expect(rendered('${"Site" in host.customFields ? host.customFields["Site"] : "none"}', empty)).toBe(
      'none',
    );
  });

  test('has() on a report shows whether the report exists', () => {
    const some = givenSubject({ hardware: {} });
    expect(
      asked('has(host.inventory.hardware) && has(host.inventory) && !has(host.inventory.system)', some),
    ).toBe(true);
    expect(asked('has(host.inventory)', bare)).toBe(false);
    expect(asked('has(host.antivirus)', bare)).toBe(false);
    expect(asked('has(host.inventory.hardware.hardwareInfo)', some)).toBe(false);
  });

  test('a custom field can be selected by a computed name', () => {
    const subject = givenSubject({ name: 'Site', customFields: { Site: 'Berlin' } });
    expect(asked('host.customFields[host.name] == "Berlin" && host.name in host.customFields', subject)).toBe(
      true,
    );
    expect(rendered('${host.customFields[host.name + "x"]}', subject)).toBe(
      'fault: host.customFields[…] is unknown for this host',
    );
  });
});

describe('a fault in plain words instead of a value', () => {
  const subject = givenSubject({ name: 'a-b' });

  test.each([
    ['1 / 0 == 1', 'division by zero'],
    ['1 % 0 == 1', 'remainder of a division by zero'],
    ['9223372036854775807 + 1 == 0', 'a number does not fit in 64 bits'],
    ['int(1e30) == 0', 'a number does not fit in 64 bits'],
    ['int("") == 0', 'int(""): the string is not a 64-bit integer'],
    ['int("12a") == 0', 'int("12a"): the string is not a 64-bit integer'],
    ['int("0x10") == 0', 'int("0x10"): the string is not a 64-bit integer'],
    ['double("") == 0.0', 'double(""): the string is not a number'],
    ['bool("yes")', 'bool("yes"): the string is neither true nor false'],
    [
      'timestamp("") == timestamp("")',
      'timestamp(…): the string is not a time such as "2026-01-31T00:00:00Z"',
    ],
    ['duration("1 day") == duration("1h")', 'duration(…): the string is not a duration such as "36h"'],
    ['host.name.split("-")[2] == "c"', 'the index 2 is outside the list of 2 items'],
    ['host.name.substring(4) == ""', 'the index 4 is outside the string of 3 characters'],
    ['host.name.substring(2, 1) == ""', 'the substring starts at 2, after its end at 1'],
    ['host.name.padStart(5, "ab") == ""', 'the padding must be exactly one character'],
    ['host.name.padStart(99999999999, "a") == ""', 'the padding can have at most 1000 characters'],
    ['{"a": 1}["b"] == 1', 'the map has no key "b"'],
    ['{host.name: 1, "a-b": 2}.size() == 1', 'a map has the key "a-b" twice'],
    [
      'host.name.matches("(" + host.name)',
      'the pattern is not a valid regular expression: missing closing ): `(a-b`',
    ],
  ])('%s', (source, message) => {
    expect(asked(source, subject)).toBe(`fault: ${message}`);
  });

  test('does not matter if an operand decides without it', () => {
    expect(asked('false && 1 / 0 == 1', subject)).toBe(false);
    expect(asked('1 / 0 == 1 || true', subject)).toBe(true);
  });
});

describe('work on one host is bounded', () => {
  const subject = givenSubject({
    system: { journalEntries: Array.from({ length: 3_000 }, (_, index) => `e${index}`) },
  });
  const entries = 'host.inventory.system.journalEntries';
  const doubled = (times: number) => `["${'x'.repeat(9)}"]${'.map(x, x + x)'.repeat(times)}`;

  test.each([
    ['nested macros', `${entries}.exists(a, ${entries}.exists(b, a + b == "x"))`, /too many steps/],
    [
      'nested macros hidden behind ||',
      `${entries}.exists(a, ${entries}.exists(b, a == "x") || false)`,
      /too many steps/,
    ],
    ['a text that doubles', `${doubled(60)}[0].size() == 1`, /more than 100000 characters/],
    [
      'a text that replacing multiplies',
      `${doubled(10)}[0].replace("x", "${'y'.repeat(99)}") == ""`,
      /more than 100000 characters/,
    ],
    [
      'a text that joining multiplies',
      `${entries}.join("${'z'.repeat(99)}") == ""`,
      /more than 100000 characters/,
    ],
    [
      'a list that doubles',
      `[${entries}]${'.map(x, x + x)'.repeat(20)}.size() == 1`,
      /more than 10000 items/,
    ],
    ['a text in 100,000 parts', `${doubled(12)}[0].split("").size() == 1`, /more than 10000 items/],
  ])('%s', (_case, source, message) => {
    expect(asked(source, subject)).toMatch(message);
  });

  test.each([
    ['looking through a list in macros', `${entries}.exists(a, ${entries}.exists(b, "zz" in ${entries}))`],
    ['comparing lists in macros', `${entries}.exists(a, ${entries}.exists(b, ${entries} != ${entries}))`],
    ['counting a long text in macros', `${entries}.all(e, ${doubled(13)}[0].size() > 0)`],
    [
      'searching a long text for another',
      `${entries}.all(e, !${doubled(13)}[0].contains(e + ${doubled(12)}[0]))`,
    ],
    ['reading a number of many digits', `${entries}.exists(e, double(${doubled(13)}[0] + e) == 1.0)`],
  ])('%s', (_case, source) => {
    expect(asked(source, subject)).toMatch(/^fault: (the expression takes too many steps|double)/);
  });

  test('a long list alone is allowed', () => {
    expect(asked(`${entries}.filter(e, e.endsWith("7")).map(e, e.size()).size() == 300`, subject)).toBe(true);
    expect(
      asked(`${entries}.exists_one(e, e == "e2999") && ${entries}.all(e, e.startsWith("e"))`, subject),
    ).toBe(true);
  });

  test('each host gets the whole allowance', () => {
    const source = condition(`${entries}.exists(a, a == "x") || true`);
    const results = Array.from({ length: 100 }, () => source.begin()(subject));
    expect(results.every((result) => result.ok && result.value)).toBe(true);
  });
});

describe('templates', () => {
  const subject = givenSubject({ id: '9007199254740993', name: 'a}"{b', customFields: { n: '1' } });

  test.each([
    ['no part at all', 'just text', 'just text'],
    ['an empty text', '', ''],
    ['a dollar sign', '$5 {x} $', '$5 {x} $'],
    ['a literal beginning', 'a $${b} c', 'a ${b} c'],
    ['an exact id', '${host.id}', '9007199254740993'],
    ['braces in a text', '${host.name.replace("}", "")}', 'a"{b'],
    ['quotation marks in a text', `\${host.name.replace('"', '')}`, 'a}{b'],
    ['an escaped quotation mark', String.raw`${'${'}"\"}" + "x"}`, '"}x'],
    ['a raw text that ends with a backslash', String.raw`${'${'}r"\"}`, '\\'],
    ['a map', '${{"a": "b"}["a"]}!', 'b!'],
    ['parts side by side', '${1}${2.5}${"c"}', '12.5c'],
  ])('%s', (_case, source, text) => {
    expect(rendered(source, subject)).toBe(text);
  });

  test('a text that grows too long is a fault', () => {
    const long = givenSubject({ name: 'x'.repeat(60_000) });
    expect(rendered('${host.name}${host.name}', long)).toMatch(/^fault: .*100000 characters/);
  });
});

test.each(hostileNames)('a hostile name is just data: %j', (name) => {
  const subject = givenSubject({ name, group: name, customFields: { [name]: name } });
  expect(asked('host.name == host.group && host.name.contains(host.group)', subject)).toBe(true);
  expect(rendered('<${host.name}>', subject)).toBe(
    name === '' ? 'fault: host.name is unknown for this host' : `<${name}>`,
  );
  const literal = JSON.stringify(name).replaceAll('\u007f', '\\u007f');
  if (literal.length < 3_000 && name.isWellFormed()) {
    expect(asked(`host.name == ${literal}`, subject)).toBe(true);
  }
});

test('a name of 10,000 characters is just data', () => {
  const subject = givenSubject({ name: 'x'.repeat(10_000) });
  expect(
    asked('host.name.size() == 10000 && host.name.upper().extract("^(X+)$").size() == 10000', subject),
  ).toBe(true);
});

describe('the lists that an expression needs', () => {
  const none = { antivirus: false, customFields: false, hardware: [], system: [] };

  test.each([
    ['the lists of the fleet', 'host.name == "a" && host.online && host.group == host.hostName', none],
    ['anti-virus', 'host.antivirus.installed', { ...none, antivirus: true }],
    ['anti-virus, asked with has', 'has(host.antivirus)', { ...none, antivirus: true }],
    ['custom fields', '"a" in host.customFields', { ...none, customFields: true }],
    [
      'one hardware field',
      'host.inventory.hardware.serviceTag == "a"',
      { ...none, hardware: ['ServiceTag'] },
    ],
    [
      'a field of an object',
      'host.inventory.hardware.hardwareInfo.model == "a"',
      { ...none, hardware: ['HardwareModel'] },
    ],
    [
      'a list of objects',
      'host.inventory.hardware.processors.exists(p, p.type == "a")',
      { ...none, hardware: ['CpuNumberOfCores', 'CpuNumberOfProcessors', 'CpuSpeed', 'CpuType'] },
    ],
    [
      'two system fields',
      'host.inventory.system.operatingSystem.type == host.inventory.system.externalIp',
      { ...none, system: ['ExternalIp', 'OsType'] },
    ],
    ['a part that decides nothing', 'true || host.antivirus.mac', { ...none, antivirus: true }],
  ])('%s', (_case, source, needs) => {
    expect(condition(source).needs).toEqual(needs);
  });

  test('an expression beyond the specification needs every field', () => {
    expect(condition('host.inventory.hardware.other["a"] == "b"').needs.hardware).toHaveLength(32);
    expect(condition('has(host.inventory.system)').needs.system).toHaveLength(15);
  });

  test('a template needs the fields of all its parts', () => {
    expect(template('${host.customFields["a"]}${host.inventory.system.externalIp}').needs).toEqual({
      ...none,
      customFields: true,
      system: ['ExternalIp'],
    });
    expect(compileTemplate('x')).toMatchObject({ ok: true, value: { needs: none } });
  });
});
