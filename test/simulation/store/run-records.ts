import type { Subject } from '../../../src/api/access/grants.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import type { AccountRecord } from '../../../src/server/accounts/records/account-record.ts';
import type { RunChange, RunSteps, ServerRun } from '../../../src/server/runs/records/runs.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { rowsOf } from './table.ts';
import type { Tables } from './tables.ts';

type Simulated = 'queue' | 'list' | 'find' | 'change' | 'note' | 'requestStop' | 'overrideWindows' | 'log';

export const isOpenRun = ({ state }: Pick<ServerRun, 'state'>): boolean =>
  state === 'queued' || state === 'running' || state === 'stopping';

export function openRunOf(account: string, { openRuns, runs }: Tables): ServerRun | undefined {
  return runs.get(openRuns.get(account) ?? '')?.run;
}

export function waitsForOf({ state, progress }: ServerRun): AccountRecord['runWaitsFor'] {
  const { kind = null } = (progress['waits_for'] ?? {}) as { readonly kind?: 'window' | 'pause' };
  return state === 'queued' ? kind : null;
}

export function runsIn(
  tables: Tables,
  now: () => number,
  newId: () => string,
): Pick<Store['runs'], Simulated> {
  const { runs, runsOf, openRuns } = tables;
  const put = (run: ServerRun) => {
    const known = runs.get(run.id);
    runs.set(run.id, { run, log: known?.log ?? [] });
    if (isOpenRun(run)) openRuns.set(run.account, run.id);
    else if (openRuns.get(run.account) === run.id) openRuns.delete(run.account);
    return run;
  };
  const change = (
    id: string,
    { state, journal, steps, progress, exitCode }: RunChange,
    stopBy?: Subject,
  ): ServerRun | undefined => {
    const run = runs.get(id)?.run;
    if (run === undefined || !isOpenRun(run)) return undefined;
    const isKept = run.state === 'stopping' && (state === 'queued' || state === 'running');
    const next = state === undefined || isKept ? run.state : state;
    const ends = state !== undefined && !isOpenRun({ state });
    return put({
      ...run,
      state: next,
      journal: journal ?? run.journal,
      steps: steps ?? run.steps,
      progress: progress ?? run.progress,
      exitCode: exitCode ?? run.exitCode,
      stopBy: stopBy ?? run.stopBy,
      startedAt: state === 'running' ? (run.startedAt ?? new Date(now())) : run.startedAt,
      endedAt: ends ? new Date(now()) : null,
    });
  };
  return {
    async queue({ account, plan, by, reason, steps: total }) {
      if (openRuns.get(account) !== undefined) return undefined;
      const steps: RunSteps = { total, done: 0, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 };
      const id = newId();
      runsOf.set(account, [...(runsOf.get(account) ?? []), id]);
      return put({
        id,
        account,
        plan,
        journal: null,
        state: 'queued',
        by,
        stopBy: null,
        reason,
        queuedAt: new Date(now()),
        startedAt: null,
        endedAt: null,
        exitCode: null,
        steps,
        override: null,
        progress: {},
      });
    },
    async list({ visible, account, states, plan, limit = 100 }) {
      const onlyOpen = states?.every((state) => isOpenRun({ state })) === true;
      const ids = onlyOpen
        ? account === undefined
          ? rowsOf(openRuns)
          : [openRuns.get(account) ?? '']
        : account === undefined
          ? rowsOf(runs).map(({ run }) => run.id)
          : (runsOf.get(account) ?? []);
      const items = ids
        .flatMap((id) => runs.get(id)?.run ?? [])
        .filter(
          (run) =>
            (visible === 'all' || visible.includes(run.account)) &&
            (states === undefined || states.includes(run.state)) &&
            (plan === undefined || run.plan === plan),
        )
        .toReversed()
        .toSorted((a, b) => b.queuedAt.getTime() - a.queuedAt.getTime());
      return ok({ items: items.slice(0, limit) });
    },
    async find(id, visible) {
      const run = runs.get(id)?.run;
      return run !== undefined && (visible === 'all' || visible.includes(run.account)) ? run : undefined;
    },
    change: async (id, parts) => change(id, parts),
    note: async (id, parts) => change(id, parts),
    requestStop: async (id, by) => change(id, { state: 'stopping' }, by),
    async overrideWindows(id, by, reason) {
      const run = runs.get(id)?.run;
      if (run === undefined || run.override !== null || (run.state !== 'queued' && run.state !== 'running'))
        return undefined;
      return put({ ...run, override: { by, reason, at: new Date(now()).toISOString() } });
    },
    async log(id, lines) {
      const row = runs.get(id);
      if (row !== undefined) runs.set(id, { ...row, log: [...row.log, ...lines] });
    },
  };
}
