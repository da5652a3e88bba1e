import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createExchanges } from '../../../src/accounts/engine/exchanges.ts';
import { type PlanState } from '../../../src/api/states.ts';
import type { Desired, Rule } from '../../../src/core/model/desired.ts';
import { defaultLimits, type Limits } from '../../../src/core/model/policy.ts';
import { failed, ok, type Problem } from '../../../src/core/problem/problem.ts';
import { openFilesState } from '../../../src/run/state/files/files-state.ts';
import type { Pause } from '../../../src/server/accounts/decisions/pauses.ts';
import type { AccountRecord } from '../../../src/server/accounts/records/account-record.ts';
import type { CheckRecord } from '../../../src/server/accounts/records/check-record.ts';
import { checkAccountJob } from '../../../src/server/accounts/rules/check-account.ts';
import type { NewPlan, PlanQuery, PlanRecord } from '../../../src/server/plans/records/plans.ts';
import type { JobParts } from '../../../src/server/queue/rules/job-parts.ts';
import type {
  NewRun,
  RunChange,
  RunLine,
  ServerRun,
  ServerRunQuery,
} from '../../../src/server/runs/records/runs.ts';
import { runPlanJob } from '../../../src/server/runs/rules/run-plan.ts';
import { toTenant } from '../../../src/server/settings/configured-account.ts';
import { api } from '../../../src/service/contract/api.ts';
import { type GivenAccount, givenAccounts } from '../../given/accounts.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { accountOf, alice, type Changing, eagerClock, inAWhile, runOf } from './given.ts';
import { inTransaction } from './given-store.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-jobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const isOpenRun = ({ state }: Pick<ServerRun, 'state'>) => ['queued', 'running', 'stopping'].includes(state);

/**
 * The jobs of one account, `berlin`, with a real service and a real state. The store is in memory and waits a while
 * before each change, so a test needs no database and notices a call without an await.
 */
