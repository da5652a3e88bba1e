import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/core/plan/explain.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { plainStyle } from '../../../src/output/review/color.ts';
import { paintExplanation } from '../../../src/output/review/explanation-text.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { at, type GivenHost, givenFleet, hostId } from '../../given/fleet.ts';
import { type GivenRule, givenRules } from '../../given/rules.ts';

const berlin = { kind: 'named', name: 'Berlin' } as const;

function explained(entries: readonly GivenEntry[], rules: readonly GivenRule[], hosts: readonly GivenHost[]) {
  const inputs = {
    desired: givenDesired(entries, noLimits, givenRules(rules)),
    observed: givenFleet(hosts, { 10: 'Berlin' }),
    account: { companyId: '1', service: 'emulator' },
    now: at,
  };
  const explanation = explain(hostId(1), inputs, makePlan(inputs));
  return explanation === undefined ? '' : paintExplanation(explanation, plainStyle);
}

describe('an explanation', () => {
  it('shows what decides each attribute, what is overridden, and what will be done', () => {
    const text = explained(
      [{ name: 'new', previously: ['old'], group: null }],
      [
        { name: 'all', group: berlin, antivirus: true },
        { name: 'broken', when: () => new Error('no number'), rename: () => 'x' },
        { name: 'none', when: () => false, group: berlin },
        { name: 'names', rename: () => 'y' },
      ],
      [
        { id: 1, name: 'old', group: 10, antivirus: 'missing' },
        { id: 2, name: 'other', group: 10, antivirus: 'installed' },
      ],
    );
    expect(text).toBe(`old (host 1, online; read at ${at})
Its entry is at fleet.yaml:1:1, matched by previous name.

name        old → new
            by the entry at fleet.yaml:1:1
            not by rule names at fleet.yaml:1003:1, because the entry takes precedence
group       Berlin → (no group)
            by the entry at fleet.yaml:1:1
            not by rule all at fleet.yaml:1000:1, because the entry takes precedence
anti-virus  not installed → installed
            by rule all at fleet.yaml:1000:1
presence    present (not managed)

Rules
  matches         all at fleet.yaml:1000:1
  no answer       broken at fleet.yaml:1001:1: no number
  does not match  none at fleet.yaml:1002:1
  matches         names at fleet.yaml:1003:1

Planned steps
  s1  rename old → new (host 1)
  s2  move old (host 1) to no group
  s3  install anti-virus on old (host 1)

error[rule-without-answer]: rule "broken" can't be evaluated for "old" (1), "other" (2): no number
     --> fleet.yaml:1001:1
      = make its "when" narrower, or leave these hosts out: --skip-blocked
`);
  });

  it('of an unmanaged host says so', () => {
    expect(explained([], [], [{ id: 1, name: 'A' }])).toBe(`A (host 1, online; read at ${at})
No entry in the desired state refers to this host.

name        A (not managed)
group       (no group) (not managed)
anti-virus  not read (not managed)
presence    present (not managed)

No change is planned for this host.
`);
  });

  it('shows control characters of names as symbols', () => {
    expect(explained([], [], [{ id: 1, name: 'A\u001b[2J' }])).not.toContain('\u001b');
  });

  it('of an unlisted host is unavailable', () => {
    expect(explained([], [], [])).toBe('');
  });
});
