import { describe, expect, it } from 'vitest';
import { openPlanStates } from '../../../../src/api/states.ts';
import { failed, ok, problem } from '../../../../src/core/problem/problem.ts';
import {
  type AccountHold,
  type AccountState,
  type Command,
  carriedOut,
  type StoreCommand,
} from '../../../../src/server/accounts/decisions/account-state.ts';
import type { Decision } from '../../../../src/server/accounts/decisions/decide.ts';
import {
  type Details,
  endUndecided,
  queueDecided,
  serverSubject,
  writeDecision,
} from '../../../../src/server/accounts/rules/carry-out.ts';
import { ada, bob } from '../../../given/store-records.ts';
import { inAWhile } from '../../jobs/given.ts';
import { begin, givenBerlin, newPlan } from '../../jobs/given-store.ts';

const approval = {
  by: bob,
  at: new Date(begin),
  decision: 'approved',
  numbers: {},
  comment: null,
  ticket: null,
  via: 'console',
} as const;
const later = { leftOut: ['1'], authors: ['ada'] };
const hold: AccountHold = {
  kind: 'stopped',
  run: 'r',
  at: '2026-11-23T11:00:00.000Z',
  commit: 'c0ffee',
  runs: 0,
  isInDoubt: false,
  reason: '',
};

async function given(...of: Parameters<typeof givenBerlin>) {
  const berlin = await givenBerlin(...of);
  const write = async (commands: readonly Command[], details?: Details, from?: AccountState) => {
    const state = from ?? (await berlin.read());
    berlin.world.calls.splice(0);
    return writeDecision(
      berlin.parts,
      state,
      { commands, next: commands.reduce(carriedOut, state) },
      details,
    );
  };
  return { ...berlin, write };
}

/** What decisions depend on. The store writes some reasons and times by itself. */
const told = ({ plan, run, rejections, ...rest }: AccountState) => ({
  ...rest,
  version: 0,
  plan: plan && { ...plan, reason: '', replacedBy: null },
  run,
  rejections: new Set(rejections.map(({ id }) => id)),
});

