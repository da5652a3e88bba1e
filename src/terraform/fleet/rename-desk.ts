import type { StepResult } from '../../apply/step-result.ts';
import type { HostId } from '../../model/host-id.ts';
import { foldName } from '../../model/host-name.ts';
import type { ObservedHost } from '../../model/observed.ts';
import { type OrderedRename, orderRenames } from '../../plan/ordering/order.ts';
import type { RenameStep } from '../../plan/plan.ts';
import type { Problem } from '../../problem/problem.ts';
import { failed, ok, type Result } from '../../problem/result.ts';
import type { Activity } from './activity.ts';
import { missingHost } from './find-host.ts';
import type { LiveFleet } from './live-fleet.ts';
import type { OperationOptions } from './operation.ts';
import {
  cancelled,
  heldUp,
  holderFailed,
  keptBy,
  type Standstill,
  sameHostTwice,
  sameNameTwice,
} from './rename-problems.ts';
import { circleOf, holdersOf, type RenameWish } from './rename-wish.ts';
import { changedSincePlan } from './since-plan.ts';
import { expectationOf, runSingleStep, type StepSurroundings, singleStep } from './single-step.ts';

/**
 * Renames that come one by one, each of which knows only itself, as one reorganisation: a host takes its name as soon
 * as nobody holds it, and where all hosts of a circle have come, one of them steps aside.
 */
export interface RenameDesk {
  ask(wish: RenameWish, options: OperationOptions): Promise<Result<ObservedHost>>;
  readonly hasWaiting: boolean;
  /** Nothing moves any more: all that waits, waits in vain. */
  giveUp(waitedMs: number): void;
  /** The deletion of a host, whose name may be wanted, has ended. */
  onDeleted(hostId: HostId, end: 'done' | 'failed'): void;
}

export interface RenameDeskOptions extends StepSurroundings {
  readonly activity: Activity;
  /** A deletion of the host is on its way. */
  isGoing(host: HostId): boolean;
}

interface Asked extends RenameWish, OperationOptions {
  state: 'waiting' | 'sending';
  /** The temporary name that it was given, or is about to be. */
  aside?: string;
  /** How often its name turned out to be taken after all. */
  conflicts: number;
  end(result: Result<ObservedHost>): void;
}

type ParkOrder = Extract<OrderedRename, { readonly kind: 'park' }>;

const conflictLimit = 4;

