import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { RolloutConfig } from '../../../src/accounts/config/rollout-config.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import { rolloutOf } from '../../../src/run/state/rollout/rollout.ts';
import type { JobParts } from '../../../src/server/queue/rules/job-parts.ts';
import { advanceRollout } from '../../../src/server/rollouts/rules/advance-rollout.ts';
import {
  abortRollout,
  continueRollout,
  stopRollout,
} from '../../../src/server/rollouts/rules/change-rollout.ts';
import { startRollout } from '../../../src/server/rollouts/rules/start-rollout.ts';
import { openStore } from '../../../src/server/store/open-store.ts';
import type { GivenAccount } from '../../given/accounts.ts';
import { databaseWithTables, hasPostgres } from '../../given/postgres.ts';
import { givenServer } from '../../given/server-jobs.ts';
import { channelOf } from '../notifications/given.ts';

const desired = 'version: 1\nhosts:\n  - { id: 1, name: NEW }\n';
const old = { groups: [], hosts: [{ id: '1', name: 'OLD' }], mode: 'propose' };
const alice = { kind: 'person', id: 'alice', name: 'Alice Doe' } as const;

async function givenRollouts(names: readonly string[], mode: 'propose' | 'correct' = 'propose') {
  const accounts = names.map((name): [string, GivenAccount] => [name, { ...old, mode }]);
  const server = await givenServer(databaseWithTables(), Object.fromEntries(accounts), { desired });
  const parts: JobParts = {
    ...server.parts,
    settings: { ...server.parts.settings, notifications: [channelOf('ops', { kinds: ['rollout'] })] },
  };
  const notices = async () => {
    const listed = await server.store.notifications.list({ limit: 10 });
    return listed.ok ? listed.value.items.map(({ topic }) => topic) : [];
  };
  const planOf = async (account: string) => {
    const listed = await server.store.plans.list({ visible: 'all', account });
    const plan = listed.ok ? listed.value.items[0] : undefined;
    if (plan === undefined) throw new Error(`no plan of ${account}`);
    return plan;
  };
  const until = new Date(Date.now() + 3_600_000);
  const pause = await server.store.pauses.add({ scope: 'all', by: alice, reason: 'moving house', until });
  for (const name of names) await server.check(name);
  await server.store.pauses.end(pause.id);
  for (const name of mode === 'correct' ? [] : names) {
    const { id } = await planOf(name);
    const approval = {
      by: alice,
      decision: 'approved',
      numbers: {},
      comment: null,
      via: 'rollout',
    } as const;
    await server.store.plans.approve(id, approval);
    await server.store.plans.move(id, ['waiting'], 'approved');
  }
  const start = async (rules: RolloutConfig = {}) => {
    const plans = await Promise.all(names.map(async (name) => (await planOf(name)).id));
    return startRollout({ plans, by: alice, reason: 'the new names', rules }, parts);
  };
  const started = async (rules?: RolloutConfig) => {
    const id = await start(rules);
    if (!id.ok) throw new Error(id.problems[0]?.message);
    return id.value;
  };
  const read = async (id: string) => {
    const log = await parts.state.rollouts.read(id);
    if (!log.ok || log.value === null) throw new Error('no rollout');
    const rollout = rolloutOf(log.value);
    return {
      state: rollout.state,
      why: rollout.stop?.why ?? null,
      accounts: Object.fromEntries([...rollout.accounts.values()].map(({ name, status }) => [name, status])),
    };
  };
  return { server, parts, notices, planOf, start, started, read };
}

const canary: RolloutConfig = { canary: { kind: 'names', names: ['b'] }, shares: [50, 100], parallel: 1 };

