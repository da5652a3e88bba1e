import type { StepOutcome } from '../../../core/model/run-event.ts';
import type { Pace } from '../../../core/plan/types/forecast.ts';
import type { RunRecords } from './parse-run.ts';
import { type BeginRecord, type EndRecord, type JournaledChange, type JournalRecord } from './record.ts';

/**
 * What the journal records of one step. A step that was begun and has no outcome is unknown: the run died during the
 * step.
 */
export interface ReplayedStep {
  readonly begin: BeginRecord;
  readonly outcome: StepOutcome;
  readonly failedHostIds: ReadonlySet<string>;
  /** Hosts whose outcome was not acknowledged: the hosts in the record, or else all hosts of an unknown step. */
  isInDoubt(host: string): boolean;
}

/** A run without an end is running while it holds its lock; records alone can't show that. */
export type RunState = 'completed' | 'incomplete' | 'crashed' | 'running';

export interface EndOfRun {
  readonly state: RunState;
  readonly exitCode: number | null;
  readonly pace?: Pace;
}

export interface Replay extends EndOfRun {
  readonly runId: string;
  readonly startedAt: string;
  readonly planned: number;
  readonly steps: readonly ReplayedStep[];
}

export function replay(run: RunRecords): Replay {
  const steps = new Map<string, ReplayedStep>();
  let end: EndRecord | undefined;
  for (const record of run.records) {
    if (record.type === 'begin') {
      steps.set(record.step, {
        begin: record,
        outcome: 'unknown',
        failedHostIds: new Set(),
        isInDoubt: () => true,
      });
    } else if (record.type === 'outcome') {
      const begun = steps.get(record.step);
      if (begun === undefined) continue;
      steps.set(record.step, {
        ...begun,
        outcome: record.outcome,
        failedHostIds: new Set(record.failed_host_ids),
        isInDoubt: doubtOf(record),
      });
    } else if (record.type === 'end') end = record;
  }
  return {
    runId: run.head.run_id,
    startedAt: run.head.at,
    ...endOfRun(end),
    planned: run.head.steps,
    steps: [...steps.values()],
  };
}

/** How a run ended by its last record; undefined if it has none. */
export function endOfRun(end: EndRecord | undefined): EndOfRun {
  return {
    state: end === undefined ? 'crashed' : end.exit_code === 0 ? 'completed' : 'incomplete',
    exitCode: end?.exit_code ?? null,
    ...(end?.pace === undefined ? {} : { pace: end.pace }),
  };
}

/** The changes that were made, or may have been; hosts that the service refused are left out. */
export function changesMade(
  replayed: Replay,
): readonly { readonly step: ReplayedStep; readonly change: JournaledChange }[] {
  return replayed.steps
    .filter(({ outcome }) => outcome === 'done' || outcome === 'unknown' || outcome === 'failed')
    .flatMap((step) => {
      if (step.outcome === 'failed' && step.failedHostIds.size === 0) return [];
      return step.begin.changes
        .filter((change) => !step.failedHostIds.has(change.host_id))
        .map((change) => ({ step, change }));
    });
}

function doubtOf({
  outcome,
  in_doubt_host_ids: named,
}: Extract<JournalRecord, { type: 'outcome' }>): (host: string) => boolean {
  if (named === undefined) return () => outcome === 'unknown';
  const hosts = new Set(named);
  return (host) => hosts.has(host);
}
