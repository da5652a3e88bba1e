import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Visible } from '../../../src/api/access/grants.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import {
  ada,
  allPages,
  givenAccount,
  givenCause,
  givenCheck,
  givenDrift,
  givenHosts,
  givenNewPlan,
} from '../../given/store-records.ts';
import { type GivenStore, storeBackends } from '../../given/stores.ts';

/** Each account has twice as many hosts as the one before, so that a sum shows which accounts are in it. */
const names = ['tenant-a', 'tenant-b', 'tenant-c', 'tenant-d'] as const;
const sizeOf = (name: string) => 2 ** names.indexOf(name as (typeof names)[number]);

interface Ids {
  readonly plan: string;
  readonly later: string;
  readonly run: string;
  readonly ignore: string;
}

/** The query: everything about every account, with pages of one item. */
interface Ask {
  readonly store: Store;
  readonly visible: Visible;
  readonly idsOf: ReadonlyMap<string, Ids>;
}

const each = <Value>(ask: Ask, read: (name: string, ids: Ids) => Promise<Value>) =>
  Promise.all([...ask.idsOf].map(([name, ids]) => read(name, ids)));
const sumOf = (visible: readonly string[]) => visible.reduce((sum, name) => sum + sizeOf(name), 0);

/**
 * Every function of the store that returns data of accounts. Each result contains the name of its account; the ones
 * with only numbers declare which number is right.
 */
const reads: Readonly<Record<string, (ask: Ask) => Promise<unknown>>> = {
  'accounts.list': ({ store, visible }) =>
    allPages((cursor) => store.accounts.list({ visible, cursor, limit: 1, text: 'tenant' })),
  'accounts.waiting': ({ store, visible }) => store.accounts.waiting(visible),
  'accounts.find': (ask) => each(ask, (name) => ask.store.accounts.find(name, ask.visible)),
  'accounts.detail': (ask) => each(ask, (name) => ask.store.accounts.detail(name, ask.visible)),
  'hosts.list': ({ store, visible }) =>
    allPages((cursor) => store.hosts.list({ visible, cursor, limit: 1, text: 'tenant' })),
  'hosts.facets': ({ store, visible }) => store.hosts.facets({ visible }),
  'hosts.find': (ask) => each(ask, (name) => ask.store.hosts.find(name, '1', ask.visible)),
  'hosts.drift': ({ store, visible }) =>
    allPages((cursor) => store.hosts.drift({ visible, cursor, limit: 1 })),
  'ignores.list': ({ store, visible }) =>
    allPages((cursor) => store.ignores.list({ visible, cursor, limit: 1 })),
  'ignores.find': (ask) => each(ask, (_, { ignore }) => ask.store.ignores.find(ignore, ask.visible)),
  'causes.list': ({ store, visible }) =>
    allPages((cursor) => store.causes.list({ visible, cursor, limit: 1 })),
  'plans.list': ({ store, visible }) => allPages((cursor) => store.plans.list({ visible, cursor, limit: 1 })),
  'plans.find': (ask) => each(ask, (_, { plan }) => ask.store.plans.find(plan, ask.visible)),
  'plans.compared': ({ store, visible }) => store.plans.compared({ visible }),
  'plans.document': (ask) => each(ask, (_, { plan }) => ask.store.plans.document(plan, ask.visible)),
  'plans.previous': (ask) => each(ask, (_, { later }) => ask.store.plans.previous(later, ask.visible)),
  'plans.comments': (ask) => each(ask, (_, { plan }) => ask.store.plans.comments(plan, ask.visible)),
  'rehearsals.find': (ask) => each(ask, (_, { plan }) => ask.store.rehearsals.find(plan, ask.visible)),
  'runs.list': ({ store, visible }) => allPages((cursor) => store.runs.list({ visible, cursor, limit: 1 })),
  'runs.find': (ask) => each(ask, (_, { run }) => ask.store.runs.find(run, ask.visible)),
  'runs.ofPlans': async ({ store, visible }) => store.runs.ofPlans(['checksum-1', 'checksum-2'], visible),
  'runs.events': (ask) => each(ask, (_, { run }) => ask.store.runs.events(run, { visible: ask.visible })),
  timeline: (ask) =>
    each(ask, (account) =>
      allPages((cursor) => ask.store.timeline({ visible: ask.visible, account, cursor, limit: 1 })),
    ),
  'events.after': ({ store, visible }) => store.events.after('0-0', visible),
};
const numbers: Readonly<Record<string, (ask: Ask) => Promise<number>>> = {
  overview: async ({ store, visible }) => (await store.overview(visible)).hosts,
  'history.read': async ({ store, visible }) => {
    const from = new Date(Date.now() - 7_200_000);
    const { series } = await store.history.read({ visible, from, buckets: 4, bucketSeconds: 3_600 });
    return series.changes.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  },
};

