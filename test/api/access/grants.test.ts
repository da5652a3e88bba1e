import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAllowed, roles, type ServerAction, serverActions } from '../../../src/api/access/action.ts';
import { checkGrants } from '../../../src/api/access/check-grants.ts';
import {
  type Grant,
  isVisible,
  type LabeledAccount,
  mayDo,
  visibleAccounts,
} from '../../../src/api/access/grants.ts';
import { limitGrants } from '../../../src/api/access/limit-grants.ts';

const labels = new Set(['region', 'tier']);
const account = (name: string, given: Readonly<Record<string, string>>): LabeledAccount => ({
  name,
  labels: given,
  configuredLabels: labels,
});
const contoso = account('contoso', { region: 'eu', tier: 'gold' });
const fabrikam = account('fabrikam', { region: 'us' });
const tailspin = account('tailspin', {});
const accounts = [contoso, fabrikam, tailspin];

describe('access to an account', () => {
  test('nobody can do anything without a grant', () => {
    for (const action of serverActions) {
      for (const each of [...accounts, null]) expect(mayDo([], action, each)).toBe(false);
    }
  });

  test('a grant without a selector applies to every account and to what belongs to no account', () => {
    for (const each of [...accounts, null]) expect(mayDo([{ role: 'viewer' }], 'read', each)).toBe(true);
  });

  test('a selector limits a grant to the accounts that it matches', () => {
    const grants: Grant[] = [{ role: 'operator', where: 'region == "eu"' }];
    expect(accounts.map((each) => mayDo(grants, 'run', each))).toEqual([true, false, false]);
  });

  test('a selector can match the name of the account', () => {
    const grants: Grant[] = [{ role: 'viewer', where: 'name == "fabrikam"' }];
    expect(visibleAccounts(grants, accounts)).toEqual(['fabrikam']);
  });

  test('an account without a label reads it as an empty text', () => {
    const grants: Grant[] = [{ role: 'viewer', where: 'tier == ""' }];
    expect(visibleAccounts(grants, accounts)).toEqual(['fabrikam', 'tailspin']);
  });

  test("a label called name can't replace the name of an account", () => {
    const forged: LabeledAccount = {
      name: 'forged',
      labels: { name: 'contoso' },
      configuredLabels: new Set(['name']),
    };
    expect(mayDo([{ role: 'viewer', where: 'name == "contoso"' }], 'read', forged)).toBe(false);
  });

  test.each(['region ==', 'unknown == "x"', 'region'])('the faulty selector %s grants nothing', (where) => {
    const grants: Grant[] = [{ role: 'admin', where }];
    // Labels of its own: nothing is known about the selector before.
    const fresh = { ...contoso, configuredLabels: new Set(['region', 'tier']) };
    for (const action of serverActions) expect(mayDo(grants, action, fresh)).toBe(false);
    expect(visibleAccounts(grants, [fresh])).toEqual([]);
  });

  test('the role of one grant is not combined with the selector of another', () => {
    const grants: Grant[] = [
      { role: 'viewer' },
      { role: 'approver', where: 'region == "eu"' },
      { role: 'operator', where: 'region == "us"' },
    ];
    expect(accounts.map((each) => mayDo(grants, 'approve', each))).toEqual([true, false, false]);
    expect(accounts.map((each) => mayDo(grants, 'run', each))).toEqual([false, true, false]);
    expect(mayDo(grants, 'approve', null)).toBe(false);
  });

  test.each(['true', 'region == "eu"', 'name != ""'])(
    'the selector %s never reaches what belongs to no account',
    (where) => {
      for (const action of serverActions) {
        expect(mayDo([{ role: 'admin', where }], action, null)).toBe(false);
      }
    },
  );

  test.each([
    ['', 'is empty'],
    ['region ==', 'is cut off'],
    ['regoin != "us"', 'names a label that no account has'],
    ['region', 'is no bool'],
    ['name.matches("(")', 'has a faulty pattern'],
    ['int(region) == 1', 'fails when it is evaluated'],
    ['region == "eu" && 1 / 0 == 1', 'divides by zero'],
  ])('the selector %j grants nothing because it %s', (where) => {
    const grants: Grant[] = [{ role: 'admin', where }];
    expect(visibleAccounts(grants, accounts)).toEqual([]);
    expect(mayDo(grants, 'read', contoso)).toBe(false);
  });

  test('a faulty selector grants nothing, however often it is evaluated', () => {
    const grants: Grant[] = [{ role: 'admin', where: 'region ==' }];
    for (let at = 0; at < 3; at += 1) expect(mayDo(grants, 'read', contoso)).toBe(false);
  });

  test('a faulty selector does not remove what another grant gives', () => {
    const grants: Grant[] = [{ role: 'viewer', where: 'region ==' }, { role: 'viewer' }];
    expect(mayDo(grants, 'read', fabrikam)).toBe(true);
  });

  test('the same selector is evaluated with the labels of each configuration', () => {
    const grants: Grant[] = [{ role: 'viewer', where: 'site != "x"' }];
    expect(mayDo(grants, 'read', contoso)).toBe(false);
    expect(mayDo(grants, 'read', { ...contoso, configuredLabels: new Set([...labels, 'site']) })).toBe(true);
    expect(mayDo(grants, 'read', contoso)).toBe(false);
  });

  test('a large number of selectors does not change what each of them grants', () => {
    for (let at = 0; at < 2_100; at += 1) {
      const where = `region == "eu" && name != "${at}"`;
      expect(mayDo([{ role: 'viewer', where }], 'read', contoso)).toBe(true);
    }
    expect(mayDo([{ role: 'viewer', where: 'region == "us"' }], 'read', contoso)).toBe(false);
  });
});

