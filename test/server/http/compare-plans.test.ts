import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { givenPlan } from '../../given/plan.ts';
import { givenApi } from './given-api.ts';

const api = givenApi();

const renaming = (hosts: number) =>
  givenPlan({
    entries: Array.from({ length: hosts }, (_, at) => ({ id: String(at + 1), name: `NEW-${at}` })),
    hosts: Array.from({ length: hosts }, (_, at) => ({ id: String(at + 1), name: `OLD-${at}` })),
  });
const deleting = givenPlan({
  entries: [
    { id: '1', name: 'NEW-0' },
    { name: 'KSK-09', ensure: 'absent' },
  ],
  hosts: [
    { id: '1', name: 'OLD-0' },
    { id: '2', name: 'KSK-09' },
  ],
});

describe('the open plans of several accounts', () => {
  test('are listed with what distinguishes them, and why the other accounts have none', async () => {
    await api.propose('berlin', { plan: renaming(2) });
    await api.propose('lisbon', { plan: deleting });
    await api.store.accounts.recordCheck({
      account: 'denver',
      health: 'failing',
      causes: [],
      commit: null,
      changes: 0,
      irreversible: 0,
      failure: { code: 'unknown-group', message: 'group "Kiosks" does not exist in denver' },
      nextCheckAt: null,
    });
    const { status, body } = await api.post('/plans/compare', {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      plans: [
        { account: 'berlin', state: 'waiting', may_approve: { allowed: true } },
        { account: 'lisbon', state: 'waiting' },
      ],
      usual: { accounts: ['berlin'], text: '2 renames: OLD-0, OLD-1' },
      unusual: [{ accounts: ['lisbon'], text: 'also 1 deletion: KSK-09' }],
      without_plan: [{ accounts: ['denver'], text: 'group "Kiosks" does not exist in {name}' }],
      more: { unusual: 0, without_plan: 0 },
    });
  });

  test('are those of the given accounts, or of the accounts that a cause concerns', async () => {
    const accountsOf = async (body: object) => {
      const { plans, without_plan: others } = (await api.post('/plans/compare', body)).body;
      return [...plans.map(({ account }: { account: string }) => account), ...others];
    };
    expect(await accountsOf({ accounts: ['lisbon', 'nobody'] })).toEqual(['lisbon']);
    expect(await accountsOf({ cause: 'cause-1' })).toMatchObject(['berlin', { accounts: ['denver'] }]);
    expect(await accountsOf({ cause: 'cause-1', accounts: ['berlin'] })).toEqual(['berlin']);
  });

  test('are named first if nobody can read what they change, and not called empty', async () => {
    await api.propose('denver', { plan: renaming(3) });
    await sql`update rampart_server.plan set review = '{}'
      where account = 'denver'`.execute(api.store.db);
    expect((await api.post('/plans/compare', {})).body).toMatchObject({
      usual: { accounts: ['berlin'] },
      unusual: [{ accounts: ['denver'], text: "the plan can't be read" }, { accounts: ['lisbon'] }],
    });
  });
});