describe.skipIf(!hasPostgres)('a rollout on the server', () => {
  it("applies the approved plans in waves, each after the previous wave's runs were verified", async () => {
    const { server, parts, notices, started, read } = await givenRollouts(['a', 'b', 'c']);
    const id = await started(canary);
    expect(server.sent.at(-1)).toEqual({ queue: 'rollout', key: id });
    for (const [at, name] of ['b', 'a', 'c'].entries()) {
      expect(await advanceRollout(id, parts)).toBe('again');
      expect((await read(id)).accounts[name]).toBe('running');
      expect(await advanceRollout(id, parts)).toBe('again');
      expect(Object.values((await read(id)).accounts).filter((each) => each === 'done')).toHaveLength(at);
      await server.run(name);
    }
    expect(await advanceRollout(id, parts)).toBe('ended');
    expect(await read(id)).toEqual({
      state: 'completed',
      why: null,
      accounts: { a: 'done', b: 'done', c: 'done' },
    });
    for (const name of ['a', 'b', 'c']) expect(server.given.writesOf(name)).toBe(1);
    expect(await notices()).toEqual([`rollout ${id}`]);
    expect(await advanceRollout(id, parts)).toBe('ended');
    expect(await notices()).toHaveLength(1);
  });

  it('waits for a person who is deciding about one of its plans, and for nobody who waits for it', async () => {
    const { server, parts, planOf } = await givenRollouts(['a', 'b']);
    const [a, b] = [await planOf('a'), await planOf('b')];
    const origin = { actor: 'alice', host: 'ws-1', command: 'test' };
    const decide = async (store: typeof server.store, { id, account }: typeof a) => {
      await store.accounts.lock([account]);
      await store.plans.move(id, ['approved'], 'approved');
      if (account === 'a') store.audit([{ kind: 'plan-approved', origin, what: { plan: id } }]);
    };
    const approve = async (inside: typeof server.store) => {
      for (const plan of [a, b]) await decide(inside, plan);
      return ok(null);
    };
    // It starts something else inside, so it must not be repeated.
    const person = openStore(server.database);
    const started = await person.transaction(async (own) => {
      await decide(own, b);
      const waiting = startRollout({ plans: [a.id, b.id], by: alice, reason: 'both', approve }, parts);
      const blocked = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await blocked.execute(server.store.db)).rows.length).toBe(1);
      own.audit([{ kind: 'plan-approved', origin, what: { plan: b.id } }]);
      return { waiting };
    });
    expect(await started.waiting).toMatchObject({ ok: true });
  });

  it('is the only one that can change its accounts, however many start at once', async () => {
    const { server, parts, planOf, start, read } = await givenRollouts(['a', 'b']);
    const both = await Promise.all([start(), start(), start()]);
    const [first] = both.flatMap((each) => (each.ok ? [each.value] : []));
    if (first === undefined) throw new Error('none began');
    const conflict = (id: string, accounts: string) => ({
      ok: false,
      problems: [
        {
          code: 'conflict',
          message: `the rollout ${id} is changing: ${accounts}`,
          hint: `wait for the end of ${id}, stop or abort it, or leave these accounts out`,
        },
      ],
    });
    expect(both.filter(({ ok }) => !ok)).toMatchObject([conflict(first, 'a, b'), conflict(first, 'a, b')]);
    const listed = await parts.state.rollouts.list();
    expect(listed.ok && listed.value).toEqual([first]);
    const onlyB = async () =>
      startRollout({ plans: [(await planOf('b')).id], by: alice, reason: 'only b' }, parts);
    expect(await onlyB()).toMatchObject(conflict(first, 'b'));
    // A rollout that has stopped releases the accounts that it has not begun, and takes them back when it continues.
    expect(await advanceRollout(first, parts)).toBe('again');
    await stopRollout(first, alice, 'look', parts);
    expect(await onlyB()).toMatchObject(conflict(first, 'b'));
    await server.run('a');
    await server.run('b');
    expect(await advanceRollout(first, parts)).toBe('ended');
    expect((await read(first)).accounts).toEqual({ a: 'done', b: 'done' });
  });

  it("keeps its accounts while its record can't be read, and continues even if its server ends at once", async () => {
    const { server, parts, start } = await givenRollouts(['a']);
    const send: JobParts['queue']['send'] = async (name, keys, options) => {
      if (options?.delayMs === undefined) throw new Error('the server ended');
      return parts.queue.send(name, keys, options);
    };
    const first = await parts.store.plans.list({ visible: 'all', account: 'a' });
    const plan = first.ok ? first.value.items[0]?.id : undefined;
    const given = { plans: [plan ?? ''], by: alice, reason: 'the new names' };
    const dying = { ...parts, queue: { ...parts.queue, send } };
    await expect(startRollout(given, dying)).rejects.toThrow('the server ended');
    const listed = await parts.state.rollouts.list();
    const [id = ''] = listed.ok ? listed.value : [];
    expect(server.sent.at(-1)).toEqual({ queue: 'rollout', key: id });
    const db = parts.store.db;
    await sql`insert into rampart.rollout_entry (rollout_id, seq, events, token)
      values (${id}, 2, '[{"type":"of-a-newer-server"}]', gen_random_uuid())`.execute(db);
    expect(await start()).toMatchObject({ ok: false, problems: [{ code: 'conflict' }] });
  });

  it('lets no check start an account before its turn, even if its policy approved the plan', async () => {
    const { server, parts, started, read } = await givenRollouts(['a', 'b'], 'correct');
    const id = await started({ canary: { kind: 'names', names: ['b'] }, parallel: 1 });
    expect(await advanceRollout(id, parts)).toBe('again');
    await server.check('a');
    const runs = await parts.store.runs.list({ visible: 'all', account: 'a' });
    expect(runs.ok && runs.value.items).toEqual([]);
    expect((await read(id)).accounts).toEqual({ a: 'pending', b: 'running' });
    await stopRollout(id, alice, 'look', parts);
    await server.check('a');
    const later = await parts.store.runs.list({ visible: 'all', account: 'a' });
    expect(later.ok && later.value.items).toHaveLength(1);
  });

  it('releases its accounts when it stops, and takes them back only if no other one has them', async () => {
    const { parts, planOf, started } = await givenRollouts(['a', 'b']);
    const first = await started({ parallel: 1 });
    await stopRollout(first, alice, 'look', parts);
    const onlyB = () =>
      planOf('b').then(({ id }) => startRollout({ plans: [id], by: alice, reason: 'b' }, parts));
    const second = await onlyB();
    if (!second.ok) throw new Error(second.problems[0]?.message);
    expect(await continueRollout(first, alice, 'back', parts)).toMatchObject({
      problems: [{ code: 'conflict', message: `the rollout ${second.value} is changing: b` }],
    });
    await abortRollout(second.value, alice, 'no', parts);
    const [continued, again] = await Promise.all([continueRollout(first, alice, 'back', parts), onlyB()]);
    expect([continued.ok, again.ok].filter(Boolean)).toHaveLength(1);
  });

  it('once aborted, ends the turns of the accounts that wait at once, while another one is being changed', async () => {
    const { server, parts, planOf, started, read } = await givenRollouts(['a', 'b', 'c']);
    const id = await started(canary);
    expect(await advanceRollout(id, parts)).toBe('again');
    const waiting = [await planOf('a'), await planOf('c')];
    await abortRollout(id, alice, 'no', parts);
    expect(await advanceRollout(id, parts)).toBe('again');
    for (const plan of waiting) {
      expect(await server.store.plans.find(plan.id, 'all')).toMatchObject({
        state: 'stale',
        reason: 'its rollout was aborted before its turn',
      });
    }
    await server.run('b');
    expect(await advanceRollout(id, parts)).toBe('ended');
    expect((await read(id)).accounts).toEqual({ a: 'pending', b: 'done', c: 'pending' });
  });
});
