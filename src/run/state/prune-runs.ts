import { ok, type Result } from '../../core/problem/problem.ts';
import { type Covers, uncover } from './audit/covers.ts';
import type { State } from './interface/state.ts';
import type { RunDigest } from './journal/run-digest.ts';
import { type Rollout, rolloutOf } from './rollout/rollout.ts';

/** How many runs are requested, and removed, at once. */
const page = 500;

export interface Pruned {
  readonly removed: number;
  /** Rollouts that are over. */
  readonly rollouts: number;
  /** Old runs that are kept because undo, drift or planning needs them. */
  readonly needed: number;
}

export interface PruneOptions {
  readonly dryRun?: boolean;
  /** Records what is removed next; nothing is removed if it fails. */
  readonly record?: (what: {
    readonly removed: number;
    readonly rollouts: number;
    readonly covers: Covers;
  }) => Promise<Result<unknown>>;
}

/**
 * Removes the runs that began before a time (milliseconds since the epoch). It keeps the latest run of each account,
 * which `undo` reverses, and the latest that measured the service's pace. It also removes rollouts that began before that
 * time and are over. Fleets and the audit log are never removed.
 */
export async function pruneRuns(
  state: State,
  before: number,
  { dryRun = false, record = async () => ok(null) }: PruneOptions = {},
): Promise<Result<Pruned>> {
  const isNeeded = startNeeds();
  let removed = 0;
  let needed = 0;
  for (let last: string | undefined; ; ) {
    const listed = await state.listRuns({ limit: page, ...(last === undefined ? {} : { before: last }) });
    if (!listed.ok) return listed;
    const old: string[] = [];
    for (const run of listed.value) {
      const needs = isNeeded(run);
      if (Date.parse(run.head.at) >= before) continue;
      if (needs) needed += 1;
      else old.push(run.head.run_id);
    }
    last = listed.value.at(-1)?.head.run_id;
    const noted =
      dryRun || old.length === 0
        ? ok(null)
        : await record({ removed: old.length, rollouts: 0, covers: uncover('run', old) });
    if (!noted.ok) return noted;
    const outcome = dryRun ? ok(old.length) : await state.removeRuns(old);
    if (!outcome.ok) return outcome;
    removed += outcome.value;
    if (last !== undefined && listed.value.length + listed.problems.length >= page) continue;
    const rollouts = await pruneRollouts(state, before, { dryRun, record });
    return rollouts.ok ? ok({ removed, needed, rollouts: rollouts.value }) : rollouts;
  }
}

/** A rollout that can still be continued is kept. */
async function pruneRollouts(
  { rollouts }: State,
  before: number,
  { dryRun, record }: Required<PruneOptions>,
): Promise<Result<number>> {
  const ids = await rollouts.list();
  if (!ids.ok) return ids;
  const old: string[] = [];
  for (const id of ids.value) {
    const read = await rollouts.read(id);
    if (!read.ok) return read;
    if (read.value === null || Date.parse(read.value.head.at) >= before) continue;
    if (isOver(rolloutOf(read.value))) old.push(id);
  }
  if (dryRun || old.length === 0) return ok(old.length);
  const noted = await record({ removed: 0, rollouts: old.length, covers: uncover('rollout', old) });
  const outcome = noted.ok ? await rollouts.remove(old) : noted;
  return outcome.ok ? ok(old.length) : outcome;
}

function isOver({ state }: Rollout): boolean {
  return state === 'draft' || state === 'completed' || state === 'aborted' || state === 'undone';
}

/** Called for each run, latest first. */
function startNeeds(): (run: RunDigest) => boolean {
  const seen = new Set<string>();
  const isFirst = (what: string, { head }: RunDigest): boolean => {
    const key = JSON.stringify([what, head.account.service, head.account.company_id]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  return (run) => {
    const isLatest = isFirst('run', run);
    const isLatestPace = run.pace !== undefined && isFirst('pace', run);
    return isLatest || isLatestPace;
  };
}
