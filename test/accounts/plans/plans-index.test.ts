import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plansIndexPieces, readPlansIndex, toPlansIndex } from '../../../src/accounts/plans/plans-index.ts';
import type { PlansReview } from '../../../src/output/review/plans-review.ts';
import { arbitraryPlans, reportOf, reviewOf } from '../../given/account-plans.ts';
import { givenPlan } from '../../given/plan.ts';

const plan = givenPlan({
  entries: [
    { id: 1, name: 'B' },
    { id: 2, ensure: 'absent' },
  ],
  hosts: [
    { id: 1, name: 'A' },
    { id: 2, name: 'OLD' },
  ],
});
const review = reviewOf([reportOf('berlin', plan), reportOf('munich')]);
const text = printed(review);

describe('the index of plans', () => {
  it('is read as it was written, for any plans', () =>
    fc.assert(
      fc.property(arbitraryPlans, (plans) => {
        const index = toPlansIndex(reviewOf(plans.map(([name, each]) => reportOf(name, each))));
        const written = [...plansIndexPieces(index)].join('');
        const read = readPlansIndex(written, 'index.json');
        expect(read).toEqual({ ok: true, value: index, problems: [] });
        if (read.ok) expect([...plansIndexPieces(read.value)].join('')).toBe(written);
      }),
      { numRuns: 30 },
    ));

  it('is refused with any byte of it changed', () => {
    const passed = text.split('').filter((character, at) => {
      const other = character === 'x' ? 'y' : 'x';
      return readPlansIndex(`${text.slice(0, at)}${other}${text.slice(at + 1)}`, 'index.json').ok;
    });
    expect(passed).toEqual([]);
  });

  it.each([
    ['interrupted', (each: string) => each.replace('"interrupted": false', '"interrupted": true')],
    ['exit_code', (each: string) => each.replace(/"exit_code": 0(?=,?\n {2}")/, '"exit_code": 1')],
  ])('is refused if "%s" was changed and the checksum was not', (_, change) => {
    expect(change(text)).not.toBe(text);
    expect(readPlansIndex(change(text), 'index.json')).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'plan-file-checksum',
          message: 'the index of plans was modified after it was created',
          place: { file: 'index.json', line: 1, col: 1 },
        },
      ],
    });
  });

  it('is JSON Lines and ends with a line feed', () => {
    expect(text).toMatch(/^\{\n {2}"format_version": "2\.0",\n/);
    expect(text.endsWith('}\n')).toBe(true);
  });

  const faults: readonly (readonly [string, (text: string) => string, string])[] = [
    ['that is not JSON', () => 'plans', 'it is not JSON'],
    [
      'with a key twice',
      (each) => each.replace('"interrupted": false', '"interrupted": true,\n  "interrupted": false'),
      'appears twice',
    ],
    ['with an unknown member', (each) => each.replace('{', '{ "more": 1,'), '"more" is not known'],
    ['of a later format', (each) => each.replace('"2.0"', '"3.0"'), 'reads format 2.0'],
    ['of planning that did not end', () => '{"format_version":"2.0","unfinished":true}', 'are incomplete'],
    ['without a format', () => '{}', 'the file is not an index of plans: '],
  ];
  for (const [what, change, message] of faults) {
    it(`is refused if it is a file ${what}`, () => {
      const { ok, problems } = readPlansIndex(change(text), 'index.json');
      expect(ok).toBe(false);
      expect(problems[0]?.message).toContain(message);
      const isVersion = what === 'of a later format';
      expect(problems[0]?.code).toBe(isVersion ? 'plan-file-version' : 'plan-file-invalid');
    });
  }

  const lies: readonly (readonly [string, (each: PlansReview) => void])[] = [
    ['totals', ({ totals }) => (totals.summary.delete = 0)],
    ['accounts', ({ accounts }) => accounts.push(...accounts.slice(0, 1))],
    ['outcome', ({ accounts: [, munich] }) => munich && (munich.outcome = 'no-changes')],
    ['applicable', ({ accounts: [berlin] }) => berlin?.plan && (berlin.plan.applicable = false)],
    [
      'file',
      ({ accounts: [berlin] }) =>
        berlin?.plan && (berlin.plan.file = { name: 'munich.plan.json', sha256: 'a'.repeat(64) }),
    ],
  ];
  for (const [member, lie] of lies) {
    it(`is refused if "${member}" contradicts the accounts, even with a checksum that fits`, () => {
      const forged = structuredClone(review);
      lie(forged);
      const { problems } = readPlansIndex(printed(forged), 'index.json');
      expect(problems).toMatchObject([
        { code: 'plan-file-checksum', message: `"${member}" does not match the accounts of the index` },
      ]);
    });
  }
});

function printed(each: PlansReview): string {
  return [...plansIndexPieces(toPlansIndex(each))].join('');
}
