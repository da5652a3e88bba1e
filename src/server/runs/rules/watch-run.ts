import type { Problem } from '../../../core/problem/problem.ts';
import type { Lease } from '../../../run/state/lease/lease.ts';
import { happen } from '../../accounts/rules/happen.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import type { ServerRun } from '../records/runs.ts';
import type { RunRecorder } from './run-record.ts';

/** Why a run stops before its end: a person requested it, a window closed, or its worker stops. */
export type StopCause = 'person' | 'window' | 'worker';

export interface RunWatch {
  /** Aborted when the run must stop at a safe point. */
  readonly stop: AbortSignal;
  why(): StopCause | undefined;
  /** From now on progress is written, as long as this lock is held. */
  underLock(lease: Pick<Lease, 'refusal'>): void;
  end(): Promise<void>;
}

export interface WatchedRun {
  /** Why it must stop, and in words for its log; undefined if it continues. */
  readonly stopOf: () => Promise<{ readonly why: StopCause; readonly text: string } | undefined>;
  readonly recorder: Pick<RunRecorder, 'flush' | 'log'>;
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal;
  /** Milliseconds; a second if absent. */
  readonly everyMs?: number;
}

/**
 * Writes the progress of a run about once a second, and stops the run when a person requests it, when a window closes
 * or when the worker stops. It waits in real time, whatever clock the run uses.
 */
export function watchRun({ stopOf, recorder, signal, everyMs = 1_000 }: WatchedRun): RunWatch {
  const stop = new AbortController();
  let cause: StopCause | undefined;
  let held: Pick<Lease, 'refusal'> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let looking: Promise<void> = Promise.resolve();

  const stopFor = (why: StopCause, text: string) => {
    if (cause !== undefined) return;
    cause = why;
    recorder.log('stop', text);
    stop.abort();
  };
  const leave = () => stopFor('worker', 'the worker stops; another one continues');
  const look = async () => {
    // The next check tries again. If the database is still unavailable, the run loses its lock and stops by itself.
    const stop = await stopOf().catch(() => undefined);
    if (stop !== undefined) stopFor(stop.why, stop.text);
    if (held?.refusal() === undefined && held !== undefined) await recorder.flush().catch(() => undefined);
  };
  const next = () => {
    if (isOver) return;
    timer = setTimeout(() => {
      looking = look().finally(next);
    }, everyMs).unref();
  };
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  next();
  return {
    stop: stop.signal,
    why: () => cause,
    underLock(lease) {
      held = lease;
    },
    async end() {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      await looking;
    },
  };
}

/** Asks about once a second whether the run may go on. A window that closes while the database is away stops it, too. */
export function stopOfRun(
  run: ServerRun,
  isClosed: () => Problem | undefined,
  parts: JobParts,
): WatchedRun['stopOf'] {
  let latest: ServerRun | null = run;
  return async () => {
    const closed = isClosed();
    const byWindow = { why: 'window', text: `stops at a safe point: ${closed?.message}` } as const;
    const isOverridden = () => (latest?.override ?? null) !== null;
    const decided = await happen(
      run.account,
      async ({ run: known }) => {
        if (known?.id === run.id) latest = known;
        return { kind: 'run-progressed', run: run.id, isClosed: closed !== undefined && !isOverridden() };
      },
      parts,
    ).catch(() => undefined);
    if (decided?.ok !== true) return closed === undefined || isOverridden() ? undefined : byWindow;
    const stop = decided.value.commands.find(({ kind }) => kind === 'stop-run');
    if (stop?.kind !== 'stop-run') return undefined;
    if (stop.why === 'window') return byWindow;
    return { why: 'person', text: `${latest?.stopBy?.name ?? 'someone'} stops the run` };
  };
}
