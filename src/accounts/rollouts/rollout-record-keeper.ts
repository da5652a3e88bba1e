import { createTurns } from '../../core/lib/turns.ts';
import { quoted } from '../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { Lease } from '../../run/state/lease/lease.ts';
import { foldRollout, type Rollout, type RolloutLog } from '../../run/state/rollout/rollout.ts';
import type { RolloutEvent } from '../../run/state/rollout/rollout-record.ts';
import type { RolloutStore } from '../../run/state/rollout/rollout-store.ts';

/** The latest known record of a rollout, and appends to it one after another. */
export interface RecordKeeper {
  current(): Rollout;
  /** Reads what other processes have appended. */
  refresh(): Promise<Result<Rollout>>;
  /** Appends whatever other processes have appended in the meantime. */
  note(events: readonly RolloutEvent[]): Promise<Result<Rollout>>;
  /**
   * Appends only if no other process has appended anything since the latest read; otherwise reads again. The value is
   * true if the events were appended.
   */
  claim(events: readonly RolloutEvent[]): Promise<Result<boolean>>;
}

export function keepRecord(
  store: RolloutStore,
  start: RolloutLog,
  lease?: Pick<Lease, 'epoch' | 'confirm' | 'refusal'>,
): RecordKeeper {
  const { head } = start;
  const id = head.rollout_id;
  let fold = foldRollout(head);
  let revision = 0;
  let rollout = learn(start);
  const inTurn = createTurns();
  const read = async (): Promise<Result<Rollout>> => {
    const stored = await store.read(id);
    if (!stored.ok) return stored;
    return stored.value === null ? failed(noRollout(id)) : ok((rollout = learn(stored.value)));
  };
  const append = async (events: readonly RolloutEvent[]): Promise<Result<boolean>> => {
    const appended = await store.append(id, revision, events, lease);
    if (!appended.ok) return appended;
    if (appended.value) {
      fold.add(events);
      revision += 1;
      rollout = fold.rollout(revision);
      return ok(true);
    }
    const again = await read();
    return again.ok ? ok(false) : again;
  };
  return {
    current: () => rollout,
    refresh: () => inTurn(read),
    claim: (events) => inTurn(() => append(events)),
    note: (events) =>
      inTurn(async () => {
        for (;;) {
          const appended = await append(events);
          if (!appended.ok) return appended;
          if (appended.value) return ok(rollout);
        }
      }),
  };

  function learn(log: RolloutLog): Rollout {
    fold = foldRollout(head);
    fold.add(log.events);
    revision = log.revision;
    return fold.rollout(revision);
  }
}

/**
 * Appends the event that a decision about a rollout gives. If another process has changed the rollout meanwhile, the
 * decision is made again.
 */
export async function changeRollout(
  store: RolloutStore,
  id: string,
  eventOf: (rollout: Rollout) => Result<RolloutEvent>,
  lease?: Lease,
): Promise<Result<Rollout>> {
  const log = await store.read(id);
  if (!log.ok) return log;
  if (log.value === null) return failed(noRollout(id));
  const record = keepRecord(store, log.value, lease);
  for (;;) {
    const event = eventOf(record.current());
    if (!event.ok) return event;
    const claimed = await record.claim([event.value]);
    if (!claimed.ok) return claimed;
    if (claimed.value) return ok(record.current());
  }
}

const mostShown = 5;

/** `ids` are the rollouts that exist, the latest first, if they are known. */
export function noRollout(id: string, ids: readonly string[] = []): Problem {
  const latest = ids.slice(0, mostShown).join(', ');
  const details = latest === '' ? {} : { hint: `the latest rollouts are ${latest}` };
  return problem('usage', `rollout ${quoted(id)} does not exist`, details);
}
