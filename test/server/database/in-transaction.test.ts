import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import { allOrNothing } from '../../../src/server/store/all-or-nothing.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { givenAccount } from '../../given/store-records.ts';
import { type GivenStore, storeBackends } from '../../given/stores.ts';

/** The embedded database works one transaction at a time. */
const servers = storeBackends.filter(([name]) => name === 'PostgreSQL');

describe.each(servers)('two transactions that wait for each other on %s', (_, start) => {
  let given: GivenStore;
  beforeAll(async () => {
    given = await start();
  }, 120_000);
  afterAll(() => given.stop());
  beforeEach(async () => {
    await given.clear();
    await given.store.accounts.sync(['a', 'b'].map((name) => givenAccount(name)));
  });

  /** Changes two accounts in an order; after the first one, the first attempt waits until the other side has one too. */
  function crossing(store: Store, first: string, second: string, meet: Promise<void>, arrive: () => void) {
    let attempts = 0;
    const done = store.transaction(async (own) => {
      attempts += 1;
      await own.accounts.setHealth(first, 'running');
      await own.events.append({ type: 'run.changed', account: first });
      arrive();
      await meet;
      await own.accounts.setHealth(second, 'running');
      return first;
    });
    return { done, attempts: () => attempts };
  }

  it('both commit once, and the one that the database rolled back is repeated', async () => {
    const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const one = crossing(given.store, 'a', 'b', arrived[1].promise, arrived[0].resolve);
    const other = crossing(given.other, 'b', 'a', arrived[0].promise, arrived[1].resolve);
    expect(await Promise.all([one.done, other.done])).toEqual(['a', 'b']);
    expect(one.attempts() + other.attempts()).toBeGreaterThan(2);
    const events = await given.store.events.after('0-0', 'all');
    const written = events.flatMap(({ type, account }) => (type === 'run.changed' ? [account] : []));
    expect(written).toHaveLength(2);
    expect(new Set(written)).toEqual(new Set(['a', 'b']));
  });

  it('work that is refused, or fails for another reason, is not repeated', async () => {
    let attempts = 0;
    const refused = await allOrNothing(given.store, async (own) => {
      attempts += 1;
      await own.accounts.setHealth('a', 'running');
      return attempts > 0 ? failed(problem('not-found', 'no')) : ok(null);
    });
    expect([refused.ok, attempts]).toEqual([false, 1]);
    const broken = given.store.transaction(async () => {
      attempts += 1;
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(attempts).toBe(2);
  });

  it('a transaction that loses each time fails after five attempts', async () => {
    let attempts = 0;
    const losing = given.store.transaction(async () => {
      attempts += 1;
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    await expect(losing).rejects.toThrow('deadlock detected');
    expect(attempts).toBe(5);
  });
});
