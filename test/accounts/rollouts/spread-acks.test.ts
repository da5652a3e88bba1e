import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadAcks } from '../../../src/accounts/rollouts/spread-acks.ts';

const none = { delete: 0, rename: 0, move: 0, antivirus: 0 };
const plans = [
  { account: 'berlin', counts: { ...none, delete: 3 } },
  { account: 'paris', counts: { ...none, delete: 25, rename: 2 } },
  { account: 'rome', counts: none },
];

describe('approvals for several accounts', () => {
  it('approve each account with its own number if the sum is exact', () => {
    expect(spreadAcks([{ kind: 'delete', count: 28 }], plans)).toMatchObject({
      ok: true,
      value: new Map([
        ['berlin', { delete: 3 }],
        ['paris', { delete: 25 }],
      ]),
    });
  });
  it('can combine the sum for one kind with the number of one account for another kind', () => {
    const acks = [
      { kind: 'delete', count: 28 },
      { account: 'paris', kind: 'rename', count: 2 },
    ] as const;
    expect(spreadAcks(acks, plans)).toMatchObject({
      ok: true,
      value: new Map([
        ['berlin', { delete: 3 }],
        ['paris', { delete: 25, rename: 2 }],
      ]),
    });
  });
  it.each([
    [[{ kind: 'delete', count: 27 }], 'ack-mismatch', '--ack delete=27 does not match: the plans have 28'],
    [[{ account: 'berlin', kind: 'delete', count: 28 }], 'ack-mismatch', 'the plan of berlin has 3'],
    [
      [{ account: 'oslo', kind: 'delete', count: 1 }],
      'usage',
      'oslo:delete=1 names an account that has no plan',
    ],
    [
      [
        { kind: 'delete', count: 28 },
        { account: 'berlin', kind: 'delete', count: 3 },
      ],
      'usage',
      'both for all accounts and for single accounts',
    ],
  ] as const)('refuse %j', (acks, code, message) => {
    const { ok, problems } = spreadAcks(acks, plans);
    expect(ok).toBe(false);
    expect(problems[0]).toMatchObject({ code, message: expect.stringContaining(message) });
  });
  it("never approve a number other than the account's count", () => {
    const count = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(fc.array(count, { maxLength: 6 }), fc.integer({ min: 0, max: 30 }), (counts, sum) => {
        const given = counts.map((each, at) => ({ account: `a${at}`, counts: { ...none, move: each } }));
        const spread = spreadAcks([{ kind: 'move', count: sum }], given);
        expect(spread.ok).toBe(sum === counts.reduce((a, b) => a + b, 0));
        if (!spread.ok) return;
        for (const [name, acks] of spread.value)
          expect(acks).toEqual({ move: given.find(({ account }) => account === name)?.counts.move });
      }),
    );
  });
});
