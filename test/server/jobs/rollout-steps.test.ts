import { describe, expect, it } from 'vitest';
import type { AccountConfig } from '../../../src/accounts/config/account-config.ts';
import type { RolloutConfig } from '../../../src/accounts/config/rollout-config.ts';
import { planChecksum, printPlan } from '../../../src/core/plan/document/plan-document.ts';
import { failed, ok } from '../../../src/core/problem/problem.ts';
import { leaseLost } from '../../../src/run/state/lease/lease.ts';
import { rolloutOf } from '../../../src/run/state/rollout/rollout.ts';
import type { NewNotification } from '../../../src/server/notifications/records/notifications.ts';
import type { PlanQuery, PlanRecord } from '../../../src/server/plans/records/plans.ts';
import type { JobParts } from '../../../src/server/queue/rules/job-parts.ts';
import { advanceRollout, rolloutJob } from '../../../src/server/rollouts/rules/advance-rollout.ts';
import {
  abortRollout,
  continueRollout,
  stopRollout,
} from '../../../src/server/rollouts/rules/change-rollout.ts';
import { startRollout } from '../../../src/server/rollouts/rules/start-rollout.ts';
import type { NewRun, ServerRun, ServerRunQuery } from '../../../src/server/runs/records/runs.ts';
import { givenPlan } from '../../given/plan.ts';
import { givenEvents, memoryRollouts } from '../../given/rollouts.ts';
import { channelOf } from '../notifications/given.ts';
import { accountOf, alice, type Changing, inAWhile, place, planOf, runOf } from './given.ts';

const begin = Date.parse('2026-11-23T08:00:00Z');
const plan = givenPlan({ entries: [{ id: 1, name: 'NEW' }], hosts: [{ id: 1, name: 'OLD' }] });

