import { describe, expect, it } from 'vitest';
import type { Health } from '../../../../src/api/accounts.ts';
import { followPauses } from '../../../../src/server/accounts/rules/follow-pauses.ts';
import type { Store } from '../../../../src/server/store/open-store.ts';
import {
  ada,
  givenAccount,
  givenCheck,
  givenDrift,
  givenHosts,
  givenNewPlan,
} from '../../../given/stores.ts';
import { storeOn } from '../../../simulation/store/memory-store.ts';
import { createTables } from '../../../simulation/store/tables.ts';
import { accountOf } from '../../jobs/given.ts';

const minute = 60_000;
const begin = Date.parse('2026-11-23T12:00:00.000Z');

/** A store in memory, whose accounts are in mode correct. */
async function given(names: readonly string[]) {
  const world = { now: begin, ids: 0 };
  const tables = createTables();
  const store = storeOn(tables, {
    now: () => world.now,
    newId: () => `id ${(world.ids += 1)}`,
  }) as unknown as Store;
  Object.assign(store, { transaction: (work: (own: Store) => Promise<unknown>) => work(store) });
  await store.accounts.sync(names.map((name) => givenAccount(name)));
  const sent: string[] = [];
  const parts = {
    settings: {
      accounts: names.map((name) => accountOf(name, { mode: 'correct' })),
      labels: new Set<string>(),
      cadenceMs: 10 * minute,
      notifications: [],
    },
    store,
    clock: { now: () => world.now, sleep: async () => {} },
    queue: {
      send: async (queue: string, jobs: readonly { readonly key: string }[]) => {
        sent.push(...jobs.map(({ key }) => `${queue} ${key}`));
        return jobs.length;
      },
    },
  };
  return {
    store,
    sent,
    wait: (ms: number) => (world.now += ms),
    check: (name: string, health: Health, parts_: Parameters<typeof givenCheck>[2] = {}) =>
      store.accounts.recordCheck(givenCheck(name, givenHosts(2), { health, ...parts_ })),
    pause: (scope: string, ms: number | null) =>
      store.pauses.add({ scope, by: ada, reason: 'x', until: ms === null ? null : new Date(world.now + ms) }),
    follow: () => followPauses(parts),
    healthOf: async (name: string) => (await store.accounts.find(name, 'all'))?.health,
    runOf: async (name: string) => (await store.accounts.find(name, 'all'))?.runState,
  };
}

describe('a pause that begins or ends between two checks', () => {
  it('is shown for accounts without differences, and its end shows again what the last check found', async () => {
    const world = await given(['a', 'b', 'c', 'other', 'new']);
    await world.check('a', 'converged');
    await world.check('b', 'ignored', { drift: [givenDrift('1', { ignored: true })] });
    await world.check('c', 'drifted', { drift: [givenDrift('1')] });
    await world.check('other', 'converged');
    const healths = () => Promise.all(['a', 'b', 'c', 'other', 'new'].map(world.healthOf));
    const before = await healths();
    await world.pause('where:name != "other"', minute);
    await world.follow();
    expect(await healths()).toEqual(['paused', 'paused', 'drifted', 'converged', null]);
    world.wait(minute);
    const { version } = (await world.store.accounts.find('c', 'all')) ?? {};
    await world.follow();
    expect(await healths()).toEqual(before);
    expect((await world.store.accounts.find('c', 'all'))?.version).toBe(version);
    expect(world.sent).toEqual([]);
  });

  it('starts the delayed plan when it ends by itself or a person ends it', async () => {
    const world = await given(['timed', 'open', 'still', 'rollout', 'other']);
    for (const name of ['timed', 'open', 'still', 'rollout', 'other']) {
      await world.check(name, 'waiting');
      await world.store.plans.propose(givenNewPlan(name, { id: name, state: 'approved' }));
    }
    await world.pause('account:timed', minute);
    const open = await world.pause('account:open', null);
    await world.pause('account:still', null);
    await world.pause('account:still', minute);
    await world.follow();
    expect(world.sent).toEqual([]);
    world.wait(minute);
    await world.store.pauses.end(open.id);
    await world.follow();
    expect(world.sent.toSorted()).toEqual(['run open', 'run timed']);
    expect([await world.runOf('timed'), await world.runOf('open')]).toEqual(['queued', 'queued']);
    // No pause has held these back: they wait for something else.
    expect([await world.runOf('rollout'), await world.runOf('other')]).toEqual([null, null]);
  });

  it('wakes the run that waits for its end, and only at its end', async () => {
    const world = await given(['a', 'b']);
    for (const name of ['a', 'b']) {
      await world.check(name, 'waiting');
      await world.store.plans.propose(givenNewPlan(name, { id: name, state: 'approved' }));
      const run = await world.store.runs.queue({
        account: name,
        plan: name,
        by: ada,
        reason: null,
        steps: 1,
      });
      await world.store.runs.change(run?.id ?? '', { progress: { waits_for: { kind: 'pause' } } });
    }
    await world.pause('account:a', minute);
    await world.pause('account:b', null);
    await world.follow();
    expect(world.sent).toEqual([]);
    world.wait(minute);
    await world.follow();
    expect(world.sent).toEqual(['run a']);
  });
});
