import { describe, expect, test } from 'vitest';
import { givenApi, type Person } from './given-api.ts';

const api = givenApi();

const numbersOf = (plan: Awaited<ReturnType<typeof api.propose>>) =>
  Object.fromEntries(plan.required.numbers.map(({ limit, value }) => [limit, value]));

function approve(plan: Awaited<ReturnType<typeof api.propose>>, as: Person) {
  return api.post(`/plans/${plan.id}/approve`, { checksum: plan.checksum, numbers: numbersOf(plan) }, as);
}

describe('the author of a change', () => {
  test("may not approve it after someone else's edit made another plan of it", async () => {
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

  test('may approve the next change once theirs was applied', async () => {
    const first = await api.propose('denver', { author: 'Ada' });
    await api.store.plans.move(first.id, ['waiting'], 'done');
    const next = await api.propose('denver', { author: 'Zoe', format: '3.9' });
    expect((await approve(next, 'ada')).status).toBe(200);
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
