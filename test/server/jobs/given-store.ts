import { type openPlanStates } from '../../../src/api/states.ts';
import { readState, withRejections } from '../../../src/server/accounts/rules/read-state.ts';
import type { NewPlan } from '../../../src/server/plans/records/plan-record.ts';
import type { JobParts } from '../../../src/server/queue/rules/job-parts.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { ada, givenAccount, givenCheck, givenHosts, givenNewPlan } from '../../given/store-records.ts';
import { type StoreFunctions, storeOn } from '../../simulation/store/memory-store.ts';
import { createTables, draftTables } from '../../simulation/store/tables.ts';
import { accountOf, inAWhile } from './given.ts';

type Calls = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>;

/** Each call takes a while, and nothing is carried out after the end of a transaction: a database does the same. */
export async function inTransaction<T>(
  store: Readonly<Record<string, unknown>>,
  work: (own: unknown) => Promise<T>,
): Promise<T> {
  let inProgress = 0;
  const watched = (calls: Calls) =>
    Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [
        name,
        async (...given: readonly unknown[]) => {
          inProgress += 1;
          await inAWhile();
          return call(...given).finally(() => (inProgress -= 1));
        },
      ]),
    );
  const result = await work(
    Object.fromEntries(
      Object.entries(store).map(([name, calls]) => [
        name,
        typeof calls === 'function' ? calls : watched(calls as Calls),
      ]),
    ),
  );
  if (inProgress > 0) throw new TypeError('a transaction ended before a call of it');
  return result;
}

/** A store in memory, its time in milliseconds, and the calls to it. A transaction that fails leaves nothing. */
export function storeInMemory(begin: number) {
  const world = { now: begin, ids: 0, calls: [] as string[] };
  const parts = { now: () => world.now, newId: () => `id ${(world.ids += 1)}` };
  const tables = createTables();
  const noting = (store: StoreFunctions) =>
    Object.fromEntries(
      Object.entries(store).map(([noun, calls]) => [
        noun,
        Object.fromEntries(
          Object.entries(calls as Calls).map(([name, call]) => [
            name,
            (...given: readonly unknown[]) => {
              world.calls.push(`${noun}.${name}`);
              return call(...given);
            },
          ]),
        ),
      ]),
    );
  const transaction = async <T>(work: (own: unknown) => Promise<T>): Promise<T> => {
    const draft = draftTables(tables);
    const result = await inTransaction(noting(storeOn(draft, parts)), work);
    draft.commit();
    return result;
  };
  return { world, store: { ...noting(storeOn(tables, parts)), transaction } as unknown as Store };
}

export const begin = Date.parse('2026-11-23T12:00:00.000Z');
export const newPlan = (id: string, parts: Partial<NewPlan> = {}) =>
  givenNewPlan('berlin', { id, expiresAt: new Date(begin + 3_600_000), ...parts });

/** An account with a plan in this state and its run in that one, and a plan that someone rejected before. */
export async function givenBerlin(
  planState: (typeof openPlanStates)[number] | null = 'waiting',
  runState: 'running' | 'queued' | null = 'queued',
  check: Parameters<typeof givenCheck>[2] = { health: 'waiting' },
) {
  const { store, world } = storeInMemory(begin);
  await store.accounts.sync([givenAccount('berlin')]);
  await store.accounts.recordCheck(givenCheck('berlin', givenHosts(1), check));
  await store.plans.propose(newPlan('no'));
  await store.plans.move('no', ['waiting'], 'rejected');
  if (planState !== null) await store.plans.propose(newPlan('p'));
  await store.plans.move('p', ['waiting'], planState ?? 'waiting');
  const queued = { account: 'berlin', plan: 'p', by: ada, reason: null, steps: 1 };
  const { id: run = '' } = (runState && (await store.runs.queue(queued))) ?? {};
  if (runState !== null) await store.runs.change(run, { state: runState });
  const sent: string[] = [];
  const notifications: object[] = [];
  const settings = {
    accounts: [accountOf('berlin', { companyId: '42', mode: 'correct' })],
    labels: new Set<string>(),
    cadenceMs: 600_000,
    notifications,
  } as unknown as JobParts['settings'];
  const parts = {
    env: { RAMPART_BASE_URL: 'https://service.example' },
    store,
    settings,
    clock: { now: () => world.now, sleep: async () => {} },
    queue: {
      send: async (name: string, keys: readonly string[]) => {
        await inAWhile();
        sent.push(...keys.map((key) => `${name} ${key}`));
        return keys.length;
      },
    },
  } as unknown as JobParts;
  const found = async () => {
    const account = await store.accounts.find('berlin', 'all');
    if (account === undefined) throw new Error('no account');
    return account;
  };
  const read = async () => withRejections((await readState(await found(), store)).state, store);
  return { store, world, run, parts, settings, sent, notifications, found, read };
}
