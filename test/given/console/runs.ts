import type { RolloutDetail, RolloutRow, RunDetail, RunEventRow, RunRow } from '../../../src/api/runs.ts';
import { ada, before, grace } from './plans.ts';

export function givenRunRow(change: Partial<RunRow> = {}): RunRow {
  return {
    id: 'run_northwind_7',
    account: 'northwind',
    plan: 'pl_northwind_7',
    state: 'running',
    by: grace,
    reason: null,
    started_at: before(3),
    ended_at: null,
    exit_code: null,
    steps: { total: 212, done: 148, failed: 2, in_doubt: 1, in_progress: 4, skipped: 3 },
    waits_for: null,
    override: null,
    ...change,
  };
}

type KindProgress = RunDetail['by_kind'][number];

/** The progress of a kind whose steps change one host each, unless given otherwise. */
function givenKind(kind: string, { total = 0, ...counts }: Partial<KindProgress>): KindProgress {
  const { done = 0, failed = 0, in_doubt = 0 } = counts;
  const hosts = { hosts: total, hosts_done: done, hosts_failed: failed, hosts_in_doubt: in_doubt };
  return { kind, total, done, failed, in_doubt, ...hosts, ...counts };
}

export function givenRunDetail(change: Partial<RunDetail> = {}): RunDetail {
  return {
    ...givenRunRow(),
    by_kind: [
      givenKind('rename', { total: 160, done: 120, failed: 2, in_doubt: 1 }),
      givenKind('move', { total: 24, done: 16 }),
      givenKind('delete', { total: 18, done: 12, hosts: 4_312, hosts_done: 3_000, hosts_failed: 12 }),
      givenKind('install', { total: 10 }),
    ],
    counts: { rename: 160, move: 24, delete: 18, install: 10, refresh: 0 },
    pace: {
      rate: 4.6,
      limit: 5,
      rate_limited: 3,
      bound: { action: 'rename', kind: 'pace', allowed: 5 },
      curve: {
        bucket_seconds: 5,
        rate: [0, 2, 3.2, 4, 4.8, 5, 5, 3.1, 1, 2.6, 4.2, 4.9, 5, 4.8, 4.6, 4.7, 4.6],
      },
    },
    seconds_left: { low: 14, high: 38 },
    waiting: [
      {
        step: '',
        title: '12 renames',
        for: 'their turn: the service allows about 5 calls/s',
        why: 'pace',
        steps: 12,
      },
      {
        step: 's150',
        title: 'rename NW-WEB-7 → NW-WEB-8 (host 812340150)',
        for: 'the name NW-WEB-8, which step s149 frees',
        why: 'step',
        on: 's149',
        steps: 1,
      },
      { step: '', title: '10 anti-virus installs', for: 'the 32 steps before them', why: 'phase', steps: 10 },
    ],
    problems: [],
    audit: null,
    ...change,
  };
}

export function givenEndedRun(change: Partial<RunDetail> = {}): RunDetail {
  return givenRunDetail({
    id: 'run_contoso_4',
    account: 'contoso',
    plan: 'pl_contoso_4',
    state: 'in_doubt',
    ended_at: before(1),
    exit_code: 5,
    steps: { total: 212, done: 199, failed: 2, in_doubt: 1, in_progress: 0, skipped: 10 },
    by_kind: [
      givenKind('rename', { total: 160, done: 157, failed: 2, in_doubt: 1 }),
      givenKind('move', { total: 24, done: 24 }),
      givenKind('delete', { total: 18, done: 18 }),
      givenKind('install', { total: 10 }),
    ],
    seconds_left: null,
    waiting: [],
    problems: [
      {
        code: 'name-taken',
        message: 'Host 812340017 was not renamed: another host has the name KIOSK-812340017.',
        hint: 'Rename or delete that host, then plan again.',
      },
      { code: 'timeout', message: 'Host 812340044 may have been renamed: the answer was lost.' },
    ],
    audit: '4211',
    ...change,
  });
}

const outcomes = ['done', 'done', 'already', 'done', 'done'] as const;

/** Events as the server writes them: one for each step that ended, and the notes between them. */
export function givenRunEvents(count: number, from = 1): readonly RunEventRow[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = from + index;
    const at = new Date(Date.parse(before(3)) + seq * 200).toISOString();
    if (seq % 53 === 0)
      return { seq, at, type: 'retry', step: null, text: 'renameHost failed (timed-out) and is sent again' };
    if (seq % 58 === 0)
      return {
        seq,
        at,
        type: 'error',
        step: null,
        text: `Host ${812340000 + seq} was not renamed: another host has its name`,
      };
    const type =
      seq % 29 === 0 ? 'failed' : seq % 97 === 0 ? 'unknown' : (outcomes[seq % outcomes.length] ?? 'done');
    const text = `rename NW-WEB-${seq} → NW-KSK-${seq} (host ${812340000 + seq})`;
    return { seq, at, type, step: `s${seq}`, text };
  });
}

/** What the runs of so many accounts changed. */
const changedIn = (accounts: number) => ({
  rename: 12 * accounts,
  move: accounts,
  delete: 0,
  install: 0,
  refresh: 0,
});

export function givenRollout(change: Partial<RolloutRow> = {}): RolloutRow {
  return {
    id: 'ro_spring',
    name: 'spring names',
    state: 'running',
    reason: null,
    by: ada,
    started_at: before(55),
    ended_at: null,
    wave: 1,
    waves: [
      { name: 'canary', accounts: 2, done: 2, failed: 0, running: 0, state: 'done' },
      { name: 'eu', accounts: 24, done: 14, failed: 1, running: 3, state: 'running' },
      { name: 'us', accounts: 40, done: 0, failed: 0, running: 0, state: 'pending' },
      { name: 'rest', accounts: 12, done: 0, failed: 0, running: 0, state: 'pending' },
    ],
    changed: changedIn(16),
    ...change,
  };
}

export function givenRolloutDetail(change: Partial<RolloutDetail> = {}): RolloutDetail {
  const row = givenRollout();
  const accounts = row.waves.flatMap((wave, index) =>
    Array.from({ length: wave.accounts }, (_, at) => ({
      account: `${wave.name}-${String(at + 1).padStart(2, '0')}`,
      wave: index,
      state:
        at < wave.done
          ? 'done'
          : at < wave.done + wave.failed
            ? 'failed'
            : at < wave.done + wave.failed + wave.running
              ? 'running'
              : 'pending',
      run: at < wave.done + wave.failed + wave.running ? `run_${wave.name}_${at}` : null,
      why: at < wave.done || at >= wave.done + wave.failed ? null : 'its run ended in the state failed',
      changed: changedIn(at < wave.done ? 1 : 0),
    })),
  );
  return { ...row, accounts, ...change };
}
