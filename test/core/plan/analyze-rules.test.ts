import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeRules } from '../../../src/core/plan/analyze-rules.ts';
import { hasErrors } from '../../../src/core/problem/problem.ts';
import { readDesired } from '../../../src/input/read-desired.ts';
import { anyCondition, anySubject } from '../expression/arbitrary-condition.ts';
import { condition } from '../expression/given-subject.ts';

/** The remarks on rules, each `name: when -> what it sets`. */
function remarksOn(rules: readonly (readonly [when: string, sets: string])[]): readonly string[] {
  const items = rules.map(([when, sets], index) => `  - { name: R${index + 1}, when: '${when}', ${sets} }`);
  const read = readDesired([{ file: 'fleet.yaml', text: `version: 1\nrules:\n${items.join('\n')}\n` }]);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'));
  return analyzeRules(read.value).map(({ message }) => message);
}

const isB = 'host.name.startsWith("B-")';

describe('remarks on rules', () => {
  it.each([
    [
      'a condition that contradicts itself',
      [[`${isB} && host.name == "A"`, 'group: X']],
      ['rule "R1" matches no host: its "when" contradicts itself'],
    ],
    [
      'two beginnings that no name has',
      [[`${isB} && host.name.startsWith("C-")`, 'group: X']],
      ['rule "R1" matches no host: its "when" contradicts itself'],
    ],
    [
      'a rule behind a wider one',
      [
        [isB, 'group: X'],
        ['host.name.startsWith("B-LT-") && host.online', 'group: Y'],
      ],
      [
        'rule "R2" sets nothing: earlier rules set all that it sets, for example "R1" for a host named "B-LT-" in no group',
      ],
    ],
    [
      'a rule behind several that together are wider',
      [
        ['host.online', 'group: X'],
        [`!host.online && ${isB}`, 'group: Y'],
        [isB, 'group: Z'],
      ],
      [
        'rule "R3" sets nothing: earlier rules set all that it sets, for example "R1" for a host named "B-" in no group',
      ],
    ],
    [
      'two rules that set one attribute of one host',
      [
        [isB, 'group: X'],
        ['host.group == "Attic"', 'group: Y'],
      ],
      ['rules "R1" and "R2" both set "group" of a host named "B-" in group "Attic": the first one decides'],
    ],
    [
      'two that set the same',
      [
        [isB, 'group: X'],
        ['host.online', 'group: X'],
      ],
      [],
    ],
    [
      'two that set different attributes',
      [
        [isB, 'group: X'],
        [isB, 'antivirus: installed'],
      ],
      [],
    ],
    [
      'two that meet no host',
      [
        [isB, 'group: X'],
        ['host.name.startsWith("C-")', 'group: Y'],
      ],
      [],
    ],
    [
      'a rename that only an unknown fact allows',
      [['host.customFields["Site"] == ""', 'rename: X']],
      ['rule "R1" sets nothing: a fact that it tests is unknown wherever it matches'],
    ],
    ['what the analysis does not cover', [['host.name.endsWith("1") && host.name == "2"', 'group: X']], []],
  ] as const)('name %s', (_, rules, expected) => {
    expect(remarksOn(rules)).toEqual(expected);
  });

  it('say that a rule matches no host only if no host matches', () => {
    fc.assert(
      fc.property(
        anyCondition,
        fc.array(anySubject, { minLength: 20, maxLength: 20 }),
        (source, subjects) => {
          const when = condition(source);
          const rules = [{ index: 0, name: 'R', when, antivirus: true }];
          const remarks = analyzeRules({
            rules,
            placeOfRule: () => ({ file: 'fleet.yaml', line: 1, col: 1 }),
          });
          expect(hasErrors(remarks)).toBe(false);
          if (!remarks.some(({ message }) => message.includes('matches no host'))) return;
          const ask = when.begin();
          for (const subject of subjects) expect(ask(subject)).toMatchObject({ value: false });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stay few with 200 rules', () => {
    const rules = Array.from({ length: 200 }, (_, index) => {
      const site = `S${String(index).padStart(3, '0')}`;
      const when = `host.name.startsWith("${site}-") && host.group != "Attic" && host.online`;
      return [when, `group: G${index}, rename: "${site}-X"`] as const;
    });
    expect(remarksOn([...rules, ['host.name.startsWith("S007-LT") && host.online', 'group: G']])).toEqual([
      'rules "R8" and "R201" both set "group" of a host named "S007-LT" in group "1": the first one decides',
    ]);
  });
});
