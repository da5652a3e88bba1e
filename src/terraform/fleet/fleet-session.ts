import type { Clock } from '../../core/lib/surroundings.ts';
import type { Account } from '../../core/model/account.ts';
import type { GroupIntent, HostId, Observed, ObservedHost } from '../../core/model/observed.ts';
import type { GroupTarget } from '../../core/plan/intents/groups.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { familyOf } from '../../core/problem/problem-code.ts';
import { createReread, type Reread } from '../../run/apply/latest-read.ts';
import type { Client } from '../../service/client/client.ts';
import type { FleetReader, FleetWriter } from '../../service/wire/fleet.ts';
import { type AntivirusList, readAntivirus } from '../../service/wire/read-antivirus.ts';
import { type CustomFields, readCustomFields } from '../../service/wire/read-custom-fields.ts';
import { findLiveGroup } from './find-group.ts';
import { findLiveHost, type HostSpec } from './find-host.ts';
import { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts';
import { createLatestObservation, type LatestObservation } from './latest-observation.ts';
import type { LiveFleet } from './live-fleet.ts';
import { untilCancelled } from './until-cancelled.ts';

export interface FleetSessionOptions {
  readonly account: Account;
  /** The whole session uses this client and therefore its pacers. */
  readonly client: Client;
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  readonly clock: Clock;
  /** The maximum age of the shared list, in milliseconds; 5 minutes if absent. */
  readonly maxAgeMs?: number;
  /** The pause between two lists while waiting for an enrollment, in milliseconds; a minute if absent. */
  readonly pollMs?: number;
}

export interface Cancellable {
  /** Ends the caller's wait; a list that others wait for too is still read. */
  readonly signal?: AbortSignal;
}

export interface ObserveOptions extends Cancellable {
  /** In milliseconds; the session's own maximum if absent. */
  readonly maxAgeMs?: number;
}

/**
 * The shared knowledge of the fleet for all resources of one configured provider: every list is read once, for all of
 * them.
 */
export interface FleetSession {
  readonly account: Account;
  readonly client: Client;
  readonly clock: Clock;
  readonly observation: LatestObservation;
  /** Reads that begin after they were requested, shared by all concurrent callers. */
  readonly reread: Reread;
  /**
   * The fleet from one shared list and our own calls since. It is a live view, which later calls change. A failed read
   * is reported to all who wait for it, and repeated for the next caller.
   */
  observed(options?: ObserveOptions): Promise<Result<LiveFleet>>;
  /** The host in the latest observation; undefined before the first list, and if it is not listed. */
  hostNow(id: HostId): ObservedHost | undefined;
  /** The anti-virus list; read again after installs were requested. */
  antivirus(options?: Cancellable): Promise<Result<AntivirusList>>;
  /** The first version that was read, whatever was installed since. */
  antivirusAtFirst(options?: Cancellable): Promise<Result<AntivirusList>>;
  forgetAntivirus(): void;
  /** Whole desired states are planned one after another, because each plan builds on what those before it have done. */
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

  /** One read for all concurrent callers. */
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
    const read = await untilCancelled(readShared(), signal);
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
    antivirus: ({ signal } = {}) => untilCancelled(antivirus.get(), signal),
    antivirusAtFirst: async ({ signal } = {}) => antivirusAtFirst ?? untilCancelled(antivirus.get(), signal),
    forgetAntivirus: () => antivirus.forget(),
    mutex: createKeyedMutex(),
    customFields: ({ signal } = {}) => untilCancelled(customFields.get(), signal),
    findHost: (spec, observeOptions) => find((fleet) => findLiveHost(fleet, spec), observeOptions),
    findGroup: (intent, observeOptions) => find((fleet) => findLiveGroup(fleet, intent), observeOptions),
    waitForHost(spec, { timeoutMs, signal }) {
      const cancellable = signal === undefined ? {} : { signal };
      let maxAgeMs = usualAgeMs;
      return waitForHost({
        clock,
        pollMs,
        timeoutMs,
        ...cancellable,
        read: async () => {
          const found = await find((fleet) => findLiveHost(fleet, spec), { maxAgeMs, ...cancellable });
          maxAgeMs = pollMs - 1;
          return found;
        },
      });
    },
  };
}

/** A list that is read on first use and shared. Failures are not kept. */
interface OnceRead<T> {
  get(): Promise<Result<T>>;
  /** The next caller reads again. */
  forget(): void;
}

function onceRead<T>(read: () => Promise<Result<T>>): OnceRead<T> {
  let cached: Promise<Result<T>> | undefined;
  return {
    get() {
      if (cached !== undefined) return cached;
      const reading = read().then((result) => {
        if (!result.ok && cached === reading) cached = undefined;
        return result;
      });
      cached = reading;
      return reading;
    },
    forget() {
      cached = undefined;
    },
  };
}

interface WaitOptions {
  /** How long the host may take to enroll, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

interface HostWait extends WaitOptions {
  readonly clock: Clock;
  /** How long to wait between two reads, in milliseconds. */
  readonly pollMs: number;
  read(): Promise<Result<ObservedHost>>;
}

/** Reads until the host exists, or until there is an obstacle other than its absence. */
async function waitForHost({
  clock,
  pollMs,
  timeoutMs,
  signal,
  read,
}: HostWait): Promise<Result<ObservedHost>> {
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    const found = await read();
    if (found.ok || !found.problems.every(mayPass)) return found;
    const leftMs = deadline - clock.now();
    if (leftMs <= 0) return failed(...found.problems.map((each) => waitedFor(each, timeoutMs)));
    await clock.sleep(Math.min(pollMs, leftMs), signal);
    if (signal?.aborted === true) return failed(cancelled());
  }
}

/** The host does not exist yet, or the list could not be read this time. */
function mayPass({ code }: Problem): boolean {
  if (code === 'awaiting-enrollment' || code === 'missing-host') return true;
  return familyOf(code) === 'service' && code !== 'cancelled';
}

function waitedFor(cause: Problem, timeoutMs: number): Problem {
  const seconds = Math.round(timeoutMs / 1000);
  return { ...cause, message: `${cause.message}, after a wait of ${seconds} s` };
}

function cancelled(): Problem {
  return problem('cancelled', 'Terraform cancelled the wait for a host to enroll');
}
