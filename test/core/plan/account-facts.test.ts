import { describe, expect, it, test } from 'vitest';
import { compileCondition, compileTemplate } from '../../../src/core/expression/compile.ts';
import type { Rule } from '../../../src/core/model/desired.ts';
import { type AccountFacts, noFacts } from '../../../src/core/model/facts.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { at, givenFleet, named } from '../../given/fleet.ts';
import { condition, template } from '../expression/given-subject.ts';

const fleet = givenFleet(named('A', 'B'), { 10: 'Berlin' });

const berlin: AccountFacts = {
  name: 'berlin',
  labels: { region: 'eu', 'cost-centre': '7' },
  configuredLabels: new Set(['region', 'tier', 'cost-centre']),
};

function planned(
  rule: Partial<Omit<Rule, 'when'>> & { readonly when: string },
  account: AccountFacts = berlin,
) {
  const rules: readonly Rule[] = [
    { index: 0, name: 'sweep', antivirus: false, ...rule, when: condition(rule.when, 'rule') },
  ];
  const plan = makePlan({
    desired: givenDesired([], noLimits, rules),
    observed: fleet,
    facts: { ...noFacts, account },
    account: { companyId: '1', service: 'emulator' },
    now: at,
  });
  const touched = plan.steps.flatMap((step) =>
    'hosts' in step ? step.hosts.map(({ hostId }) => hostId) : [step.hostId],
  );
  return { plan, touched, problems: plan.problems.map(({ code, message }) => `${code}: ${message}`) };
}

function without(account: AccountFacts): AccountFacts {
  const { configuredLabels: _, ...rest } = account;
  return rest;
}

describe('facts of the account in a condition', () => {
  it.each([
    'account.labels.region == "eu"',
    'account.labels["cost-centre"] == "7"',
    'account.name == "berlin"',
    'account.name.startsWith("ber") && account.labels.region in ["eu", "us"]',
    'account.labels.exists(key, key == "region")',
    '"region" in account.labels && has(account.labels.region)',
    'int(account.labels["cost-centre"]) == 7',
  ])('apply to every host of the account: %s', (when) => {
    expect(planned({ when, ensure: 'absent' }).touched.toSorted()).toEqual(['1', '2']);
  });

  it.each(['account.labels.region == "us"', 'account.name == "wien"', '"tier" in account.labels'])(
    'apply to no host of another account: %s',
    (when) => {
      expect(planned({ when, ensure: 'absent' })).toMatchObject({ touched: [], problems: [] });
    },
  );
});

describe('a label that this account does not have', () => {
  const when = 'account.labels.tier != "gold"';

  it('deletes and renames no host, and a warning counts the hosts', () => {
    const deleting = planned({ when, ensure: 'absent' });
    expect(deleting.touched).toEqual([]);
    expect(deleting.problems).toEqual([
      'unknown-facts: rule "sweep" does not delete 2 hosts although its "when" reads an unknown fact: "A" (1), "B" (2)',
    ]);
    expect(planned({ when, rename: template('X-${host.id}') }).touched).toEqual([]);
  });

  it('moves hosts, as with other unknown facts', () => {
    const { touched, problems } = planned({ when, group: { kind: 'named', name: 'Berlin' } });
    expect(touched.toSorted()).toEqual(['1', '2']);
    expect(problems).toContainEqual(expect.stringContaining('also applies to 2 hosts'));
  });

  it('is a fault in a name template, and the problem names the label', () => {
    const { touched, plan } = planned({
      when: 'host.id == 1',
      rename: template('${account.labels.tier}-${host.id}'),
    });
    expect(touched).toEqual([]);
    expect(plan.applicable).toBe(false);
    expect(plan.problems[0]?.message).toContain('account.labels.tier is unknown for this account');
  });
});

describe('a label that no account has', () => {
  it.each([
    ['account.labels.regoin == "eu"', 'account.labels.regoin', 'did you mean "region"?'],
    ['has(account.labels.regoin)', 'account.labels.regoin', 'did you mean "region"?'],
    ['"cost-center" in account.labels', 'account.labels["cost-center"]', 'did you mean "cost-centre"?'],
    [
      'account.labels.x == ""',
      'account.labels.x',
      'the labels of the accounts are "cost-centre", "region", "tier"',
    ],
  ])('is an error with the nearest name: %s', (when, fact, hint) => {
    const { plan, touched } = planned({ when, group: { kind: 'named', name: 'Berlin' } });
    expect(plan.applicable).toBe(false);
    expect(plan.problems[0]).toMatchObject({
      code: 'unknown-account-fact',
      severity: 'error',
      message: `rule "sweep" reads ${fact}, a label that no account has`,
      hint,
    });
    expect(touched.length).toBeLessThanOrEqual(2);
  });

  it('is an unknown fact if the labels of other accounts are not known', () => {
    const { problems } = planned(
      { when: 'account.labels.regoin == "eu"', ensure: 'absent' },
      without(berlin),
    );
    expect(problems).toEqual([]);
  });
});

test('without a chosen account, any use of its facts is an error that says what to do', () => {
  const plan = makePlan({
    desired: givenDesired([], noLimits, [
      {
        index: 0,
        name: 'sweep',
        antivirus: false,
        ensure: 'absent',
        when: condition('account.name != "x"', 'rule'),
      },
    ]),
    observed: fleet,
    account: { companyId: '1', service: 'emulator' },
    now: at,
  });
  expect(plan.applicable).toBe(false);
  expect(plan.problems[0]).toMatchObject({
    code: 'unknown-account-fact',
    message: 'rule "sweep" reads account.name, but no configured account is chosen',
    hint: 'list the account under "accounts" in rampart.config.yaml, and choose it with --account NAME',
  });
});

describe('the compiler', () => {
  test.each([
    ['account.nmae == "x"', 'account has no field "nmae"', 'did you mean "name"?'],
    ['account == "x"', 'account is not a value', 'use one of its fields, or test it with has(…)'],
    ['account.labels.region > 3', undefined, undefined],
    ['account.companyId == "1"', 'account has no field "companyId"', 'its fields are name, labels'],
  ])('reports an unknown field or a wrong type with a place: %s', (source, message, hint) => {
    const compiled = compileCondition(source, 'rule');
    if (compiled.ok) throw new Error('it compiled');
    expect(compiled.faults[0]?.start).toBeGreaterThanOrEqual(0);
    if (message !== undefined) expect(compiled.faults[0]).toMatchObject({ message, hint });
  });

  test('does not let the condition of a listing read the account', () => {
    const compiled = compileCondition('account.labels.region == "eu"', 'host');
    expect(compiled).toMatchObject({
      ok: false,
      faults: [
        {
          message: '"account" does not exist',
          hint: 'only rules and policies can read account; choose accounts with --accounts',
        },
      ],
    });
  });

  test('lets a policy read the account', () => {
    expect(compileCondition('change.kind == "delete" && account.labels.tier == "gold"', 'change').ok).toBe(
      true,
    );
    expect(compileTemplate('${account.labels}')).toMatchObject({ ok: false });
  });
});
