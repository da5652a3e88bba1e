import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewPlan, PlanRecord } from '../../../../src/server/plans/records/plan-record.ts';
import { openStore, type Store } from '../../../../src/server/store/open-store.ts';
import { givenAccount, givenNewPlan } from '../../../given/store-records.ts';
import { type GivenStore, startOnPglite } from '../../../given/stores.ts';

let given: GivenStore;
let store: Store;
beforeAll(async () => {
  given = await startOnPglite();
  store = openStore(given.database, new Set(['forge']));
}, 120_000);
afterAll(() => given.stop());
beforeEach(async () => {
  await given.clear();
  await store.accounts.sync([givenAccount('a')]);
});

const hour = 3_600_000;
const inMs = (ms: number) => new Date(Date.now() + ms);
const propose = async (parts: Partial<NewPlan> = {}) => store.plans.propose(givenNewPlan('a', parts));
const open = async (parts: Partial<NewPlan> = {}): Promise<PlanRecord> => (await propose(parts)).plan;
const required = (approvals: number, notAuthor: boolean) => ({ approvals, notAuthor, numbers: [] });
describe('a plan that is proposed', () => {
  test('is stored unchanged, and appends an event', async () => {
    const before = await store.events.latest();
    const digests = { changes: 'of its changes', content: 'of its content' };
    const parts = givenNewPlan('a', {
      id: 'p-1',
      signature: 'signed',
      document: '{"steps":["Zoë"]}',
      commit: null,
      author: null,
      reason: 'a hold',
      counts: { rename: 1, move: 2, delete: 3, install: 4, refresh: 5 },
      changes: 6,
      irreversible: 7,
      calls: 8,
    });
    expect(await store.plans.compared({ visible: 'all' })).toMatchObject([{ name: 'a', plan: null }]);
    const made = await store.plans.propose({ ...parts, digests });
    const { document, shape, ...record } = parts;
    const compared = { changeDigest: digests.changes, contentDigest: digests.content };
    expect(made).toMatchObject({
      plan: { ...record, ...compared, replacedBy: null, pullRequest: null, approvals: [] },
    });
    const { id } = made.plan;
    expect(await store.plans.document(id, 'all')).toBe(document);
    expect(await store.plans.compared({ visible: 'all', accounts: ['a'] })).toMatchObject([
      { name: 'a', failure: null, plan: { id, state: 'waiting' }, shape },
    ]);
    expect(await store.events.after(before, 'all')).toMatchObject([
      { type: 'plan.changed', account: 'a', resource: id, data: { state: 'waiting' } },
    ]);
  });

  test('is reported to the forge of its source, together with the one that it replaces', async () => {
    const reports = () => given.run('select channel, topic from rampart_server.notification order by topic');
    await open({ commit: 'c1' });
    expect(await reports()).toEqual([]);
    await open({ source: 'forge', commit: 'c2', checksum: 'two' });
    expect(await reports()).toEqual([{ channel: 'forge:forge', topic: 'c2' }]);
    await given.run('delete from rampart_server.notification');
    await open({ source: 'forge', commit: null, checksum: 'three' });
    expect(await reports()).toEqual([{ channel: 'forge:forge', topic: 'c2' }]);
  });

  test('has the pull request of its commit, whether the forge responds before or after', async () => {
    await store.accounts.sync(['a', 'b'].map((name) => givenAccount(name)));
    const page = 'https://git.example.com/acme/fleet/pull/7';
    const first = await open({ source: 'forge', commit: 'c1' });
    const other = await store.plans.propose(givenNewPlan('b', { source: 'forge', commit: 'c2' }));
    await given.run('delete from rampart_server.notification');
    const before = await store.events.latest();
    await store.plans.setPullRequest('forge', 'c1', page);
    await store.plans.setPullRequest('forge', 'c1', `${page}0`);
    await store.plans.setPullRequest('files', 'c2', page);
    const pullOf = async (id = '') => (await store.plans.find(id, 'all'))?.pullRequest;
    expect([await pullOf(first.id), await pullOf(other?.plan.id)]).toEqual([page, null]);
    expect(await store.events.after(before, 'all')).toMatchObject([
      { type: 'plan.changed', account: 'a', resource: first.id, data: { state: 'waiting' } },
    ]);
    // Nothing that the forge shows changed.
    expect(await given.run('select 1 from rampart_server.notification')).toEqual([]);
    expect(await open({ source: 'forge', commit: 'c1', checksum: 'two' })).toMatchObject({
      pullRequest: page,
    });
    expect(await open({ source: 'files', commit: 'c1', checksum: 'three' })).toMatchObject({
      pullRequest: null,
    });
    expect(await open({ source: 'forge', commit: null, checksum: 'four' })).toMatchObject({
      pullRequest: null,
    });
    expect(await store.plans.list({ visible: 'all', pullRequest: page })).toMatchObject({
      value: { items: [{ commit: 'c1' }, { id: first.id }] },
    });
  });

  test('is in the audit log with its content if nobody has to approve it', async () => {
    const logged = async () =>
      (await given.run('select body from rampart.audit order by seq')).map(({ body }) =>
        JSON.parse(String(body)),
      );
    const before = (await logged()).length;
    await open();
    expect(await logged()).toHaveLength(before);
    const { id, checksum } = await open({ state: 'approved', checksum: 'two' });
    const [record, ...others] = (await logged()).slice(before);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      kind: 'plan-approved',
      origin: { actor: 'Rampart Server', command: 'server' },
      what: {
        plan: id,
        account: 'a',
        checksum,
        via: 'limits',
        given: 0,
        required: 0,
        covers: { [`plan:${id}`]: expect.any(String) },
      },
    });
  });

  test('has the authors of the open plans that it replaced, each once and the latest 200', async () => {
    const authors = async (author: string | null, source = 'files') =>
      (await open({ author, source, checksum: `of ${author} in ${source}` })).required.earlierAuthors;
    expect(await authors('Ada')).toBeUndefined();
    expect(await authors('Zoe')).toEqual(['Ada']);
    expect(await authors(null)).toEqual(['Ada', 'Zoe']);
    expect(await authors('Ada', 'other files')).toEqual(['Ada', 'Zoe']);
    await given.run(`update rampart_server.plan set state = 'approved' where state = 'waiting'`);
    expect(await authors('Ada', 'approved files')).toEqual(['Ada', 'Zoe']);
    expect(await authors('Bob', 'undo of run r-1')).toBeUndefined();
    await given.run(`update rampart_server.plan set state = 'done' where state = 'waiting'`);
    const many = Array.from({ length: 200 }, (_, index) => `author ${index}`);
    await open({ author: 'Zoe', checksum: 'many', required: { ...required(1, true), earlierAuthors: many } });
    expect(await authors('Ada', 'files again')).toEqual([...many.slice(1), 'Zoe']);
  });
});

