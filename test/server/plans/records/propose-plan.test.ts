import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewPlan, PlanRecord } from '../../../../src/server/plans/records/plan-record.ts';
import { openStore, type Store } from '../../../../src/server/store/open-store.ts';
import {
  ada,
  type GivenStore,
  givenAccount,
  givenCheck,
  givenHosts,
  givenNewPlan,
  startOnPglite,
} from '../../../given/stores.ts';

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
const open = async (parts: Partial<NewPlan> = {}): Promise<PlanRecord> => {
  const made = await propose(parts);
  if (made === undefined) throw new Error('the plan must be stored');
  return made.plan;
};
const required = (approvals: number, notAuthor: boolean) => ({ approvals, notAuthor, numbers: [] });
const approve = (plan: PlanRecord) =>
  store.plans.decide(plan.id, plan.checksum, {
    by: ada,
    decision: 'approved',
    numbers: {},
    comment: null,
    via: 'api',
  });

describe('a plan with the checksum of the open one', () => {
  test.each<[string, Partial<NewPlan>, Partial<NewPlan>, boolean]>([
    ['waits as before', {}, {}, true],
    ['requires more approvals', { required: required(1, true) }, { required: required(2, true) }, false],
    ['requires fewer approvals', { required: required(2, true) }, { required: required(1, true) }, true],
    [
      'may no longer be approved by its author',
      { required: required(1, false) },
      { required: required(1, true) },
      false,
    ],
    [
      'may be approved by its author now',
      { required: required(1, true) },
      { required: required(1, false) },
      true,
    ],
    ['no longer has a reason to wait', { reason: 'a hold' }, { state: 'approved' }, false],
    ['waits for another reason', { reason: 'a hold' }, { reason: 'another' }, true],
    ['needs no approval, and the open one waits for one', {}, { state: 'approved' }, true],
    ['needs an approval, and the open one had none', { state: 'approved' }, {}, false],
    [
      'may be approved by its author as before',
      { required: required(1, false) },
      { required: required(1, false) },
      true,
    ],
    ['still has the reason of an approval', { state: 'approved', reason: 'x' }, { state: 'approved' }, true],
    ['needs no approval either', { state: 'approved' }, { state: 'approved' }, true],
    ['comes after its time has passed', { expiresAt: inMs(-hour) }, {}, false],
  ])('is that one or a new one, if it %s', async (_what, before, now, stays) => {
    const earlier = await open(before);
    const from = await store.events.latest();
    const made = await propose(now);
    expect(await store.events.after(from, 'all')).toHaveLength(stays ? 0 : 2);
    expect(made?.isNew).toBe(!stays);
    expect(made?.plan.id === earlier.id).toBe(stays);
    expect(await store.plans.find(earlier.id, 'all')).toMatchObject(
      stays
        ? { state: earlier.state, reason: earlier.reason, replacedBy: null }
        : { state: 'stale', reason: 'a newer plan replaced it', replacedBy: made?.plan.id },
    );
  });

  test('is that one, if someone approved it and it needs an approval again', async () => {
    const earlier = await open();
    await approve(earlier);
    await store.plans.move(earlier.id, ['waiting'], 'approved');
    expect(await propose()).toMatchObject({ isNew: false, plan: { id: earlier.id, state: 'approved' } });
  });

  test('is that one while it runs, whatever is required now and however soon plans expire', async () => {
    const earlier = await open();
    await store.plans.move(earlier.id, ['waiting'], 'running');
    const now = { required: required(5, true), expiresAt: inMs(60_000) };
    expect(await propose(now)).toMatchObject({
      isNew: false,
      plan: { id: earlier.id, state: 'running', expiresAt: earlier.expiresAt },
    });
  });

  test.each([
    ['half an hour less', -hour / 2, true],
    ['two minutes less', -120_000, true],
    ['half a minute less', -30_000, false],
    ['an hour more', hour, false],
  ])('expires as soon as plans do now: %s', async (_what, difference, isShorter) => {
    const earlier = await open({ expiresAt: inMs(hour) });
    const made = await propose({ expiresAt: inMs(hour + difference) });
    expect([made?.isNew, made?.plan.id]).toEqual([false, earlier.id]);
    const changed = (made?.plan.expiresAt.getTime() ?? 0) - earlier.expiresAt.getTime();
    if (!isShorter) expect(changed).toBe(0);
    else expect(Math.abs(changed - difference)).toBeLessThan(20_000);
    expect(await store.plans.find(earlier.id, 'all')).toEqual(made?.plan);
  });
});

