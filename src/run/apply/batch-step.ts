import type { HostId } from '../../core/model/observed.ts';
import type { FailedHost } from '../../core/plan/types/run-summary.ts';
import { type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { CallFailure } from '../../service/client/client.ts';
import type { WriteResult } from '../../service/wire/fleet.ts';
import { endedBy } from './call-end.ts';
import type { FreshRead } from './fresh-read.ts';
import { hostsChanged } from './latest-read.ts';
import { blame, done, type StepResult } from './step-result.ts';

export interface BatchCall {
  /** The precondition is checked when the call's turn has come. */
  send(hosts: readonly HostId[], precondition: () => Problem | undefined): Promise<WriteResult>;
  /** A problem for each of these hosts that someone else has changed since the plan was made. */
  changes(hosts: readonly HostId[]): ReadonlyMap<HostId, Problem>;
  /** Is the host known to be deleted, and did the plan delete it? */
  isDeleted(host: HostId): boolean;
  /** Absent if a read of any age will do. */
  readonly fresh?: FreshRead;
  /** Reads again, and returns the hosts that already have the state that the call requests. */
  settled(hosts: readonly HostId[]): Promise<Result<ReadonlySet<HostId>>>;
  /** Read again after every refusal too, if repeating a call that was done would be refused. */
  readonly rereadRefusals: boolean;
  readonly stop: AbortSignal;
}

/** A refused batch is split, within this many calls, so that one bad id never fails the rest. */
const callCap = 64;

/**
 * Sends one batch of a call that may be repeated. Ids that a refusal names are removed. If a refusal names none, or a
 * batch is too large, the batch is halved. After a lost response the fleet is read again.
 */
export async function runBatch(hosts: readonly HostId[], call: BatchCall): Promise<StepResult> {
  const failedHosts: FailedHost[] = [];
  const queue: (readonly HostId[])[] = [hosts];
  let calls = 0;
  let lost = 0;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const cause = await call.fresh?.refresh();
    if (call.stop.aborted && calls === 0)
      return partial({ outcome: 'not-started', failedHosts: [] }, failedHosts);
    if (cause !== undefined) {
      failedHosts.push(...blame([...next, ...queue.flat()], cause));
      break;
    }
    const changes = call.changes(next);
    failedHosts.push(...[...changes].map(([hostId, cause]) => ({ hostId, problem: cause })));
    const part = next.filter((id) => !changes.has(id) && !call.isDeleted(id));
    if (part.length === 0) continue;
    if (calls >= callCap) {
      failedHosts.push(
        ...blame(part, problem('step-failed', `stopped after ${callCap} calls for one batch`)),
      );
      continue;
    }
    calls += 1;
    const result = await call.send(part, () => preconditionOf(part, call));
    if (result.ok) continue;
    const { failure } = result;
    if (failure.problem === hostsChanged) {
      queue.unshift(part);
      continue;
    }
    const left = await unsettled(part, call, failure);
    if (left === undefined) return partial(endedBy(failure, call.stop), failedHosts);
    if (left.length === 0) continue;
    if (failure.outcome === 'unknown') {
      lost += 1;
      if (lost >= 4) return partial(endedBy(failure, call.stop), failedHosts);
      queue.unshift(left);
      continue;
    }
    if (!canShrink(failure)) {
      if (part.length === hosts.length) return endedBy(failure, call.stop);
      failedHosts.push(...blame(left, failure.problem));
      continue;
    }
    const named = new Set(failure.hostIds);
    const bad = left.filter((id) => named.has(id));
    if (bad.length > 0) {
      failedHosts.push(...blame(bad, failure.problem));
      queue.unshift(left.filter((id) => !named.has(id)));
    } else if (left.length === 1) {
      failedHosts.push(...blame(left, failure.problem));
    } else {
      const half = Math.ceil(left.length / 2);
      queue.unshift(left.slice(0, half), left.slice(half));
    }
  }
  const [first] = failedHosts;
  return first === undefined ? done : { outcome: 'failed', failedHosts, problem: first.problem };
}

function preconditionOf(part: readonly HostId[], call: BatchCall): Problem | undefined {
  const isOutdated = call.fresh?.isReadTooOld() === true || call.changes(part).size > 0;
  return isOutdated || part.some((id) => call.isDeleted(id)) ? hostsChanged : undefined;
}

/** Part of a refused batch may have been done. Returns the rest of it, or undefined if no read shows it. */
async function unsettled(
  part: readonly HostId[],
  call: BatchCall,
  failure: CallFailure,
): Promise<readonly HostId[] | undefined> {
  const inDoubt = failure.outcome === 'unknown' || (call.rereadRefusals && canShrink(failure));
  if (!inDoubt) return part;
  const settled = await call.settled(part);
  if (!settled.ok) return failure.outcome === 'unknown' ? undefined : part;
  return part.filter((id) => !settled.value.has(id));
}

function canShrink({ status }: CallFailure): boolean {
  return status === 400 || status === 404 || status === 413;
}

function partial(result: StepResult, failedHosts: readonly FailedHost[]): StepResult {
  return { ...result, failedHosts: [...failedHosts, ...result.failedHosts] };
}
