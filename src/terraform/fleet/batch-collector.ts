import type { Clock } from '../../core/lib/surroundings.ts';
import type { HostId, ObservedHost } from '../../core/model/observed.ts';
import type { Step } from '../../core/plan/types/step.ts';
import { failed, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { StepResult } from '../../run/apply/step-result.ts';
import type { FleetWriter } from '../../service/wire/fleet.ts';
import { createBatchWindow } from './batch-window.ts';
import { missingHost } from './find-host.ts';
import type { LiveFleet } from './live-fleet.ts';
import type { OperationOptions } from './operation.ts';
import { changedSincePlan } from './since-plan.ts';
import { runSingleStep, type StepSurroundings } from './single-step.ts';
import type { StallDetector } from './stall-detector.ts';
import { whenAllAborted } from './when-all-aborted.ts';

/** Sends operations of one kind in one call if they arrive together. */
export interface BatchCollector<T> {
  /** `batch`: only operations of one batch can share a call. */
  ask(hostId: HostId, batch: string, options: OperationOptions): Promise<Result<T>>;
}

export interface BatchCollectorOptions<T> extends StepSurroundings {
  readonly clock: Clock;
  /** See `BatchWindow`. */
  readonly settleMs: number;
  readonly stallDetector: StallDetector;
  /** A noun for messages: `a move`. */
  readonly noun: string;
  /** The result if the host is already as intended; undefined if a call is needed. */
  settled(host: ObservedHost | undefined, batch: string): Result<T> | undefined;
  toStep(hosts: readonly ObservedHost[], batch: string): Step;
  /** The problem for a call that was sent without a response; if absent, that of any other failure. */
  inDoubt?(hostId: HostId, cause: Problem): Problem;
  /** Records the step before it is sent; nothing is recorded if absent. */
  record?(step: Step, send: Send, stop: AbortSignal): Promise<StepResult>;
  /** The result of the operation if the step does not report a failure. */
  outcome(hostId: HostId, batch: string, result: StepResult): Result<T> | undefined;
}

/** Sends the calls of a step, through another writer if one is given. */
type Send = (writer?: FleetWriter) => Promise<StepResult>;

interface Asked<T> extends OperationOptions {
  readonly hostId: HostId;
  readonly batch: string;
  end(result: Result<T>): void;
}

/** The engine's own limit for one call. */
const batchSize = 1000;

export function createBatchCollector<T>(options: BatchCollectorOptions<T>): BatchCollector<T> {
  const { observation, stallDetector, noun } = options;
  const open = new Map<HostId, Asked<T>>();
  const window = createBatchWindow<Asked<T>>({ ...options, close: carryOutAll });

  function carryOutAll(held: readonly Asked<T>[]): void {
    for (const [batch, all] of Map.groupBy(held, (each) => each.batch)) {
      const waiting = all.filter((each) => {
        if (each.signal?.aborted !== true) return true;
        each.end(failed(stopped(noun, each.hostId)));
        return false;
      });
      for (let from = 0; from < waiting.length; from += batchSize) {
        void carryOut(waiting.slice(from, from + batchSize), batch);
      }
    }
  }

  async function carryOut(asked: readonly Asked<T>[], batch: string): Promise<void> {
    const left = asked.flatMap((each) => {
      const fleet = observation.fleet as LiveFleet;
      const host = fleet.byId(each.hostId);
      const settled = options.settled(host, batch);
      if (settled !== undefined) each.end(settled);
      else if (host === undefined) each.end(failed(missingHost(each.hostId)));
      else {
        const change = changedSincePlan(host, each.planned, observation.ours(host.id), fleet);
        if (change === undefined) return [{ each, host }];
        each.end(failed(change));
      }
      return [];
    });
    if (left.length === 0) return;
    const hosts = left.map(({ host }) => host);
    const stop = whenAllAborted(left.map(({ each }) => each.signal));
    const step = options.toStep(hosts, batch);
    const send: Send = (writer) => runSingleStep(step, options, stop, writer);
    const result = options.record === undefined ? await send() : await options.record(step, send, stop);
    const causes = new Map<string, Problem>(
      result.failedHosts.map(({ hostId, problem: cause, inDoubt }) => [
        hostId,
        inDoubt === true ? (options.inDoubt?.(hostId as HostId, cause) ?? cause) : cause,
      ]),
    );
    for (const { each } of left) {
      const good = causes.has(each.hostId) ? undefined : options.outcome(each.hostId, batch, result);
      const cause = causes.get(each.hostId) ?? result.problem ?? stopped(noun, each.hostId);
      each.end(good ?? failed(cause));
    }
  }

  return {
    ask(hostId, batch, operation) {
      const rival = open.get(hostId);
      if (rival !== undefined) return Promise.resolve(failed(twice(hostId, noun)));
      const settled = options.settled(observation.fleet?.byId(hostId), batch);
      if (settled !== undefined) return Promise.resolve(settled);
      const leave = stallDetector.begin();
      return new Promise((resolve) => {
        const asked: Asked<T> = {
          hostId,
          batch,
          ...operation,
          end(result) {
            open.delete(hostId);
            resolve(result);
            leave();
          },
        };
        open.set(hostId, asked);
        window.add(asked);
      });
    },
  };
}

function twice(hostId: HostId, noun: string): Problem {
  return problem('host-claimed-twice', `two operations request ${noun} of host ${hostId} at the same time`, {
    hint: 'let only one resource manage this attribute of the host',
    hostIds: [hostId],
  });
}

function stopped(noun: string, hostId: HostId): Problem {
  return problem('interrupted', `${noun} of host ${hostId} was cancelled before it was sent`, {
    hint: 'apply again to continue',
    hostIds: [hostId],
  });
}
