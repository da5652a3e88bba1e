import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import type { Account } from '../../src/core/model/account.ts';
import { headRecord } from '../../src/run/state/journal/journal-on.ts';
import type { JournalRecord } from '../../src/run/state/journal/record.ts';

/** How many runs a state holds, and how many records each of them has. */
export interface Filling {
  readonly runs: number;
  readonly records: number;
  /** The runs have no record of their end. */
  readonly crashed?: true;
}

/** How long before each run the one before it began, in milliseconds. */
export const betweenRunsMs = 15 * 60_000;

/**
 * The records of one run, which began this many runs ago. Half of the records between its head and its end are
 * outcomes.
 */
export function* recordsOf(
  ago: number,
  { records, crashed }: Omit<Filling, 'runs'>,
  account: Account,
): Generator<JournalRecord> {
  const startedAt = Date.now() - (ago + 1) * betweenRunsMs;
  const at = new Date(startedAt).toISOString();
  const steps = (records - 2) / 2;
  const run = {
    account,
    clock: createVirtualClock(startedAt),
    planChecksum: 'sha256:0000000000000000000000000000000000000000000000000000000000000000',
    steps,
    fleetSize: 1000,
    origin: { actor: 'bench', host: 'localhost', command: 'rampart apply' },
  };
  yield headRecord(run, 1, ago.toString(16).padStart(6, '0'));
  for (let index = 1; index <= steps; index += 1) {
    const name = { before: `OLD-${index}`, after: `NEW-${index}` };
    const step = `rename-${index}`;
    yield { type: 'begin', at, step, kind: 'rename', changes: [{ host_id: String(index), name }] };
    yield { type: 'outcome', at, step, outcome: 'done' };
  }
  if (crashed !== true)
    yield { type: 'end', at, exit_code: 0, digest: { done: steps, deleted: 0, requests: [] } };
}