/** A server whose store is in memory, so that a step takes no time. Each account has one approved plan. */
function givenSteps(names: readonly string[]) {
  let now = begin;
  let lock = true;
  const accounts = names.map((name) => accountOf(name, { labels: { region: name === 'a' ? 'eu' : 'us' } }));
  const plans = names.map((name) => planOf(name, plan));
  const runs: Changing<ServerRun>[] = [];
  const sent: string[] = [];
  const notices: NewNotification[] = [];
  const acts: string[] = [];
  const order: string[] = [];
  const holders: (string | undefined)[] = [];
  const events: string[] = [];
  const rollouts = memoryRollouts();
  const server = {
    freezes: [] as object[],
    notifications: [channelOf('ops')],
    accounts: accounts as AccountConfig[],
    windows: [],
    labels: new Set(['region']),
  };
  const parts = {
    env: {} as Record<string, string>,
    settings: server,
    clock: { now: () => now, sleep: async (ms: number) => void (now += ms) },
    // Each call takes a while, and a later one less.
    queue: {
      send: async (name: string, keys: readonly string[], options?: { readonly delayMs?: number }) => {
        await inAWhile(2);
        // The job for the case that the server ends at once.
        if (options?.delayMs !== undefined) return keys.length;
        order.push(`send ${name}`);
        sent.push(...keys.map((key) => `${name} ${key}`));
        return keys.length;
      },
    },
    state: {
      rollouts,
      acquire: async (_: unknown, { holder }: { readonly holder: { readonly actor?: string } }) => {
        holders.push(holder.actor);
        if (!lock) return failed(leaseLost());
        lock = false;
        const release = async () => {
          await inAWhile();
          lock = true;
        };
        return ok({ epoch: 1, refusal: () => undefined, confirm: async () => ok(null), release });
      },
    },
    store: {
      transaction: async (work: (store: unknown) => Promise<unknown>) => {
        const before = [...rollouts.logs];
        return work(parts.store).catch((error: unknown) => {
          rollouts.logs.clear();
          for (const [each, log] of before) rollouts.logs.set(each, log);
          throw error;
        });
      },
      rollouts,
      notifications: {
        enqueue: async (given: readonly NewNotification[]) => {
          await inAWhile(2);
          order.push('notice');
          notices.push(...given);
        },
      },
      rolloutAccounts: { claim: async () => [], holders: async () => new Map() },
      audit: (given: readonly { kind: string; what: { state?: string; why?: string | null } }[]) => {
        order.push('audit');
        acts.push(...given.map(({ kind, what: { state = '', why } }) => `${kind} ${state} ${why}`));
      },
      events: {
        append: async ({ type, resource }: Record<string, string>) => {
          await inAWhile(3);
          order.push('event');
          events.push(`${type} ${resource}`);
        },
      },
      accounts: {
        lock: async () => undefined,
        find: async (name: string) => ({
          name,
          version: 1,
          plan: plans.find((each) => each.account === name) ?? null,
          run: runs.findLast(({ account, state }) => account === name && state === 'queued')?.id ?? null,
        }),
        claim: async () => true,
        schedules: async () => {
          order.push('wake');
          return [];
        },
        held: async () => [],
      },
      pauses: { list: async () => [] },
      plans: {
        find: async (id: string, visible: string) =>
          plans.find((each) => each.id === id && visible === 'all'),
        document: async (id: string, visible: string) =>
          visible === 'all' && plans.some((each) => each.id === id) ? printPlan(plan) : undefined,
        list: async ({ account, states, limit, visible }: PlanQuery) => {
          const own = plans.filter((each) => each.account === account && visible === 'all');
          const items = own.filter(({ state }) => states === undefined || states.includes(state));
          return ok({ items: items.slice(0, limit) });
        },
      },
      runs: {
        find: async (id: string) => runs.find((each) => each.id === id),
        queue: async ({ account, plan: of, by, reason }: NewRun) => {
          await inAWhile();
          const run = runOf(account, { plan: of, by, reason });
          runs.push(run);
          return run;
        },
        list: async ({ account, plan: of, visible }: ServerRunQuery) => {
          const own = runs.filter((each) => each.account === account && each.plan === of);
          return ok({ items: visible === 'all' ? own.toReversed() : [] });
        },
      },
    },
  } as unknown as JobParts;
  const start = (rules: RolloutConfig = {}, ids = plans.map(({ id }) => id)) =>
    startRollout({ plans: ids, by: alice, reason: 'the new names', rules }, parts);
  const started = async (rules?: RolloutConfig) => {
    const id = await start(rules);
    if (!id.ok) throw new Error(id.problems[0]?.message);
    return id.value;
  };
  const read = (id: string) => {
    const log = rollouts.logs.get(id);
    if (log === undefined) throw new Error('no rollout');
    const { state, stop, accounts: all } = rolloutOf(log);
    return {
      state,
      why: stop?.why ?? null,
      stop: stop === null ? null : [stop.kind, stop.account ?? null],
      accounts: Object.fromEntries([...all.values()].map(({ name, status }) => [name, status])),
      exits: Object.fromEntries([...all.values()].map(({ name, exitCode, why }) => [name, [exitCode, why]])),
      head: log.head,
      runs: Object.fromEntries([...all.values()].map(({ name, runId }) => [name, runId])),
    };
  };
  const end = (account: string, state: ServerRun['state'], more: Partial<ServerRun> = {}) =>
    Object.assign(runs.find((each) => each.account === account) ?? {}, { state, ...more });
  return {
    parts,
    accounts,
    plans,
    runs,
    sent,
    notices,
    acts,
    order,
    holders,
    events,
    rollouts,
    server,
    start,
    started,
    read,
    end,
    advance: (id: string) => advanceRollout(id, parts),
    isHeldByOther: (held: boolean) => (lock = !held),
    pass: (ms: number) => (now += ms),
  };
}

const noAudit = () => {
  throw new Error('no audit');
};

