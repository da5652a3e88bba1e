import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueAccounts, type ScheduledAccount } from '../../../../src/server/accounts/decisions/breaker.ts';
import { attemptsIn, backOff, dueAt } from '../../../../src/server/accounts/decisions/due.ts';
import { spread } from '../../../../src/server/accounts/decisions/spread.ts';

const minute = 60_000;
const cadenceMs = 10 * minute;
const now = Date.parse('2026-11-23T12:00:00Z');

describe('the cadence of checks', () => {
  it('spreads accounts evenly over the cadence, and the same way every time', () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `account-${at}`);
    const minutes = Map.groupBy(names, (name) => Math.floor(spread(name, cadenceMs) / minute));
    expect(minutes.size).toBe(10);
    for (const members of minutes.values()) {
      expect(members.length).toBeGreaterThan(400);
      expect(members.length).toBeLessThan(600);
    }
    expect(names.map((name) => spread(name, cadenceMs))).toEqual(
      names.map((name) => spread(name, cadenceMs)),
    );
  });

  it('checks an account at its position in each cadence, and never sooner than lists may be read', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 0, max: 1e12 }),
        fc.integer({ min: minute, max: 7 * 86_400_000 }),
        (name, lastCheckAt, cadence) => {
          const at = dueAt({ name, lastCheckAt, attempts: 0 }, cadence);
          const gap = Math.min(minute, cadence / 2);
          expect(at).toBeGreaterThanOrEqual(lastCheckAt + gap);
          expect(at).toBeLessThan(lastCheckAt + gap + cadence);
          expect((at - spread(name, cadence)) % cadence).toBe(0);
        },
      ),
    );
  });

  it('checks an account that failed after its back-off', () => {
    for (const attempts of [1, 4]) {
      const at = dueAt({ name: 'berlin', lastCheckAt: now, attempts }, cadenceMs);
      expect(at).toBe(now + backOff('berlin', attempts, cadenceMs));
    }
  });

  it('checks a new account at once', () => {
    expect(dueAt({ name: 'berlin', lastCheckAt: null, attempts: 0 }, cadenceMs)).toBe(0);
  });

  it('doubles the time to the next attempt up to the cadence, so that a back-off never delays checks', () => {
    const times = [1, 2, 3, 6, 7, 50].map((attempts) => backOff('berlin', attempts, cadenceMs) / minute);
    const limits = [1, 2, 4, 10, 10, 10];
    times.forEach((time, at) => {
      expect(time).toBeLessThanOrEqual(limits[at] as number);
      expect(time).toBeGreaterThanOrEqual((limits[at] as number) * 0.8);
    });
    expect(backOff('berlin', 50, 7 * 86_400_000)).toBeGreaterThan(86_400_000);
  });
});

function account(name: string, given: Partial<ScheduledAccount> = {}): ScheduledAccount {
  return {
    name,
    service: 'https://remote.example.com',
    lastCheckAt: now - cadenceMs,
    attempts: 0,
    failure: null,
    failingSince: (given.failure ?? null) === null ? null : (given.lastCheckAt ?? null),
    ...given,
  };
}