describe('a plan with another checksum', () => {
  const digests = { changes: 'same', content: 'same' };
  const reject = async ({ id, checksum }: PlanRecord, own = store) => {
    const decision = { by: ada, decision: 'rejected', numbers: {}, comment: null, via: 'api' } as const;
    await own.plans.decide(id, checksum, decision);
    await own.plans.move(id, ['waiting'], 'rejected', 'not now');
  };

  test('and the same content leaves the open one, its approvals and its commit', async () => {
    const earlier = await open({ digests, required: required(2, false) });
    await approve(earlier);
    const now = { checksum: 'other', digests, commit: 'later', required: required(2, false) };
    expect(await propose(now)).toMatchObject({
      isNew: false,
      plan: { id: earlier.id, checksum: earlier.checksum, commit: 'c0ffee', approvals: [{ by: ada }] },
    });
    expect(await propose({ ...now, expiresAt: inMs(hour / 2) })).toMatchObject({ isNew: false });
    expect(await propose({ ...now, required: required(3, false) })).toMatchObject({
      isNew: true,
      plan: { commit: 'later', approvals: [] },
    });
  });

  test.each<[string, Partial<NewPlan>, Partial<NewPlan>, boolean]>([
    ['the same changes', { digests }, { digests: { ...digests, content: 'other' } }, true],
    ['the same checksum', { checksum: 'other' }, {}, true],
    ['other changes', { digests }, { digests: { changes: 'other', content: 'same' } }, false],
    ['nothing to compare', {}, {}, false],
    ['the changes of a reversal', { digests, source: 'undo of run 1' }, { digests }, false],
    ['the reversal of a run', { digests }, { digests, source: 'undo of run 1' }, false],
    ['changes of a check that began after the end', { digests }, { digests, beganAt: inMs(2 * hour) }, false],
    ['changes whose rejection has ended', { digests, expiresAt: inMs(60) }, { digests }, false],
  ])(
    'is the rejected one, also if the check began before the rejection: %s',
    async (_what, before, now, stays) => {
      const earlier = await open(before);
      let proposed: ReturnType<typeof propose> | undefined;
      await store.transaction(async (own) => {
        await own.plans.decide(earlier.id, earlier.checksum, {
          by: ada,
          decision: 'rejected',
          numbers: {},
          comment: null,
          via: 'api',
        });
        proposed = propose({ checksum: 'other', state: 'approved', ...now });
        await own.plans.move(earlier.id, ['waiting'], 'rejected', 'not now');
      });
      expect(await proposed).toMatchObject({
        isNew: !stays,
        plan: stays ? { id: earlier.id, state: 'rejected' } : { state: 'approved' },
      });
    },
  );

  test('is proposed though someone rejected it, once the changes were gone', async () => {
    const beganAt = (await store.accounts.find('a', 'all'))?.readAt as Date;
    await reject(await open({ digests }));
    await store.accounts.recordCheck({ ...givenCheck('a', givenHosts(1)), beganAt });
    await store.plans.endRejections(['a'], { beganAt: new Date(beganAt.getTime() - 1) });
    await store.plans.endRejections(['a'], {
      tenant: { companyId: '43', service: 'https://service.example' },
    });
    expect(await propose({ digests })).toMatchObject({ isNew: false, plan: { state: 'rejected' } });
    await store.plans.endRejections(['a'], { beganAt });
    expect(await propose({ digests })).toMatchObject({ isNew: true });
  });

  test('does not replace the reversal of a run that was proposed meanwhile, unless it is one', async () => {
    const undo = await open({ source: 'undo of run 1' });
    expect(await propose({ checksum: 'other' })).toMatchObject({ isNew: false, plan: { id: undo.id } });
    expect(await store.plans.makeStale('a', 'the fleet is as desired')).toBe(undefined);
    expect(await propose({ checksum: 'other', source: 'undo of run 2' })).toMatchObject({ isNew: true });
  });

  test.each([['waiting'], ['approved']] as const)('replaces one that is %s', async (state) => {
    const earlier = await open({ state });
    const made = await propose({ checksum: 'other' });
    expect(made).toMatchObject({ isNew: true, plan: { checksum: 'other', state: 'waiting', reason: null } });
    expect(await store.plans.find(earlier.id, 'all')).toMatchObject({
      state: 'stale',
      replacedBy: made?.plan.id,
    });
  });

  test('is not stored while one runs', async () => {
    const earlier = await open();
    await store.plans.move(earlier.id, ['waiting'], 'running');
    expect(await propose({ checksum: 'other' })).toBe(undefined);
    expect(await store.plans.list({ visible: 'all' })).toMatchObject({
      value: { items: [{ id: earlier.id }] },
    });
  });
});

