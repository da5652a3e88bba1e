import type { GroupId, HostId, ObservedHost } from '../../core/model/observed.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import { defaultMaxReadAgeMs } from '../../run/apply/fresh-read.ts';
import type { Learned } from '../../run/apply/name-step.ts';
import { createBatchCollector } from './batch-collector.ts';
import { checkInstall, type InstallEnd, installUnanswered } from './check-install.ts';
import type { FleetSession } from './fleet-session.ts';
import type { OperationOptions } from './operation.ts';
import { createOperationTracker } from './operation-tracker.ts';
import { createRenameQueue, type RenameQueue, type RenameQueueOptions } from './rename-queue.ts';
import type { OpenState } from './run-record.ts';
import { singleStep, toMember } from './single-step.ts';
import { createStallDetector, type StallDetector } from './stall-detector.ts';
import { whyNotDeleted } from './why-not-deleted.ts';
import { createWriteVerifier, type WriteVerifier } from './write-verifier.ts';

export interface CoordinatorOptions {
  readonly session: FleetSession;
  /** Operations share a call if at most this many milliseconds pass between them; 50 if absent. */
  readonly settleMs?: number;
  /** How long operations wait without progress before they fail, in milliseconds; 30 seconds if absent. */
  readonly maxWaitMs?: number;
  /** The state that records installs before they are requested; nothing is recorded if absent. */
  readonly openState?: OpenState;
  /** What the plan that is being applied does with a host; if absent, that is never certain. */
  readonly plannedRename?: RenameQueueOptions['plannedRename'];
  /** Removes secrets from a text before it is recorded. */
  readonly redact?: (text: string) => string;
}

/**
 * Combines concurrent, independent operations into one reorganization. Each operation ends when its own host has the
 * requested name, or with the problems that prevented it; the session's latest observation shows the resulting state of
 * the host. A response proves nothing: `confirm` waits for a list that shows the effect. Create one for each configured
 * provider.
 */
export interface Coordinator extends WriteVerifier {
  /** Terraform has started an operation. Call the result when it has ended. */
  enter(signal: AbortSignal): () => void;
  /** Waits for the owner of the name if that host is renamed or deleted too. */
  rename(hostId: HostId, to: string, options?: OperationOptions): Promise<Result<ObservedHost>>;
  move(hostId: HostId, groupId: GroupId, options?: OperationOptions): Promise<Result<ObservedHost>>;
  /** A host that is deleted already is a success. */
  remove(hostId: HostId, options?: OperationOptions): Promise<Result<null>>;
  /** Requests an install once, if the list shows none. */
  installAntivirus(hostId: HostId, options?: OperationOptions): Promise<Result<InstallEnd>>;
}

const defaultSettleMs = 50;
const defaultMaxWaitMs = 30_000;
/** After this many times `settleMs` without progress, planned renames start before Terraform requests them. */
const firstQuiet = 20;
/** The same once that was necessary, because Terraform runs fewer operations than must be renamed together. */
const nextQuiet = 2;
/**
 * After this many times `settleMs` without activity, the list is read. Operations wait for each other for less time.
 */
const verifyingQuiet = 30;

