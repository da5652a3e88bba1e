import { keepRecord, noRollout } from '../../../accounts/rollouts/rollout-record-keeper.ts';
import type { Subject } from '../../../api/access/identity.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { Rollout } from '../../../run/state/rollout/rollout.ts';
import type { RolloutEvent } from '../../../run/state/rollout/rollout-record.ts';
import type { RolloutStore } from '../../../run/state/rollout/rollout-store.ts';
import { claimAccounts } from '../../accounts/rules/claim-accounts.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { allOrNothing } from '../../store/all-or-nothing.ts';
import { queueRolloutLater, rolloutOrigin } from './start-rollout.ts';

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
      : 'only a running rollout can be stopped',
  );
}

/**
 * Continues with the accounts that have not started, and tries those that failed again. A rollout applies only the plans
 * that it began with, so it can't continue once one of them is stale.
 */
export async function continueRollout(
  id: string,
  by: Subject,
  reason: string,
  parts: ChangeParts,
): Promise<Result<null>> {
  const log = await parts.state.rollouts.read(id);
  if (!log.ok) return log;
  const left =
    log.value === null
      ? []
      : await accountsLeft(keepRecord(parts.state.rollouts, log.value).current(), parts);
  const stale = left.filter(({ isApproved }) => !isApproved);
  if (stale.length > 0) return failed(stalePlans(stale, left));
  const names = left.map(({ name }) => name);
  await queueRolloutLater(id, parts);
  const continued = await allOrNothing(parts.store, async (inside) => {
    const taken = await claimAccounts(id, names, inside);
    if (taken !== undefined) return failed(taken);
    return note(id, { clock: parts.clock, rollouts: inside.rollouts }, ({ state }, at) =>
      state === 'stopped' || state === 'completed'
        ? { type: 'continued', at, origin: rolloutOrigin(by, reason) }
        : 'only a stopped rollout can be continued',
    );
  });
  return continued.ok ? announce(id, parts) : continued;
}

interface AccountLeft {
  readonly name: string;
  /** Its plan of this rollout can still be applied. */
  readonly isApproved: boolean;
}

/** The accounts that would start after a continuation. */
async function accountsLeft(
  { state, accounts }: Rollout,
  { store }: Pick<ChangeParts, 'store'>,
): Promise<readonly AccountLeft[]> {
  if (state !== 'stopped' && state !== 'completed') return [];
  const left: AccountLeft[] = [];
  for (const { name, status, wave, planChecksum } of accounts.values()) {
    if (wave === null || (status !== 'pending' && status !== 'failed')) continue;
    const open = await store.plans.list({
      visible: 'all',
      account: name,
      states: ['approved', 'running'],
      limit: 1,
    });
    const plan = open.ok ? open.value.items[0] : undefined;
    left.push({ name, isApproved: plan?.checksum === planChecksum });
  }
  return left;
}

const mostNamed = 20;

function stalePlans(stale: readonly AccountLeft[], left: readonly AccountLeft[]): Problem {
  const namesOf = (accounts: readonly AccountLeft[]) => {
    const more = accounts.length - mostNamed;
    const names = accounts.slice(0, mostNamed).map(({ name }) => name);
    return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  const others = left.filter(({ isApproved }) => isApproved);
  const also = others.length === 0 ? '' : `; it can include the accounts that are left: ${namesOf(others)}`;
  return problem('stale-plan', `the plans of this rollout are no longer approved for: ${namesOf(stale)}`, {
    hint: `review and approve the new plans of these accounts, then start another rollout with them${also}`,
  });
}

/** Ends it for good; accounts that are being changed end first. The others get new plans. */
export async function abortRollout(
  id: string,
  by: Subject,
  reason: string,
  parts: ChangeParts,
): Promise<Result<null>> {
  await queueRolloutLater(id, parts);
  return change(id, parts, ({ state }, at) =>
    state === 'running' || state === 'stopped'
      ? { type: 'aborted', at, origin: rolloutOrigin(by, reason) }
      : 'the rollout has already ended',
  );
}

type EventOf = (rollout: Rollout, at: string) => RolloutEvent | string;

async function change(id: string, parts: ChangeParts, eventOf: EventOf): Promise<Result<null>> {
  const noted = await note(id, { clock: parts.clock, rollouts: parts.state.rollouts }, eventOf);
  return noted.ok ? announce(id, parts) : noted;
}

/** Lets readers see the change, and a worker act on it. */
async function announce(id: string, { store, queue }: ChangeParts): Promise<Result<null>> {
  await store.events.append({ type: 'rollout.changed', account: null, resource: id });
  await queue.send('rollout', [{ key: id }]);
  return ok(null);
}

/** Appends an event unless another process has changed the rollout meanwhile; then it is judged again. */
async function note(
  id: string,
  { clock, rollouts }: Pick<ChangeParts, 'clock'> & { readonly rollouts: RolloutStore },
  eventOf: EventOf,
): Promise<Result<null>> {
  const log = await rollouts.read(id);
  if (!log.ok) return log;
  if (log.value === null) return failed(noRollout(id));
  const record = keepRecord(rollouts, log.value);
  for (;;) {
    const event = eventOf(record.current(), new Date(clock.now()).toISOString());
    if (typeof event === 'string')
      return failed(problem('conflict', event, { hint: 'read the rollout again' }));
    const claimed = await record.claim([event]);
    if (!claimed.ok) return claimed;
    if (claimed.value) return ok(null);
  }
}