describe('the visible accounts', () => {
  test('an unscoped grant shows all accounts, including those that are no longer configured', () => {
    const visible = visibleAccounts([{ role: 'viewer' }], accounts);
    expect(visible).toBe('all');
    expect(isVisible(visible, 'removed')).toBe(true);
  });

  test('scoped grants show the union of what they select', () => {
    const visible = visibleAccounts(
      [
        { role: 'viewer', where: 'region == "eu"' },
        { role: 'approver', where: 'region == "us"' },
      ],
      accounts,
    );
    expect(visible).toEqual(['contoso', 'fabrikam']);
    expect(isVisible(visible, 'contoso')).toBe(true);
    expect(isVisible(visible, 'tailspin')).toBe(false);
    expect(isVisible(visible, 'removed')).toBe(false);
  });

  test('an action shows only the accounts on which it is allowed', () => {
    const grants: Grant[] = [{ role: 'viewer' }, { role: 'operator', where: 'region == "us"' }];
    expect(visibleAccounts(grants, accounts, 'run')).toEqual(['fabrikam']);
  });
});

describe('grants that someone gives to a token', () => {
  const eu: Grant = { role: 'admin', where: 'region == "eu"' };

  test('an unscoped giver grants exactly the requested roles', () => {
    const requested: Grant[] = [{ role: 'operator', where: 'tier == "gold"' }, { role: 'viewer' }];
    expect(limitGrants([{ role: 'admin' }], requested, labels)).toMatchObject({ ok: true, value: requested });
  });

  test('a role that the giver does not have is refused', () => {
    const limited = limitGrants([{ role: 'operator' }, { role: 'approver' }], [{ role: 'admin' }], labels);
    expect(limited).toMatchObject({ ok: false, problems: [{ code: 'forbidden' }] });
  });

  test('an unscoped role is granted without a selector, and refused if the selector is missing', () => {
    const limited = limitGrants([{ role: 'admin' }], [{ role: 'viewer' }], labels);
    expect(limited.ok && limited.value).toStrictEqual([{ role: 'viewer' }]);
  });

  test('a giver with a selector grants only within it', () => {
    const limited = limitGrants([eu], [{ role: 'viewer' }], labels);
    expect(limited).toMatchObject({ ok: true, value: [{ role: 'viewer', where: '(region == "eu")' }] });
  });

  test('a giver with several selectors grants within any of them', () => {
    const giver: Grant[] = [eu, { role: 'operator', where: 'region == "us"' }];
    const limited = limitGrants(giver, [{ role: 'operator', where: 'name != "contoso"' }], labels);
    expect(limited.ok && visibleAccounts(limited.value, accounts, 'run')).toEqual(['fabrikam']);
  });

  test.each(['name == "fabrikam") || (true', 'true) //', '"" == "', 'true; true'])(
    'a selector that is not a valid expression by itself is refused: %s',
    (where) => {
      expect(limitGrants([eu], [{ role: 'viewer', where }], labels)).toMatchObject({
        ok: false,
        problems: [{ code: 'invalid-expression' }],
      });
    },
  );

  test('a comment at the end of a selector hides no bracket', () => {
    const limited = limitGrants(
      [{ role: 'admin', where: 'region == "eu" // Europe\n' }],
      [{ role: 'viewer', where: 'true // everything\n' }],
      labels,
    );
    expect(limited.ok && visibleAccounts(limited.value, accounts)).toEqual(['contoso']);
  });

  test('a result that exceeds the maximum length of an expression is refused', () => {
    const long = (value: string): string => `name == "${value.repeat(1_900)}"`;
    const giver: Grant[] = ['a', 'b', 'c'].map((each) => ({ role: 'admin', where: long(each) }));
    expect(limitGrants(giver, [{ role: 'viewer' }], labels)).toMatchObject({
      ok: false,
      problems: [{ code: 'invalid-expression' }],
    });
  });

  test('a faulty selector of the giver grants nothing, and does not affect the others', () => {
    const giver: Grant[] = [{ role: 'admin', where: 'true) || (true' }, eu];
    const limited = limitGrants(giver, [{ role: 'viewer' }], labels);
    expect(limited.ok && visibleAccounts(limited.value, accounts)).toEqual(['contoso']);
    expect(limitGrants(giver.slice(0, 1), [{ role: 'viewer' }], labels)).toMatchObject({
      ok: false,
      problems: [{ code: 'forbidden' }],
    });
  });

  test('no giver can grant more than they have', () => {
    const where = fc.constantFrom(
      'true',
      'false',
      'region == "eu"',
      'region != "eu" // not Europe\n',
      'region != "eu" // not Europe',
      'name == "fabrikam") || (true',
      'tier == ""',
      'name == "contoso" || region == "us"',
      'int(tier) == 1',
    );
    const grant = fc.record({ role: fc.constantFrom(...roles), where }, { requiredKeys: ['role'] });
    const grants = fc.array(grant, { maxLength: 3 });
    fc.assert(
      fc.property(grants, grants, fc.constantFrom(...serverActions), (giver, requested, action) => {
        const limited = limitGrants(giver, requested, labels);
        if (!limited.ok) return;
        for (const each of [...accounts, null]) {
          if (mayDo(limited.value, action, each)) {
            expect(mayDo(giver, action, each)).toBe(true);
            expect(mayDo(requested, action, each)).toBe(true);
          }
        }
      }),
    );
  });
});