export async function givenMemoryJobs(fleet: GivenAccount, entries: readonly GivenEntry[]) {
  const given = await givenAccounts({ berlin: fleet });
  const clock = eagerClock();
  let desired: Desired = givenDesired(entries, noLimits);
  let problems: readonly Problem[] = [];
  const account = accountOf('berlin', { companyId: '1000', mode: 'correct' });
  const record = {
    name: 'berlin',
    ...toTenant(account, given.env),
    hold: null,
    run: null,
    plan: null,
    failure: null,
    commit: null,
    version: 1,
    checkBeganAt: null,
  } as unknown as Changing<AccountRecord>;
  const plans: Changing<PlanRecord>[] = [];
  const documents = new Map<string, string>();
  const runs: Changing<ServerRun>[] = [];
  const checks: CheckRecord[] = [];
  const log: RunLine[] = [];
  const sent: string[] = [];
  const healths: string[] = [];
  const counts: object[] = [];
  const pauses: (Pause & { readonly by: object; readonly reason: string })[] = [];
  const ignores: { hostId: string; attribute: string; live: string | null }[] = [];
  const settings = {
    folder: temporaryFolder(),
    accounts: [account],
    labels: new Set<string>(),
    approvals: [],
    windows: [] as object[],
    freezes: [] as object[],
    overrun: 'pause',
    cadenceMs: 600_000,
    notifications: [],
    sources: [],
    registers: [],
  };
  const openPlan = () => plans.find(({ state }) => ['waiting', 'approved', 'running'].includes(state));
  const openRun = () => runs.find(isOpenRun);
  const changeRun = async (id: string, { state, ...change }: RunChange) => {
    await inAWhile(2);
    const run = runs.find((each) => each.id === id && isOpenRun(each));
    if (run === undefined) return undefined;
    const isKept = run.state === 'stopping' && (state === 'queued' || state === 'running');
    Object.assign(run, change, state === undefined || isKept ? {} : { state });
    if (!isOpenRun(run)) run.endedAt = new Date(clock.now());
    return run;
  };
  const store = {
    transaction: async <T>(work: (own: unknown) => Promise<T>): Promise<T> => inTransaction(store, work),
    history: {
      count: async (_: string, given: object) => {
        await inAWhile(2);
        counts.push(given);
      },
    },
    pauses: { list: async () => pauses },
    rolloutAccounts: { holders: async () => new Map() },
    ignores: { of: async () => ignores },
    accounts: {
      find: async (name: string, visible: string) => {
        if (name !== 'berlin' || visible !== 'all') return undefined;
        const { id = null } = openRun() ?? {};
        const open = openPlan();
        return {
          ...record,
          readAt: new Date(clock.now()),
          hasPauses: pauses.length > 0,
          run: id,
          plan: open === undefined ? null : { ...open },
        };
      },
      claim: async (name: string, version: number) => {
        await inAWhile(2);
        if (name !== 'berlin' || version !== record.version) return false;
        record.version += 1;
        return true;
      },
      setHold: async (_: readonly string[], hold: AccountRecord['hold']) => {
        await inAWhile(3);
        record.hold = hold;
      },
      setHealth: async (_: string, health: AccountRecord['health']) => {
        await inAWhile();
        healths.push(health ?? '');
      },
      recordCheck: async (check: CheckRecord) => {
        checks.push(check);
        record.commit = check.commit;
        if (check.fleet !== undefined) record.drifted = check.fleet.drift.length;
        const { attempts = 0 } = record.failure ?? {};
        record.failure =
          check.failure === null ? null : { ...check.failure, since: '', attempts: attempts + 1 };
        return { changed: true };
      },
    },
    plans: {
      find: async (id: string, visible: string) => plans.find((each) => each.id === id && visible === 'all'),
      document: async (id: string, visible: string) => (visible === 'all' ? documents.get(id) : undefined),
      list: async ({ visible, states }: PlanQuery) =>
        ok({ items: plans.filter(({ state }) => visible === 'all' && (states?.includes(state) ?? true)) }),
      move: async (id: string, from: readonly PlanState[], to: PlanState, reason?: string | null) => {
        await inAWhile(2);
        const plan = plans.find((each) => each.id === id && from.includes(each.state));
        return plan && Object.assign(plan, { state: to, ...(reason ? { reason } : {}) });
      },
      keep: async (id: string, later: PlanRecord['later']) => {
        await inAWhile(2);
        Object.assign(plans.find((each) => each.id === id) ?? {}, { later });
      },
      endRejections: async () => {
        await inAWhile(2);
        for (const plan of plans) if (plan.state === 'rejected') plan.expiresAt = new Date(clock.now());
      },
      rejected: async () =>
        plans.filter(({ state, expiresAt }) => state === 'rejected' && expiresAt.getTime() > clock.now()),
      approve: async (id: string, approval: PlanRecord['approvals'][number]) => {
        await inAWhile(2);
        const plan = plans.find((each) => each.id === id);
        return plan && Object.assign(plan, { approvals: [...plan.approvals, approval] });
      },
      propose: async ({ document, digests, ...plan }: NewPlan) => {
        await inAWhile(2);
        const open = openPlan();
        if (open !== undefined) open.state = 'stale';
        const made = {
          reason: null,
          replacedBy: null,
          later: null,
          createdAt: new Date(clock.now()),
          changeDigest: digests?.changes ?? null,
          contentDigest: digests?.content ?? null,
          signature: null,
          ...plan,
          approvals: [],
        };
        plans.unshift(made as unknown as PlanRecord);
        documents.set(plan.id ?? '', document);
        return { plan: plans[0] };
      },
    },
    runs: {
      find: async (id: string, visible: string) => runs.find((each) => each.id === id && visible === 'all'),
      list: async ({ visible, account: name, states }: ServerRunQuery) =>
        ok({
          items: runs.filter(
            (each) =>
              visible === 'all' &&
              each.account === name &&
              (states === undefined || states.includes(each.state)),
          ),
        }),
      queue: async ({ plan, by, reason }: NewRun) => {
        await inAWhile(2);
        if (openRun() !== undefined) return undefined;
        runs.unshift(runOf('berlin', { id: `r${runs.length + 1}`, plan, by, reason }));
        return runs[0];
      },
      note: (id: string, change: RunChange) => changeRun(id, change),
      change: (id: string, change: RunChange) => changeRun(id, change),
      log: async (_: string, lines: readonly RunLine[]) => {
        await inAWhile(2);
        log.push(...lines);
      },
    },
  };
  const env: Record<string, string> = { ...given.env };
  const exchanges = createExchanges(env);
  onTestFinished(() => exchanges.close());
  const events: string[] = [];
  /** Each list can be read once a minute, and nobody has read one in the last hour. */
  const listTimes = Object.keys(api).map((action) => ({ action, ageMs: 3_600_000, everyMs: 60_000 }));
  const shared: string[] = [];
  const state = openFilesState(temporaryFolder());
  const parts = {
    env,
    settings,
    store,
    state: {
      ...state,
      readEarlier: async (...asked: Parameters<typeof state.readEarlier>) => {
        const earlier = await state.readEarlier(...asked);
        return earlier.ok ? ok({ ...earlier.value, listTimes }, earlier.problems) : earlier;
      },
      saveListTimes: async () => {
        await inAWhile(50);
        shared.push('list times');
        return ok(null);
      },
    },
    exchanges,
    clock,
    desired: {
      load: async (_: unknown, commit = commitNow) => {
        const found = commit === commitNow ? desired : earlier.get(commit);
        if (problems.length > 0 || found === undefined) return failed(...problems);
        return ok({ desired: found, source: 'files', commit, author: 'Jane <jane@example.com>' });
      },
    },
    queue: {
      send: async (name: string, keys: readonly string[]) => {
        await inAWhile(2);
        sent.push(...keys.map((key) => `${name} ${key}`));
        return keys.length;
      },
    },
    onEvent: (name: string, { type }: { readonly type: string }) => void events.push(`${name} ${type}`),
  } as unknown as JobParts;
  let commitNow = 'c1';
  const earlier = new Map<string, Desired>();
  const never = new AbortController().signal;
  return {
    given,
    account,
    record,
    plans,
    documents,
    runs,
    checks,
    log,
    sent,
    healths,
    counts,
    pauses,
    ignores,
    settings,
    env,
    events,
    /** What the job wrote when it closed its connection. */
    shared,
    parts,
    emulator: () => given.emulators.get('berlin'),
    writes: () => given.writesOf('berlin'),
    names: () =>
      given.emulators
        .get('berlin')
        ?.state()
        .hosts.map(({ name }) => name),
    desire(more: readonly GivenEntry[], commit = 'c2', rules: readonly Rule[] = []) {
      earlier.set(commitNow, desired);
      desired = givenDesired(more, noLimits, rules);
      commitNow = commit;
    },
    accept: (...knownDrift: Desired['knownDrift']) => (desired = { ...desired, knownDrift }),
    limit(limits: Partial<Limits>) {
      desired = { ...desired, limits: { ...defaultLimits, ...limits } };
    },
    failToLoad: (...given: readonly Problem[]) => (problems = given),
    pass: clock.pass,
    now: clock.now,
    /** Alice approves a plan with the numbers that it requires, and its run is queued. */
    async approve(reason: string | null = null, plan = plans[0]) {
      if (plan === undefined) throw new Error('no plan');
      const numbers = Object.fromEntries(plan.required.numbers.map(({ limit, value }) => [limit, value]));
      const at = new Date(clock.now());
      const approval = {
        by: alice,
        at,
        decision: 'approved',
        numbers,
        comment: null,
        via: 'console',
      } as const;
      Object.assign(plan, { state: 'approved', approvals: [approval] });
      return store.runs.queue({ account: 'berlin', plan: plan.id, by: alice, reason, steps: plan.calls });
    },
    check: async (signal = never) => {
      const written = await checkAccountJob('berlin', parts, signal);
      return written === null ? null : checks.at(-1);
    },
    run: (signal = never) => runPlanJob('berlin', parts, signal),
  };
}
