import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ok, problem } from '../../../../src/core/problem/problem.ts';
import { postgresRollouts } from '../../../../src/run/state/postgres/postgres-rollouts.ts';
import { givenLease } from '../../../given/lease.ts';
import { type GivenNetwork, type GivenPglite, startPglite } from '../../../given/pglite.ts';
import { givenEvents, givenRollout } from '../../../given/rollouts.ts';

let pglite: GivenPglite;
beforeAll(async () => {
  pglite = await startPglite();
}, 120_000);
afterAll(() => pglite.stop());
afterEach(async () => {
  vi.useRealTimers();
  await pglite.clear();
});

const head = givenRollout();
const { rollout_id: id } = head;
const begun = givenEvents(['begun']);
const dropped = Object.assign(new Error('away'), { code: 'ECONNRESET' });
const broken = Object.assign(new Error('broken'), { code: 'XX000' });
const rollouts = (network: GivenNetwork = {}) => postgresRollouts(pglite.through(network));
const entries = () => pglite.run('select seq from rampart.rollout_entry order by seq');

describe('a rollout in a table', () => {
  it('keeps the last plan of each account', async () => {
    await rollouts().create(head);
    for (const text of ['first', 'ä']) expect(await rollouts().savePlan(id, 'a', text)).toEqual(ok(null));
    expect(await rollouts().readPlan(id, 'a')).toEqual(ok('ä'));
    expect(await rollouts().readPlan(id, 'b')).toEqual(ok(null));
    await expect(rollouts({ sends: [broken] }).savePlan(id, 'a', 'text')).rejects.toBe(broken);
  });

  it('accepts no entry of a writer without the lock', async () => {
    await rollouts().create(head);
    const append = (parts: object) => rollouts().append(id, 0, begun, { ...givenLease(), ...parts });
    expect((await append({})).problems).toMatchObject([{ code: 'lock-lost' }]);
    expect((await append({ refusal: () => problem('state', 'frozen') })).problems).toMatchObject([
      { code: 'lock-lost' },
    ]);
    expect(await entries()).toEqual([]);
  });

  it('sends nothing for a writer whose lock may be lost', async () => {
    const refusal = () => problem('state', 'frozen');
    const lost = await rollouts({ sends: [broken] }).append(id, 0, begun, { ...givenLease(), refusal });
    expect(lost.problems).toMatchObject([{ code: 'lock-lost' }]);
  });

  it('accepts an entry once although its response was lost', async () => {
    await rollouts().create(head);
    expect(await rollouts({ replies: [dropped] }).append(id, 0, begun)).toEqual(ok(true));
    expect(await rollouts({ sends: [dropped] }).append(id, 1, begun)).toEqual(ok(true));
    expect(await entries()).toEqual([{ seq: 1 }, { seq: 2 }]);
  });

  it("is not written again if that can't succeed, or after 10 s", async () => {
    await rollouts().create(head);
    await expect(rollouts({ sends: [broken] }).append(id, 0, begun)).rejects.toBe(broken);
    vi.useFakeTimers({ toFake: ['performance'] });
    const waits = [10_000, 1];
    const lease = {
      ...givenLease(),
      refusal() {
        vi.advanceTimersByTime(waits.shift() ?? 0);
        return undefined;
      },
    };
    const later = rollouts({ sends: [dropped, dropped] }).append(id, 0, begun, lease);
    await expect(later).rejects.toBe(dropped);
    expect(waits).toEqual([]);
    expect(await entries()).toEqual([]);
  });

  it.each([
    ['an entry', `update rampart.rollout_entry set events = '[]'`],
    ['its head', `update rampart.rollout set head = '{}'`],
  ])('is a problem if %s is damaged', async (_what, damage) => {
    await rollouts().create(head);
    await rollouts().append(id, 0, begun);
    await pglite.run(damage);
    expect((await rollouts().read(id)).problems).toMatchObject([
      {
        code: 'state',
        message: `the record of rollout ${id} in PGlite is damaged, or another version of Rampart wrote it`,
      },
    ]);
  });

  it('is listed with others, latest first, and removed with its entries', async () => {
    const ids = ['b', 'c', 'a'];
    for (const each of ids) await rollouts().create({ ...head, rollout_id: each });
    await rollouts().append('a', 0, begun);
    expect(await rollouts().list()).toEqual(ok(['c', 'b', 'a']));
    await expect(rollouts({ sends: [broken] }).remove(['a'])).rejects.toBe(broken);
    expect(await rollouts().remove(['a', 'b'])).toEqual(ok(null));
    expect(await rollouts().list()).toEqual(ok(['c']));
    expect(await entries()).toEqual([]);
  });
});
