import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { givenApi } from './given-api.ts';

const api = givenApi();
const verified = async (query = '') => (await api.get(`/audit/verify${query}`)).body;
const messages = async (): Promise<readonly string[]> =>
  (await verified()).faults.map(({ message }: { readonly message: string }) => message);
const messagesAbout = async (id: string) => (await messages()).filter((each) => each.includes(id));

describe('verifying the audit log of a server', () => {
  test('compares with a saved head, and returns the new head', async () => {
    const appended = await api.state.audit.append(systemClock, [
      { kind: 'unlock', origin: { actor: 'ada', host: 'vm' }, what: {} },
    ]);
    const hash = appended.ok ? appended.value.hash : '';
    expect(await verified(`?head=${hash}`)).toMatchObject({
      verdict: 'unsigned',
      head: { hash },
      signed_head: null,
      faults: [],
      unnoticed: [expect.stringContaining('There is no key')],
    });
    const lost = await verified(`?head=${'a'.repeat(64)}`);
    expect(lost).toMatchObject({ verdict: 'broken', fault_count: 1, faults: [{ kind: 'cut-off' }] });
    expect((await api.get('/audit/verify?head=abc')).status).toBe(422);
  });

  test('names a plan and a decision that someone changed, deleted or added in the database', async () => {
    const { id, checksum } = await api.propose('berlin', { approvals: 2 });
    expect((await api.post(`/plans/${id}/approve`, { checksum }, 'ada')).status).toBe(200);
    expect((await verified()).verdict).toBe('unsigned');
    const { db } = api.store;
    const inDatabase = async (statement: ReturnType<typeof sql>, expected: RegExp) => {
      await statement.execute(db);
      expect((await messages()).join('\n')).toMatch(expected);
    };
    await inDatabase(
      sql`update rampart_server.approval set decision = 'rejected' where plan = ${id}`,
      /^the decision of .*ada about plan \S+ was changed after record \d+$/,
    );
    await inDatabase(sql`update rampart_server.approval set decision = 'approved' where plan = ${id}`, /^$/);
    await inDatabase(
      sql`insert into rampart_server.approval (plan, subject_key, subject, decision, numbers, via, at)
        select plan, 'person:eve', subject, decision, numbers, via, now() - interval '1 hour'
        from rampart_server.approval where plan = ${id}`,
      /^the decision of person:eve about plan \S+ is in no record/,
    );
    await inDatabase(
      sql`delete from rampart_server.approval where plan = ${id} and subject_key = 'person:eve'`,
      /^$/,
    );
    await inDatabase(
      sql`update rampart_server.plan set required = jsonb_set(required, '{approvals}', '1') where id = ${id}`,
      /^plan \S+ was changed after record \d+$/,
    );
    await inDatabase(
      sql`delete from rampart_server.plan where id = ${id}`,
      /plan \S+ was deleted after record \d+/,
    );
  });

  test('names a plan that someone set to approved in the database', async () => {
    const { db } = api.store;
    const { id, checksum } = await api.propose('lisbon', { approvals: 2 });
    const faultsAs = async (state: string) => {
      await sql`update rampart_server.plan set state = ${state} where id = ${id}`.execute(db);
      return (await messagesAbout(id)).join('\n');
    };
    for (const state of ['approved', 'running', 'done'])
      expect(await faultsAs(state)).toMatch(/^plan \S+ is in no record: someone added it/);
    expect(await faultsAs('waiting')).toBe('');
    expect((await api.post(`/plans/${id}/approve`, { checksum }, 'ada')).status).toBe(200);
    for (const state of ['approved', 'running', 'done'])
      expect(await faultsAs(state)).toMatch(
        /^plan \S+ counts as approved, but has 1 of the 2 approvals that it needs$/,
      );
    expect(await faultsAs('waiting')).toBe('');
    expect((await api.post(`/plans/${id}/approve`, { checksum }, 'grace')).status).toBe(200);
    expect(await messagesAbout(id)).toEqual([]);
  });

  test('accepts a plan that the limits of its account approved, until it is changed or pruned', async () => {
    const { store } = api;
    const { id } = await api.propose('denver', { state: 'approved' });
    expect(await messagesAbout(id)).toEqual([]);
    const [record] = (await api.get('/audit?kind=plan-approved&limit=1')).body.items;
    expect(record).toMatchObject({ by: 'Rampart Server', what: { plan: id, via: 'limits', required: 0 } });
    await sql`update rampart_server.plan set checksum = 'x' where id = ${id}`.execute(store.db);
    expect(await messagesAbout(id)).toEqual([expect.stringContaining(`plan ${id} was changed`)]);
    await sql`update rampart_server.plan set checksum = ${record.what.checksum}, state = 'stale',
      created_at = now() - interval '2 hours' where id = ${id}`.execute(store.db);
    expect(await store.prune(3_600_000)).toMatchObject({ plans: 1 });
    expect(await messagesAbout(id)).toEqual([]);
  });
});
