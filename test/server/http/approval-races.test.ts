import { describe, expect, test } from 'vitest';
import { richPlan } from '../../given/report-plans.ts';
import { givenApi, type Person } from './given-api.ts';

const api = givenApi();

const numbersOf = (plan: Awaited<ReturnType<typeof api.propose>>) =>
  Object.fromEntries(plan.required.numbers.map(({ limit, value }) => [limit, value]));

function approve(plan: Awaited<ReturnType<typeof api.propose>>, as: Person) {
  return api.post(`/plans/${plan.id}/approve`, { checksum: plan.checksum, numbers: numbersOf(plan) }, as);
}

describe('the author of a change', () => {
  test("may not approve it after someone else's edit led to another plan with it", async () => {
    await api.propose('berlin', { author: 'Ada', commit: 'a'.repeat(40) });
    const edited = await api.propose('berlin', { author: 'Zoe', commit: 'b'.repeat(40), format: '3.8' });
    const again = await api.propose('berlin', { author: 'Zoe', commit: 'c'.repeat(40), format: '3.9' });
    expect(again.required.earlierAuthors).toEqual(['Ada', 'Zoe']);
    for (const plan of [edited, again]) expect((await approve(plan, 'ada')).status).not.toBe(200);
    const refused = await approve(again, 'ada');
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('a part of it')]);
    const [listed] = (await api.get('/plans?account=berlin', 'ada')).body.items;
    expect(listed.may_approve).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('a part of it'),
    });
    expect((await approve(again, 'grace')).status).toBe(200);
  });

  test('may approve the next change once their own was applied', async () => {
    const first = await api.propose('denver', { author: 'Ada' });
    await api.store.plans.move(first.id, ['waiting'], 'done');
    const next = await api.propose('denver', { author: 'Zoe', format: '3.9' });
    expect((await approve(next, 'ada')).status).toBe(200);
  });
});

describe('a plan that a check has replaced', () => {
  test('can be approved for the changes that the newer plan has too, and then takes its place', async () => {
    const read = await api.propose('denver');
    const newer = await api.propose('denver', { plan: { ...richPlan(), files: ['more.yaml'] } });
    expect((await api.get(`/plans/${read.id}`, 'grace')).body).toMatchObject({
      state: 'stale',
      may_approve: { allowed: true },
    });
    const approved = await approve(read, 'grace');
    expect([approved.status, approved.body.state]).toEqual([200, 'approved']);
    expect((await api.get(`/plans/${newer.id}`)).body).toMatchObject({ state: 'stale', approvals: [] });
  });

  test('is refused if the newer plan has none of its changes, and the newer one keeps waiting', async () => {
    const read = await api.propose('denver', { plan: { ...richPlan(), files: ['second.yaml'] } });
    const ofOther = { ...richPlan(), account: { ...richPlan().account, companyId: '7' } };
    const newer = await api.propose('denver', { plan: ofOther });
    const refused = await approve(read, 'grace');
    expect([refused.status, refused.body.code]).toEqual([409, 'stale-plan']);
    expect((await api.get(`/plans/${newer.id}`)).body).toMatchObject({ state: 'waiting', approvals: [] });
    expect((await api.get(`/plans/${read.id}`)).body).toMatchObject({ state: 'stale', approvals: [] });
  });

  test('can be approved only with its own exact numbers, and never by its author', async () => {
    const read = await api.propose('denver', { author: 'Ada' });
    await api.propose('denver', { plan: { ...richPlan(), files: ['more.yaml'] }, author: 'Zoe' });
    const path = `/plans/${read.id}/approve`;
    const wrong = await api.post(path, { checksum: read.checksum, numbers: { delete: 99 } }, 'grace');
    expect(wrong.status).not.toBe(200);
    expect((await approve(read, 'ada')).status).toBe(403);
    expect((await api.get(`/plans/${read.id}`)).body).toMatchObject({ state: 'stale', approvals: [] });
  });
});

describe('several decisions at once', () => {
  test('of two people and a double click count each person once, and queue one run', async () => {
    const plan = await api.propose('lisbon', { approvals: 2 });
    api.asked.length = 0;
    const clicks = await Promise.all([approve(plan, 'ada'), approve(plan, 'ada'), approve(plan, 'ada')]);
    expect(clicks.some(({ status }) => status === 200)).toBe(true);
    expect((await api.get(`/plans/${plan.id}`)).body).toMatchObject({ state: 'waiting', approvals: [{}] });
    await Promise.all([approve(plan, 'grace'), approve(plan, 'both'), approve(plan, 'grace')]);
    expect((await api.get(`/plans/${plan.id}`)).body.state).toBe('approved');
    expect(api.asked.filter((each) => each.startsWith('run'))).toEqual(['run lisbon']);
  });
});
