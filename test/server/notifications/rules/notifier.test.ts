import { describe, expect, it } from 'vitest';
import type { AccountRecord } from '../../../../src/server/accounts/records/account-record.ts';
import { createNotifier, type NotifierParts } from '../../../../src/server/notifications/rules/notifier.ts';
import type { PlanRecord } from '../../../../src/server/plans/records/plans.ts';
import type { ServerRun } from '../../../../src/server/runs/records/runs.ts';
import { inAWhile } from '../../jobs/given.ts';
import { accountRecord, channelOf, memoryNotifications } from '../given.ts';

const now = Date.parse('2026-11-23T10:00:00.000Z');
const hour = 3_600_000;

const planOf = (id: string, leftMs: number): PlanRecord =>
  ({
    id,
    account: 'berlin',
    state: 'waiting',
    changes: 2,
    irreversible: 0,
    source: 'files',
    commit: 'c1',
    expiresAt: new Date(now + leftMs),
  }) as PlanRecord;

const runOf = (id: string, state: ServerRun['state']): ServerRun =>
  ({
    id,
    account: 'berlin',
    state,
    reason: null,
    steps: { total: 2, done: 2, failed: 0, in_doubt: 0, skipped: 0 },
    progress: {},
  }) as unknown as ServerRun;

const cause = {
  id: 'k1',
  kind: 'fleet',
  title: 'renamed by hand',
  rule: null,
  place: null,
  hosts: 2,
  accounts: 1,
  since: new Date(now),
  by: null,
};

/** A store in memory, which notes what is asked of it. */
function given(channels = [channelOf('ops')]) {
  const notifications = memoryNotifications();
  const asked: string[] = [];
  const accounts: (AccountRecord | undefined)[] = [];
  const state = {
    accounts,
    plan: undefined as PlanRecord | undefined,
    run: undefined as ServerRun | undefined,
    open: [] as ServerRun[],
    pages: [] as (readonly PlanRecord[])[],
    areListed: true,
    causesAreListed: true,
  };
  const used = new Set<string>();
  const store = {
    notifications,
    accounts: {
      find: async (name: string, visible: unknown) => {
        asked.push(`account ${name} ${String(visible)}`);
        return accounts.shift();
      },
    },
    causes: {
      list: async (query: object) => {
        asked.push(`causes ${JSON.stringify(query)}`);
        return state.causesAreListed ? { ok: true, value: { items: [cause] } } : { ok: false, problems: [] };
      },
    },
    plans: {
      find: async (id: string, visible: unknown) => {
        asked.push(`plan ${id} ${String(visible)}`);
        return state.plan;
      },
      list: async ({ cursor = '0', ...query }: { cursor?: string }) => {
        asked.push(`plans from ${cursor} ${JSON.stringify(query)}`);
        if (!state.areListed) return { ok: false, problems: [] };
        const at = Number(cursor);
        const next = at + 1 < state.pages.length ? { next: String(at + 1) } : {};
        return { ok: true, value: { items: state.pages[at] ?? [], ...next } };
      },
    },
    runs: {
      list: async (query: object) => {
        asked.push(`runs ${JSON.stringify(query)}`);
        return { ok: true, value: { items: state.open } };
      },
      find: async (id: string, visible: unknown) => {
        asked.push(`run ${id} ${String(visible)}`);
        return state.run;
      },
    },
    tickets: {
      useJti: async (use: string, id: string, until: Date) => {
        const isFirst = !used.has(`${use} ${id}`);
        used.add(`${use} ${id}`);
        asked.push(`ticket ${use} ${id} ${until.toISOString()}`);
        return isFirst;
      },
    },
  };
  const parts = {
    store,
    settings: { notifications: channels, accounts: [] },
    auditHead: async () => ({ seq: 3, hash: 'a1'.repeat(32) }),
    now: () => now,
  };
  return {
    state,
    asked,
    messages: () => [...notifications.rows.values()],
    sent: () => [...notifications.rows.values()].map(({ kind, topic }) => [kind, topic]),
    notifier: createNotifier(parts as unknown as NotifierParts),
  };
}