/** What returns nothing of an account, or is for the server's own work and never for a person's question. */
const others = new Set([
  ...[
    'sync',
    'schedules',
    'recordCheck',
    'setHealth',
    'setHold',
    'setNextCheck',
    'claim',
    'lock',
    'held',
  ].map((name) => `accounts.${name}`),
  ...[
    'propose',
    'approve',
    'comment',
    'move',
    'rejected',
    'overdue',
    'shorten',
    'endRejections',
    'ofCommit',
    'setPullRequest',
    'keep',
    'reopen',
  ].map((name) => `plans.${name}`),
  ...['queue', 'change', 'note', 'requestStop', 'overrideWindows', 'log'].map((name) => `runs.${name}`),
  ...['append', 'latest', 'listen', 'canResume'].map((name) => `events.${name}`),
  ...['list', 'page', 'add', 'end'].map((name) => `pauses.${name}`),
  ...['of', 'ended', 'add', 'remove'].map((name) => `ignores.${name}`),
  ...['list', 'fetched', 'failed', 'keepOnly'].map((name) => `sources.${name}`),
  ...['create', 'use', 'remove'].map((name) => `sessions.${name}`),
  ...['create', 'use', 'list', 'find', 'revoke'].map((name) => `tokens.${name}`),
  ...['put', 'take', 'useJti'].map((name) => `tickets.${name}`),
  ...['claim', 'answer', 'release'].map((name) => `idempotency.${name}`),
  ...['enqueue', 'claim', 'due', 'sent', 'failed', 'redrive', 'resend', 'list', 'channels', 'lastSent'].map(
    (name) => `notifications.${name}`,
  ),
  ...['ask', 'begin', 'end', 'giveUp'].map((name) => `rehearsals.${name}`),
  ...['create', 'savePlan', 'readPlan', 'append', 'list', 'read', 'remove'].map((name) => `rollouts.${name}`),
  ...['claim', 'holders'].map((name) => `rolloutAccounts.${name}`),
  ...['contradictions', 'digestsOf', 'kinds', 'present'].map((name) => `covered.${name}`),
  'audit',
  'history.count',
  'hosts.all',
  'hosts.digest',
  'hosts.named',
  'prune',
  'vacuum',
  'migrate',
  'transaction',
]);

describe.each(storeBackends)('what a caller of the store on %s may see', (_, start) => {
  let given: GivenStore;
  const idsOf = new Map<string, Ids>();
  beforeAll(async () => {
    given = await start();
    const { store } = given;
    await store.accounts.sync(names.map((name) => givenAccount(name)));
    for (const name of names) {
      const cause = { ...givenCause, id: `cause of ${name}`, title: `cause of ${name}` };
      const hosts = givenHosts(sizeOf(name), name);
      await store.accounts.recordCheck(
        givenCheck(name, hosts, {
          drift: hosts.map(({ hostId, name: hostName }) =>
            givenDrift(hostId, { name: hostName, cause: cause.id }),
          ),
          causes: [cause],
          detail: { of: name },
        }),
      );
      await store.accounts.setHealth(name, 'waiting');
      await store.history.count(name, { changes: sizeOf(name) });
      const parts = { document: `document of ${name}`, shape: { effects: [] } };
      const first = await store.plans.propose(givenNewPlan(name, parts));
      const second = await store.plans.propose(givenNewPlan(name, { ...parts, checksum: 'checksum-2' }));
      const plan = first?.plan.id ?? '';
      await store.plans.comment(plan, ada, `comment on ${name}`);
      await store.rehearsals.ask(plan, { ...ada, name: `rehearses ${name}` });
      const run =
        (await store.runs.queue({ account: name, plan, by: ada, reason: name, steps: 1 }))?.id ?? '';
      await store.runs.log(run, [{ type: 'step', text: `log of ${name}` }]);
      await store.ignores.add({
        account: name,
        cause: cause.id,
        reason: `ignored in ${name}`,
        by: ada,
        until: new Date(Date.now() + 86_400_000),
      });
      const ignores = await store.ignores.list({ visible: 'all', account: name });
      const ignore = ignores.ok ? (ignores.value.items[0]?.id ?? '') : '';
      idsOf.set(name, { plan, later: second?.plan.id ?? '', run, ignore });
    }
  }, 120_000);
  afterAll(() => given.stop());

  it('has a row for every function of the store', () => {
    const functions = Object.entries(given.store).flatMap(([member, value]) => {
      if (member === 'db') return [];
      if (typeof value === 'function') return [member];
      return Object.keys(value as object).map((name) => `${member}.${name}`);
    });
    const known = [...Object.keys(reads), ...Object.keys(numbers), ...others];
    expect(functions.toSorted()).toEqual(known.toSorted());
  });

  it('includes no row of an account that is not visible, and every row of the others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...names]), async (visible) => {
        for (const [name, read] of Object.entries(reads)) {
          const text = JSON.stringify(await read({ store: given.store, visible, idsOf }));
          const found = names.filter((account) => text.includes(account));
          expect(found, name).toEqual(visible);
        }
        for (const [name, read] of Object.entries(numbers))
          expect(await read({ store: given.store, visible, idsOf }), name).toBe(sumOf(visible));
      }),
      { numRuns: 8, examples: [[[]], [[...names]]] },
    );
  }, 120_000);

  it('includes every account without a restriction', async () => {
    for (const [name, read] of Object.entries(reads)) {
      const text = JSON.stringify(await read({ store: given.store, visible: 'all', idsOf }));
      expect(
        names.filter((account) => text.includes(account)),
        name,
      ).toEqual([...names]);
    }
    for (const [name, read] of Object.entries(numbers))
      expect(await read({ store: given.store, visible: 'all', idsOf }), name).toBe(sumOf(names));
  });

  it('stays the same if a filter contains an account that is not visible', async () => {
    const visible = ['tenant-a'];
    const [, forbidden] = names;
    const { store } = given;
    const pages = [
      await store.accounts.list({ visible, names: [forbidden] }),
      await store.hosts.list({ visible, accounts: [forbidden] }),
      await store.hosts.drift({ visible, account: forbidden }),
      await store.causes.list({ visible, account: forbidden }),
      await store.ignores.list({ visible, account: forbidden }),
      await store.plans.list({ visible, account: forbidden }),
      await store.runs.list({ visible, account: forbidden }),
      await store.timeline({ visible, account: forbidden }),
    ];
    for (const page of pages) expect(page).toMatchObject({ ok: true, value: { items: [] } });
    expect(await store.hosts.facets({ visible, accounts: [forbidden] })).toMatchObject({
      total: 0,
      accounts: [],
    });
  });
});
