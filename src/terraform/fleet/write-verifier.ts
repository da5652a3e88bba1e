import type { Clock } from '../../core/lib/surroundings.ts';
import type { HostId, Observed } from '../../core/model/observed.ts';
import { unverifiedWrites } from '../../core/plan/guards/unverified-writes.ts';
import { expectationOf } from '../../core/plan/ordering/steps.ts';
import type { Step } from '../../core/plan/types/step.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { LatestObservation } from './latest-observation.ts';
import type { OperationTracker } from './operation-tracker.ts';
import type { OurCalls } from './since-plan.ts';
import { singleStep, toMember } from './single-step.ts';
import { createStallDetector, type StallDetector } from './stall-detector.ts';

/**
 * Reads the list after the writes of many resources, once for all of them. The service allows about one list a minute
 * and Terraform runs few operations at once, so an operation waits for the list only while it keeps no other from
 * starting. One operation always waits, and fails if the list does not show a change of those that did not.
 */
export interface WriteVerifier {
  confirm(hosts: readonly HostId[], options: ConfirmOptions): Promise<Confirmation>;
}

export interface ConfirmOptions {
  readonly signal: AbortSignal;
  /**
   * May the operation end before the list is read? `never`: Terraform could not find out later. `last`: if possible,
   * it is the one that waits, because an error does not make Terraform forget what it stores of the resource.
   */
  readonly mayEndUnread: 'first' | 'last' | 'never';
}

export interface Confirmation {
  /** A list that was read after the writes shows them. */
  readonly isVerified: boolean;
  readonly problems: readonly Problem[];
}

export interface WriteVerifierOptions {
  readonly observation: LatestObservation;
  readonly clock: Clock;
  readonly operations: OperationTracker;
  readonly stallDetector: StallDetector;
  /** How long nothing must have been sent before the list is read, in milliseconds. */
  readonly quietMs: number;
}

interface Waiting extends ConfirmOptions {
  readonly hosts: readonly HostId[];
  end(confirmation: Confirmation): void;
}

/** Fewer open operations than Terraform's default limit never mean that it can't start more. */
const defaultParallelism = 10;