test('a plan has the authors of what an approved one left to it, and none of a reversal or of a plan that is done', async () => {
  const authorsAfter = async (parts: Partial<NewPlan>, authors: readonly string[] = []) => {
    await given.run('delete from rampart_server.plan');
    const before = await open(parts);
    if (authors.length > 0) await store.plans.keep(before.id, { leftOut: [], authors });
    await store.plans.move(before.id, ['waiting'], 'done');
    return (await open({ checksum: 'next' })).required.earlierAuthors;
  };
  expect(await authorsAfter({ author: 'Zoe' })).toBeUndefined();
  expect(await authorsAfter({ author: 'Zoe' }, ['Max'])).toEqual(['Max']);
  expect(await authorsAfter({ author: 'Zoe', source: 'undo of run r-1' }, ['Max'])).toBeUndefined();
});

describe('a plan that changes', () => {
  test('says why it is kept while a later check found other changes, and why it is open again', async () => {
    const kept = { state: 'waiting', reason: expect.stringContaining('a later check found other changes') };
    const read = async (id: string) => store.plans.find(id, 'all');
    const { id } = await open({ reason: 'a hold' });
    await store.plans.keep(id, { leftOut: [], authors: [] });
    expect(await read(id)).toMatchObject({ reason: 'a hold' });
    for (const later of [
      { leftOut: ['1'], authors: ['Max'] },
      { leftOut: [], authors: ['Max'] },
    ]) {
      await store.plans.keep(id, later);
      expect(await read(id)).toMatchObject({ ...kept, later });
    }
    await store.plans.keep(id, { leftOut: [], authors: [] });
    expect(await read(id)).toMatchObject({ reason: null });
    const next = await open({ checksum: 'next' });
    await store.plans.move(next.id, ['waiting'], 'stale');
    await store.plans.reopen(id, { leftOut: ['1'], authors: [] });
    expect(await read(id)).toMatchObject({
      ...kept,
      replacedBy: null,
      later: { leftOut: ['1'], authors: [] },
    });
  });

  test('keeps its time and its reason unless they change, and records when it was decided', async () => {
    const earlier = await open({ reason: 'a hold' });
    const decidedAt = async () =>
      (await given.run('select decided_at from rampart_server.plan'))[0]?.['decided_at'];
    const sooner = inMs(hour / 2);
    await store.plans.shorten(earlier.id, sooner);
    expect([await decidedAt(), (await store.plans.find(earlier.id, 'all'))?.expiresAt]).toEqual([
      null,
      sooner,
    ]);
    const moved = await store.plans.move(earlier.id, ['waiting'], 'approved');
    expect(moved).toMatchObject({ state: 'approved', reason: 'a hold', replacedBy: null });
    expect(await decidedAt()).toBeInstanceOf(Date);
    expect(await store.plans.move(earlier.id, ['approved'], 'rejected', 'no')).toMatchObject({
      reason: 'no',
    });
    expect(await store.plans.move(earlier.id, ['approved'], 'running')).toBe(undefined);
  });

  test('appends an event and a report', async () => {
    const plan = await open({ source: 'forge', commit: 'c1' });
    await given.run('delete from rampart_server.notification');
    const before = await store.events.latest();
    await store.plans.move(plan.id, ['waiting'], 'approved');
    expect(await store.events.after(before, 'all')).toMatchObject([
      { type: 'plan.changed', account: 'a', resource: plan.id, data: { state: 'approved' } },
    ]);
    expect(await given.run('select topic, kind from rampart_server.notification')).toEqual([
      { topic: 'c1', kind: 'status' },
    ]);
  });
});
