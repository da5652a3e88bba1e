import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PlanState } from '../../../src/api/states.ts';
import type { RolloutEvent } from '../../../src/run/state/rollout/rollout-record.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { givenEvents, givenRollout } from '../../given/rollouts.ts';
import {
  ada,
  bob,
  givenAccount,
  givenCause,
  givenCheck,
  givenDrift,
  givenHosts,
  givenNewPlan,
} from '../../given/store-records.ts';
import { type GivenStore, storeBackends } from '../../given/stores.ts';
import { storeOn } from './memory-store.ts';
import { createTables } from './tables.ts';

/** A call of the store that a simulation uses, with what it returns. */
type Operation = (store: Store) => Promise<unknown>;

const names = ['a', 'b'] as const;
const hour = 3_600_000;
const name = fc.constantFrom(...names);
const planId = fc.constantFrom('p1', 'p2', 'p3', 'p4');
const health = fc.constantFrom('converged', 'drifted', 'waiting', 'failing', 'ignored', 'paused');
const openStates: readonly PlanState[] = ['waiting', 'approved', 'running'];
const failure = { code: 'network', message: 'no answer' };
const undo = 'undo of run r';
const ofTable = { id: 'of-table', kind: 'assets', title: 'table "asset": assets without a host' } as const;

const rolloutIds = ['r1', 'r2'] as const;
const rolloutId = fc.constantFrom(...rolloutIds);
const notice = fc.record({
  kind: fc.constantFrom('waiting', 'applied'),
  account: fc.constantFrom('a', null),
  topic: fc.constantFrom('t1', 't2'),
  facts: fc.constantFrom({ title: 'one' }, { title: 'two' }),
  delayMs: fc.constantFrom(0, 0, hour),
});

const openRunOf = async ({ accounts }: Store, account: string) =>
  (await accounts.find(account, 'all'))?.run ?? 'none';

