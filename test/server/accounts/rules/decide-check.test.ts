import { describe, expect, it } from 'vitest';
import { printPlan } from '../../../../src/core/plan/document/plan-document.ts';
import { failed, problem } from '../../../../src/core/problem/problem.ts';
import type { CheckDone } from '../../../../src/server/accounts/decisions/account-event.ts';
import type { AccountState } from '../../../../src/server/accounts/decisions/account-state.ts';
import { type CheckResult, decideCheck } from '../../../../src/server/accounts/rules/decide-check.ts';
import { givenPlan } from '../../../given/plan.ts';
import { ada, givenCheck, givenHosts } from '../../../given/store-records.ts';
import { begin, givenBerlin, newPlan } from '../../jobs/given-store.ts';

const nothing = { hosts: 0, drift: 0, causes: 0, changed: false };
const plan = givenPlan({ entries: [{ id: 1, name: 'NEW' }], hosts: [{ id: 1, name: 'OLD' }] });
type Found = CheckDone['found'];

/** The decision about a check that found nothing, and the states that it was decided on. */
async function checked(
  { parts, world, found, settings }: Awaited<ReturnType<typeof givenBerlin>>,
  {
    meanwhile = async () => null,
    beganAt = begin,
    ...result
  }: Partial<CheckResult> & {
    readonly found?: Partial<Found>;
    readonly meanwhile?: (state: AccountState) => Promise<unknown>;
    readonly beganAt?: number;
  } & { readonly known?: object } = {},
) {
  const [account] = settings.accounts;
  if (account === undefined) throw new Error('no account');
  const { found: differs, known, ...rest } = result;
  const before = { ...(await found()), ...known };
  world.calls.splice(0);
  const states: AccountState[] = [];
  const written = await decideCheck(account, parts, before, {
    async event(state) {
      states.push(state);
      if (states.length === 1) await meanwhile(state);
      const nothingFound = { plan: null, blocked: null, differences: 'none', installs: 'none' } as const;
      return {
        event: {
          kind: 'check-done',
          beganAt,
          holdBefore: null,
          commit: 'c0ffee',
          author: null,
          found: { ...nothingFound, ...differs },
          refusals: { open: null, found: null },
        },
      };
    },
    changes: false,
    hasDrift: false,
    record: ({ health, failure, nextAt }) =>
      givenCheck('berlin', givenHosts(2), { health, failure, nextCheckAt: new Date(nextAt) }),
    ...rest,
  });
  return { written, states };
}

const converged = () => givenBerlin(null, null, { health: 'converged' });