export function createWriteVerifier(options: WriteVerifierOptions): WriteVerifier {
  const { observation, clock, operations, stallDetector, quietMs } = options;
  const waiting = new Set<Waiting>();
  /** Hosts of operations that ended before the list was read. */
  const unread = new Set<HostId>();
  /** What our calls had done to a host when a list showed it. */
  const verified = new Map<HostId, OurCalls | 'removed'>();
  let isReading = false;
  const quiet = createStallDetector({
    clock,
    patienceMs: () => quietMs,
    hasWaiting: () => waiting.size > 0 && !isReading,
    onStall() {
      if (operations.isSending) return;
      const mayStartMore = operations.isFirstWave && operations.count >= defaultParallelism;
      if (!mayStartMore || !release()) void read();
    },
  });

  operations.onChange(() => quiet.touch());
  operations.onFull(() => {
    if (operations.isFull && operations.count >= defaultParallelism) release();
  });

  const writesTo = (host: HostId) => (observation.hasRemoved(host) ? 'removed' : observation.ours(host));
  const isUnread = (host: HostId) => {
    const writes = writesTo(host);
    return writes !== undefined && writes !== verified.get(host);
  };

  /** Lets Terraform start other operations, if any of those that wait may end. */
  function release(): boolean {
    const ending = [...waiting].filter(({ mayEndUnread }) => mayEndUnread !== 'never');
    if (ending.length === waiting.size) {
      const last = ending.find(({ mayEndUnread }) => mayEndUnread === 'last') ?? ending[0];
      ending.splice(ending.indexOf(last as Waiting), 1);
    }
    for (const each of ending) {
      for (const host of each.hosts) unread.add(host);
      each.end({ isVerified: false, problems: [] });
    }
    return ending.length > 0;
  }

  async function read(): Promise<void> {
    const held = [...waiting];
    const hosts = new Set([...held.flatMap((each) => each.hosts), ...unread]);
    const writes = new Map([...hosts].map((host) => [host, writesTo(host)] as const));
    isReading = true;
    const leave = stallDetector.begin();
    const list = await observation.reader.read({ antivirus: false });
    leave();
    isReading = false;
    quiet.touch();
    if (!list.ok) {
      for (const each of held) each.end({ isVerified: false, problems: list.problems.map(notRead) });
      return;
    }
    // A call during the read changed the host again. Its own operation waits for the next list.
    const settled = new Set([...writes].flatMap(([host, then]) => (then === writesTo(host) ? [host] : [])));
    const problems = unverifiedWrites({
      steps: stepsOf(settled, observation),
      before: observation.atFirst ?? list.value,
      after: list.value,
      isDeletedElsewhere: (host) => observation.hasRemoved(host),
    }).map(notShown);
    const wrong = new Set(problems.flatMap(({ hostIds = [] }) => hostIds));
    for (const host of settled) {
      if (!wrong.has(host)) verified.set(host, writes.get(host) as OurCalls | 'removed');
      unread.delete(host);
    }
    const own = new Set<string>(held.flatMap((each) => each.hosts));
    const others = problems.filter(({ hostIds = [] }) => !hostIds.some((id) => own.has(id)));
    held.forEach((each, index) => {
      const ofHost = new Set<string>(each.hosts);
      const found = problems.filter(({ hostIds = [] }) => hostIds.some((id) => ofHost.has(id)));
      each.end({ isVerified: true, problems: index === 0 ? [...found, ...others] : found });
    });
  }

  return {
    confirm(hosts, confirming) {
      const pending = hosts.filter(isUnread);
      if (pending.length === 0) return Promise.resolve({ isVerified: true, problems: [] });
      const { signal } = confirming;
      return new Promise((resolve) => {
        const leave = operations.enter(signal);
        const stop = () => each.end({ isVerified: false, problems: pending.map(cancelled) });
        const each: Waiting = {
          ...confirming,
          hosts: pending,
          end(confirmation) {
            if (!waiting.delete(each)) return;
            signal.removeEventListener('abort', stop);
            resolve(confirmation);
            leave();
          },
        };
        waiting.add(each);
        signal.addEventListener('abort', stop);
        if (signal.aborted) stop();
        else quiet.touch();
      });
    },
  };
}

/** Our successful calls as steps, which can be compared with a list. */
function stepsOf(hosts: ReadonlySet<HostId>, observation: LatestObservation): readonly Step[] {
  const { atFirst } = observation as { readonly atFirst: Observed };
  return [...hosts].flatMap((id): readonly Step[] => {
    const host = atFirst.byId(id) ?? observation.fleet?.byId(id);
    if (host === undefined) return [];
    if (observation.hasRemoved(id)) return [{ ...singleStep, kind: 'delete', hosts: [toMember(host)] }];
    const { name, groupId } = observation.ours(id) ?? {};
    const expects = expectationOf(host);
    return [
      ...(name === undefined
        ? []
        : [{ ...singleStep, kind: 'rename', hostId: id, from: host.name, to: name, expects } as const]),
      ...(groupId === undefined
        ? []
        : [
            {
              ...singleStep,
              kind: 'move',
              groupId,
              groupName: atFirst.groupById(groupId)?.name ?? null,
              hosts: [toMember(host)],
            } as const,
          ]),
    ];
  });
}

function notShown(each: Problem): Problem {
  return {
    ...each,
    hint: 'the service accepted the change, but a list that was read after it does not show it. Someone else, or a resource of another provider block, may have changed the host at the same time, or the service did not carry it out: plan again',
  };
}

function notRead(cause: Problem): Problem {
  return {
    ...cause,
    message: `the changes were sent, but they are not verified because the list could not be read: ${cause.message}`,
    hint: 'plan again: the next plan shows what is left',
  };
}

function cancelled(hostId: HostId): Problem {
  return problem('interrupted', `the change of host ${hostId} was sent, but it is not verified`, {
    hint: 'plan again: the next plan shows what is left',
    hostIds: [hostId],
  });
}