const check = fc.record({
  account: name,
  beganAt: fc.constantFrom(undefined, -3, -2, -1),
  health,
  hosts: fc.constantFrom(undefined, 2, 3),
  drift: fc.constantFrom([], [givenDrift('1')], [givenDrift('1', { ignored: true }), givenDrift('2')]),
  isFailure: fc.boolean(),
  isCurrent: fc.boolean(),
  commit: fc.constantFrom('c1', 'c2'),
});

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.tuple(name, fc.boolean()).map(
    ([account, isCurrent]): Operation =>
      async (store) => {
        const version = (await store.accounts.find(account, 'all'))?.version ?? 0;
        return store.accounts.claim(account, isCurrent ? version : version - 1);
      },
  ),
  fc.tuple(name, health).map(
    ([account, to]): Operation =>
      ({ accounts }) =>
        accounts.setHealth(account, to),
  ),
  fc.tuple(name, fc.constantFrom('undo', 'stopped', null)).map(
    ([account, kind]): Operation =>
      ({ accounts }) =>
        accounts.setHold(
          [account],
          kind && { kind, run: 'r', at: '', commit: null, runs: 0, isInDoubt: false, reason: '' },
        ),
  ),
  // A table disagrees with the fleet whether the fleet drifts or not.
  check.map(
    ({ account, beganAt, health: to, hosts, drift, isFailure, isCurrent, commit }): Operation =>
      async ({ accounts }) => {
        const known = await accounts.find(account, 'all');
        const { fleet, ...rest } = givenCheck(account, givenHosts(hosts ?? 0), { drift });
        return accounts.recordCheck({
          ...rest,
          health: to,
          commit,
          causes:
            hosts === undefined
              ? []
              : [...(drift.length === 0 ? [] : [givenCause]), { ...ofTable, count: drift.length + 1 }],
          failure: isFailure ? failure : null,
          ...(hosts === undefined || fleet === undefined ? {} : { fleet }),
          ...(beganAt === undefined ? {} : { beganAt: new Date(Date.UTC(2026, 0, 1) + beganAt * hour) }),
          ...(isCurrent ? { version: known?.version ?? 0 } : {}),
        });
      },
  ),
  fc
    .tuple(
      name,
      planId,
      fc.constantFrom('waiting', 'approved'),
      fc.constantFrom('files', undo),
      fc.constantFrom('ada', 'bob', null),
    )
    .map(
      ([account, id, state, source, author]): Operation =>
        async ({ plans }) => {
          // Plans of one millisecond have no order.
          await pause(2);
          return plans.propose(givenNewPlan(account, { id, state: state as 'waiting', source, author }));
        },
    ),
  fc
    .tuple(
      planId,
      fc.constantFrom(ada, bob),
      fc.constantFrom('approved', 'rejected'),
      fc.constantFrom('api', 'rollout'),
    )
    .map(
      ([id, by, decision, via]): Operation =>
        async ({ plans }) =>
          (await plans.find(id, 'all')) &&
          plans.approve(id, { by, decision, numbers: {}, comment: null, via }),
    ),
  fc
    .tuple(
      planId,
      fc.constantFrom<PlanState>('approved', 'running', 'done', 'rejected', 'stale'),
      fc.constantFrom(undefined, 'why'),
    )
    .map(
      ([id, to, reason]): Operation =>
        ({ plans }) =>
          plans.move(id, openStates, to, reason),
    ),
  fc.tuple(planId, fc.constantFrom([], ['1'])).map(
    ([id, leftOut]): Operation =>
      ({ plans }) =>
        plans.keep(id, { leftOut, authors: [] }),
  ),
  planId.map(
    (id): Operation =>
      ({ plans }) =>
        plans.reopen(id, { leftOut: ['1'], authors: ['ada'] }),
  ),
  planId.map(
    (id): Operation =>
      ({ plans }) =>
        plans.shorten(id, new Date(0)),
  ),
  name.map(
    (account): Operation =>
      ({ plans }) =>
        plans.endRejections([account]),
  ),
  name.map(
    (account): Operation =>
      ({ plans }) =>
        plans.rejected(account),
  ),
  fc.constant<Operation>(async ({ plans }) => [...(await plans.overdue())].toSorted()),
  fc.tuple(name, planId).map(
    ([account, plan]): Operation =>
      ({ runs }) =>
        runs.queue({ account, plan, by: ada, reason: null, steps: 2 }),
  ),
  fc
    .tuple(
      name,
      fc.constantFrom(undefined, 'queued', 'running', 'done', 'failed'),
      fc.constantFrom({}, { waits_for: { kind: 'pause' } }),
    )
    .map(
      ([account, state, progress]): Operation =>
        async (store) =>
          store.runs.change(await openRunOf(store, account), {
            progress,
            ...(state === undefined ? {} : { state }),
          }),
    ),
  name.map(
    (account): Operation =>
      async (store) =>
        store.runs.requestStop(await openRunOf(store, account), bob),
  ),
  name.map(
    (account): Operation =>
      async (store) =>
        store.runs.overrideWindows(await openRunOf(store, account), bob, 'now'),
  ),
  fc.boolean().map(
    (isOver): Operation =>
      ({ pauses }) =>
        pauses.add({ scope: 'all', by: ada, reason: 'why', until: isOver ? new Date(0) : null }),
  ),
  fc.tuple(name, fc.constantFrom('1', '2'), fc.boolean()).map(
    ([account, hostId, isOver]): Operation =>
      ({ ignores }) =>
        ignores.add({
          account,
          differences: [{ hostId, attribute: 'name' }],
          reason: 'why',
          by: ada,
          until: isOver ? new Date(1) : new Date(4_000_000_000_000),
        }),
  ),
  fc.constant<Operation>(async ({ pauses }) => {
    const [first] = await pauses.list();
    return first && pauses.end(first.id);
  }),
  fc.constantFrom('c1', 'c2', null).map(
    (commit): Operation =>
      ({ sources }) =>
        sources.fetched('git', commit),
  ),
  fc.constant<Operation>(({ sources }) => sources.failed('git', failure)),
  rolloutId.map(
    (id): Operation =>
      ({ rollouts }) =>
        rollouts.create(givenRollout({ canary: ['a'] }, { rollout_id: id })),
  ),
  fc
    .tuple(
      rolloutId,
      fc.boolean(),
      fc.constantFrom<RolloutEvent>(...givenEvents(['begun'], ['account-started', 'a'])),
    )
    .map(
      ([id, isCurrent, event]): Operation =>
        async ({ rollouts }) => {
          const read = await rollouts.read(id);
          if (!read.ok || read.value === null) return null;
          const { revision } = read.value;
          return rollouts.append(id, isCurrent ? revision : revision + 1, [event]);
        },
    ),
  fc.tuple(rolloutId, fc.constantFrom(['a'], ['b', 'a']), fc.boolean()).map(
    ([id, accounts, isOver]): Operation =>
      ({ rolloutAccounts }) =>
        rolloutAccounts.claim(id, accounts, async () => isOver),
  ),
  fc.tuple(rolloutId, name, fc.boolean()).map(
    ([id, account, isRead]): Operation =>
      async ({ rollouts }) => {
        const read = await rollouts.read(id);
        if (!read.ok || read.value === null) return null;
        return isRead
          ? rollouts.readPlan(id, account)
          : rollouts.savePlan(id, account, `a plan of ${account}`);
      },
  ),
  rolloutId.map(
    (id): Operation =>
      ({ rollouts }) =>
        rollouts.remove([id]),
  ),
  fc.tuple(fc.constantFrom('people', 'others'), fc.array(notice, { minLength: 1, maxLength: 3 })).map(
    ([channel, notices]): Operation =>
      ({ notifications }) =>
        notifications.enqueue(notices.map((each) => ({ ...each, channel }))),
  ),
  fc
    .tuple(
      fc.constantFrom('people', 'others'),
      fc.constantFrom<'lost' | 'sent' | number | null>('lost', 'sent', 0, hour, null),
    )
    .map(
      ([channel, how]): Operation =>
        async ({ notifications }) => {
          const claimed = await notifications.claim(channel, 10);
          const ids = claimed.map(({ id }) => id);
          if (how === 'sent') await notifications.sent(ids, { extra: 1 });
          else if (how !== 'lost') await notifications.failed(ids, 'no answer', how);
          return claimed.map(({ kind, account, topic, facts, attempts }) => [
            kind,
            account,
            topic,
            facts,
            attempts,
          ]);
        },
    ),
);

