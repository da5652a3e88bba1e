import { foldName } from '../../core/model/host-name.ts';
import type { HostId, ObservedHost } from '../../core/model/observed.ts';
import { expectationOf } from '../../core/plan/ordering/steps.ts';
import type { RenameStep } from '../../core/plan/types/step.ts';
import { failed, ok, type Problem, type Result } from '../../core/problem/problem.ts';
import type { StepResult } from '../../run/apply/step-result.ts';
import { breakCycle, type TemporaryRenameOrder } from './break-cycle.ts';
import { missingHost } from './find-host.ts';
import type { LiveFleet } from './live-fleet.ts';
import type { OperationOptions } from './operation.ts';
import type { PlannedRename } from './plan-record.ts';
import { circleOf, ownersOf, type RenameIntent } from './rename-intent.ts';
import {
  cancelled,
  heldUp,
  isHeldUp,
  nameTakenBy,
  ownerFailed,
  type Stall,
  sameHostTwice,
  sameNameTwice,
} from './rename-problems.ts';
import { changedSincePlan } from './since-plan.ts';
import { runSingleStep, type StepSurroundings, singleStep } from './single-step.ts';
import type { StallDetector } from './stall-detector.ts';

/**
 * Combines renames that arrive one by one into one reorganization: a host gets its name as soon as no other host has
 * it. When all hosts of a cycle have arrived, one of them gets a temporary name.
 */
export interface RenameQueue {
  ask(intent: RenameIntent, options: OperationOptions): Promise<Result<ObservedHost>>;
  readonly hasWaiting: boolean;
  /**
   * Starts the planned renames that waiting operations need and that Terraform has not requested yet: it requests only a
   * few at once. Returns whether there were any.
   */
  renameAhead(): boolean;
  /** Nothing makes progress anymore, so all waiting operations fail. */
  giveUp(waitedMs: number): void;
  /** The deletion of a host has ended. A rename may wait for its name. */
  onDeleted(hostId: HostId, end: 'done' | 'failed'): void;
}

export interface RenameQueueOptions extends StepSurroundings {
  readonly stallDetector: StallDetector;
  /** A deletion of the host is in progress. */
  isGoing(host: HostId): boolean;
  /** What the plan that is being applied does with a host; undefined if that is not certain. */
  plannedRename(host: HostId): PlannedRename | undefined;
}

interface Asked extends RenameIntent, OperationOptions {
  readonly stop: AbortSignal;
  state: 'waiting' | 'sending';
  /** The temporary name that it has, or is about to get. */
  temporaryName?: string;
  /** How often its name turned out to be in use. */
  conflicts: number;
  end(result: Result<ObservedHost>): void;
}

const conflictLimit = 4;

