import { expect, it } from 'vitest';
import { keepRecord } from '../../../src/accounts/rollouts/rollout-record-keeper.ts';
import { startAccounts } from '../../../src/accounts/rollouts/start-accounts.ts';
import { failed, ok, problem, type Result } from '../../../src/core/problem/problem.ts';
import { at } from '../../given/fleet.ts';
import { givenEvents, givenRollout, memoryRollouts } from '../../given/rollouts.ts';

async function starting(begin: (account: string) => Result<null>) {
  const store = memoryRollouts();
  const head = givenRollout({ canary: ['a', 'b', 'c'] });
  await store.create(head);
  await store.append(head.rollout_id, 0, givenEvents(['begun']));
  const log = store.logs.get(head.rollout_id);
  if (log === undefined) throw new Error('no rollout');
  const started: string[] = [];
  const move = await startAccounts({
    record: keepRecord(store, log),
    clock: { now: () => Date.parse(at), sleep: async () => {} },
    isRunning: ({ status }) => status === 'running',
    outside: () => undefined,
    async start({ name }, wave) {
      started.push(`${name} in ${wave}`);
      return begin(name);
    },
  });
  return { move, started, events: store.logs.get(head.rollout_id)?.events };
}

it('records each start before it happens, up to the parallelism', async () => {
  const { move, started, events } = await starting(() => ok(null));
  expect(move).toEqual(ok({ kind: 'wait' }));
  expect(started).toEqual(['a in 0', 'b in 0']);
  const start = { type: 'account-started', at: new Date(at).toISOString() };
  expect(events?.slice(1)).toEqual([
    { ...start, account: 'a' },
    { ...start, account: 'b' },
  ]);
});

it("starts no other account if the end of one can't be recorded", async () => {
  const full = failed(problem('state', 'the disk is full'));
  const { move, started } = await starting(() => full);
  expect(move).toEqual(full);
  expect(started).toEqual(['a in 0']);
});