/** Everything that a simulation reads. */
async function everything(store: Store) {
  const { accounts, plans, runs, pauses, ignores, sources, rollouts, rolloutAccounts, notifications } = store;
  return {
    accounts: await Promise.all(names.map((each) => accounts.find(each, 'all'))),
    schedules: await accounts.schedules(),
    plans: await Promise.all(['p1', 'p2', 'p3', 'p4'].map((id) => plans.find(id, 'all'))),
    open: await runs.list({ visible: 'all', states: ['queued', 'running', 'stopping'] }),
    ended: await Promise.all(
      names.map((account) => runs.list({ visible: 'all', account, states: ['done', 'failed'] })),
    ),
    waiting: (await accounts.waiting('all')).map((each) => JSON.stringify(each)).toSorted(),
    pauses: await pauses.list(),
    held: await accounts.held(),
    ignored: (await Promise.all(names.map((each) => ignores.of(each)))).map((each) =>
      each.map(({ hostId, attribute, live }) => `${hostId} ${attribute} ${live}`).toSorted(),
    ),
    noLongerIgnored: await ignores.ended(),
    sources: await sources.list(),
    rollouts: await Promise.all(rolloutIds.map((id) => rollouts.read(id))),
    rolloutIds: await rollouts.list(),
    holders: Object.fromEntries(await rolloutAccounts.holders(names)),
    dueChannels: await notifications.due(),
    messages: await messagesIn(store),
  };
}

async function messagesIn({ notifications }: Store) {
  const all = await notifications.list({});
  return (
    all.ok &&
    all.value.items.map(({ name, kind, account, topic, state, attempts, problem, sent_at, due_at }) => [
      [name, kind, account, topic, state, attempts, problem],
      [sent_at, due_at],
    ])
  );
}

/** Times and ids differ between stores: only their presence and equality are compared. */
function createComparable() {
  const ids = new Map<string, string>();
  const comparable = (value: unknown): unknown => {
    if (value instanceof Date) return 'a time';
    if (typeof value === 'string') {
      if (/^\d{4}-\d\d-\d\dT/.test(value)) return 'a time';
      if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)) return value;
      ids.set(value, ids.get(value) ?? `id ${ids.size + 1}`);
      return ids.get(value);
    }
    if (Array.isArray(value)) return value.map(comparable);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [key, comparable(member)]),
    );
  };
  return comparable;
}

/** Two open plans or runs of one account are refused. */
async function outcomeOf(store: Store, operate: Operation): Promise<unknown> {
  try {
    return (await operate(store)) ?? null;
  } catch (error) {
    return /duplicate key/.test(String(error)) ? 'refused' : String(error);
  }
}

describe.each(storeBackends)('the store in memory, compared with that on %s', (_, start) => {
  let given: GivenStore;
  beforeAll(async () => {
    given = await start();
  }, 120_000);
  afterAll(() => given.stop());
  beforeEach(() => given.clear());

  it('returns and stores the same after any sequence of calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 40 }), async (operations) => {
        await given.clear();
        await given.store.rollouts.remove(rolloutIds);
        let ids = 0;
        const memory = storeOn(createTables(), {
          now: () => Date.now(),
          newId: () => `00000000-0000-0000-0000-${String((ids += 1)).padStart(12, '0')}`,
        }) as unknown as Store;
        const stores = [given.store, memory].map((store) => ({ store, comparable: createComparable() }));
        const both = async (operate: Operation) => {
          const [database, inMemory] = await Promise.all(
            stores.map(async ({ store, comparable }) => comparable(await outcomeOf(store, operate))),
          );
          expect(inMemory).toEqual(database);
        };
        await both(({ accounts }) => accounts.sync(names.map((each) => givenAccount(each))));
        for (const operate of operations) await both(operate);
        await both(everything);
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});