export function createRenameQueue(options: RenameQueueOptions): RenameQueue {
  const { observation, stallDetector } = options;
  const open = new Map<HostId, Asked>();
  const claimants = new Map<string, Asked>();
  /** All intents that have arrived and are not done, including those of failed operations. */
  const intents = new Map<HostId, RenameIntent>();
  /** Hosts whose change is complete in this run, with the result. */
  const settled = new Map<HostId, 'done' | 'failed' | 'given-up'>();
  /** Renames that were started before Terraform requested them. */
  const ahead = new Map<HostId, { readonly to: string; readonly result: Promise<Result<ObservedHost>> }>();
  const agenda: Asked[] = [];
  let isWorking = false;

  observation.watch({ sawNames: checkAll, sawFleet: checkAll });

  function fleetNow(): LiveFleet {
    return observation.fleet as LiveFleet;
  }

  function checkAll(): void {
    check(...open.values());
  }

  /** Sequential, however many ends trigger others. */
  function check(...all: readonly Asked[]): void {
    agenda.push(...all);
    if (isWorking) return;
    isWorking = true;
    for (let next = agenda.shift(); next !== undefined; next = agenda.shift()) consider(next);
    isWorking = false;
  }

  /** Operations that need the name may get it now, or must be notified that it is still taken. */
  function claimantsOf(name: string | null | undefined): readonly Asked[] {
    if (name === undefined || name === null) return [];
    const asked = claimants.get(foldName(name));
    return asked === undefined ? [] : [asked];
  }

  function consider(asked: Asked): void {
    if (asked.state !== 'waiting' || open.get(asked.hostId) !== asked) return;
    const fleet = fleetNow();
    const host = fleet.byId(asked.hostId);
    if (host === undefined) return finish(asked, failed(missingHost(asked.hostId)));
    if (asked.signal?.aborted === true) return finish(asked, failed(cancelled(asked, host)));
    if (host.name === asked.to) return finish(asked, ok(host));
    const change =
      host.name === asked.temporaryName
        ? undefined
        : changedSincePlan(host, asked.planned, observation.ours(host.id), fleet);
    if (change !== undefined) return finish(asked, failed(change));
    const owners = ownersOf(fleet, asked);
    if (owners.length === 0) return void send(asked, host);
    const obstacle = owners.flatMap((owner) => refusalBy(owner, asked, host))[0];
    if (obstacle !== undefined) return finish(asked, failed(obstacle));
    const temporaryRename = breakCycle(asked, fleet, waitingOf, claimants);
    if (temporaryRename !== undefined)
      void sendTemporaryRename(open.get(temporaryRename.host.id) as Asked, temporaryRename);
  }

  function waitingOf(host: HostId): Asked | undefined {
    const asked = open.get(host);
    return asked?.state === 'waiting' ? asked : undefined;
  }

  /** An owner whose own change is complete will not release its name. */
  function refusalBy(owner: ObservedHost, intent: RenameIntent, host: ObservedHost): readonly Problem[] {
    if (open.has(owner.id) || options.isGoing(owner.id)) return [];
    switch (settled.get(owner.id)) {
      case undefined:
        return [];
      case 'done':
        return [nameTakenBy(intent, host, owner)];
      case 'failed':
        return [ownerFailed(intent, host, owner)];
      case 'given-up':
        return [heldUp(intent, host, owner, stall(intent, 'given-up'))];
    }
  }

  function stall({ hostId }: RenameIntent, ownerChange: Stall['ownerChange'], waitedMs = 0): Stall {
    const fleet = fleetNow();
    return { ownerChange, waitedMs, circle: circleOf(hostId, intents, fleet), fleetSize: fleet.count };
  }

  async function send(asked: Asked, host: ObservedHost): Promise<void> {
    const step: RenameStep = {
      ...singleStep,
      kind: 'rename',
      hostId: host.id,
      from: host.name,
      to: asked.to,
      expects: expectationOf(host),
    };
    const result = await sending(asked, () => runSingleStep(step, options, asked.stop));
    const now = fleetNow().byId(host.id);
    if (now?.name === asked.to) finish(asked, ok(now));
    else if (!mayWait(asked, result)) finish(asked, failed(causeOf(result, asked)));
    check(asked, ...claimantsOf(host.name));
  }

  async function sendTemporaryRename(
    asked: Asked,
    { host, from, to, finalName }: TemporaryRenameOrder,
  ): Promise<void> {
    const step = {
      ...singleStep,
      kind: 'temporary-rename',
      why: 'cycle',
      hostId: host.id,
      from,
      to,
      finalName,
    } as const;
    asked.temporaryName = to;
    const result = await sending(asked, () =>
      runSingleStep({ ...step, expects: expectationOf(host) }, options, asked.stop),
    );
    if (result.outcome !== 'done') finish(asked, failed(causeOf(result, asked)));
    check(asked, ...claimantsOf(from));
  }

  async function sending(asked: Asked, run: () => Promise<StepResult>): Promise<StepResult> {
    asked.state = 'sending';
    const end = stallDetector.begin();
    const result = await run();
    asked.state = 'waiting';
    end();
    return result;
  }

  /** Another host had the name, and the observation now has that host. The rename continues to wait for it. */
  function mayWait(asked: Asked, { problem: cause }: StepResult): boolean {
    if (cause?.code !== 'name-conflict' || asked.conflicts >= conflictLimit) return false;
    asked.conflicts += 1;
    return (cause.hostIds ?? []).every((id) => fleetNow().byId(id as HostId) !== undefined);
  }

  function causeOf({ outcome, problem: cause }: StepResult, asked: Asked): Problem {
    const isStopped = outcome === 'not-started' || cause === undefined;
    return isStopped ? cancelled(asked, fleetNow().byId(asked.hostId)) : cause;
  }

  function finish(asked: Asked, result: Result<ObservedHost>): void {
    open.delete(asked.hostId);
    claimants.delete(foldName(asked.to));
    if (result.ok) intents.delete(asked.hostId);
    settled.set(asked.hostId, result.ok ? 'done' : isHeldUp(result.problems) ? 'given-up' : 'failed');
    asked.end(result);
    check(...claimantsOf(fleetNow().byId(asked.hostId)?.name));
    stallDetector.touch();
  }

  function add(intent: RenameIntent, operation: OperationOptions): Promise<Result<ObservedHost>> {
    const { signal } = operation;
    const rival = claimants.get(foldName(intent.to));
    if (open.has(intent.hostId)) return Promise.resolve(failed(sameHostTwice(intent)));
    if (rival !== undefined) return Promise.resolve(failed(sameNameTwice(intent, rival.hostId)));
    return new Promise((resolve) => {
      const recheck = () => check(asked);
      const asked: Asked = {
        ...intent,
        ...operation,
        stop: signal ?? new AbortController().signal,
        state: 'waiting',
        conflicts: 0,
        end(result) {
          signal?.removeEventListener('abort', recheck);
          resolve(result);
        },
      };
      signal?.addEventListener('abort', recheck);
      open.set(intent.hostId, asked);
      claimants.set(foldName(intent.to), asked);
      intents.set(intent.hostId, intent);
      recheck();
      stallDetector.touch();
    });
  }

  /** The owner of a name that an operation waits for, if the plan renames it and nobody has changed it since. */
  function startAhead(owner: ObservedHost, { stop }: Asked): readonly Asked[] {
    if (open.has(owner.id) || settled.has(owner.id) || options.isGoing(owner.id)) return [];
    const planned = options.plannedRename(owner.id);
    if (planned?.from !== owner.name || claimants.has(foldName(planned.to))) return [];
    const { to } = planned;
    const result = add({ hostId: owner.id, to }, { planned: { name: owner.name }, signal: stop });
    ahead.set(owner.id, { to, result });
    return [open.get(owner.id)].filter((started) => started !== undefined);
  }

  return {
    get hasWaiting() {
      return open.size > 0;
    },

    ask(intent, operation) {
      const started = ahead.get(intent.hostId);
      ahead.delete(intent.hostId);
      if (started?.to === intent.to) return started.result;
      return started === undefined
        ? add(intent, operation)
        : started.result.then(() => add(intent, operation));
    },

    renameAhead() {
      const fleet = fleetNow();
      const reached = [...open.values()].filter(({ state }) => state === 'waiting');
      for (const asked of reached)
        reached.push(...ownersOf(fleet, asked).flatMap((owner) => startAhead(owner, asked)));
      return reached.some(({ hostId }) => ahead.has(hostId));
    },

    giveUp(waitedMs) {
      const fleet = fleetNow();
      const endings = [...open.values()].flatMap((asked) => {
        const host = fleet.byId(asked.hostId);
        const owner = ownersOf(fleet, asked)[0];
        if (host === undefined || owner === undefined) return [];
        const ownerChange = open.has(owner.id) ? 'waits' : 'not-come';
        return [{ asked, cause: heldUp(asked, host, owner, stall(asked, ownerChange, waitedMs)) }];
      });
      // All together, so that no operation ends because its owner has failed.
      for (const { asked } of endings) open.delete(asked.hostId);
      for (const { asked, cause } of endings) finish(asked, failed(cause));
    },

    onDeleted(hostId, end) {
      settled.set(hostId, end);
      checkAll();
    },
  };
}