describe('a plan that is proposed', () => {
  test('is stored with everything that it was given, and appends an event', async () => {
    const before = await store.events.latest();
    const parts = givenNewPlan('a', {
      document: '{"steps":["Zoë"]}',
      commit: null,
      author: null,
      reason: 'a hold',
      counts: { rename: 1, move: 2, delete: 3, install: 4, refresh: 5 },
      changes: 6,
      irreversible: 7,
      calls: 8,
    });
    const made = await store.plans.propose(parts);
    const { document, review, ...record } = parts;
    expect(made).toMatchObject({
      isNew: true,
      plan: { ...record, replacedBy: null, pullRequest: null, approvals: [] },
    });
    const { id = '' } = made?.plan ?? {};
    expect(await store.plans.document(id, 'all')).toBe(document);
    expect(await store.plans.review(id, 'all')).toEqual(review);
    expect(await store.events.after(before, 'all')).toMatchObject([
      { type: 'plan.changed', account: 'a', resource: id, data: { state: 'waiting' } },
    ]);
  });

  test('is reported to the forge of its source, and so is the one that it replaces', async () => {
    const reports = () => given.run('select channel, topic from rampart_server.notification order by topic');
    await open({ commit: 'c1' });
    expect(await reports()).toEqual([]);
    await open({ source: 'forge', commit: 'c2', checksum: 'two' });
    expect(await reports()).toEqual([{ channel: 'forge:forge', topic: 'c2' }]);
    await given.run('delete from rampart_server.notification');
    await open({ source: 'forge', commit: null, checksum: 'three' });
    expect(await reports()).toEqual([{ channel: 'forge:forge', topic: 'c2' }]);
  });

  test('has the pull request of its commit, whether the forge answers before or after', async () => {
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

  test('has the authors of the open plans that it replaced, each once and the latest 200', async () => {
    const authors = async (author: string | null, source = 'files') =>
      (await open({ author, source, checksum: `of ${author} in ${source}` })).required.earlierAuthors;
    expect(await authors('Ada')).toBeUndefined();
    expect(await authors('Zoe')).toEqual(['Ada']);
    expect(await authors(null)).toEqual(['Ada', 'Zoe']);
    expect(await authors('Ada', 'other files')).toEqual(['Ada', 'Zoe']);
    expect(await authors('Bob', 'undo of run r-1')).toBeUndefined();
    await given.run(`update rampart_server.plan set state = 'done' where state = 'waiting'`);
    const many = Array.from({ length: 200 }, (_, index) => `author ${index}`);
    await open({ author: 'Zoe', checksum: 'many', required: { ...required(1, true), earlierAuthors: many } });
    expect(await authors('Ada', 'files again')).toEqual([...many.slice(1), 'Zoe']);
  });

  test('is not stored after a check that began later, and is after one that began before', async () => {
    const beganAt = (await store.accounts.find('a', 'all'))?.readAt as Date;
    await store.accounts.recordCheck({ ...givenCheck('a', givenHosts(1)), beganAt });
    expect(await propose({ beganAt: new Date(beganAt.getTime() - 1) })).toBe(undefined);
    expect(await propose({ beganAt })).toMatchObject({ isNew: true });
    expect(await propose({ checksum: 'other' })).toMatchObject({ isNew: true });
  });

  test('is stored for the company of its account only', async () => {
    const service = 'https://service.example';
    expect(await propose({ tenant: { companyId: '43', service } })).toBe(undefined);
    expect(await propose({ tenant: { companyId: '42', service } })).toMatchObject({ isNew: true });
  });
});

describe('a plan that changes', () => {
  test('keeps its time and its reason unless they change, and notes when it was decided', async () => {
    const earlier = await open({ reason: 'a hold' });
    const decidedAt = async () =>
      (await given.run('select decided_at from rampart_server.plan'))[0]?.['decided_at'];
    await propose({ reason: 'a hold', expiresAt: inMs(hour / 2) });
    expect(await decidedAt()).toBe(null);
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

  test.each([
    ['approved', false],
    ['running', false],
    ['rejected', true],
  ] as const)('is %s after its time only if that ends it', async (to, isMoved) => {
    const plan = await open({ expiresAt: inMs(-1_000) });
    expect((await store.plans.move(plan.id, ['waiting'], to)) !== undefined).toBe(isMoved);
  });

  test('goes on running after its time', async () => {
    const plan = await open();
    await store.plans.move(plan.id, ['waiting'], 'running');
    await given.run(`update rampart_server.plan set expires_at = now() - interval '1 hour'`);
    expect(await store.plans.move(plan.id, ['running'], 'running')).toMatchObject({ state: 'running' });
  });
});
