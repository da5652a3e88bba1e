import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { Rollout } from '../../run/state/rollout/rollout.ts';
import type { RolloutEvent } from '../../run/state/rollout/rollout-record.ts';
import type { Subject } from '../store/tables.ts';
import { noRollout } from '../waves/rollout-problems.ts';
import { keepRecord } from '../waves/rollout-record-keeper.ts';
import type { JobParts } from './job-parts.ts';
import { rolloutOrigin } from './rollout-origin.ts';

type ChangeParts = Pick<JobParts, 'state' | 'store' | 'clock' | 'queue'>;

/** No further account starts; accounts that are being changed end first. */
export function stopRollout(
  id: string,
  by: Subject,
  reason: string,
  parts: ChangeParts,
): Promise<Result<null>> {
  return change(id, parts, ({ state }, at) =>
    state === 'running'
      ? { type: 'stopped', at, reason: 'signal', why: `${by.name} stopped it: ${reason}` }
      : 'only a running roll-out can be stopped',
  );
}

/** Continues with the accounts that have not started, and tries those that failed again. */
export function resumeRollout(
  id: string,
  by: Subject,
  reason: string,
  parts: ChangeParts,
): Promise<Result<null>> {
  return change(id, parts, ({ state }, at) =>
    state === 'stopped' || state === 'completed'
      ? { type: 'resumed', at, origin: rolloutOrigin(by, reason) }
      : 'only a stopped roll-out can be resumed',
  );
}

/** Ends it for good; accounts that are being changed end first. */
export function abortRollout(
  id: string,
  by: Subject,
  reason: string,
  parts: ChangeParts,
): Promise<Result<null>> {
  return change(id, parts, ({ state }, at) =>
    state === 'running' || state === 'stopped'
      ? { type: 'aborted', at, origin: rolloutOrigin(by, reason) }
      : 'the roll-out has ended already',
  );
}

/** Appends an event unless another process has changed the roll-out meanwhile; then it is judged again. */
async function change(
  id: string,
  { state, store, clock, queue }: ChangeParts,
  eventOf: (rollout: Rollout, at: string) => RolloutEvent | string,
): Promise<Result<null>> {
  const log = await state.rollouts.read(id);
  if (!log.ok) return log;
  if (log.value === null) return failed(noRollout(id));
  const record = keepRecord(state.rollouts, log.value);
  for (;;) {
    const event = eventOf(record.current(), new Date(clock.now()).toISOString());
    if (typeof event === 'string')
      return failed(problem('conflict', event, { hint: 'read the roll-out again' }));
    const claimed = await record.claim([event]);
    if (!claimed.ok) return claimed;
    if (!claimed.value) continue;
    await store.events.append({ type: 'rollout.changed', account: null, resource: id });
    await queue.send('rollout', [{ key: id }]);
    return ok(null);
  }
}
