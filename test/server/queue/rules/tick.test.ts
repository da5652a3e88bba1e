import { describe, expect, it } from 'vitest';
import type { Health } from '../../../../src/api/accounts.ts';
import type { StandingFailure } from '../../../../src/server/accounts/decisions/account-state.ts';
import { dueAt } from '../../../../src/server/accounts/decisions/due.ts';
import { tick, tickMs } from '../../../../src/server/queue/rules/tick.ts';
import { oneAtATime } from '../../../given/one-at-a-time.ts';

const now = Date.parse('2026-11-23T12:00:00.000Z');
const minute = 60_000;
const cadenceMs = 10 * minute;

interface Row {
  readonly name: string;
  readonly lastCheckAt?: Date | null;
  readonly nextCheckAt?: Date | null;
  readonly failure?: StandingFailure | null;
  readonly health?: Health | null;
}

const failing = (sinceMs: number, attempts = 3): StandingFailure => ({
  code: 'server-error',
  message: 'the service failed',
  since: new Date(sinceMs).toISOString(),
  attempts,
});

/** One tick on a store in memory, with the rows and jobs that it added. */
async function ticked(
  rows: readonly Row[],
  configured = rows.map(({ name }) => name),
  noLongerIgnored: readonly string[] = [],
) {
  const done: string[] = [];
  const sent: unknown[] = [];
  // One statement after another: a tick that ends has written everything.
  const { alone, expectAllEnded } = oneAtATime();
  const moved = new Map<string, Date>();
  const result = await tick({
    settings: {
      accounts: configured.map((name) => ({ name, labels: {}, baseUrl: 'https://remote.example.com' })),
      labels: new Set(),
      sources: [{ name: 'fleet' }, { name: 'lab' }],
      cadenceMs,
      notifications: [],
    } as never,
    env: {},
    clock: { now: () => now } as never,
    queue: {
      send: (name: string, keys: readonly string[], options?: object) =>
        alone(() => {
          sent.push([name, keys, ...(options === undefined ? [] : [options])]);
          return keys.length;
        }),
    },
    store: {
      plans: { overdue: () => alone(() => (done.push('plans expire'), [])) },
      rehearsals: { giveUp: () => alone(() => void done.push('rehearsals given up')) },
      notifications: { due: async () => ['ops', 'forge:fleet'] },
      pauses: { list: async () => [] },
      rolloutAccounts: { holders: async () => new Map() },
      ignores: { ended: async () => noLongerIgnored },
      accounts: {
        schedules: async () =>
          rows.map((row) => ({
            lastCheckAt: null,
            nextCheckAt: null,
            failure: null,
            health: null,
            readAt: new Date(now),
            ...row,
          })),
        held: async () => [],
        find: async (name: string) =>
          rows.some((each) => each.name === name) ? { name, version: 1, plan: null, run: null } : undefined,
        setNextCheck: (times: ReadonlyMap<string, Date>) =>
          alone(() => {
            for (const [name, at] of times) moved.set(name, at);
            done.push('next checks');
          }),
      },
    } as never,
  });
  expectAllEnded();
  return { result, done, sent, moved };
}

describe('a tick of the scheduler', () => {
  it('adds the checks that are due with one statement, and the other work', async () => {
    const { result, sent, done } = await ticked([
      { name: 'new' },
      { name: 'later', lastCheckAt: new Date(now) },
    ]);
    expect(result).toEqual({ checks: 1, down: new Set() });
    expect(sent).toEqual([
      ['check', ['new']],
      ['fetch', ['fleet', 'lab'], { oncePerMs: minute }],
      ['notify', ['ops', 'forge:fleet']],
      ['prune', ['all'], { oncePerMs: 86_400_000 }],
    ]);
    expect(done.slice(0, 2)).toEqual(['plans expire', 'rehearsals given up']);
  });

  it('checks only accounts that are configured and stored', async () => {
    const { sent } = await ticked([{ name: 'removed' }, { name: 'kept' }], ['kept', 'not-stored']);
    expect(sent[0]).toEqual(['check', ['kept']]);
  });

  it('checks an account at once whose ignored differences count again', async () => {
    const rows = ['new', 'a', 'b'].map((name) => ({
      name,
      lastCheckAt: name === 'new' ? null : new Date(now),
    }));
    const { result, sent } = await ticked(rows, undefined, ['b', 'elsewhere', 'new']);
    expect(sent.slice(0, 2)).toEqual([
      ['check', ['b', 'new']],
      ['check', ['new']],
    ]);
    expect(result.checks).toBe(1);
  });

  it('writes the next time of a check only if it has changed by more than a second', async () => {
    const lastCheckAt = new Date(now);
    const next = dueAt({ name: 'a', lastCheckAt: now, attempts: 0 }, cadenceMs);
    const movedBy = async (ms: number | null) =>
      (await ticked([{ name: 'a', lastCheckAt, nextCheckAt: ms === null ? null : new Date(next + ms) }]))
        .moved;
    expect(await movedBy(null)).toEqual(new Map([['a', new Date(next)]]));
    expect([...(await movedBy(1_001)).keys(), ...(await movedBy(-1_001)).keys()]).toEqual(['a', 'a']);
    for (const ms of [0, 1_000, -1_000]) expect((await movedBy(ms)).size).toBe(0);
    expect((await ticked([{ name: 'a', lastCheckAt, nextCheckAt: new Date(next) }])).done).not.toContain(
      'next checks',
    );
  });

  it('keeps the back-off of failing accounts while another account of their service succeeds', async () => {
    const rows = (since: number): readonly Row[] => [
      ...['a', 'b', 'c'].map((name) => ({
        name,
        lastCheckAt: new Date(now - minute),
        failure: failing(since),
      })),
      { name: 'fine', lastCheckAt: new Date(now - 10_000) },
      { name: 'fine-too', lastCheckAt: new Date(now - 5 * minute) },
    ];
    expect((await ticked(rows(now - 20 * minute))).sent[0]).toEqual(['check', []]);
    // They failed since the service was down, and it is back.
    expect((await ticked(rows(now - 2 * minute))).sent[0]).toEqual(['check', ['a', 'b', 'c']]);
  });

  it('reports the services that are down, and tries one account of each', async () => {
    const rows = ['a', 'b', 'c'].map((name) => ({
      name,
      lastCheckAt: new Date(now - 2 * minute),
      failure: failing(now - 2 * minute, 1),
    }));
    const { result, sent } = await ticked(rows);
    expect(result).toEqual({ checks: 1, down: new Set(['https://remote.example.com']) });
    expect(sent[0]).toEqual(['check', ['a']]);
  });

  it('waits longer after each attempt', async () => {
    const rows = [1, 3].map((attempts) => ({
      name: `after ${attempts}`,
      lastCheckAt: new Date(now - 100_000),
      failure: { ...failing(now - 700_000, attempts), code: 'not-authenticated' as const },
    }));
    expect((await ticked(rows)).sent[0]).toEqual(['check', ['after 1']]);
  });

  it('runs often enough for checks every minute', () => {
    expect(tickMs).toBeLessThanOrEqual(10_000);
  });
});
