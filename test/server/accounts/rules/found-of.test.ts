import { describe, expect, it } from 'vitest';
import type { AccountCheck } from '../../../../src/accounts/engine/check-account.ts';
import { foundOf, ignoredIn } from '../../../../src/server/accounts/rules/found-of.ts';
import { givenPlan } from '../../../given/plan.ts';

const plan = givenPlan({ entries: [{ id: 1, name: 'NEW' }], hosts: [{ id: 1, name: 'OLD' }] });
const nothing = givenPlan({ entries: [], hosts: [{ id: 1, name: 'OLD' }] });
const drift = [{ hostId: '1', attribute: 'name', live: 'OLD' }];

const found = (check: object, isIgnored = ignoredIn([])) =>
  foundOf(
    { plan: nothing, drift: [], ...check } as unknown as AccountCheck,
    undefined,
    isIgnored,
    (text) => text,
  );

describe('what a check found', () => {
  it.each([
    [0, 0, 'none'],
    [0, 1, 'in_progress'],
    [1, 0, 'in_doubt'],
    [1, 1, 'in_doubt'],
  ])('is %i installs in doubt and %i in progress: %s', (installsInDoubt, installsInProgress, installs) => {
    const summary = { ...nothing.summary, installsInDoubt, installsInProgress };
    expect(found({ plan: { ...nothing, summary } }).installs).toBe(installs);
  });

  it('is no difference only if nothing differs, or if people ignore exactly that', () => {
    expect(found({}).differences).toBe('none');
    expect(found({ plan, drift }).differences).toBe('some');
    const ignored = ignoredIn([{ hostId: '1', attribute: 'name', live: 'OLD' }] as never);
    expect(found({ plan, drift }, ignored).differences).toBe('ignored');
    expect(found({ plan, drift: [{ ...drift[0], live: 'OTHER' }] }, ignored).differences).toBe('some');
  });
});
