import { describe, expect, test } from 'vitest';
import { cyclicPlan } from '../../given/report-plans.ts';
import { givenEvents, givenRollout, rolloutOrigin } from '../../given/rollouts.ts';
import { givenApi } from './given-api.ts';

const api = givenApi();

test('an account of a rollout says why it failed', async () => {
  const head = givenRollout({ canary: ['berlin'], rest: ['lisbon'] });
  await api.state.rollouts.create(head);
  const why = 'the service does not accept the key';
  const events = givenEvents(
    ['account-started', 'berlin'],
    ['account-ended', 'berlin', { status: 'failed', exit_code: 5, why }],
  );
  await api.state.rollouts.append(head.rollout_id, 0, events);
  const { body } = await api.get(`/rollouts/${head.rollout_id}`);
  expect(body.accounts).toMatchObject([
    { account: 'berlin', state: 'failed', why },
    { account: 'lisbon', state: 'pending', why: null },
  ]);
});

test('the overview shows a rollout that has not ended, although many newer ones have', async () => {
  const waits = givenRollout(
    { canary: ['berlin'], rest: ['lisbon'] },
    { rollout_id: '20261101T090000000Z-aaaaaa' },
  );
  await api.state.rollouts.create(waits);
  await api.state.rollouts.append(waits.rollout_id, 0, givenEvents(['begun']));
  for (let n = 0; n < 25; n += 1) {
    const ended = givenRollout(
      { canary: ['berlin'], rest: [] },
      { rollout_id: `20261122T0900000${n + 10}Z-bbbbbb` },
    );
    await api.state.rollouts.create(ended);
    await api.state.rollouts.append(
      ended.rollout_id,
      0,
      givenEvents(['begun'], ['aborted', undefined, { origin: rolloutOrigin }]),
    );
  }
  const { body } = await api.get('/overview');
  expect(body.rollouts.map(({ id }: { readonly id: string }) => id)).toContain(waits.rollout_id);
  expect(body.rollouts.filter(({ state }: { readonly state: string }) => state === 'aborted')).toEqual([]);
});

describe('starting a rollout over the API', () => {
  test('approves each waiting plan by its checksum, and starts none of them outside of the rollout', async () => {
    const berlin = await api.propose('berlin');
    const denver = await api.propose('denver');
    const plans = [berlin, denver].map(({ id, checksum }) => ({ id, checksum }));
    api.asked.length = 0;
    const request = { plans, reason: 'new names', canary: ['berlin'], waves: [50, 100], parallel: 2 };
    const started = await api.post('/rollouts', request, 'admin');
    expect(started.status).toBe(202);
    const { id: rollout } = started.body;
    expect(api.asked).toEqual([`rollout ${rollout}`]);
    const accounts = (await api.get(`/rollouts/${rollout}`)).body.accounts;
    expect(accounts.map(({ account }: { readonly account: string }) => account)).toEqual([
      'berlin',
      'denver',
    ]);
    for (const { id } of plans) {
      const { body } = await api.get(`/plans/${id}`);
      expect([body.state, body.approvals.length]).toEqual(['approved', 1]);
    }
    const audit = await api.get('/audit?kind=rollout-start-requested');
    expect(audit.body.items).toHaveLength(1);
    const aborted = await api.post(`/rollouts/${rollout}/abort`, { reason: 'enough' });
    expect([aborted.status, aborted.body.state]).toEqual([202, 'aborted']);
  });

  test('is refused as a whole with a wrong checksum, an unknown plan, a missing role, or wrong waves', async () => {
    const { id, checksum } = await api.propose('lisbon');
    api.asked.length = 0;
    const reason = 'new names';
    const good = [{ id, checksum }];
    const post = async (body: object, who: Parameters<typeof api.post>[2]) =>
      (await api.post('/rollouts', { plans: good, reason, ...body }, who)).status;
    expect(await post({ plans: [{ id, checksum: '0'.repeat(64) }] }, 'admin')).toBeGreaterThanOrEqual(409);
    expect(await post({ plans: [...good, { id: 'gone', checksum }] }, 'admin')).toBe(404);
    expect(await post({}, 'ada')).toBe(403);
    expect(await post({ waves: [50] }, 'admin')).toBeGreaterThanOrEqual(400);
    expect(await post({ plans: [] }, 'admin')).toBeGreaterThanOrEqual(400);
    expect(await post({ reason: ' \t' }, 'admin')).toBe(422);
    expect(await post({ plans: [...good, ...good] }, 'admin')).toBe(422);
    expect(await post({ canary: ['berlin'] }, 'admin')).toBe(422);
    expect(await post({ by: '__proto__' }, 'admin')).toBe(422);
    expect(
      await post({ by: 'region', plans: [{ ...good[0], numbers: { delete: 9 } }] }, 'admin'),
    ).toBeGreaterThanOrEqual(409);
    const two = await api.propose('denver', { plan: cyclicPlan(), approvals: 2 });
    expect(await post({ plans: [...good, { id: two.id, checksum: two.checksum }] }, 'ada')).toBe(403);
    expect(await post({ plans: [...good, { id: two.id, checksum: two.checksum }] }, 'both')).toBe(403);
    expect(api.asked).toEqual([]);
    const { body } = await api.get(`/plans/${id}`);
    expect([body.state, body.approvals]).toEqual(['waiting', []]);
  });

  test('never names an account in a refusal that the caller may not see', async () => {
    const { id, checksum } = await api.propose('lisbon');
    const request = { plans: [{ id, checksum }], reason: 'new names', canary: ['denve'] };
    const refused = await api.post('/rollouts', request, 'europeanBoth');
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).not.toContain('denver');
  });

  test('approves none of the plans if one of them changes before the rollout begins', async () => {
    const berlin = await api.propose('berlin', { plan: cyclicPlan() });
    const lisbon = await api.propose('lisbon');
    const { find } = api.store.plans;
    const plans = [berlin, lisbon].map(({ id, checksum }) => ({ id, checksum }));
    let reads = 0;
    api.store.plans.find = async (id, visible) => {
      const found = await find(id, visible);
      // Between the review of the request and its transaction, someone rejects the last plan.
      if (id === lisbon.id && (reads += 1) === 1)
        await api.store.plans.move(id, ['waiting'], 'rejected', 'no');
      return found;
    };
    api.asked.length = 0;
    const refused = await api.post('/rollouts', { plans, reason: 'new names' }, 'admin');
    api.store.plans.find = find;
    expect([refused.status >= 400, api.asked]).toEqual([true, []]);
    expect((await api.get(`/plans/${berlin.id}`)).body).toMatchObject({ state: 'waiting', approvals: [] });
    const audit = await api.get('/audit?kind=plan-approved');
    expect(JSON.stringify(audit.body)).not.toContain(berlin.id);
  });

  test('is refused for a token if two people must approve', async () => {
    const { id, checksum } = await api.propose('lisbon', { plan: cyclicPlan(), approvals: 2 });
    api.asked.length = 0;
    const request = { plans: [{ id, checksum }], reason: 'new names' };
    const first = await api.post('/rollouts', request, 'admin');
    expect(first.body.code).toBe('not-approved');
    expect(api.asked).toEqual([]);
    expect((await api.get(`/plans/${id}`)).body.state).toBe('waiting');
  });
});