describe('a step of a rollout on the server', () => {
  it('queues a run of the approved plan for as many accounts as may run at once', async () => {
    const { started, advance, read, sent, runs } = givenSteps(['a', 'b', 'c']);
    const id = await started({ parallel: 2 });
    expect(await advance(id)).toBe('again');
    expect(read(id).accounts).toEqual({ a: 'running', b: 'running', c: 'pending' });
    expect(sent).toEqual([`rollout ${id}`, 'run a', 'run b']);
    expect(runs).toMatchObject([
      { account: 'a', plan: 'plan-a', by: { kind: 'server' }, reason: 'its turn in the rollout has come' },
      { account: 'b', plan: 'plan-b' },
    ]);
    expect(await advance(id)).toBe('again');
    expect(runs).toHaveLength(2);
  });

  it('takes the lock of the rollout in the name of the server, and releases it', async () => {
    const { started, advance, holders, isHeldByOther } = givenSteps(['a']);
    const id = await started();
    await advance(id);
    await advance(id);
    expect(holders).toEqual(['Rampart Server', 'Rampart Server']);
    isHeldByOther(true);
    expect(await advance(id)).toBe('again');
  });

  it('completes a rollout after its last account, and reports it once', async () => {
    const { started, advance, read, end, acts, notices, rollouts, order } = givenSteps(['a']);
    const id = await started();
    await advance(id);
    end('a', 'done');
    order.splice(0);
    expect(await advance(id)).toBe('ended');
    expect(order).toEqual(['audit', 'event', 'notice']);
    expect(await advance(id)).toBe('ended');
    expect(read(id)).toMatchObject({ state: 'completed', accounts: { a: 'done' } });
    expect(acts).toEqual(['rollout-started  undefined', 'rollout-ended completed null']);
    expect(notices.map(({ facts }) => facts['title'])).toEqual(['A rollout is complete']);
    const ended = rollouts.logs.get(id)?.events.find(({ type }) => type === 'account-ended');
    expect(Object.keys(ended ?? {})).not.toContain('run_id');
  });

  it('ends a rollout only together with its audit record', async () => {
    const { started, advance, read, end, acts, notices, events, parts } = givenSteps(['a']);
    const id = await started();
    await advance(id);
    end('a', 'done');
    const { audit } = parts.store;
    Object.assign(parts.store, { audit: noAudit });
    await expect(advance(id)).rejects.toThrow('no audit');
    expect(read(id).state).toBe('running');
    expect([notices, events]).toEqual([[], []]);
    Object.assign(parts.store, { audit });
    expect(await advance(id)).toBe('ended');
    expect(read(id).state).toBe('completed');
    expect(acts).toEqual(['rollout-started  undefined', 'rollout-ended completed null']);
  });

  it('queues the run of an account whose worker died before it did that', async () => {
    const { started, advance, read, rollouts, runs } = givenSteps(['a', 'b']);
    const id = await started({ parallel: 1 });
    await rollouts.append(id, 1, givenEvents(['account-started', 'a']));
    expect(await advance(id)).toBe('again');
    expect(read(id).accounts).toEqual({ a: 'running', b: 'pending' });
    expect(runs).toMatchObject([{ plan: 'plan-a' }]);
    expect(await advance(id)).toBe('again');
    expect(runs).toHaveLength(1);
    expect(rollouts.logs.get(id)?.events.map(({ type }) => type)).toEqual(['begun', 'account-started']);
  });

  it('begins no run of that account if someone has ended the rollout meanwhile', async () => {
    const { started, advance, read, parts, rollouts, runs } = givenSteps(['a', 'b']);
    const id = await started({ parallel: 1 });
    await rollouts.append(id, 1, givenEvents(['account-started', 'a']));
    expect(await abortRollout(id, alice, 'enough', parts)).toEqual(ok(null));
    expect(await advance(id)).toBe('ended');
    expect(read(id)).toMatchObject({
      state: 'aborted',
      accounts: { a: 'pending', b: 'pending' },
      exits: { a: [130, 'the rollout was stopped before the run of the account began'] },
    });
    expect(runs).toEqual([]);
  });

  it('fails the account of a worker that died if its plan has changed since', async () => {
    const { started, advance, read, rollouts, plans, runs } = givenSteps(['a', 'b']);
    const id = await started({ parallel: 1 });
    await rollouts.append(id, 1, givenEvents(['account-started', 'a']));
    plans.splice(0, 1);
    expect(await advance(id)).toBe('ended');
    expect(read(id)).toMatchObject({
      state: 'stopped',
      accounts: { a: 'failed' },
      exits: { a: [6, expect.any(String)] },
    });
    expect(runs).toEqual([]);
  });

  it('finds its plan among the latest fifty of the account', async () => {
    for (const [others, expected] of [
      [49, 'running'],
      [50, 'failed'],
    ] as const) {
      const { started, advance, read, plans } = givenSteps(['a']);
      const id = await started();
      const [own] = plans;
      const newer = {
        ...own,
        id: 'plan-newer',
        checksum: 'b'.repeat(64),
        state: 'waiting',
      } as (typeof plans)[number];
      plans.unshift(...Array.from({ length: others }, () => newer));
      await advance(id);
      expect(read(id).accounts).toEqual({ a: expected });
    }
  });

  it.each(['queued', 'running', 'stopping'] as const)('waits for a run that is %s', async (state) => {
    const { started, advance, read, end } = givenSteps(['a', 'b']);
    const id = await started({ parallel: 1 });
    await advance(id);
    end('a', state);
    expect(await advance(id)).toBe('again');
    expect(read(id).accounts).toEqual({ a: 'running', b: 'pending' });
  });

  const oneFailed = ['1 account failed, and none may fail', ['failed-accounts', null]] as const;
  const unverified = ['a does not have the planned state after its run', ['unverified', 'a']] as const;
  const stopped = ['the run of a was stopped', ['signal', 'a']] as const;
  it.each([
    ['failed', { exitCode: 7, reason: 'the fleet changed' }, 7, oneFailed],
    ['in_doubt', { exitCode: 8, reason: null }, 8, unverified],
    ['failed', { exitCode: null, reason: null }, 5, oneFailed],
    ['failed', { exitCode: 0, reason: null }, 5, oneFailed],
    ['stopped', { exitCode: 130, reason: null }, 5, stopped],
  ] as const)(
    'stops after a run that ended in the state %s with %j',
    async (state, more, code, [why, stop]) => {
      const { started, advance, read, end, sent } = givenSteps(['a', 'b']);
      const id = await started({ parallel: 1 });
      await advance(id);
      end('a', state, { journal: 'j1', ...more });
      expect(await advance(id)).toBe('ended');
      expect(read(id)).toMatchObject({
        state: 'stopped',
        why,
        stop,
        accounts: { a: 'failed', b: 'pending' },
        exits: { a: [code, more.reason ?? `its run ended in the state ${state}`] },
        runs: { a: 'j1', b: null },
      });
      expect(sent).not.toContain('run b');
    },
  );

  it('lets other accounts finish after it stopped, and then reports the stop once', async () => {
    const { started, advance, read, end, notices, acts, events } = givenSteps(['a', 'b', 'c']);
    const id = await started({ parallel: 2 });
    await advance(id);
    end('a', 'failed', { exitCode: 5 });
    expect(await advance(id)).toBe('again');
    expect(await advance(id)).toBe('again');
    expect(read(id)).toMatchObject({
      state: 'stopped',
      accounts: { a: 'failed', b: 'running', c: 'pending' },
    });
    end('b', 'done', { exitCode: 0, journal: 'j2' });
    expect(await advance(id)).toBe('ended');
    expect(read(id).accounts).toEqual({ a: 'failed', b: 'done', c: 'pending' });
    expect(notices).toMatchObject([
      {
        kind: 'rollout',
        account: null,
        topic: `rollout ${id}`,
        facts: {
          title: 'A rollout stopped: 1 account failed, and none may fail',
          lines: [
            '3 accounts, started by Alice Doe',
            'Continue or abort it: until then, the accounts left keep approved plans',
          ],
          path: `/rollouts/${id}`,
        },
      },
    ]);
    expect(acts).toEqual([
      'rollout-started  undefined',
      'rollout-ended stopped 1 account failed, and none may fail',
    ]);
    expect(events).toEqual([`rollout.changed ${id}`]);
  });

  const isReplaced = /^its plan is no longer the one that was approved/;
  it.each([
    ['in mode observe', /mode observe/, ({ accounts: [a] }) => Object.assign(a ?? {}, { mode: 'observe' })],
    [
      'while the server only reads',
      /RAMPART_READ_ONLY/,
      ({ parts }) => Object.assign(parts.env, { RAMPART_READ_ONLY: '1' }),
    ],
    [
      'above a limit that nobody approved',
      /rename/,
      ({ accounts: [a] }) => Object.assign(a ?? {}, { limits: { rename: { kind: 'count', count: 0 } } }),
    ],
    [
      'whose plan is stale',
      /^the plan is stale: x$/,
      ({ plans: [a] }) => Object.assign(a ?? {}, { state: 'stale', reason: 'x' }),
    ],
    [
      'whose plan has another checksum',
      isReplaced,
      ({ plans: [a] }) => Object.assign(a ?? {}, { checksum: 'b'.repeat(64) }),
    ],
    [
      'that is no longer configured',
      isReplaced,
      ({ server }) => Object.assign(server, { accounts: server.accounts.slice(1) }),
    ],
  ] satisfies readonly [string, RegExp, (given: ReturnType<typeof givenSteps>) => unknown][])(
    'begins no run of an account %s',
    async (_, why, change) => {
      const given = givenSteps(['a', 'b']);
      const id = await given.started({ parallel: 1 });
      change(given);
      expect(await given.advance(id)).toBe('ended');
      expect(given.read(id)).toMatchObject({
        state: 'stopped',
        accounts: { a: 'failed', b: 'pending' },
        exits: { a: [6, expect.stringMatching(why)] },
      });
      expect(given.runs).toEqual([]);
    },
  );

  it('stops while changes are frozen, and keeps the account for later', async () => {
    const { started, advance, read, runs, server } = givenSteps(['a', 'b']);
    const id = await started({ parallel: 1 });
    server.freezes.push({ name: 'year-end', place });
    expect(await advance(id)).toBe('ended');
    expect(read(id)).toMatchObject({
      state: 'stopped',
      why: expect.stringContaining('year-end'),
      stop: ['closed-window', 'a'],
      accounts: { a: 'pending', b: 'pending' },
      exits: { a: [6, expect.stringContaining('year-end')] },
    });
    expect(runs).toEqual([]);
  });

  it("does nothing while another process has its lock, or its record can't be read", async () => {
    const { started, advance, read, isHeldByOther, rollouts } = givenSteps(['a']);
    const id = await started();
    isHeldByOther(true);
    expect(await advance(id)).toBe('again');
    isHeldByOther(false);
    const known = rollouts.read;
    rollouts.read = async () => failed(leaseLost());
    expect(await advance(id)).toBe('again');
    rollouts.read = known;
    expect(read(id).accounts).toEqual({ a: 'pending' });
    expect(await advance('gone')).toBe('ended');
  });

  it("begins no run if the start of the account can't be recorded", async () => {
    const { started, advance, rollouts, runs } = givenSteps(['a']);
    const id = await started();
    rollouts.append = async () => failed(leaseLost());
    expect(await advance(id)).toBe('again');
    expect(runs).toEqual([]);
  });

  it.each([
    ['an account', ['a', 'b'], 'account-ended'],
    ['the rollout', ['a'], 'completed'],
  ] as const)("checks again if the end of %s can't be recorded", async (_, names, type) => {
    const { started, advance, end, read, rollouts, notices } = givenSteps(names);
    const id = await started({ parallel: 1 });
    await advance(id);
    end('a', 'done');
    const { append } = rollouts;
    rollouts.append = async (...entry) =>
      entry[2][0]?.type === type ? failed(leaseLost()) : append(...entry);
    expect(await advance(id)).toBe('again');
    expect(notices).toEqual([]);
    rollouts.append = append;
    await advance(id);
    expect(read(id).accounts['a']).toBe('done');
  });

  it.each([false, true])(
    "checks again if the refusal of an account can't be recorded, claimed before: %s",
    async (isClaimed) => {
      const { started, advance, read, rollouts, plans } = givenSteps(['a']);
      const id = await started();
      if (isClaimed) await rollouts.append(id, 1, givenEvents(['account-started', 'a']));
      Object.assign(plans[0] ?? {}, { state: 'stale' });
      const { append } = rollouts;
      rollouts.append = async (...entry) =>
        entry[2][0]?.type === 'account-ended' ? failed(leaseLost()) : append(...entry);
      expect(await advance(id)).toBe('again');
      expect(read(id)).toMatchObject({ state: 'running', accounts: { a: 'running' } });
    },
  );

  it('begins no run after someone aborts it while an account is being claimed', async () => {
    const given = givenSteps(['a']);
    const id = await given.started();
    const { append } = given.rollouts;
    given.rollouts.append = async (...entry) => {
      given.rollouts.append = append;
      expect((await abortRollout(id, alice, 'enough', given.parts)).ok).toBe(true);
      return append(...entry);
    };
    expect(await given.advance(id)).toBe('ended');
    expect(given.read(id)).toMatchObject({ state: 'aborted', accounts: { a: 'pending' } });
    expect(given.runs).toEqual([]);
  });

  it('checks again each second until it ends, then wakes its accounts; another worker continues if this one stops', async () => {
    const { started, parts, read, end, order } = givenSteps(['a']);
    const id = await started();
    let looks = 0;
    const sleep = async (ms: number) => {
      looks += ms;
      await inAWhile();
      end('a', 'done');
    };
    const clock = { ...parts.clock, sleep };
    await rolloutJob(id, { ...parts, clock }, new AbortController().signal);
    expect([looks, read(id).state]).toEqual([1000, 'completed']);
    // Accounts that the rollout held back begin at once.
    expect(order.at(-1)).toBe('wake');
    await expect(rolloutJob(id, parts, AbortSignal.abort())).rejects.toThrow('another worker continues');
  });
});