export function createCoordinator({
  session,
  settleMs = defaultSettleMs,
  maxWaitMs = defaultMaxWaitMs,
  openState,
  plannedRename = () => undefined,
  redact = (text) => text,
}: CoordinatorOptions): Coordinator {
  const { clock, observation, reread, account } = session;
  const operations = createOperationTracker({ clock, settleMs });
  const going = new Set<HostId>();
  /** An install is never requested twice, whatever its outcome. */
  const installs = new Map<HostId, Promise<Result<InstallEnd>>>();
  let patienceMs = maxWaitMs;

  let quietMs = firstQuiet * settleMs;
  const hasWaiting = () => renames.hasWaiting;
  const quietDetector = createStallDetector({
    clock,
    patienceMs: () => quietMs,
    hasWaiting,
    onStall() {
      if (renames.renameAhead()) quietMs = nextQuiet * settleMs;
    },
  });
  const failureDetector = createStallDetector({
    clock,
    patienceMs: () => patienceMs,
    hasWaiting,
    onStall() {
      renames.giveUp(patienceMs);
      // The run has already failed, so late operations wait for less time.
      patienceMs = maxWaitMs / 10;
    },
  });
  const stallDetector: StallDetector = {
    touch() {
      quietDetector.touch();
      failureDetector.touch();
    },
    begin() {
      const ends = [quietDetector.begin(), failureDetector.begin()];
      return () => {
        for (const end of ends) end();
      };
    },
  };
  const learned: Learned = { refusesCaseChanges: false };
  const common = { clock, observation, reread, learned, stallDetector, operations, settleMs };
  const renames: RenameQueue = createRenameQueue({
    ...common,
    isGoing: (host) => going.has(host),
    plannedRename,
  });
  const moves = createBatchCollector<ObservedHost>({
    ...common,
    noun: 'a move',
    settled: isIn,
    outcome: (hostId, groupId) => isIn(session.hostNow(hostId), groupId),
    toStep: (hosts, groupId) => ({
      ...singleStep,
      kind: 'move',
      groupId: groupId as GroupId,
      groupName: observation.fleet?.groupById(groupId as GroupId)?.name ?? null,
      hosts: hosts.map(toMember),
    }),
  });
  const deletions = createBatchCollector<null>({
    ...common,
    noun: 'a deletion',
    settled: (host) => (host === undefined ? ok(null) : undefined),
    outcome: (hostId) => (session.hostNow(hostId) === undefined ? ok(null) : undefined),
    toStep: (hosts) => ({ ...singleStep, kind: 'delete', hosts: hosts.map(toMember) }),
  });
  const antivirus = createBatchCollector<InstallEnd>({
    ...common,
    noun: 'an anti-virus install',
    inDoubt: installUnanswered,
    ...(openState === undefined
      ? {}
      : {
          // One after another, because a whole fleet applied at the same time holds the account's lock too.
          record: (step, send, signal) =>
            session.mutex.after('whole fleet', async () => {
              const { runRecorded } = await import('./run-record.ts');
              const fleetSize = observation.fleet?.count ?? 0;
              const options = { openState, account, clock, signal, fleetSize, redact };
              return runRecorded(step, options, (guarded) => send(guarded(observation.writer)));
            }),
        }),
    settled: () => undefined,
    outcome: (_hostId, _batch, { outcome, failedHosts }) =>
      outcome === 'done' || failedHosts.length > 0 ? ok('asked') : undefined,
    toStep: (hosts) => ({ ...singleStep, kind: 'antivirus', hosts: hosts.map(toMember) }),
  });

  const verifier = createWriteVerifier({ ...common, quietMs: verifyingQuiet * settleMs });

  async function install(hostId: HostId, options: OperationOptions): Promise<Result<InstallEnd>> {
    const { signal } = options;
    const list = await reading(() => session.antivirus(signal === undefined ? {} : { signal }));
    if (!list.ok) return list;
    const checked = checkInstall(hostId, list.value);
    if (checked !== 'needed') return checked;
    const asked = installs.get(hostId) ?? antivirus.ask(hostId, 'all', options);
    installs.set(hostId, asked);
    await asked;
    session.forgetAntivirus();
    return asked;
  }

  async function remove(hostId: HostId, options: OperationOptions): Promise<Result<null>> {
    // Without a plan the host was never seen before, and an account without hosts is acceptable.
    const hidden = options.planned && observation.fleet && whyNotDeleted(observation.fleet, hostId);
    if (hidden !== undefined && !observation.hasRemoved(hostId)) return failed(hidden);
    const isFirst = !going.has(hostId);
    going.add(hostId);
    const removed = await deletions.ask(hostId, 'all', options);
    if (!isFirst) return removed;
    going.delete(hostId);
    renames.onDeleted(hostId, removed.ok ? 'done' : 'failed');
    return removed;
  }

  async function reading<T>(read: () => Promise<T>): Promise<T> {
    const ended = operations.send();
    return read().finally(ended);
  }

  /** Nothing starts before the fleet is known. */
  async function known<T>(
    { signal }: OperationOptions,
    go: () => Promise<Result<T>>,
    maxAge: { readonly maxAgeMs?: number } = {},
  ): Promise<Result<T>> {
    const leave = operations.enter(signal ?? {});
    const read = await reading(() => session.observed(signal === undefined ? maxAge : { ...maxAge, signal }));
    return (read.ok ? go() : Promise.resolve<Result<T>>(failed(...read.problems))).finally(leave);
  }

  return {
    ...verifier,
    enter: (signal) => operations.enter(signal),
    rename: (hostId, to, options = {}) => known(options, () => renames.ask({ hostId, to }, options)),
    move: (hostId, groupId, options = {}) => known(options, () => moves.ask(hostId, groupId, options)),
    remove: (hostId, options = {}) =>
      known(options, () => remove(hostId, options), { maxAgeMs: defaultMaxReadAgeMs }),
    installAntivirus: (hostId, options = {}) => known(options, () => install(hostId, options)),
  };
}

function isIn(host: ObservedHost | undefined, groupId: string): Result<ObservedHost> | undefined {
  return host !== undefined && host.groupId === groupId ? ok(host) : undefined;
}