describe('the laws of grants', () => {
  const where = fc.constantFrom(
    'true',
    'region == "eu"',
    'region != "eu"',
    'tier == ""',
    'name == "contoso"',
    'region ==',
    'int(region) == 1',
  );
  const grant = fc.record(
    { role: fc.constantFrom(...roles), where },
    { requiredKeys: ['role'] },
  ) as fc.Arbitrary<Grant>;
  const grants = fc.array(grant, { maxLength: 4 });
  const action: fc.Arbitrary<ServerAction> = fc.constantFrom(...serverActions);
  const subject = fc.constantFrom(...accounts, null);

  test('one more grant removes nothing', () => {
    fc.assert(
      fc.property(grants, grant, action, subject, (given, more, what, on) => {
        if (mayDo(given, what, on)) expect(mayDo([...given, more], what, on)).toBe(true);
      }),
    );
  });

  test('the order of grants does not matter', () => {
    fc.assert(
      fc.property(grants, action, subject, (given, what, on) => {
        expect(mayDo(given.toReversed(), what, on)).toBe(mayDo(given, what, on));
      }),
    );
  });

  test('grants allow an action exactly if one of them allows it by itself, and its role includes it', () => {
    fc.assert(
      fc.property(grants, action, subject, (given, what, on) => {
        const single = given.filter((each) => mayDo([each], what, on));
        expect(mayDo(given, what, on)).toBe(single.length > 0);
        expect(single.every(({ role }) => isAllowed(role, what))).toBe(true);
      }),
    );
  });

  test('an account is visible exactly if it may be read', () => {
    fc.assert(
      fc.property(grants, action, (given, what) => {
        const visible = visibleAccounts(given, accounts, what);
        for (const each of accounts) expect(isVisible(visible, each.name)).toBe(mayDo(given, what, each));
      }),
    );
  });
});

describe('the selectors of grants in settings', () => {
  test('a faulty one is reported with its role and column', () => {
    const problems = checkGrants(
      [{ role: 'viewer' }, { role: 'operator', where: 'regoin == "eu"' }],
      labels,
      'the group "ops"',
    );
    expect(problems).toMatchObject([
      {
        code: 'invalid-expression',
        message: expect.stringMatching(/^the group "ops", role operator: .*regoin.* \(column 1\)$/),
      },
    ]);
  });

  test('the report of an unknown label lists the known ones', () => {
    const hintOf = (where: string, known: ReadonlySet<string>) =>
      checkGrants([{ role: 'viewer', where }], known, 'the token')[0]?.hint;
    expect(hintOf('regoin == "eu" && 1 == 1', labels)).toMatch(/region/);
    expect(hintOf('x ==', labels)).toBe('the labels are region, tier, and name');
    expect(hintOf('x ==', new Set())).toBe('the labels are none, and name');
    expect(hintOf('name', labels)).toBe('compare it with a value: == "…"');
  });

  test('correct ones are not reported', () => {
    expect(checkGrants([{ role: 'viewer', where: 'name == "contoso"' }], labels, 'the token')).toEqual([]);
  });
});
