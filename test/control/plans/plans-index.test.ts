import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plansIndexPieces, readPlansIndex, toPlansIndex } from '../../../src/control/plans/plans-index.ts';
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
  it('is read as it was written, for any plans', () => {
    fc.assert(
      fc.property(arbitraryPlans, (plans) => {
        const index = toPlansIndex(reviewOf(plans.map(([name, each]) => reportOf(name, each))));
        const written = [...plansIndexPieces(index)].join('');
        const read = readPlansIndex(written, 'index.json');
        expect(read).toEqual({ ok: true, value: index, problems: [] });
        if (read.ok) expect([...plansIndexPieces(read.value)].join('')).toBe(written);
      }),
      { numRuns: 30 },
    );
  });

  it('is refused with any byte of it changed', () => {
    const passed = text.split('').filter((character, at) => {
      const other = character === 'x' ? 'y' : 'x';
      return readPlansIndex(`${text.slice(0, at)}${other}${text.slice(at + 1)}`, 'index.json').ok;
    });
    expect(passed).toEqual([]);
  });

  const faults: readonly (readonly [string, (text: string) => string, string])[] = [
    ['that is not JSON', () => 'plans', 'it is not JSON'],
    [
      'with a key twice',
      (each) => each.replace('"interrupted": false', '"interrupted": true,\n  "interrupted": false'),
      'appears twice',
    ],
    ['with an unknown member', (each) => each.replace('{', '{ "more": 1,'), 'has an invalid value'],
    ['of a later format', (each) => each.replace('"1.0"', '"2.0"'), 'reads format 1.0'],
    ['of planning that did not end', () => '{"format_version":"1.0","unfinished":true}', 'are incomplete'],
  ];
  for (const [what, change, message] of faults) {
    it(`is refused if it is a file ${what}`, () => {
      expect(messageOf(change(text))).toContain(message);
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
      expect(messageOf(printed(forged))).toBe(`"${member}" does not match the accounts of the index`);
    });
  }
});

function printed(each: PlansReview): string {
  return [...plansIndexPieces(toPlansIndex(each))].join('');
}

function messageOf(changed: string): string | undefined {
  return readPlansIndex(changed, 'index.json').problems[0]?.message;
}