export function createRenameDesk(options: RenameDeskOptions): RenameDesk {
  const { picture, activity } = options;
  const open = new Map<HostId, Asked>();
  const claimants = new Map<string, Asked>();
  /** All wishes that have come and were not fulfilled, those of failed operations too. */
  const wishes = new Map<HostId, RenameWish>();
  /** Hosts whose change is over for this run, by what came of it. */
  const settled = new Map<HostId, 'done' | 'failed' | 'given-up'>();
  const agenda: Asked[] = [];
  let isWorking = false;

  picture.watch({ sawNames: lookAtAll, sawFleet: lookAtAll });

  function fleetNow(): LiveFleet {
    return picture.fleet as LiveFleet;
  }

  function lookAtAll(): void {
    lookAt(...open.values());
  }

  /** One after another, however deep one end leads to the next. */
  function lookAt(...all: readonly Asked[]): void {
    agenda.push(...all);
    if (isWorking) return;
    isWorking = true;
    for (let next = agenda.shift(); next !== undefined; next = agenda.shift()) consider(next);
    isWorking = false;
  }

  /** Who wants the name may have it now, or has to know that it stays taken. */
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
      host.name === asked.aside
        ? undefined
        : changedSincePlan(host, asked.planned, picture.ours(host.id), fleet);
    if (change !== undefined) return finish(asked, failed(change));
    const holders = holdersOf(fleet, asked);
    if (holders.length === 0) return void send(asked, host);
    const obstacle = holders.flatMap((holder) => refusalBy(holder, asked, host))[0];
    if (obstacle !== undefined) return finish(asked, failed(obstacle));
    const park = stepAside(asked, fleet);
    if (park !== undefined) void sendAside(open.get(park.host.id) as Asked, park);
  }

  /** A holder whose own change is over does not leave its name any more. */
  function refusalBy(holder: ObservedHost, wish: RenameWish, host: ObservedHost): readonly Problem[] {
    if (open.has(holder.id) || options.isGoing(holder.id)) return [];
    switch (settled.get(holder.id)) {
      case undefined:
        return [];
      case 'done':
        return [keptBy(wish, host, holder)];
      case 'failed':
        return [holderFailed(wish, host, holder)];
      case 'given-up':
        return [heldUp(wish, host, holder, standstill(wish, 'given-up'))];
    }
  }

  function standstill(
    { hostId }: RenameWish,
    holderChange: Standstill['holderChange'],
    waitedMs = 0,
  ): Standstill {
    const fleet = fleetNow();
    return { holderChange, waitedMs, circle: circleOf(hostId, wishes, fleet), fleetSize: fleet.count };
  }

  /** Where all that this rename waits for has come and waits too, there is a circle: the planner says who leaves it. */
  function stepAside(asked: Asked, fleet: LiveFleet): ParkOrder | undefined {
    const reached = new Set([asked]);
    for (const each of reached) {
      for (const holder of holdersOf(fleet, each)) {
        const next = open.get(holder.id);
        if (next === undefined || next.state !== 'waiting') return undefined;
        reached.add(next);
      }
    }
    const { steps } = orderRenames({
      renames: [...reached].map(({ hostId, to }) => ({ host: fleet.byId(hostId) as ObservedHost, to })),
      holdersOf: (folded) => fleet.byFoldedName(folded),
      isDoomed: () => false,
      planned: new Set(claimants.keys()),
      deleteFirst: true,
    });
    return steps.find((step) => step.kind === 'park');
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
    const result = await sending(asked, () => runSingleStep(step, options, stopOf(asked)));
    const now = fleetNow().byId(host.id);
    if (now?.name === asked.to) finish(asked, ok(now));
    else if (!mayWait(asked, result)) finish(asked, failed(causeOf(result, asked)));
    lookAt(asked, ...claimantsOf(host.name));
  }

  async function sendAside(asked: Asked, { host, from, to, standsFor }: ParkOrder): Promise<void> {
    const step = { ...singleStep, kind: 'park', why: 'cycle', hostId: host.id, from, to, standsFor } as const;
    asked.aside = to;
    const result = await sending(asked, () =>
      runSingleStep({ ...step, expects: expectationOf(host) }, options, stopOf(asked)),
    );
    if (result.outcome !== 'done') finish(asked, failed(causeOf(result, asked)));
    lookAt(asked, ...claimantsOf(from));
  }

  async function sending(asked: Asked, run: () => Promise<StepResult>): Promise<StepResult> {
    asked.state = 'sending';
    const end = activity.begin();
    const result = await run();
    asked.state = 'waiting';
    end();
    return result;
  }

  /** The name was taken, and the picture knows by now who has it: it goes on waiting for that host. */
  function mayWait(asked: Asked, { problem: cause }: StepResult): boolean {
    if (cause?.code !== 'squatter' || asked.conflicts >= conflictLimit) return false;
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
    if (result.ok) wishes.delete(asked.hostId);
    settled.set(asked.hostId, endOf(result));
    asked.end(result);
    lookAt(...claimantsOf(fleetNow().byId(asked.hostId)?.name));
    activity.touch();
  }

  return {
    get hasWaiting() {
      for (const { state } of open.values()) if (state === 'waiting') return true;
      return false;
    },

    ask(wish, operation) {
      const { signal } = operation;
      const rival = claimants.get(foldName(wish.to));
      if (open.has(wish.hostId)) return Promise.resolve(failed(sameHostTwice(wish)));
      if (rival !== undefined) return Promise.resolve(failed(sameNameTwice(wish, rival.hostId)));
      return new Promise((resolve) => {
        const look = () => lookAt(asked);
        const asked: Asked = {
          ...wish,
          ...operation,
          state: 'waiting',
          conflicts: 0,
          end(result) {
            signal?.removeEventListener('abort', look);
            resolve(result);
          },
        };
        signal?.addEventListener('abort', look);
        open.set(wish.hostId, asked);
        claimants.set(foldName(wish.to), asked);
        wishes.set(wish.hostId, wish);
        settled.delete(wish.hostId);
        look();
        activity.touch();
      });
    },

    giveUp(waitedMs) {
      const fleet = fleetNow();
      const endings = [...open.values()].flatMap((asked) => {
        const host = fleet.byId(asked.hostId);
        const holder = holdersOf(fleet, asked)[0];
        if (asked.state !== 'waiting' || host === undefined || holder === undefined) return [];
        const holderChange = open.has(holder.id) ? 'waits' : 'not-come';
        return [{ asked, cause: heldUp(asked, host, holder, standstill(asked, holderChange, waitedMs)) }];
      });
      // All at once, so that none ends as one whose holder has failed.
      for (const { asked } of endings) open.delete(asked.hostId);
      for (const { asked, cause } of endings) finish(asked, failed(cause));
    },

    onDeleted(hostId, end) {
      settled.set(hostId, end);
      lookAtAll();
    },
  };
}

function endOf(result: Result<unknown>): 'done' | 'failed' | 'given-up' {
  if (result.ok) return 'done';
  return result.problems.some(({ code }) => code === 'blocked') ? 'given-up' : 'failed';
}

function stopOf({ signal }: Asked): AbortSignal {
  return signal ?? new AbortController().signal;
}