describe('the circuit breaker of a service', () => {
  const out = {
    failure: 'network',
    attempts: 3,
    lastCheckAt: now - 30 * minute,
    failingSince: now - 33 * minute,
  } as const;
  const down = ['a', 'b', 'c', 'd'].map((name) => account(name, out));

  it('tries one account at a time while the service is down', () => {
    const { due, nextAt, open } = dueAccounts(down, { now, cadenceMs });
    expect([...open]).toEqual(['https://remote.example.com']);
    expect(due).toHaveLength(1);
    expect(nextAt.size).toBe(3);
  });

  it('tries no account before its back-off is over', () => {
    const tried = down.map((each) => ({ ...each, lastCheckAt: now - 1_000 }));
    expect(dueAccounts(tried, { now, cadenceMs }).due).toEqual([]);
  });

  it('tries every account at once after one has succeeded', () => {
    const [first, ...others] = down;
    const recovered = [account(first?.name ?? '', { lastCheckAt: now - 1_000 }), ...others];
    const { due, open } = dueAccounts(recovered, { now, cadenceMs });
    expect(due).toEqual(['b', 'c', 'd']);
    expect(open.size).toBe(0);
  });

  it('counts the back-off of the service from its last failure, and is due at its end', () => {
    const [first, ...others] = down;
    const last = { ...(first ?? account('a')), lastCheckAt: now - 1_000, failingSince: now - minute };
    const wait = backOff(last.service, attemptsIn(33 * minute - 1_000), cadenceMs);
    const at = (passed: number) =>
      dueAccounts([last, ...others], { now: last.lastCheckAt + passed, cadenceMs });
    expect(at(wait - 1)).toMatchObject({ due: [] });
    expect(new Set(at(wait - 1).nextAt.values())).toEqual(new Set([last.lastCheckAt + wait]));
    expect(at(wait).due).toHaveLength(1);
    expect([...at(wait + 5).nextAt.values()]).toEqual(
      Array.from({ length: 3 }, () => now - 1_000 + wait + 5),
    );
  });

  it('waits longer for a service that is down for longer, however long single accounts failed before', () => {
    const waitAfter = (ms: number) => {
      const failing = down.map((each) => ({
        ...each,
        attempts: 1,
        lastCheckAt: now,
        failingSince: now - ms,
      }));
      const broken = account('broken', { ...out, attempts: 500, lastCheckAt: now - ms, failingSince: 0 });
      const { nextAt } = dueAccounts([...failing, broken], { now, cadenceMs });
      return ((nextAt.get('a') ?? 0) - now) / minute;
    };
    [0, minute, 3 * minute, 7 * minute, 1e9].map(waitAfter).forEach((wait, at) => {
      const limit = [1, 2, 4, 8, 10][at] ?? 0;
      expect(wait).toBeLessThanOrEqual(limit);
      expect(wait).toBeGreaterThanOrEqual(limit * 0.8);
    });
  });

  it('counts an outage from the third failure, in whatever order the accounts failed', () => {
    const waitOf = (...since: readonly number[]) => {
      const failing = since.map((ago, at) =>
        account(`a${at}`, { ...out, attempts: 1, lastCheckAt: now, failingSince: now - ago * minute }),
      );
      return (dueAccounts(failing, { now, cadenceMs }).nextAt.get('a0') ?? 0) - now;
    };
    const { service } = account('a');
    for (const order of [
      [3, 900, 800, 1, 0],
      [0, 1, 3, 800, 900],
      [900, 0, 3, 800, 1],
    ])
      expect(waitOf(...order)).toBe(backOff(service, attemptsIn(3 * minute), cadenceMs));
  });

  it('counts the time that a service is down from the last success of one of its accounts', () => {
    const failing = down.map((each) => ({ ...each, lastCheckAt: now, failingSince: now - 60 * minute }));
    const fine = account('fine', { lastCheckAt: now - 1 });
    const { nextAt } = dueAccounts([...failing, fine], { now, cadenceMs });
    expect(nextAt.get('a')).toBe(now + backOff(fine.service, 1, cadenceMs));
  });

  it('counts one attempt once', () => {
    const once = down.map((each) => ({ ...each, attempts: 1, lastCheckAt: now, failingSince: now }));
    const wait = backOff(once[0]?.service ?? '', 1, cadenceMs);
    expect([...dueAccounts(once, { now, cadenceMs }).nextAt.values()][0]).toBe(now + wait);
  });

  it('first tries the account that has waited longest, and an account without a check before all others', () => {
    const ago = (name: string, minutes: number) =>
      account(name, { ...out, lastCheckAt: now - minutes * minute });
    const members = [ago('a', 30), ago('b', 90), ago('c', 60)];
    const probe = (accounts: readonly ScheduledAccount[]) => dueAccounts(accounts, { now, cadenceMs }).due;
    expect(probe(members)).toEqual(['b']);
    expect(probe([...members, account('new', { ...out, lastCheckAt: null })])).toEqual(['new']);
    expect(probe([account('new', { ...out, lastCheckAt: null }), ...members])).toEqual(['new']);
  });

  it.each([
    'network',
    'timed-out',
    'server-error',
    'malformed-response',
    'redirected',
    'not-json',
    'unexpected-status',
  ])('opens for the failure "%s"', (failure) => {
    expect(
      dueAccounts(
        down.map((each) => ({ ...each, failure })),
        { now, cadenceMs },
      ).open.size,
    ).toBe(1);
  });

  it.each([
    ['one account, which is all that it has', 1, 0, 0],
    ['both of two accounts', 2, 0, 1],
    ['two of three accounts', 2, 1, 0],
    ['three of many accounts', 3, 9, 1],
    ['two of many accounts', 2, 9, 0],
  ])('counts the service as down or not if the failure concerns %s', (_, failing, working, open) => {
    const fine = Array.from({ length: working }, (__, at) =>
      account(`fine-${at}`, { lastCheckAt: now - 60 * minute }),
    );
    expect(dueAccounts([...down.slice(0, failing), ...fine], { now, cadenceMs }).open.size).toBe(open);
  });

  it('closes as soon as an account succeeds, even if the others failed later', () => {
    const fine = account('fine', { lastCheckAt: out.lastCheckAt });
    expect(dueAccounts([...down, fine], { now, cadenceMs }).open.size).toBe(0);
    expect(
      dueAccounts([...down, { ...fine, lastCheckAt: out.lastCheckAt - 1 }], { now, cadenceMs }).open.size,
    ).toBe(1);
  });

  it('tries an account at once only if it failed before another one succeeded', () => {
    const failing = (lastCheckAt: number | null) =>
      account('a', { failure: 'network', attempts: 50, lastCheckAt });
    const fine = account('fine', { lastCheckAt: now - minute });
    const isDue = (lastCheckAt: number) =>
      dueAccounts([failing(lastCheckAt), fine], { now, cadenceMs }).due.includes('a');
    expect([isDue(now - 2 * minute), isDue(now - minute), isDue(now - 1)]).toEqual([true, false, false]);
    const refused = { ...failing(now - 2 * minute), failure: 'not-authenticated' };
    expect(dueAccounts([refused, fine], { now, cadenceMs }).due).not.toContain('a');
  });

  it('keeps the back-off of an account that failed while others succeeded, however often they succeed again', () => {
    const since = now - 20 * minute;
    const failing = ['a', 'b', 'c'].map((name) =>
      account(name, { failure: 'server-error', attempts: 5, lastCheckAt: now - minute, failingSince: since }),
    );
    const dueOf = (...times: readonly number[]) =>
      dueAccounts([...failing, ...times.map((at, i) => account(`fine-${i}`, { lastCheckAt: at }))], {
        now,
        cadenceMs,
      }).due.filter((name) => !name.startsWith('fine'));
    expect(dueOf(now - 1)).toEqual(['a', 'b', 'c']);
    for (const own of [since, now - 10 * minute, now - minute]) expect(dueOf(own, now - 1)).toEqual([]);
    expect(dueOf(since - 1, now - 1)).toEqual(['a', 'b', 'c']);
  });

  it('keeps the back-off of a single account that failed on a service with many', () => {
    const failing = { failure: 'server-error', attempts: 3, lastCheckAt: now - minute } as const;
    const fine = [1, 2].map((at) => account(`fine-${at}`, { lastCheckAt: now - at }));
    const dueOf = (...names: readonly string[]) =>
      dueAccounts([...names.map((name) => account(name, failing)), ...fine], { now, cadenceMs }).due;
    expect(dueOf('a')).not.toContain('a');
    expect(dueOf('a', 'b')).toEqual(expect.arrayContaining(['a', 'b']));
  });

  it('makes an account due at exactly its time', () => {
    const at = dueAt({ name: 'a', lastCheckAt: now - cadenceMs, attempts: 0 }, cadenceMs);
    expect(dueAccounts([account('a')], { now: at, cadenceMs }).due).toEqual(['a']);
    expect(dueAccounts([account('a')], { now: at - 1, cadenceMs }).due).toEqual([]);
  });

  it.each([
    ['a refused key', { ...out, failure: 'not-authenticated' }],
    ['a desired state that is wrong', { ...out, failure: 'yaml-syntax' }],
  ])('does not open for %s, which is a failure of one account', (_, failure) => {
    const accounts = ['a', 'b', 'c', 'd'].map((name) => account(name, failure));
    expect(dueAccounts(accounts, { now, cadenceMs })).toMatchObject({ due: ['a', 'b', 'c', 'd'] });
  });

  it('does not delay accounts of other services', () => {
    const other = account('z', { service: 'https://other.example.com', lastCheckAt: now - 2 * cadenceMs });
    expect(dueAccounts([...down, other], { now, cadenceMs }).due).toContain('z');
  });

  it('either makes an account due or reports when it is, after any history', () => {
    const state = fc.record({
      name: fc.string(),
      service: fc.constantFrom('x', 'y'),
      lastCheckAt: fc.option(fc.integer({ min: 0, max: now })),
      attempts: fc.integer({ min: 0, max: 100 }),
      failure: fc.option(fc.constantFrom('network', 'not-authenticated')),
      failingSince: fc.option(fc.integer({ min: 0, max: now })),
    });
    fc.assert(
      fc.property(fc.uniqueArray(state, { selector: ({ name }) => name }), (accounts) => {
        const { due, nextAt } = dueAccounts(accounts, { now, cadenceMs });
        expect([...due, ...nextAt.keys()].sort()).toEqual(accounts.map(({ name }) => name).sort());
        for (const at of nextAt.values()) {
          expect(at).toBeGreaterThanOrEqual(now);
          expect(at).toBeLessThanOrEqual(now + 2 * 3_600_000);
        }
      }),
    );
  });
});
