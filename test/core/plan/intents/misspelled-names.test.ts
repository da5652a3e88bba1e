import { describe, expect, it } from 'vitest';
import { misspelledNames } from '../../../../src/core/plan/intents/misspelled-names.ts';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../../given/desired.ts';
import { at, givenFleet, named } from '../../../given/fleet.ts';

const near = (typed: string, ...names: readonly string[]) => {
  const desired = givenDesired([{ name: typed }], noLimits);
  const fleet = givenFleet(names.map((name, index) => ({ id: index + 1, name })));
  return [...misspelledNames([desired.at(0)], fleet, () => false).values()].flat().map(({ name }) => name);
};

describe('a host that an entry may mean', () => {
  it.each([
    ['another letter', 'BER-WEB', 'BER-WEP'],
    ['a letter too many', 'BERR-01', 'BER-01'],
    ['a missing letter', 'BR-WEB', 'BER-WEB'],
    ['two letters that changed places', 'BRE-01', 'BER-01'],
    ['a letter that looks like a digit', 'BER-0l', 'BER-01'],
    ['another letter, and letters of another case', 'ber-wep', 'BER-WEB'],
  ])('has a name with %s', (_, typed, name) => {
    expect(near(typed, 'LONDON', name)).toEqual([name]);
  });

  it.each([
    ['another number', 'PC-11', 'PC-12'],
    ['a number with another count of digits', 'PC-9', 'PC-10'],
    ['two other letters', 'BER-WEB', 'BER-APB'],
    ['a name too short to compare', 'ab1', 'ac1'],
    ['a name that only differs in case, which has a hint of its own', 'ber-web', 'BER-WEB'],
    ['a name too long to compare', 'a'.repeat(70), 'a'.repeat(69)],
  ])('has no match with %s', (_, typed, name) => {
    expect(near(typed, name)).toEqual([]);
  });

  it('is one of at most three', () => {
    expect(near('WEB-X', 'WEB-A', 'WEB-B', 'WEB-C', 'WEB-D')).toEqual(['WEB-A', 'WEB-B', 'WEB-C']);
  });
});

describe('an entry whose name no host has', () => {
  const problems = (entries: readonly GivenEntry[], strict = false) =>
    makePlan({
      desired: givenDesired(entries, noLimits),
      observed: givenFleet(named('BER-WEB', 'BER-DB')),
      account: { companyId: '1', service: 'emulator' },
      now: at,
      strict,
    }).problems.map(({ severity, message, hint = '' }) => `${severity}: ${message}; ${hint}`);
  const hint = 'did you mean "BER-WEB" (1)? Correct the name, or add the id to the entry to rename the host';

  it('causes a warning if a host has almost this name or almost a previous one, and otherwise a note', () => {
    expect(problems([{ name: 'BER-WEV' }])).toEqual([`warning: no host has the name "BER-WEV"; ${hint}`]);
    expect(problems([{ name: 'NEW-1', previously: ['BER-WEV'] }])).toEqual([
      `warning: no host has the name "NEW-1"; ${hint}`,
    ]);
    expect(problems([{ name: 'LONDON' }])).toEqual(['note: no host has the name "LONDON"; ']);
    expect(problems([{ name: 'ber-web' }])).toEqual([
      'warning: no host has the name "ber-web"; "BER-WEB" (1) differs only in letter case: add its id to the entry to rename it',
    ]);
    expect(problems([{ name: 'BER-WEV' }], true)).toEqual([`error: no host has the name "BER-WEV"; ${hint}`]);
  });

  it('causes no warning if another entry is for the host with almost this name', () => {
    expect(problems([{ name: 'BER-WEB' }, { name: 'BER-WEV' }])).toEqual([
      'note: no host has the name "BER-WEV"; ',
    ]);
    expect(problems([{ id: 1, name: 'OTHER' }, { name: 'BER-WEV' }])).toEqual([
      'note: no host has the name "BER-WEV"; ',
    ]);
  });
});

it('is found among 20,000 entries that had one name before, without copying them for each', () => {
  const desired = givenDesired(
    Array.from({ length: 20_000 }, (_, index) => ({ name: `PC-${index}`, previously: ['WIN-TEMPLATE'] })),
    noLimits,
  );
  const entries = Array.from({ length: desired.count }, (_, index) => desired.at(index));
  const fleet = givenFleet([{ id: 1, name: 'WIN-TEMPLAT' }]);
  expect(misspelledNames(entries, fleet, () => false).size).toBe(20_000);
});

it('is an error once, with all 50,000 entries that match the host', () => {
  const desired = givenDesired(
    Array.from({ length: 50_000 }, (_, index) => ({ name: `PC-${index}`, previously: ['TEMPLATE'] })),
    noLimits,
  );
  const observed = givenFleet([{ id: 1, name: 'TEMPLATE' }]);
  const plan = makePlan({ desired, observed, account: { companyId: '1', service: 'emulator' }, now: at });
  expect(plan.problems.map(({ code, related }) => [code, related?.length])).toEqual([
    ['host-claimed-twice', 49_999],
  ]);
});
