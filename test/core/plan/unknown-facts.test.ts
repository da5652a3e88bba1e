import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/core/model/desired.ts';
import type { Facts } from '../../../src/core/model/facts.ts';
import { noFacts } from '../../../src/core/model/facts.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { readDesired } from '../../../src/input/read-desired.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { at, givenFleet, named } from '../../given/fleet.ts';
import { condition, template } from '../expression/given-subject.ts';

const fleet = givenFleet(named('A', 'B', 'C'), { 10: 'Berlin' });

/** Host 1 is a Dell, host 2 is not, of host 3 nothing is known. */
const facts: Facts = {
  lists: [],
  customFieldCategories: ['Site', 'Owner'],
  customFieldsOf: (id) => (id === '3' ? undefined : { Site: id === '1' ? 'Berlin' : 'Wien' }),
  inventoryOf: (kind, id) =>
    kind === 'system' || id === '3'
      ? undefined
      : { hardwareInfo: { manufacturer: id === '1' ? 'Dell' : 'HP' } },
};

function planned(rule: Partial<Omit<Rule, 'when'>> & { readonly when: string }) {
  const rules: readonly Rule[] = [
    { index: 0, name: 'sweep', antivirus: false, ...rule, when: condition(rule.when) },
  ];
  const plan = makePlan({
    desired: givenDesired([], noLimits, rules),
    observed: fleet,
    facts,
    account: { companyId: '1', service: 'emulator' },
    now: at,
  });
  const touched = plan.steps.flatMap((step) =>
    'hosts' in step ? step.hosts.map(({ hostId }) => hostId) : [step.hostId],
  );
  return { plan, touched, problems: plan.problems.map(({ code, message }) => `${code}: ${message}`) };
}

describe.each([
  ['inventory', 'host.inventory.hardware.hardwareInfo.manufacturer != "Dell"'],
  ['inventory, by a function', '!host.inventory.hardware.hardwareInfo.manufacturer.lower().contains("dell")'],
  ['a custom field', 'host.customFields["Site"] != "Berlin"'],
])('a negative test on %s', (_, when) => {
  it('deletes no host whose fact is unknown', () => {
    const { touched, problems, plan } = planned({ when, ensure: 'absent' });
    expect(touched).toEqual(['2']);
    expect(problems).toContainEqual(
      'unknown-facts: rule "sweep" does not delete 1 host although its "when" reads an unknown fact: "C" (3)',
    );
    expect(plan.summary.unmanaged).toBe(2);
  });

  it('renames no host whose fact is unknown', () => {
    const { touched, problems } = planned({ when, rename: template('X-${host.id}') });
    expect(touched).toEqual(['2']);
    expect(problems).toContainEqual(expect.stringContaining('does not rename 1 host'));
  });
});

describe('a custom field', () => {
  it('that the account does not have is an error with the nearest name', () => {
    const { plan } = planned({ when: 'host.customFields["Stie"] != "Berlin"', ensure: 'absent' });
    expect(plan.applicable).toBe(false);
    expect(plan.problems).toContainEqual(
      expect.objectContaining({
        code: 'unknown-custom-field',
        severity: 'error',
        message: 'rule "sweep": the account has no custom field "Stie"',
        hint: 'did you mean "Site"?',
      }),
    );
  });

  it.each([
    'has(host.customFields.Stie)',
    '"Stie" in host.customFields',
    '"Berlin" == host.customFields["Stie"]',
    '[1].exists(x, host.customFields["Stie"].lower() == "berlin")',
  ])('is found wherever an expression uses it: %s', (when) => {
    expect(planned({ when, group: { kind: 'named', name: 'Berlin' } }).problems).toContainEqual(
      'unknown-custom-field: rule "sweep": the account has no custom field "Stie"',
    );
  });

  it.each([
    ['host.customFields["Site"] == "Belrin"', 'Belrin'],
    ['host.customFields.Site in ["Berlin", "Wein"]', 'Wein'],
  ])('with a value that no host has is a warning: %s', (when, value) => {
    const { plan } = planned({ when, group: { kind: 'named', name: 'Berlin' } });
    expect(plan.applicable).toBe(true);
    expect(plan.problems).toContainEqual(
      expect.objectContaining({
        code: 'unknown-custom-field',
        severity: 'warning',
        message: `rule "sweep": no host has the value "${value}" in the custom field "Site"`,
        hint: expect.stringContaining('did you mean'),
      }),
    );
  });

  it('that exists has no problem', () => {
    const { problems } = planned({
      when: 'host.customFields["Site"] == "Wien"',
      group: { kind: 'named', name: 'Berlin' },
    });
    expect(problems).toEqual([]);
  });
});

it.each([
  ['the inventory', 'host.inventory.hardware.serviceTag == "KEEP"'],
  ['a custom field', 'host.customFields.Site == "Berlin"'],
])('a plan without facts is refused if a policy reads %s, which would protect nothing', (_what, when) => {
  const text = JSON.stringify({
    version: 1,
    policy: { limits: { delete: '100%' }, protect: [{ name: 'keep', when, from: ['delete'] }] },
    hosts: [{ id: 1, ensure: 'absent' }],
  });
  const desired = readDesired([{ file: 'fleet.json', text }]);
  if (!desired.ok) throw new Error('not read');
  const inputs = {
    desired: desired.value,
    observed: givenFleet(named('A', 'B')),
    account: { companyId: '1', service: 'emulator' },
    now: at,
  };
  const codes = ({ problems }: Plan) =>
    problems.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
  expect(codes(makePlan(inputs))).toContain('unknown-facts');
  expect(codes(makePlan({ ...inputs, facts: noFacts }))).not.toContain('unknown-facts');
});