describe('the notices about the work on an account', () => {
  it('report how the account differs afterwards, and the work keeps its result', async () => {
    const { state, asked, sent, notifier } = given();
    state.accounts.push(
      accountRecord({ version: 1 }),
      accountRecord({ version: 2, health: 'drifted', drifted: 2 }),
    );
    expect(await notifier.watching('berlin', async () => 'checked')).toBe('checked');
    expect(sent()).toEqual([['drifted', 'drifted k1']]);
    expect(asked).toEqual([
      'account berlin all',
      'account berlin all',
      'causes {"visible":"all","account":"berlin","limit":20}',
    ]);
  });

  it('are none if nothing has changed, or the account is no longer stored', async () => {
    const { state, asked, sent, notifier } = given();
    const same = accountRecord({ version: 3, health: 'drifted', drifted: 2 });
    for (const pair of [
      [same, same],
      [same, undefined],
      [undefined, undefined],
    ]) {
      state.accounts.push(...pair);
      await notifier.watching('berlin', async () => null);
    }
    expect(sent()).toEqual([]);
    expect(asked.filter((each) => each.startsWith('causes'))).toEqual([]);
  });

  it("look for causes only if hosts differ, and go on if they can't be listed", async () => {
    const { state, asked, sent, notifier } = given();
    state.accounts.push(accountRecord({ version: 1 }), accountRecord({ version: 2, drifted: 0 }));
    await notifier.watching('berlin', async () => null);
    expect(asked.filter((each) => each.startsWith('causes'))).toEqual([]);
    state.causesAreListed = false;
    state.accounts.push(accountRecord({ version: 1 }), accountRecord({ version: 2, drifted: 2 }));
    await notifier.watching('berlin', async () => null);
    expect(sent()).toEqual([]);
  });

  it('report a new plan that waits, and neither an old one nor one that needs nobody', async () => {
    const { state, asked, sent, notifier } = given();
    const plan = (id: string) => ({ id, state: 'waiting' }) as unknown as AccountRecord['plan'];
    const watch = async (before: string | null, after: string | null) => {
      state.accounts.push(
        accountRecord({ version: 1, plan: before === null ? null : plan(before) }),
        accountRecord({ version: 2, plan: after === null ? null : plan(after) }),
      );
      await notifier.watching('berlin', async () => null);
    };
    state.plan = planOf('p1', hour);
    await watch('p1', 'p1');
    await watch('p1', null);
    expect(sent()).toEqual([]);
    await watch(null, 'p1');
    await watch('p1', 'p2');
    expect(sent()).toEqual([
      ['waiting', 'waiting files c1'],
      ['waiting', 'waiting files c1'],
    ]);
    state.plan = { ...planOf('p3', hour), state: 'approved' };
    await watch('p2', 'p3');
    state.plan = undefined;
    await watch('p3', 'p4');
    expect(sent()).toHaveLength(2);
    expect(asked).toContain('plan p4 all');
  });

  it('report the first check of an account that begins with a failure', async () => {
    const { state, sent, notifier } = given();
    state.accounts.push(undefined, accountRecord({ version: 1, health: 'failing' }));
    await notifier.watching('berlin', async () => null);
    expect(sent()).toEqual([['failing', 'failing unforeseen https://api.example.com']]);
  });
});

describe('the notices about a run', () => {
  it('come after its end, and those about an account after the work on it', async () => {
    const { state, asked, notifier } = given();
    state.accounts.push(accountRecord(), accountRecord());
    state.open = [runOf('r1', 'running')];
    const work = async () => {
      await inAWhile(3);
      asked.push('the work ends');
    };
    await notifier.watching('berlin', work);
    await notifier.watchingRun('berlin', work);
    expect(asked.map((each) => each.replace(/ \{.*/, ''))).toEqual([
      'account berlin all',
      'the work ends',
      'account berlin all',
      'runs',
      'the work ends',
      'run r1 all',
    ]);
  });

  it('report how the run that was open has ended, and the work keeps its result', async () => {
    const { state, asked, sent, messages, notifier } = given();
    state.open = [runOf('r1', 'queued')];
    state.run = runOf('r1', 'done');
    expect(await notifier.watchingRun('berlin', async () => 7)).toBe(7);
    expect(sent()).toEqual([['applied', 'applied']]);
    expect(JSON.stringify(messages())).toContain('a1'.repeat(32));
    expect(asked).toEqual([
      'runs {"visible":"all","account":"berlin","states":["queued","running","stopping"],"limit":1}',
      'run r1 all',
    ]);
  });

  it('are none if no run was open, or it has not ended', async () => {
    const { state, sent, notifier } = given();
    state.run = runOf('r1', 'done');
    await notifier.watchingRun('berlin', async () => null);
    state.open = [runOf('r1', 'queued')];
    state.run = runOf('r1', 'queued');
    await notifier.watchingRun('berlin', async () => null);
    state.run = undefined;
    await notifier.watchingRun('berlin', async () => null);
    expect(sent()).toEqual([]);
  });
});

describe('the notices about plans that expire', () => {
  it('come once for each plan, in the last four hours before its end', async () => {
    const { state, asked, sent, notifier } = given();
    state.pages = [
      [planOf('over', 0), planOf('past', -hour), planOf('late', 4 * hour + 1)],
      [planOf('soon', 4 * hour), planOf('very-soon', 1)],
    ];
    await notifier.expiring();
    await notifier.expiring();
    expect(sent()).toEqual([
      ['expiring', 'expiring 2026-11-23T14'],
      ['expiring', 'expiring 2026-11-23T10'],
    ]);
    expect(asked.slice(0, 3)).toEqual([
      'plans from 0 {"visible":"all","states":["waiting"],"limit":500}',
      'plans from 1 {"visible":"all","states":["waiting"],"limit":500}',
      'ticket expiring plan soon 2026-11-23T14:00:00.000Z',
    ]);
  });

  it("wait for the next time if the plans can't be listed", async () => {
    const { state, sent, notifier } = given();
    state.pages = [[planOf('soon', hour)]];
    state.areListed = false;
    await notifier.expiring();
    expect(sent()).toEqual([]);
  });
});

describe('a server without channels', () => {
  it('asks the database for no notices', async () => {
    const { state, asked, sent, notifier } = given([]);
    state.pages = [[planOf('soon', hour)]];
    expect(await notifier.watching('berlin', async () => 'checked')).toBe('checked');
    expect(await notifier.watchingRun('berlin', async () => 'run')).toBe('run');
    await notifier.expiring();
    await notifier.enqueue({ kind: 'source', account: null, topic: 's', facts: { title: 'x' } });
    expect([asked, sent()]).toEqual([[], []]);
  });
});
