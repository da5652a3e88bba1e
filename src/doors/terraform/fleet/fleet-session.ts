import type { Clock } from '../../../core/lib/clock.ts';
import type { Account } from '../../../core/model/account.ts';
import type { GroupIntent } from '../../../core/model/group.ts';
import type { HostId } from '../../../core/model/host-id.ts';
import type { Observed, ObservedHost } from '../../../core/model/observed.ts';
import type { GroupTarget } from '../../../core/plan/intents/groups.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { createReread, type Reread } from '../../../run/apply/reread.ts';
import type { Client } from '../../../service/client/client.ts';
import type { FleetReader, FleetWriter } from '../../../service/wire/fleet.ts';
import { type AntivirusList, readAntivirus } from '../../../service/wire/read-antivirus.ts';
import { type CustomFields, readCustomFields } from '../../../service/wire/read-custom-fields.ts';
import { findGroup } from './find-group.ts';
import { findHost, type HostSpec } from './find-host.ts';
import { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts';
import { createLatestObservation, type LatestObservation } from './latest-observation.ts';
import type { LiveFleet } from './live-fleet.ts';
import { onceRead } from './once-read.ts';
import { untilAborted } from './until-aborted.ts';
import { type WaitOptions, waitForHost } from './wait-for-host.ts';

export interface FleetSessionOptions {
  readonly account: Account;
  /** All of the session goes through it, and so under its pacers. */
  readonly client: Client;
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  readonly clock: Clock;
  /** How old the shared list may be, in milliseconds; 5 minutes when absent. */
  readonly maxAgeMs?: number;
  /** How long waits for an enrolment keep still between two lists, in milliseconds; a minute when absent. */
  readonly pollMs?: number;
}

export interface Cancellable {
  /** Ends the caller's wait; a list that others wait for too is read all the same. */
  readonly signal?: AbortSignal;
}

export interface ObserveOptions extends Cancellable {
  /** The session's own bound when absent, in milliseconds. */
  readonly maxAgeMs?: number;
}

/** What all resources of one configured provider know of the fleet: every list is read once, for all of them. */
export interface FleetSession {
  readonly account: Account;
  readonly client: Client;
  readonly clock: Clock;
  readonly observation: LatestObservation;
  /** Reads that begin after they were asked for, shared by all who ask meanwhile. */
  readonly reread: Reread;
  /**
   * The fleet of one shared list and of our own calls since: a live view, which later calls change. A failed read is
   * reported to all who wait for it, and repeated for the next caller.
   */
  observed(options?: ObserveOptions): Promise<Result<LiveFleet>>;
  /** The host in the latest observation; undefined before the first list, and if it is not listed. */
  hostNow(id: HostId): ObservedHost | undefined;
  /** The anti-virus list; read again after installs were asked for. */
  antivirus(options?: Cancellable): Promise<Result<AntivirusList>>;
  /** The first one that was read, whatever was installed since. */
  antivirusAtFirst(options?: Cancellable): Promise<Result<AntivirusList>>;
  forgetAntivirus(): void;
  /** One whole desired state after another, as each plans on what those before it have left. */
  readonly mutex: KeyedMutex<'whole fleet'>;
  customFields(options?: Cancellable): Promise<Result<CustomFields>>;
  findHost(spec: HostSpec, options?: ObserveOptions): Promise<Result<ObservedHost>>;
  findGroup(intent: GroupIntent, options?: ObserveOptions): Promise<Result<GroupTarget>>;
  /** Reads the list about once a minute until the host has enrolled; all waiting operations share the lists. */
  waitForHost(spec: HostSpec, options: WaitOptions): Promise<Result<ObservedHost>>;
}

const defaultMaxAgeMs = 5 * 60_000;
const defaultPollMs = 60_000;

export function createFleetSession(options: FleetSessionOptions): FleetSession {
  const { account, client, clock } = options;
  const { maxAgeMs: usualAgeMs = defaultMaxAgeMs, pollMs = defaultPollMs } = options;
  const observation = createLatestObservation(options.reader, options.writer, clock);
  let antivirusAtFirst: Result<AntivirusList> | undefined;
  const antivirus = onceRead(async () => {
    const read = await readAntivirus(client, { clock });
    if (read.ok) antivirusAtFirst ??= read;
    return read;
  });
  const customFields = onceRead(() => readCustomFields(client, { clock }));
  let reading: Promise<Result<Observed>> | undefined;

  /** One read for all who ask while it is on its way. */
  function readShared(): Promise<Result<Observed>> {
    reading ??= observation.reader.read({ antivirus: false }).finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function cached(maxAgeMs: number): LiveFleet | undefined {
    const young = clock.now() - observation.readAt <= maxAgeMs;
    return young && !observation.isInDoubt ? observation.fleet : undefined;
  }

  async function observed({
    maxAgeMs = usualAgeMs,
    signal,
  }: ObserveOptions = {}): Promise<Result<LiveFleet>> {
    const fleet = cached(maxAgeMs);
    if (fleet !== undefined) return ok(fleet);
    const read = await untilAborted(readShared(), signal);
    return read.ok ? ok(observation.fleet as LiveFleet, read.problems) : read;
  }

  async function find<T>(
    search: (fleet: LiveFleet) => Result<T>,
    observeOptions: ObserveOptions | undefined,
  ): Promise<Result<T>> {
    const read = await observed(observeOptions);
    return read.ok ? search(read.value) : read;
  }

  return {
    account,
    client,
    clock,
    observation,
    reread: createReread(observation.reader, { sawNames: () => {}, sawFleet: () => {} }),
    observed,
    hostNow: (id) => observation.fleet?.byId(id),
    antivirus: ({ signal } = {}) => untilAborted(antivirus.get(), signal),
    antivirusAtFirst: async ({ signal } = {}) => antivirusAtFirst ?? untilAborted(antivirus.get(), signal),
    forgetAntivirus: () => antivirus.forget(),
    mutex: createKeyedMutex(),
    customFields: ({ signal } = {}) => untilAborted(customFields.get(), signal),
    findHost: (spec, observeOptions) => find((fleet) => findHost(fleet, spec), observeOptions),
    findGroup: (intent, observeOptions) => find((fleet) => findGroup(fleet, intent), observeOptions),
    waitForHost(spec, { timeoutMs, signal }) {
      const cancellable = signal === undefined ? {} : { signal };
      let maxAgeMs = usualAgeMs;
      return waitForHost({
        clock,
        pollMs,
        timeoutMs,
        ...cancellable,
        read: async () => {
          const found = await find((fleet) => findHost(fleet, spec), { maxAgeMs, ...cancellable });
          maxAgeMs = pollMs - 1;
          return found;
        },
      });
    },
  };
}
