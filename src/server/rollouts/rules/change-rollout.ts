import { changeRollout } from '../../../accounts/rollouts/rollout-record-keeper.ts';
import type { Subject } from '../../../api/access/grants.ts';
import { firstFew } from '../../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import {
  accountsLeft,
  mayAbort,
  mayContinue,
  type Rollout,
  rolloutOf,
} from '../../../run/state/rollout/rollout.ts';
import type { RolloutEvent } from '../../../run/state/rollout/rollout-record.ts';
import { claimAccounts } from '../../accounts/rules/claim-accounts.ts';
import { firstOf } from '../../database/page.ts';
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
      ? ok({ type: 'stopped', at, reason: 'signal', why: `${by.name} stopped it: ${reason}` })
      : refused('only a running rollout can be stopped'),
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
  const left = log.value === null ? [] : await withTheirPlans(rolloutOf(log.value), parts);
  const stale = left.filter(({ isApproved }) => !isApproved);
  if (stale.length > 0) return failed(stalePlans(stale, left));
  const names = left.map(({ name }) => name);
  await queueRolloutLater(id, parts);
  const at = new Date(parts.clock.now()).toISOString();
  const continued = await allOrNothing(parts.store, async (inside) => {
    const taken = await claimAccounts(id, names, inside);
    if (taken !== undefined) return failed(taken);
    return changeRollout(inside.rollouts, id, (rollout) =>
      isContinuable(rollout)
        ? ok({ type: 'continued', at, origin: rolloutOrigin(by, reason) })
        : refused('only a stopped rollout can be continued'),
    );
  });
  return continued.ok ? announce(id, parts) : continued;
}

/** The worker of a running rollout goes on by itself. */
function isContinuable(rollout: Rollout): boolean {
  return rollout.state !== 'running' && mayContinue(rollout);
}

interface AccountLeft {
  readonly name: string;
  /** Its plan of this rollout can still be applied. */
  readonly isApproved: boolean;
}

/** The accounts that would start after a continuation. Those that are being changed end first. */
async function withTheirPlans(
  rollout: Rollout,
  { store }: Pick<ChangeParts, 'store'>,
): Promise<readonly AccountLeft[]> {
  const left: AccountLeft[] = [];
  if (!isContinuable(rollout)) return left;
  for (const { name, status, planChecksum } of accountsLeft(rollout)) {
    if (status === 'running') continue;
    const open = await store.plans.list({
      visible: 'all',
      account: name,
      states: ['approved', 'running'],
      limit: 1,
    });
    left.push({ name, isApproved: firstOf(open)?.checksum === planChecksum });
  }
  return left;
}

const mostNamed = 20;

function stalePlans(stale: readonly AccountLeft[], left: readonly AccountLeft[]): Problem {
  const namesOf = (accounts: readonly AccountLeft[]) => firstFew(accounts, mostNamed, ({ name }) => name);
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
  return change(id, parts, (rollout, at) =>
    mayAbort(rollout)
      ? ok({ type: 'aborted', at, origin: rolloutOrigin(by, reason) })
      : refused('the rollout has already ended'),
  );
}

async function change(
  id: string,
  parts: ChangeParts,
  eventOf: (rollout: Rollout, at: string) => Result<RolloutEvent>,
): Promise<Result<null>> {
  const at = new Date(parts.clock.now()).toISOString();
  const changed = await changeRollout(parts.state.rollouts, id, (rollout) => eventOf(rollout, at));
  return changed.ok ? announce(id, parts) : changed;
}

function refused(why: string) {
  return failed(problem('conflict', why, { hint: 'read the rollout again' }));
}

/** Lets readers see the change, and a worker act on it. */
async function announce(id: string, { store, queue }: ChangeParts): Promise<Result<null>> {
  await store.events.append({ type: 'rollout.changed', account: null, resource: id });
  await queue.send('rollout', [id]);
  return ok(null);
}
