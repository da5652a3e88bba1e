import { describe, expect, it } from 'vitest';
import { printPlan } from '../../../../src/core/plan/document/plan-document.ts';
import {
  readContent,
  readState,
  withRejections,
  withTerms,
} from '../../../../src/server/accounts/rules/read-state.ts';
import { givenPlan } from '../../../given/plan.ts';
import { ada, bob } from '../../../given/store-records.ts';
import { begin, givenBerlin, newPlan } from '../../jobs/given-store.ts';

describe('the state of an account', () => {
  it('has no plan and no run if these were removed since the account was read', async () => {
    const { found } = await givenBerlin();
    const find = async () => undefined;
    const { state, plan, run } = await readState(await found(), { plans: { find }, runs: { find } } as never);
    expect([state.plan, state.run, plan, run]).toEqual([null, null, null, null]);
  });

  it.each([
    ['queued', true],
    ['running', true],
    ['stopping', true],
    ['done', false],
    ['stopped', false],
  ] as const)('has a run while that is open: %s', async (of, isOpen) => {
    const { found, store } = await givenBerlin('running', 'running');
    const run = { id: 'r', plan: 'p', state: of };
    const runs = { find: async () => ({ ...run, progress: {} }) };
    const { state } = await readState(await found(), { plans: store.plans, runs } as never);
    expect(state.run).toEqual(isOpen ? run : null);
  });

  it('says when the check began that was written last', async () => {
    const checked = await givenBerlin('waiting', null, { health: 'waiting', beganAt: new Date(begin - 5) });
    expect((await checked.read()).checkBeganAt).toBe(begin - 5);
    const unknown = await givenBerlin('waiting', null);
    expect((await unknown.read()).checkBeganAt).toBeNull();
  });

  it('names who rejected a plan last, if that is known', async () => {
    const { read, store } = await givenBerlin();
    expect((await read()).rejections).toMatchObject([{ id: 'no', by: 'someone' }]);
    const approval = { at: new Date(begin), numbers: {}, comment: null, via: 'console' } as const;
    await store.plans.approve('no', { ...approval, by: bob, decision: 'rejected' });
    await store.plans.approve('no', { ...approval, by: ada, decision: 'approved' });
    const { rejections } = await withRejections(await read(), store);
    expect(rejections).toMatchObject([{ by: 'Bob' }]);
  });
});

describe('the content of a stored plan', () => {
  const plan = givenPlan({ entries: [{ id: 1, name: 'NEW' }], hosts: [{ id: 1, name: 'OLD' }] });
  it('has the units that decisions compare, unless it was removed or this version can not read it', async () => {
    const { store } = await givenBerlin(null, null);
    await store.plans.propose(newPlan('read', { document: printPlan(plan) }));
    await store.plans.propose(newPlan('unreadable', { document: '{}' }));
    expect(await readContent('read', store)).toEqual(plan);
    expect((await withTerms<{ id: string; terms?: object }>({ id: 'read' }, store)).terms).toMatchObject({
      counts: { rename: 1 },
    });
    for (const id of ['unreadable', 'removed']) {
      expect(await readContent(id, store)).toBeUndefined();
      expect(await withTerms({ id }, store)).toEqual({ id });
    }
  });
});
