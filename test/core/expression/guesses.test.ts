import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExpressionSubject } from '../../../src/core/model/expression.ts';
import { anyDetails, anyMixedCondition } from './arbitrary-condition.ts';
import { condition, type GivenSubject, givenSubject } from './given-subject.ts';

const word = fc.constantFrom('B', 'Be', 'Berlin', 'Berlin-1', 'in', '7');

/** Everything that a service may or may not know about a host, with every fact known. */
const whole = fc.record({
  name: word,
  hostName: word,
  customFields: word.chain((Site) =>
    word.map((value) =>
      Object.fromEntries([
        ['__proto__', value],
        ['Site', Site],
      ]),
    ),
  ),
  hardware: fc.record({ serviceTag: word }),
  antivirus: fc.record({ installed: fc.boolean(), supported: fc.boolean(), details: anyDetails }),
});

function verdictOn(source: string, subject: ExpressionSubject) {
  const verdict = condition(source).begin()(subject);
  return verdict.ok ? (verdict.guessed === true ? 'guessed' : verdict.value) : 'fault';
}

test('a result that is not a guess holds whatever the unknown facts are', () => {
  let guessed = 0;
  let held = 0;
  fc.assert(
    fc.property(
      // `in` and has() ask whether a fact is known, which is certain of every host.
      anyMixedCondition.filter((source) => !source.includes('" in host.customFields')),
      whole,
      fc.subarray(['name', 'hostName', 'customFields', 'hardware', 'antivirus'] as const),
      (source, known, unknown) => {
        const partly: GivenSubject = Object.fromEntries(
          Object.entries(known).filter(([key]) => !(unknown as readonly string[]).includes(key)),
        );
        const verdict = verdictOn(source, givenSubject(partly));
        if (verdict === 'guessed') guessed += 1;
        if (verdict !== true) return;
        held += 1;
        expect(verdictOn(source, givenSubject(known))).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
  expect(Math.min(guessed, held)).toBeGreaterThan(10);
});

describe('a host without known facts', () => {
  const nobody = givenSubject({ name: 'BER-1', group: 'Berlin' });

  test.each([
    'host.inventory.hardware.hardwareInfo.manufacturer != "Dell"',
    '!(host.inventory.hardware.hardwareInfo.manufacturer == "Dell")',
    '!host.inventory.hardware.hardwareInfo.manufacturer.startsWith("D")',
    '!host.inventory.hardware.hardwareInfo.manufacturer.lower().matches("^dell")',
    'host.inventory.hardware.hardwareInfo.manufacturer == ""',
    'host.inventory.hardware.hardwareInfo.manufacturer.size() < 3',
    'host.inventory.hardware.hardwareInfo.manufacturer in ["", "HP"]',
    'host.inventory.hardware.drives.all(each, each.capacity != "1")',
    '!host.inventory.hardware.drives.exists(each, each.capacity == "1")',
    'size(host.inventory.hardware.drives) == 0',
    'host.inventory.hardware.drives[3].name != "C:"',
    '(host.inventory.hardware.serviceTag == "" ? "none" : "some") == "none"',
    'host.inventory.hardware.serviceTag == host.inventory.system.externalIp',
    '!host.antivirus.installed',
    'host.antivirus.threats < 1',
    'host.customFields["Site"] != "Wien"',
    'host.customFields.size() == 0',
    'host.customFields.all(each, each != "Site")',
    '(host.name + host.customFields["Site"]).endsWith("1")',
  ])('is a guess: %s', (source) => {
    expect(verdictOn(source, nobody)).toBe('guessed');
  });

  test.each([
    'host.name.startsWith("BER")',
    '!(host.group == "Wien")',
    'host.customFields["Site"] != "Wien" || host.group == "Berlin"',
    'host.group == "Berlin" || host.inventory.hardware.serviceTag.lower() != "x"',
    'host.inventory.hardware.serviceTag.lower() != "x" || host.group == "Berlin"',
    '!has(host.inventory.hardware)',
    '!("Site" in host.customFields)',
    '!has(host.antivirus.installed)',
  ])('is not a guess: %s', (source) => {
    expect(verdictOn(source, nobody)).toBe(true);
  });

  test.each([
    'has(host.antivirus.installed) && !host.antivirus.installed',
    'host.customFields["Site"] == "Wien"',
    'has(host.inventory.hardware.serviceTag) && host.inventory.hardware.serviceTag != "x"',
  ])('does not match: %s', (source) => {
    expect(verdictOn(source, nobody)).toBe(false);
  });
});

describe('one budget for all hosts', () => {
  const ten = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]';
  const nested = ['a', 'b', 'c', 'd'].reduceRight(
    (inner, name) => `${ten}.exists(${name}, ${inner})`,
    'a + b + c + d > 1000',
  );

  test('four nested macros over 3,000 hosts soon exceed it, and a new run has a new budget', {
    timeout: 60_000,
  }, () => {
    const asked = condition(nested);
    const ask = asked.begin();
    const start = process.cpuUsage();
    const verdicts = Array.from({ length: 3_000 }, (_, index) =>
      ask(givenSubject({ id: String(index + 1), name: `H-${index}` })),
    );
    const { user } = process.cpuUsage(start);
    expect(user / 1e6).toBeLessThan(20);
    expect(verdicts[0]).toEqual({ ok: true, value: false });
    const faults = verdicts.filter(({ ok }) => !ok);
    expect(faults.length).toBeGreaterThan(2_000);
    expect(faults.at(-1)).toMatchObject({ fault: { message: expect.stringContaining('too many steps') } });
    // The same question has the same answer.
    expect(asked.begin()(givenSubject())).toEqual({ ok: true, value: false });
  });

  test('allows several hundred steps on each of many hosts', () => {
    const ask = condition(`${ten}.exists(a, ${ten}.exists(b, a * b > 1000))`).begin();
    for (let index = 0; index < 4_000; index += 1) {
      expect(ask(givenSubject()).ok).toBe(true);
    }
  });
});