describe('the decision about a check', () => {
  it('that confirms what is known takes one statement, on what its beginning read', async () => {
    const berlin = await converged();
    const { written } = await checked(berlin);
    expect(written).toMatchObject({ hosts: 1, changed: true });
    expect(berlin.world.calls).toEqual(['accounts.recordCheck']);
  });

  it.each([
    ['in one statement', 'converged'],
    ['in a transaction', 'drifted'],
  ] as const)('is made again if someone else has decided meanwhile: %s', async (_, health) => {
    const berlin = await givenBerlin(null, null, { health });
    if (health === 'drifted') berlin.notifications.push({ name: 'ops', kinds: [], digestMs: null });
    const { written, states } = await checked(berlin, {
      meanwhile: ({ version }) => berlin.store.accounts.claim('berlin', version),
    });
    expect(states.map(({ version }) => version)).toEqual([1, 2].map((more) => 1 + more));
    expect(written).toMatchObject({ changed: true });
    expect((await berlin.found()).health).toBe('converged');
  });

  it.each([
    ['its plan has changes', { changes: true }, ['accounts.find', 'accounts.recordCheck']],
    [
      'the account was held when it began',
      { known: { hold: {} } },
      ['accounts.find', 'accounts.recordCheck'],
    ],
  ])('is made on what is known now if %s', async (_, result, calls) => {
    const berlin = await converged();
    await checked(berlin, result);
    expect(berlin.world.calls).toEqual(expect.arrayContaining(calls));
  });

  it.each([
    ['was removed', undefined],
    ['has a company with another id', { companyId: '43' }],
    ['is at another service', { service: 'https://other.example' }],
  ])('writes nothing if the account meanwhile %s', async (_, other) => {
    const berlin = await converged();
    const known = await berlin.found();
    Object.assign(berlin.store.accounts, { find: async () => other && { ...known, ...other } });
    Object.assign(berlin, { found: async () => known });
    const { written, states } = await checked(berlin, { changes: true });
    expect([written, states]).toEqual([nothing, []]);
  });

  it('writes nothing if a check that began later is written already', async () => {
    const berlin = await givenBerlin(null, null, { health: 'drifted', beganAt: new Date(begin) });
    expect((await checked(berlin, { beganAt: begin - 1 })).written).toEqual(nothing);
    expect((await berlin.found()).health).toBe('drifted');
  });

  it('knows what people rejected unless the account was as desired, and compares units only with a plan', async () => {
    const document = printPlan(plan);
    const given = async (
      health: 'converged' | 'waiting',
      approvals: number,
      result: Partial<CheckResult>,
    ) => {
      const berlin = await givenBerlin(null, null, { health });
      const { plans } = berlin.store;
      await plans.propose(newPlan('rejected', { document }));
      await plans.move('rejected', ['waiting'], 'rejected');
      await plans.propose(newPlan('open', { document }));
      const approval = { by: ada, decision: 'approved', numbers: {}, comment: null, via: 'console' } as const;
      if (approvals > 0) await plans.approve('open', approval);
      const [state] = (await checked(berlin, result)).states;
      const rejected = state?.rejections.map(
        ({ id, terms }) => `${id} ${terms === undefined ? 'alone' : 'units'}`,
      );
      return [rejected, state?.plan?.terms !== undefined];
    };
    expect(await given('converged', 1, {})).toEqual([[], false]);
    expect(await given('waiting', 1, {})).toEqual([['rejected alone', 'no alone'], false]);
    for (const health of ['converged', 'waiting'] as const) {
      expect(await given(health, 1, { changes: true })).toEqual([['rejected units', 'no alone'], true]);
      expect(await given(health, 0, { changes: true })).toEqual([['rejected units', 'no alone'], false]);
    }
    const without = await givenBerlin(null, null);
    expect((await checked(without, { changes: true })).states[0]?.plan).toBeNull();
  });

  it('starts no run while a rollout may change the account, also if the check itself found nothing', async () => {
    for (const isHeld of [true, false]) {
      const { store, ...berlin } = await givenBerlin('approved', null, { health: 'waiting' });
      const undo = newPlan('undo', { source: 'undo of run 1', state: 'approved' });
      await store.plans.propose(undo);
      await store.plans.approve('undo', {
        by: ada,
        decision: 'approved',
        numbers: {},
        comment: null,
        via: 'console',
      });
      Object.assign(store.rolloutAccounts, {
        holders: async () => new Map(isHeld ? [['berlin', 'rollout-1']] : []),
      });
      // A record that can't be read may be of a rollout in progress.
      Object.assign(store.rollouts, { read: async () => failed(problem('journal', 'x')) });
      await checked({ store, ...berlin });
      expect([(await berlin.read()).run?.plan, berlin.sent]).toEqual(
        isHeld ? [undefined, []] : ['undo', ['run berlin']],
      );
    }
  });

  it.each([
    ['the health changes', 'drifted', {}, true],
    ['differences are found', 'converged', { hasDrift: true }, true],
    ['nothing is new', 'converged', {}, false],
  ] as const)(
    'is announced in its transaction only if there may be news: %s',
    async (_, health, result, isNews) => {
      const berlin = await givenBerlin(null, null, { health });

      await checked(berlin, result);
      expect(berlin.world.calls).not.toContain('accounts.claim');
      const told = await givenBerlin(null, null, { health });
      told.notifications.push({ name: 'ops', kinds: ['recovered'], digestMs: null });
      const { written } = await checked(told, result);
      expect([told.world.calls.includes('accounts.claim'), written.changed]).toEqual([isNews, true]);
    },
  );
});
