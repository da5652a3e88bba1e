import { foldName } from '../../src/core/model/host-name.ts';
import {
  type HostId,
  hostsOf,
  type Observed,
  type ObservedHost,
  observe,
} from '../../src/core/model/observed.ts';
import { ok, problem } from '../../src/core/problem/problem.ts';
import { type ProblemCode } from '../../src/core/problem/problem-code.ts';
import type { CallFailure } from '../../src/service/client/client.ts';
import type { FleetReader, FleetWriter, InstallAnswer, WriteResult } from '../../src/service/wire/fleet.ts';
import { at } from './fleet.ts';

export type FakeCall =
  | { readonly kind: 'rename'; readonly host: HostId; readonly to: string }
  | {
      readonly kind: 'move' | 'delete' | 'antivirus' | 'refresh';
      readonly hosts: readonly HostId[];
      readonly to?: string;
    }
  | { readonly kind: 'names' | 'fleet' };

/**
 * What happens to a call: carried out, refused with a status, or its response lost before or after it was carried out.
 */
export type Fate =
  | 'ok'
  | 'lost-before'
  | 'lost-after'
  | { readonly status: number; readonly hostIds?: readonly string[] }
  | { readonly answer: InstallAnswer };

/** A service in memory, called as the apply engine calls it; `fate` decides over each call, in order. */
export interface FakeService {
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  readonly calls: readonly string[];
  readonly hosts: Map<HostId, ObservedHost>;
}

/** What a list shows of the hosts that the service has; 0 is the first one that is read. */
export type Shown = (hosts: readonly ObservedHost[], read: number) => readonly ObservedHost[];

export function fakeService(
  start: Observed,
  fate: (call: FakeCall, index: number) => Fate = () => 'ok',
  shown: Shown = (all) => all,
  time: () => string = () => at,
): FakeService {
  const hosts = new Map(hostsOf(start).map((host) => [host.id, host]));
  const calls: string[] = [];
  let lists = 0;
  const listed = () => shown([...hosts.values()], lists++);
  const snapshot = () =>
    observe({
      takenAt: time(),
      lists: [{ list: 'hosts-with-groups', at: time() }],
      groups: start.groups,
      hosts: listed(),
    });

  const decide = (call: FakeCall): Fate => {
    calls.push(
      call.kind === 'rename'
        ? `rename ${call.host} ${call.to}`
        : 'hosts' in call
          ? `${call.kind} ${call.hosts.join('+')}`
          : call.kind,
    );
    return fate(call, calls.length - 1);
  };
  const write = <T>(call: FakeCall, carryOut: () => WriteResult<T>): WriteResult<T> => {
    const decided = decide(call);
    if (decided === 'lost-before') return lost();
    if (typeof decided === 'object' && 'status' in decided)
      return refused(decided.status, decided.hostIds ?? []);
    if (typeof decided === 'object') return { ok: true, value: decided.answer as T };
    const result = carryOut();
    return decided === 'lost-after' ? lost() : result;
  };

  return {
    hosts,
    calls,
    reader: {
      async read() {
        return decide({ kind: 'fleet' }) === 'ok' ? ok(snapshot()) : unread();
      },
      async readNames() {
        return decide({ kind: 'names' }) === 'ok'
          ? ok(new Map(listed().map((host) => [host.id, host.name])))
          : unread();
      },
    },
    writer: {
      async rename(host, name) {
        return write({ kind: 'rename', host, to: name }, () => {
          const known = hosts.get(host);
          if (known === undefined) return refused(400, [host]);
          const holder = [...hosts.values()].find(
            (other) => other.id !== host && foldName(other.name ?? '') === foldName(name),
          );
          if (holder !== undefined) return refused(409);
          hosts.set(host, { ...known, name });
          return { ok: true, value: null };
        });
      },
      async move(group, ids) {
        return write({ kind: 'move', hosts: ids, to: group }, () => {
          const bad = ids.filter((id) => !hosts.has(id));
          if (bad.length > 0) return refused(400, bad);
          for (const id of ids) hosts.set(id, { ...(hosts.get(id) as ObservedHost), groupId: group });
          return { ok: true, value: null };
        });
      },
      async remove(ids) {
        return write({ kind: 'delete', hosts: ids }, () => {
          const bad = ids.filter((id) => !hosts.has(id));
          if (bad.length > 0) return refused(400, bad);
          for (const id of ids) hosts.delete(id);
          return { ok: true, value: null };
        });
      },
      async refreshAntivirus(ids) {
        return write<ReadonlyMap<HostId, boolean>>({ kind: 'refresh', hosts: ids }, () => ({
          ok: true,
          value: new Map(ids.map((id) => [id, hosts.get(id)?.online === true])),
        }));
      },
      async installAntivirus(ids) {
        return write<InstallAnswer>({ kind: 'antivirus', hosts: ids }, () => {
          for (const id of ids)
            hosts.set(id, {
              ...(hosts.get(id) as ObservedHost),
              antivirus: { installed: true, supported: true },
            });
          return { ok: true, value: 'accepted' };
        });
      },
    },
  };
}

const codes: Readonly<Record<number, ProblemCode>> = {
  400: 'bad-request',
  401: 'not-authenticated',
  404: 'not-found',
  409: 'conflict',
  413: 'too-large',
  500: 'server-error',
};

function refused(
  status: number,
  hostIds: readonly string[] = [],
): { readonly ok: false; readonly failure: CallFailure } {
  const cause = problem(codes[status] ?? 'unexpected-status', `the service answered ${status}`);
  return {
    ok: false,
    failure: { problem: cause, status, outcome: status >= 500 ? 'unknown' : 'refused', hostIds },
  };
}

function lost(): { readonly ok: false; readonly failure: CallFailure } {
  return {
    ok: false,
    failure: { problem: problem('network', 'the reply was lost'), outcome: 'unknown', hostIds: [] },
  };
}

function unread() {
  return { ok: false as const, problems: [problem('network', 'the list could not be read')] };
}