describe('a decision about an account', () => {
  it.each<readonly [string, StoreCommand]>([
    ['why the account is held', { kind: 'set-hold', hold }],
    ['its health', { kind: 'set-health', health: 'running' }],
    [
      'that its plan is stale',
      { kind: 'close-plan', plan: 'p', state: 'stale', reason: 'others changed it' },
    ],
    ['that its plan is done', { kind: 'close-plan', plan: 'p', state: 'done', reason: null }],
    ['that someone rejected its plan', { kind: 'close-plan', plan: 'p', state: 'rejected', reason: null }],
    ['that its plan is approved', { kind: 'move-plan', plan: 'p', state: 'approved' }],
    ['that its plan runs', { kind: 'move-plan', plan: 'p', state: 'running' }],
    ['what its run leaves out', { kind: 'keep-plan', plan: 'p', later }],
    ['that its plan expires sooner', { kind: 'shorten-plan', plan: 'p', expiresAt: new Date(begin + 1) }],
    ['who approved its plan', { kind: 'add-approval', plan: 'p', approval }],
    ['that rejected changes may come back', { kind: 'end-rejections' }],
  ])('is in the records afterwards: %s', async (_, command) => {
    for (const state of openPlanStates) {
      const { read, write, store } = await given(state);
      const before = await read();
      expect(await write([command])).toEqual(ok(true));
      expect(told(await read())).toEqual(told(carriedOut(before, command)));
      if (command.kind !== 'close-plan') continue;
      const { reason } = command;
      expect(await store.plans.find('p', 'all')).toMatchObject({ state: command.state, reason });
    }
  });

  it.each([
    ['waiting', 'a person must look'],
    ['approved', null],
  ] as const)('adds the plan of a check in the state "%s"', async (state, reason) => {
    const { read, write } = await given();
    const { plan } = await read();
    if (plan === null) throw new Error('no plan');
    const command = { kind: 'add-plan', plan: { ...plan, id: 'next', state, reason } } as const;
    await write([command]);
    expect((await read()).plan?.id).toBe('p');
    await write([command], { plan: async () => newPlan('other') });
    expect((await read()).plan).toMatchObject({ id: 'next', state, reason });
  });

  it('opens a plan again that a check had replaced', async () => {
    const { read, write } = await given();
    const { plan } = await read();
    if (plan === null) throw new Error('no plan');
    await write([{ kind: 'close-plan', plan: 'p', state: 'stale', reason: 'a newer plan replaced it' }]);
    await write([{ kind: 'reopen-plan', plan, later }]);
    expect((await read()).plan).toMatchObject({ id: 'p', state: 'waiting', later });
  });

  it.each([
    ['a person', ada, ada],
    ['nobody', null, serverSubject],
  ])('queues the run of its plan in the name of who starts it: %s', async (_, by, starter) => {
    const { read, write, store } = await given('approved', null);
    await write([{ kind: 'add-run', plan: 'p', by, reason: 'because', steps: 3 }]);
    const { run } = await read();
    expect(run).toMatchObject({ plan: 'p', state: 'queued' });
    expect(await store.runs.find(run?.id ?? '', 'all')).toMatchObject({
      by: starter,
      reason: 'because',
      steps: { total: 3 },
    });
  });

  it('ends its run with its result, or records who stops it', async () => {
    const ended = await given('running', 'running');
    const { run } = ended;
    await ended.write([{ kind: 'move-run', run, state: 'done' }], { run: { exitCode: 0 } });
    expect(await ended.store.runs.find(run, 'all')).toMatchObject({ state: 'done', exitCode: 0 });
    expect((await ended.read()).run).toBeNull();
    const stopped = await given('running', 'running');
    await stopped.write([{ kind: 'move-run', run: stopped.run, state: 'stopping' }], { stopBy: bob });
    expect(await stopped.store.runs.find(run, 'all')).toMatchObject({ state: 'stopping', stopBy: bob });
  });

  it('is not written if someone else has decided meanwhile, or if what belongs to it fails', async () => {
    const { read, write } = await given();
    const before = await read();
    const and = async () => failed(problem('conflict', 'x'));
    expect(await write([{ kind: 'set-hold', hold }], { and })).toMatchObject({ ok: false });
    expect(await read()).toEqual(before);
    expect(await write([{ kind: 'set-hold', hold }], { and: async () => ok(null) })).toEqual(ok(true));
    expect(await write([{ kind: 'set-hold', hold: null }], {}, before)).toEqual(ok(false));
    expect((await read()).hold).toEqual(hold);
  });

  it('needs no transaction if it changes no record, unless something belongs to it', async () => {
    const { read, write, parts } = await given();
    const { version } = await read();
    let isDone = false;
    const and = async () => ok((isDone = true));
    expect(await write([], { and })).toEqual(ok(true));
    expect([isDone, (await read()).version > version]).toEqual([true, true]);
    Object.assign(parts.store, { transaction: () => Promise.reject(new Error('not needed')) });
    expect(await write([{ kind: 'queue-check' }, { kind: 'queue-run' }])).toEqual(ok(true));
  });

  it('is announced to those who asked for it, unless its transaction fails', async () => {
    const { write, notifications, store, run } = await given('running', 'running');
    notifications.push({ name: 'ops', kinds: ['failed'], digestMs: null });
    const ends: readonly Command[] = [
      { kind: 'set-health', health: 'waiting' },
      { kind: 'move-run', run, state: 'failed' },
    ];
    const head = { seq: 4711, hash: '0'.repeat(64) };
    await write(ends, { head, and: async () => failed(problem('conflict', 'x')) });
    expect(await store.notifications.claim('ops', 9)).toEqual([]);
    await write(ends, { head });
    const [message, ...others] = await store.notifications.claim('ops', 9);
    expect(message).toMatchObject({ kind: 'failed', account: 'berlin' });
    expect([JSON.stringify(message?.facts), others]).toEqual([expect.stringContaining('4711'), []]);
    const unsigned = await given('running', 'running');
    unsigned.notifications.push({ name: 'ops', kinds: ['failed'], digestMs: null });
    await unsigned.write([{ kind: 'move-run', run: unsigned.run, state: 'failed' }]);
    expect(await unsigned.store.notifications.claim('ops', 9)).toHaveLength(1);
  });
});

describe('the end of a run whose account no longer exists', () => {
  it.each([
    ['running', 'stale'],
    ['approved', 'stale'],
    ['waiting', 'waiting'],
  ] as const)('makes its plan stale unless that waits for people: %s', async (state, after) => {
    const { store, run } = await given(state, 'running');
    await endUndecided(store, { id: run, plan: 'p' }, 'failed', { run: { exitCode: 3 } });
    expect(await store.runs.find(run, 'all')).toMatchObject({ state: 'failed', exitCode: 3 });
    expect((await store.plans.find('p', 'all'))?.state).toBe(after);
  });

  it('is logged in the same transaction, also without a plan', async () => {
    const { store, run, world } = await given('running', 'running');
    world.calls.splice(0);
    const and: Details['and'] = async ({ runs }) => ok(await runs.log(run, []));
    await endUndecided(store, { id: run, plan: null }, 'failed', { and });
    expect(world.calls).toEqual(['runs.change', 'runs.log']);
  });
});

it('decisions about several accounts queue one statement of runs and one of checks', async () => {
  const sent: unknown[] = [];
  const send = async (name: string, keys: readonly string[]) => {
    await inAWhile();
    sent.push([name, ...keys]);
    return keys.length;
  };
  const decided = (...kinds: readonly ('queue-run' | 'queue-check' | 'end-rejections')[]) =>
    ({ commands: kinds.map((kind) => ({ kind })) }) as unknown as Decision;
  await queueDecided(
    new Map([
      ['a', decided('queue-check', 'queue-run')],
      ['b', decided('end-rejections', 'queue-check')],
    ]),
    { queue: { send } },
  );
  expect(sent).toEqual([
    ['run', 'a'],
    ['check', 'a', 'b'],
  ]);
  await queueDecided(new Map([['a', decided('end-rejections')]]), { queue: { send } });
  expect(sent).toHaveLength(2);
});
