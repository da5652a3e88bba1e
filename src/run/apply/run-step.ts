import type { HostId } from '../../core/model/observed.ts';
import { hostIdsOf, type MoveStep, type Step, type StepId } from '../../core/plan/types/step.ts';
import { ok } from '../../core/problem/problem.ts';
import type { FleetWriter, WriteOptions } from '../../service/wire/fleet.ts';
import { runAntivirusStep } from './antivirus-step.ts';
import { type BatchCall, runBatch } from './batch-step.ts';
import { type FreshReadOptions, freshRead } from './fresh-read.ts';
import { type Learned, runNameStep } from './name-step.ts';
import { runRefreshStep } from './refresh-step.ts';
import type { StepResult } from './step-result.ts';

export interface StepRunnerOptions extends FreshReadOptions {
  readonly writer: FleetWriter;
  readonly learned: Learned;
  /** Hosts of a step that already are as the plan requires, because of an earlier run or someone else. */
  readonly done: ReadonlyMap<StepId | undefined, ReadonlySet<HostId>>;
}

/** Maps each kind of step to the calls that carry it out. */
export function createStepRunner(
  options: StepRunnerOptions,
): (step: Step, priority: number) => Promise<StepResult> {
  const { writer, reread, latestRead, learned, stop } = options;
  return (step, priority) => {
    const call = { stop, priority, step: step.id };
    const already = options.done.get(step.id) ?? new Set();
    const hosts = hostIdsOf(step).filter((id) => !already.has(id));
    switch (step.kind) {
      case 'rename':
      case 'temporary-rename':
        return runNameStep(step, {
          writer,
          reread,
          learned,
          call: {
            ...call,
            precondition: () => latestRead.changes([step.hostId], step.kind).get(step.hostId),
          },
        });
      case 'move':
        return runBatch(hosts, moveCall(step, options, call));
      case 'delete':
        return runBatch(hosts, deleteCall(options, call));
      case 'refresh':
        return runRefreshStep(hosts, {
          ...options,
          call,
          changes: (part) => latestRead.changes(part, step.kind),
        });
      case 'antivirus':
        return runAntivirusStep(step, hosts, {
          writer,
          reread,
          call,
          changes: (part) => latestRead.changes(part, step.kind),
        });
    }
  };
}

function moveCall(
  { kind, groupId }: MoveStep,
  { writer, reread, latestRead, stop }: StepRunnerOptions,
  call: WriteOptions,
): BatchCall {
  return {
    stop,
    rereadRefusals: false,
    changes: (hosts) => latestRead.changes(hosts, kind),
    isDeleted: () => false,
    send: (hosts, precondition) => writer.move(groupId, hosts, { ...call, precondition }),
    settled: async (hosts) => {
      const read = await reread.fleet();
      return read.ok ? ok(new Set(hosts.filter((id) => read.value.byId(id)?.groupId === groupId))) : read;
    },
  };
}

function deleteCall(options: StepRunnerOptions, call: WriteOptions): BatchCall {
  const { writer, reread, latestRead, stop } = options;
  return {
    stop,
    rereadRefusals: true,
    fresh: freshRead(options),
    changes: (hosts) => latestRead.changes(hosts, 'delete'),
    isDeleted: (host) => latestRead.isDeleted(host),
    send: (hosts, precondition) => writer.remove(hosts, { ...call, precondition }),
    settled: async (hosts) => {
      const read = await reread.names();
      return read.ok ? ok(new Set(hosts.filter((id) => !read.value.names.has(id)))) : read;
    },
  };
}
