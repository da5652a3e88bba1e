import { isDoneOutcome } from '../../../core/model/run-event.ts';
import type { Run, RunRecords } from './parse-run.ts';
import type { Digest, JournalRecord, RunRecord } from './record.ts';
import { changesMade, type EndOfRun, endOfRun, replay } from './replay.ts';

/** One run in the form that lists show and later runs read. */
export interface RunDigest extends Digest, EndOfRun {
  readonly head: RunRecord;
  /** The time of its last record (RFC 3339). */
  readonly lastAt: string;
}

export function digestOf(run: Run): RunDigest {
  return digestFrom(run.head, run.records.at(-1) ?? run.head, () => sumUp(run));
}

/** The last record of a completed run contains its digest; any other run is read as a whole. */
export function digestFrom(head: RunRecord, last: JournalRecord, sums: () => Digest): RunDigest {
  const end = last.type === 'end' ? last : undefined;
  return {
    head,
    ...endOfRun(end),
    lastAt: last.at,
    ...(end?.digest ?? sums()),
  };
}

/** What a run did, or may have done, according to its records. */
export function sumUp(run: RunRecords): Digest {
  const replayed = replay(run);
  const changes = changesMade(replayed);
  return {
    done: replayed.steps.filter(({ outcome }) => isDoneOutcome(outcome)).length,
    deleted: changes.filter(({ step }) => step.begin.kind === 'delete').length,
    requests: changes.flatMap(({ step, change }) => {
      const { kind, at } = step.begin;
      if (kind !== 'antivirus' && kind !== 'refresh') return [];
      return [{ host_id: change.host_id, kind, at, in_doubt: step.isInDoubt(change.host_id) }];
    }),
  };
}

/** How many hosts the fleet had after a run. */
export function fleetSizeAfter({ head, deleted }: RunDigest): number {
  return head.fleet_size - deleted;
}
