import type { Clock } from '../../core/lib/surroundings.ts';
import { type GroupId, type HostId, hostsOf, type Observed } from '../../core/model/observed.ts';
import { ok } from '../../core/problem/problem.ts';
import type { LatestRead } from '../../run/apply/latest-read.ts';
import type { FleetReader, FleetWriter, WriteResult } from '../../service/wire/fleet.ts';
import { LiveFleet } from './live-fleet.ts';
import type { OurCalls } from './since-plan.ts';

/** Called with the result of each read, including our own calls during the read. */
export type Watcher = Pick<LatestRead, 'sawNames' | 'sawFleet'>;

/**
 * The latest observation of the fleet, which all resources share. Reads replace it. Our own successful calls update it,
 * so that nothing is read again to see our own changes.
 */
export interface LatestObservation {
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  /** Undefined before the first read. */
  readonly fleet: LiveFleet | undefined;
  /** The first read, as it was listed; undefined before it. */
  readonly atFirst: Observed | undefined;
  /** The first read with our own calls applied and no changes by others; undefined before it. */
  asWeLeftIt(): Observed | undefined;
  /** The attributes that our successful calls have set on the host; undefined if there are none. */
  ours(host: HostId): OurCalls | undefined;
  /** When the read behind it began, in milliseconds since the epoch. */
  readonly readAt: number;
  /** One of our calls got no response, or a list has shown hosts that are missing from the observation. */
  readonly isInDoubt: boolean;
  /** Did one of our calls delete this host successfully? */
  hasRemoved(host: HostId): boolean;
  watch(watcher: Watcher): () => void;
}

/** The effect of one successful call. */
type Done =
  | { readonly kind: 'renamed'; readonly host: HostId; readonly name: string }
  | { readonly kind: 'moved'; readonly hosts: readonly HostId[]; readonly group: GroupId }
  | { readonly kind: 'removed'; readonly hosts: readonly HostId[] };

/** A question that only a read can settle: of names alone, or of the whole fleet. */
interface Doubt {
  readonly settledBy: 'names' | 'fleet';
}

export function createLatestObservation(
  reader: FleetReader,
  writer: FleetWriter,
  clock: Clock,
): LatestObservation {
  const watchers = new Set<Watcher>();
  const doubts = new Set<Doubt>();
  /** For each read in flight, the calls completed since it began: its list may not show their effects. */
  const reads = new Set<Done[]>();
  const ourCalls: Done[] = [];
  const removed = new Set<HostId>();
  const ours = new Map<HostId, OurCalls>();
  let fleet: LiveFleet | undefined;
  let atFirst: Observed | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  function record(what: Done): void {
    for (const during of reads) during.push(what);
    ourCalls.push(what);
    if (what.kind === 'removed') for (const id of what.hosts) removed.add(id);
    remember(ours, what);
    if (fleet !== undefined) redo(fleet, what);
  }

  /** Reads, and returns which calls were completed in the meantime and which doubts the read settles. */
  async function reading<T>(read: () => Promise<T>) {
    const during: Done[] = [];
    const open = [...doubts];
    reads.add(during);
    try {
      return { value: await read(), during, open };
    } finally {
      reads.delete(during);
    }
  }

  async function written<T>(
    call: Promise<WriteResult<T>>,
    what: Done,
    settledBy: Doubt['settledBy'],
  ): Promise<WriteResult<T>> {
    const result = await call;
    if (result.ok) record(what);
    else if (result.failure.outcome === 'unknown') doubts.add({ settledBy });
    return result;
  }

  return {
    get fleet() {
      return fleet;
    },
    get atFirst() {
      return atFirst;
    },
    asWeLeftIt() {
      if (atFirst === undefined || ourCalls.length === 0) return atFirst;
      const left = new LiveFleet(atFirst);
      for (const what of ourCalls) redo(left, what);
      return left.frozen();
    },
    ours: (host) => ours.get(host),
    get readAt() {
      return readAt;
    },
    get isInDoubt() {
      return doubts.size > 0;
    },
    hasRemoved: (host) => removed.has(host),
    watch(watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    reader: {
      async read(options) {
        const startedAt = clock.now();
        const { value: read, during, open } = await reading(() => reader.read(options));
        if (!read.ok) return read;
        atFirst ??= read.value;
        const seen = new LiveFleet(read.value);
        for (const what of during) redo(seen, what);
        const shown = seen.frozen();
        if (startedAt >= readAt) {
          fleet = seen;
          readAt = startedAt;
        }
        for (const doubt of open) doubts.delete(doubt);
        for (const watcher of watchers) watcher.sawFleet(shown);
        return ok(shown, read.problems);
      },
      async readNames(options) {
        const { value: read, during, open } = await reading(() => reader.readNames(options));
        if (!read.ok) return read;
        const names = new Map(read.value);
        for (const what of during) redoNames(names, what);
        for (const doubt of open) if (doubt.settledBy === 'names') doubts.delete(doubt);
        if (fleet !== undefined && mergeNames(fleet, names) > 0) doubts.add({ settledBy: 'fleet' });
        for (const watcher of watchers) watcher.sawNames(names);
        return ok(names, read.problems);
      },
    },
    writer: {
      rename: (host, name, options) =>
        written(writer.rename(host, name, options), { kind: 'renamed', host, name }, 'names'),
      move: (group, hosts, options) =>
        written(writer.move(group, hosts, options), { kind: 'moved', hosts, group }, 'fleet'),
      remove: (hosts, options) => written(writer.remove(hosts, options), { kind: 'removed', hosts }, 'names'),
      installAntivirus: (hosts, options) => writer.installAntivirus(hosts, options),
      refreshAntivirus: (hosts, options) => writer.refreshAntivirus(hosts, options),
    },
  };
}

function redo(fleet: LiveFleet, what: Done): void {
  switch (what.kind) {
    case 'renamed': {
      const host = fleet.byId(what.host);
      if (host !== undefined) fleet.put({ ...host, name: what.name });
      return;
    }
    case 'moved':
      for (const id of what.hosts) {
        const host = fleet.byId(id);
        if (host !== undefined) fleet.put({ ...host, groupId: what.group });
      }
      return;
    case 'removed':
      for (const id of what.hosts) fleet.drop(id);
  }
}

function remember(ours: Map<HostId, OurCalls>, what: Done): void {
  switch (what.kind) {
    case 'renamed':
      ours.set(what.host, { ...ours.get(what.host), name: what.name });
      return;
    case 'moved':
      for (const id of what.hosts) ours.set(id, { ...ours.get(id), groupId: what.group });
      return;
    case 'removed':
      for (const id of what.hosts) ours.delete(id);
  }
}

function redoNames(names: Map<HostId, string | null>, what: Done): void {
  if (what.kind === 'renamed' && names.has(what.host)) names.set(what.host, what.name);
  if (what.kind === 'removed') for (const id of what.hosts) names.delete(id);
}

/** Returns how many hosts are in the names but not in the fleet: a list of names does not contain their groups. */
function mergeNames(fleet: LiveFleet, names: ReadonlyMap<HostId, string | null>): number {
  for (const host of hostsOf(fleet)) {
    const name = names.get(host.id);
    if (name === undefined) fleet.drop(host.id);
    else if (name !== host.name) fleet.put({ ...host, name });
  }
  return names.size - fleet.count;
}