describe('the start of a rollout on the server', () => {
  it('saves the plans, the rules, and who started it', async () => {
    const { started, read, sent, rollouts, acts } = givenSteps(['a', 'b', 'c']);
    const id = await started({
      canary: { kind: 'names', names: ['b'] },
      shares: [50, 100],
      by: 'region',
      parallel: 7,
      pauseMs: 1000,
      maxFailed: { kind: 'share', percent: 5 },
    });
    const { head } = read(id);
    expect(head).toMatchObject({
      max_failed: { kind: 'share', percent: 5 },
      pause_ms: 1000,
      parallel: 7,
      origin: { actor: 'Alice Doe', command: 'server', reason: 'the new names' },
      waves: [
        { name: 'canary of us', is_canary: true, accounts: ['b'] },
        { name: '50% of eu', is_canary: false, accounts: ['a'] },
        { name: '50% of us', is_canary: false, accounts: ['c'] },
      ],
      accounts: ['a', 'b', 'c'].map((account) => ({
        account,
        company_id: '1234567890',
        service: 'https://remote.example.com',
        plan_checksum: planChecksum(plan),
      })),
      left_out: [],
    });
    expect(read(id).state).toBe('running');
    expect(await rollouts.readPlan(id, 'b')).toEqual(ok(printPlan(plan)));
    expect(acts).toEqual(['rollout-started  undefined']);
    expect(sent).toEqual([`rollout ${id}`]);
  });

  it('takes all accounts in one wave, four at a time, and lets none fail, unless its rules say otherwise', async () => {
    const { started, read } = givenSteps(['a', 'b']);
    expect(read(await started()).head).toMatchObject({
      waves: [{ name: '100%', is_canary: false, accounts: ['a', 'b'] }],
      parallel: 4,
      pause_ms: 0,
      max_failed: { kind: 'count', count: 0 },
    });
  });

  it('selects canaries by their labels', async () => {
    const { started, start, read } = givenSteps(['a', 'b']);
    const id = await started({ canary: { kind: 'where', where: 'region == "us"' } });
    expect(read(id).head.waves[0]).toMatchObject({ is_canary: true, accounts: ['b'] });
    expect(await start({ canary: { kind: 'where', where: 'nothing ==' } })).toMatchObject({ ok: false });
  });

  it.each([
    ['without a plan', [], 'not-approved', 'a rollout needs at least one plan'],
    ['with a plan that does not exist', ['plan-a', 'gone'], 'not-approved', 'the plan gone does not exist'],
    [
      'with two plans of one account',
      ['plan-a', 'plan-2'],
      'not-approved',
      'there are two plans of the account "a"',
    ],
    [
      'with a running plan',
      ['plan-r'],
      'not-approved',
      'the plan of the account "r" is being applied already',
    ],
    ['with a plan that waits', ['plan-a', 'plan-w'], 'stale-plan', 'the plan is waiting'],
    ['without the account of a plan', ['plan-x'], 'not-approved', 'the plan plan-x does not exist'],
  ])('is refused %s', async (_, ids, code, message) => {
    const { start, plans, server, rollouts, sent } = givenSteps(['a', 'r', 'w', 'x']);
    const [a] = plans;
    if (a !== undefined) plans.push({ ...a, id: 'plan-2' });
    for (const each of plans) {
      if (each.account === 'r') each.state = 'running';
      if (each.account === 'w') each.state = 'waiting';
    }
    server.accounts.splice(3, 1);
    expect(await start({}, ids)).toMatchObject({ ok: false, problems: [{ code, message }] });
    expect(rollouts.logs.size).toBe(0);
    expect(sent).toEqual([]);
  });

  it('counts each plan once, however often it is given', async () => {
    const { start } = givenSteps(['a']);
    expect((await start({}, ['plan-a', 'plan-a'])).ok).toBe(true);
  });

  it("queues nothing if the database can't write its audit record", async () => {
    const { start, sent, parts } = givenSteps(['a']);
    Object.assign(parts.store, { audit: noAudit });
    await expect(start()).rejects.toThrow('no audit');
    expect(sent).toEqual([]);
  });

  it.each(['create', 'savePlan', 'append'] as const)(
    'queues nothing if the state refuses to %s',
    async (call) => {
      const { start, rollouts, sent } = givenSteps(['a']);
      const refuse = async () => failed(leaseLost());
      Object.assign(rollouts, { [call]: refuse });
      expect(await start()).toMatchObject({ ok: false, problems: [{ code: 'lock-lost' }] });
      expect(sent).toEqual([]);
    },
  );
});

