import { describe, expect, it } from 'vitest';
import { type Health, type WaitingFor, waitingReasons } from '../../../../src/api/accounts.ts';
import { whomItWaitsFor } from '../../../../src/server/accounts/decisions/waiting-for.ts';
import { queueDecided } from '../../../../src/server/accounts/rules/carry-out.ts';
import { happen, wakeAccounts } from '../../../../src/server/accounts/rules/happen.ts';
import { readState } from '../../../../src/server/accounts/rules/read-state.ts';
import { tick } from '../../../../src/server/queue/rules/tick.ts';
import { requeueRuns } from '../../../../src/server/runs/rules/queue-run.ts';
import { givenEvents, givenRollout } from '../../../given/rollouts.ts';
import {
  ada,
  bob,
  givenAccount,
  givenCheck,
  givenDrift,
  givenHosts,
  givenNewPlan,
} from '../../../given/store-records.ts';
import { accountOf } from '../../jobs/given.ts';
import { begin, storeInMemory } from '../../jobs/given-store.ts';

const minute = 60_000;

/** A store in memory, whose accounts are in mode correct. */
async function given(names: readonly string[]) {
  const { store, world } = storeInMemory(begin);
  await store.accounts.sync(names.map((name) => givenAccount(name)));
  const sent: string[] = [];
  const settings = {
    accounts: names.map((name) => accountOf(name, { mode: 'correct' })),
    labels: new Set<string>(),
    cadenceMs: 10 * minute,
    notifications: [],
  };
  const { find } = store.accounts;
  const asked: string[] = [];
  const parts = {
    settings,
    store,
    // The clock of the server is wrong: the time of the database counts.
    clock: { now: () => 0, sleep: async () => {} },
    queue: {
      send: async (queue: string, keys: readonly string[]) => {
        sent.push(...keys.map((key) => `${queue} ${key}`));
        return keys.length;
      },
    },
  };
  /** A rollout that has claimed the account, and has not begun with it. */
  const rollOut = async (name: string) => {
    const id = `of ${name}`;
    await store.rollouts.create(givenRollout({ canary: [name] }, { rollout_id: id }));
    await store.rollouts.append(id, 0, givenEvents(['begun']));
    await store.rolloutAccounts.claim(id, [name], async () => true);
  };
  return {
    store,
    sent,
    wait: (ms: number) => (world.now += ms),
    check: (name: string, health: Health, parts_: Parameters<typeof givenCheck>[2] = {}) =>
      store.accounts.recordCheck(givenCheck(name, givenHosts(2), { health, ...parts_ })),
    pause: (scope: string, ms: number | null) =>
      store.pauses.add({ scope, by: ada, reason: 'x', until: ms === null ? null : new Date(world.now + ms) }),
    settings,
    async follow() {
      asked.length = 0;
      Object.assign(store.accounts, {
        find: (...of: Parameters<typeof find>) => (asked.push(of[0]), find(...of)),
      });
      await wakeAccounts(parts);
      Object.assign(store.accounts, { find });
    },
    /** The accounts that something happened to at the last look. */
    decided: () => [...asked],
    rollOut,
    stopRollout: (name: string) => store.rollouts.append(`of ${name}`, 1, givenEvents(['aborted'])),
    approve: async (name: string) => {
      const found = await store.accounts.find(name, 'all');
      const { plan } = found === undefined ? { plan: null } : await readState(found, store);
      if (plan === null) throw new Error('there is no plan');
      const { checksum } = plan;
      const decided = await happen(
        name,
        {
          kind: 'decided',
          plan,
          approver: { subject: bob, email: null, isApprover: true },
          request: { decision: 'approved', checksum, numbers: {}, via: 'console' },
        },
        parts,
      );
      if (decided.ok) await queueDecided(new Map([[name, decided.value]]), parts);
    },
    /** The accounts for which a server adds jobs within a minute, without anybody. */
    async minutely() {
      sent.length = 0;
      await requeueRuns(parts);
      await tick({ ...parts, settings: { ...parts.settings, sources: [] }, env: {} } as unknown as Parameters<
        typeof tick
      >[0]);
      return [...new Set(sent.filter((each) => each !== 'prune all'))];
    },
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
    expect(world.decided()).toEqual(['a', 'b']);
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
    for (const name of ['rollout', 'other']) await world.rollOut(name);
    await world.follow();
    expect(world.sent).toEqual([]);
    world.wait(minute);
    await world.store.pauses.end(open.id);
    await world.follow();
    expect(world.sent.toSorted()).toEqual(['run open', 'run timed']);
    expect(world.decided().toSorted()).toEqual(['open', 'timed']);
    expect([await world.runOf('timed'), await world.runOf('open')]).toEqual(['queued', 'queued']);
    // These wait for their waves.
    expect([await world.runOf('rollout'), await world.runOf('other')]).toEqual([null, null]);
  });

  it('changes no account that this server does not know', async () => {
    const world = await given(['paused', 'held']);
    await world.check('paused', 'paused');
    await world.check('held', 'waiting');
    await world.store.plans.propose(givenNewPlan('held', { id: 'held', state: 'approved' }));
    world.settings.accounts = [];
    await world.follow();
    expect([await world.healthOf('paused'), await world.runOf('held'), world.decided()]).toEqual([
      'paused',
      null,
      [],
    ]);
    await (await given([])).follow();
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

type World = Awaited<ReturnType<typeof given>>;

interface Wait {
  readonly begins: (world: World) => Promise<unknown>;
  /** Absent: the worker that gets the job finds out. */
  readonly ends?: (world: World) => Promise<unknown>;
  readonly job: string;
}

const approvedPlan = (world: World) =>
  world.store.plans.propose(givenNewPlan('a', { id: 'a', state: 'approved' }));
const queuedRun = async (world: World, waitsFor?: 'window') => {
  await approvedPlan(world);
  const run = await world.store.runs.queue({ account: 'a', plan: 'a', by: ada, reason: null, steps: 1 });
  const progress = waitsFor === undefined ? {} : { waits_for: { kind: waitsFor } };
  await world.store.runs.change(run?.id ?? '', { progress });
};

/** All that an account may wait for, and what gives it a job afterwards. */
const waits: Readonly<Record<WaitingFor, Wait>> = {
  approval: {
    begins: ({ store }) => store.plans.propose(givenNewPlan('a', { id: 'a', author: 'cyd' })),
    ends: (world) => world.approve('a'),
    job: 'run a',
  },
  window: { begins: (world) => queuedRun(world, 'window'), job: 'run a' },
  worker: { begins: (world) => queuedRun(world), job: 'run a' },
  pause: {
    async begins(world) {
      await approvedPlan(world);
      await world.pause('all', 2 * minute);
    },
    ends: async (world) => world.wait(2 * minute),
    job: 'run a',
  },
  rollout: {
    async begins(world) {
      await approvedPlan(world);
      await world.rollOut('a');
    },
    ends: (world) => world.stopRollout('a'),
    job: 'run a',
  },
  check: { begins: async () => {}, ends: async (world) => world.wait(11 * minute), job: 'check a' },
};

describe('whatever an account waits for', () => {
  it.each(waitingReasons)('its end gives the account a job: %s', async (reason) => {
    const world = await given(['a']);
    await world.check('a', 'waiting');
    const { begins, ends, job } = waits[reason];
    await begins(world);
    const account = await world.store.accounts.find('a', 'all');
    const isPaused = (await world.store.pauses.list()).length > 0;
    expect(account && whomItWaitsFor({ ...account, isPaused })).toBe(reason);
    if (ends !== undefined) {
      expect(await world.minutely()).toEqual([]);
      await ends(world);
    }
    const sent = [...world.sent];
    expect([...sent, ...(await world.minutely())]).toContain(job);
  });
});
