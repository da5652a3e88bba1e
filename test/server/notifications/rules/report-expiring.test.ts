import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/server/accounts/decisions/account-state.ts';
import type { AccountRecord } from '../../../../src/server/accounts/records/account-record.ts';
import { decidedNotices, isNews } from '../../../../src/server/notifications/rules/decided-notices.ts';
import { reportExpiring } from '../../../../src/server/notifications/rules/report-expiring.ts';
import type { PlanRecord } from '../../../../src/server/plans/records/plans.ts';
import type { ServerRun } from '../../../../src/server/runs/records/runs.ts';
import type { Store } from '../../../../src/server/store/open-store.ts';
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

/** A store in memory, which records its calls. */
function given(channels = [channelOf('ops')]) {
  const notifications = memoryNotifications();
  const asked: string[] = [];
  const accounts: (AccountRecord | undefined)[] = [];
  const state = {
    accounts,
    plan: undefined as PlanRecord | undefined,
    run: undefined as ServerRun | undefined,
    pages: [] as (readonly PlanRecord[])[],
    areListed: true,
    causesAreListed: true,
  };
  const used = new Set<string>();
  const store = {
    transaction: async (work: (own: unknown) => Promise<unknown>) => work(store),
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
    clock: { now: () => now },
  };
  return {
    state,
    asked,
    store,
    sent: () => [...notifications.rows.values()].map(({ kind, topic }) => [kind, topic]),
    report: () => reportExpiring(parts as unknown as Parameters<typeof reportExpiring>[0]),
  };
}

/** What people hear of a decision: `before` and `after` are the account before and after its commands. */
function heard(
  state: ReturnType<typeof given>['state'],
  store: ReturnType<typeof given>['store'],
  before: Partial<AccountRecord>,
  after: Partial<AccountRecord> | undefined,
  commands: readonly Command[] = [checked],
) {
  state.accounts.push(after === undefined ? undefined : accountRecord(after));
  const own = store as unknown as Store;
  return decidedNotices(accountRecord(before), commands, own, { seq: 3, hash: 'a1'.repeat(32) });
}

const checked = { kind: 'record-check' } as unknown as Command;
const ends = (state: 'done' | 'failed' | 'queued' | 'running' | 'stopping'): Command => ({
  kind: 'move-run',
  run: 'r1',
  state,
});

describe('the notices about a decision', () => {
  it('report how the account differs after a check', async () => {
    const { state, store, asked } = given();
    const notices = await heard(state, store, {}, { health: 'drifted', drifted: 2 });
    expect(notices).toMatchObject([{ kind: 'drifted', topic: 'drifted k1' }]);
    expect(asked).toEqual(['account berlin all', 'causes {"visible":"all","account":"berlin","limit":20}']);
  });

  it("look for causes only if hosts differ, and continue if they can't be listed", async () => {
    const { state, store, asked } = given();
    await heard(state, store, {}, { drifted: 0 });
    expect(asked).toEqual(['account berlin all']);
    state.causesAreListed = false;
    expect(await heard(state, store, {}, { drifted: 2 })).toEqual([]);
  });

  it('are not sent for an account that is no longer stored, or that was never checked', async () => {
    const { state, store } = given();
    expect(await heard(state, store, {}, undefined)).toEqual([]);
    expect(await heard(state, store, {}, { health: 'failing' }, [ends('running')])).toEqual([]);
  });

  it('report the first check of an account if it begins with a failure', async () => {
    const { state, store } = given();
    expect(await heard(state, store, { health: null }, { health: 'failing' })).toMatchObject([
      { kind: 'failing', topic: 'failing unforeseen https://api.example.com' },
    ]);
  });

  it('report a new waiting plan, but not an old one or one that needs nobody', async () => {
    const { state, store, asked } = given();
    const plan = (id: string) => ({ plan: { id, state: 'waiting' } }) as Partial<AccountRecord>;
    state.plan = planOf('p1', hour);
    expect(await heard(state, store, plan('p1'), plan('p1'))).toEqual([]);
    expect(await heard(state, store, plan('p1'), {})).toEqual([]);
    for (const before of [{}, plan('p0')])
      expect(await heard(state, store, before, plan('p1'))).toMatchObject([
        { kind: 'waiting', topic: 'waiting files c1' },
      ]);
    state.plan = { ...planOf('p3', hour), state: 'approved' };
    expect(await heard(state, store, {}, plan('p3'))).toEqual([]);
    state.plan = undefined;
    expect(await heard(state, store, {}, plan('p4'))).toEqual([]);
    expect(asked).toContain('plan p4 all');
  });

  it('report how a run ended, with the signed head of the audit log, and no other change of its state', async () => {
    const { state, store } = given();
    state.run = runOf('r1', 'done');
    const notices = await heard(state, store, {}, {}, [ends('done')]);
    expect(notices).toMatchObject([{ kind: 'applied' }]);
    expect(JSON.stringify(notices)).toContain('a1'.repeat(32));
    for (const move of ['queued', 'running', 'stopping'] as const)
      expect(await heard(state, store, {}, {}, [ends(move)])).toEqual([]);
    state.run = undefined;
    expect(await heard(state, store, {}, {}, [ends('done')])).toEqual([]);
  });

  it('concern checks, plans and the ends of runs', () => {
    const plan = { kind: 'add-plan' } as unknown as Command;
    expect([checked, plan, ends('failed')].map(isNews)).toEqual([true, true, true]);
    expect([ends('running'), { kind: 'queue-check' } as const].map(isNews)).toEqual([false, false]);
  });
});

describe('the notices about plans that expire', () => {
  it('are sent once for each plan, in the last four hours before its end', async () => {
    const { state, asked, sent, report } = given();
    state.pages = [
      [planOf('over', 0), planOf('past', -hour), planOf('late', 4 * hour + 1)],
      [planOf('soon', 4 * hour), planOf('very-soon', 1)],
    ];
    await report();
    await report();
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
    const { state, sent, report } = given();
    state.pages = [[planOf('soon', hour)]];
    state.areListed = false;
    await report();
    expect(sent()).toEqual([]);
  });
});

describe('a server without channels', () => {
  it('asks the database for no notices', async () => {
    const { state, asked, sent, report } = given([]);
    state.pages = [[planOf('soon', hour)]];
    await report();
    expect([asked, sent()]).toEqual([[], []]);
  });
});