describe('a change of a rollout on the server', () => {
  const conflict = (message: string) => ({
    ok: false,
    problems: [{ code: 'conflict', message, hint: 'read the rollout again' }],
  });

  it('keeps a stopped rollout from starting accounts until someone continues it', async () => {
    const { started, advance, read, parts, sent, events, order } = givenSteps(['a', 'b']);
    const id = await started({ parallel: 1 });
    order.splice(0);
    expect(await stopRollout(id, alice, 'lunch', parts)).toEqual(ok(null));
    expect(order).toEqual(['event', 'send rollout']);
    expect(sent).toEqual([`rollout ${id}`, `rollout ${id}`]);
    expect(events).toEqual([`rollout.changed ${id}`]);
    expect(await advance(id)).toBe('ended');
    expect(read(id)).toMatchObject({
      state: 'stopped',
      why: 'Alice Doe stopped it: lunch',
      stop: ['signal', null],
    });
    expect(read(id).accounts).toEqual({ a: 'pending', b: 'pending' });
    expect(await continueRollout(id, alice, 'back', parts)).toEqual(ok(null));
    expect(await advance(id)).toBe('again');
    expect(read(id).accounts).toEqual({ a: 'running', b: 'pending' });
  });

  it('is refused in the wrong state', async () => {
    const { started, parts, advance, end } = givenSteps(['a']);
    const id = await started();
    expect(await continueRollout(id, alice, 'x', parts)).toMatchObject(
      conflict('only a stopped rollout can be continued'),
    );
    await advance(id);
    end('a', 'done');
    expect(await advance(id)).toBe('ended');
    expect(await stopRollout(id, alice, 'x', parts)).toMatchObject(
      conflict('only a running rollout can be stopped'),
    );
    expect(await abortRollout(id, alice, 'x', parts)).toMatchObject(
      conflict('the rollout has already ended'),
    );
    for (const act of [stopRollout, continueRollout, abortRollout])
      expect(await act('gone', alice, 'x', parts)).toMatchObject({ problems: [{ code: 'usage' }] });
  });

  it('retries accounts that failed in a completed rollout', async () => {
    const { started, advance, parts, end, read, plans, runs } = givenSteps(['a', 'b']);
    const id = await started({ maxFailed: { kind: 'count', count: 1 } });
    await advance(id);
    end('a', 'failed', { exitCode: 5 });
    end('b', 'done');
    expect(await advance(id)).toBe('ended');
    expect(read(id)).toMatchObject({ state: 'completed', accounts: { a: 'failed', b: 'done' } });
    const [a] = plans;
    if (a !== undefined) a.state = 'stale';
    expect(await continueRollout(id, alice, 'x', parts)).toMatchObject({
      problems: [{ code: 'stale-plan' }],
    });
    if (a !== undefined) a.state = 'approved';
    expect(await continueRollout(id, alice, 'x', parts)).toEqual(ok(null));
    runs.splice(0);
    await advance(id);
    expect(read(id)).toMatchObject({ state: 'running', accounts: { a: 'running', b: 'done' } });
  });

  it("first reports that a running rollout can't be continued, even if its plans are stale", async () => {
    const { started, parts, plans } = givenSteps(['a']);
    const id = await started();
    Object.assign(plans[0] ?? {}, { state: 'stale' });
    expect(await continueRollout(id, alice, 'x', parts)).toMatchObject(
      conflict('only a stopped rollout can be continued'),
    );
  });

  it('continues without the accounts that were left out', async () => {
    const { started, parts, rollouts, read } = givenSteps(['a']);
    const { head } = read(await started());
    const left = { account: 'z', status: 'failed', exit_code: 4, why: 'no key' } as const;
    const id = 'of-the-command-line';
    await rollouts.create({
      ...head,
      rollout_id: id,
      left_out: [left],
      max_failed: { kind: 'count', count: 9 },
    });
    await rollouts.append(
      id,
      0,
      givenEvents(['begun'], ['stopped', undefined, { reason: 'signal', why: 'w' }]),
    );
    expect(await continueRollout(id, alice, 'x', parts)).toEqual(ok(null));
  });

  it.each(['read', 'append'] as const)("is refused if the state can't %s", async (call) => {
    const { started, parts, rollouts, events } = givenSteps(['a']);
    const id = await started();
    Object.assign(rollouts, { [call]: async () => failed(leaseLost()) });
    for (const act of [stopRollout, abortRollout])
      expect(await act(id, alice, 'x', parts)).toMatchObject({ problems: [{ code: 'lock-lost' }] });
    if (call === 'read')
      expect(await continueRollout(id, alice, 'x', parts)).toMatchObject({
        problems: [{ code: 'lock-lost' }],
      });
    expect(events).toEqual([]);
  });

  it('aborts a stopped rollout for good', async () => {
    const { started, parts, read } = givenSteps(['a']);
    const id = await started();
    await stopRollout(id, alice, 'x', parts);
    expect(await abortRollout(id, alice, 'enough', parts)).toEqual(ok(null));
    expect(read(id).state).toBe('aborted');
    expect(await continueRollout(id, alice, 'x', parts)).toMatchObject(
      conflict('only a stopped rollout can be continued'),
    );
  });

  it('decides again if another process changed it meanwhile', async () => {
    const { started, parts, read, rollouts } = givenSteps(['a']);
    const id = await started();
    const { append } = rollouts;
    rollouts.append = async (...entry) => {
      rollouts.append = append;
      await abortRollout(id, alice, 'first', parts);
      return append(...entry);
    };
    expect(await stopRollout(id, alice, 'second', parts)).toMatchObject(
      conflict('only a running rollout can be stopped'),
    );
    expect(read(id).state).toBe('aborted');
  });

  it('continues only if the plans of all accounts that are left are still approved', async () => {
    const { started, advance, parts, plans, end, read } = givenSteps(['a', 'b', 'c', 'd']);
    const id = await started({ parallel: 1, maxFailed: { kind: 'count', count: 9 } });
    await advance(id);
    end('a', 'done');
    await advance(id);
    end('b', 'failed', { exitCode: 5 });
    await stopRollout(id, alice, 'look', parts);
    expect(await advance(id)).toBe('ended');
    expect(read(id).accounts).toEqual({ a: 'done', b: 'failed', c: 'pending', d: 'pending' });
    const state = (account: string, changes: Partial<PlanRecord>) =>
      Object.assign(plans.find((each) => each.account === account) ?? {}, changes);
    state('a', { state: 'done' });
    state('b', { state: 'stale' });
    state('c', { checksum: 'b'.repeat(64) });
    expect(await continueRollout(id, alice, 'x', parts)).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'stale-plan',
          message: 'the plans of this rollout are no longer approved for: b, c',
          hint: expect.stringMatching(/; it can include the accounts that are left: d$/),
        },
      ],
    });
    expect(read(id).state).toBe('stopped');
    state('b', { state: 'running' });
    state('c', { checksum: planChecksum(plan) });
    expect(await continueRollout(id, alice, 'x', parts)).toEqual(ok(null));
  });

  it('continues while an account is still being changed, whatever has become of its plan', async () => {
    const { started, advance, parts, plans, read } = givenSteps(['a', 'b']);
    const id = await started({ parallel: 1 });
    await advance(id);
    await stopRollout(id, alice, 'look', parts);
    expect(read(id).accounts).toEqual({ a: 'running', b: 'pending' });
    Object.assign(plans[0] ?? {}, { state: 'done' });
    expect(await continueRollout(id, alice, 'x', parts)).toEqual(ok(null));
    expect(read(id).state).toBe('running');
  });

  it('lists the first twenty accounts whose plans are stale, and counts the others', async () => {
    const names = Array.from({ length: 22 }, (_, at) => `a${String(at).padStart(2, '0')}`);
    const { started, parts, plans } = givenSteps(names);
    const id = await started();
    await stopRollout(id, alice, 'x', parts);
    for (const each of plans) each.state = 'stale';
    const refused = await continueRollout(id, alice, 'x', parts);
    expect(refused.problems[0]?.message).toMatch(/for: a00, .*, a19 and 2 more$/);
    expect(refused.problems[0]?.hint).toMatch(/then start another rollout with them$/);
    for (const each of plans.slice(0, 2)) each.state = 'approved';
    const fewer = await continueRollout(id, alice, 'x', parts);
    expect(fewer.problems[0]?.message).toMatch(/for: a02, .*, a21$/);
  });
});
