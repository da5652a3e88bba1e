import { beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { type HostId, hostsOf, type Observed } from '../../../src/core/model/observed.ts';
import { failed, ok, problem, type Result } from '../../../src/core/problem/problem.ts';
import type { FleetReader, FleetWriter, WriteResult } from '../../../src/service/wire/fleet.ts';
import {
  createLatestObservation,
  type LatestObservation,
} from '../../../src/terraform/fleet/latest-observation.ts';
import { at, type GivenHost, givenFleet, groupId, hostId } from '../../given/fleet.ts';

const groups = { 10: 'Berlin' };
const three = [
  { id: 1, name: 'h1' },
  { id: 2, name: 'h2' },
  { id: 3, name: 'h3' },
];
const cause = problem('journal', 'no list');
const warned = problem('unreadable-host', 'a host is malformed', { hint: 'look' });

let clock: VirtualClock;
let list: Result<Observed>;
let names: Result<ReadonlyMap<HostId, string | null>>;
let reply: WriteResult<never>;
/** Reads end when it does. */
let gate: Promise<unknown>;
let sent: unknown[][];
let observation: LatestObservation;
let seen: string[];

beforeEach(() => {
  clock = createVirtualClock(Date.parse(at));
  gate = Promise.resolve();
  setList(three);
  names = ok(new Map());
  reply = { ok: true, value: null as never };
  sent = [];
  seen = [];
  const reader: FleetReader = {
    read: async (options) => {
      const given = list;
      sent.push(['read', options]);
      await gate;
      return given;
    },
    readNames: async (options) => {
      const given = names;
      sent.push(['readNames', options]);
      await gate;
      return given;
    },
  };
  const writing =
    (what: string) =>
    async (...args: unknown[]) => {
      sent.push([what, ...args]);
      return reply;
    };
  const writer = {
    rename: writing('rename'),
    move: writing('move'),
    remove: writing('remove'),
    installAntivirus: writing('install'),
    refreshAntivirus: writing('refresh'),
  } as unknown as FleetWriter;
  observation = createLatestObservation(reader, writer, clock);
});

/** Holds reads until the returned function is called. */
const holdReads = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  return resolve;
};
const read = () => observation.reader.read({ antivirus: false });
const readNames = () => observation.reader.readNames();
function setList(hosts: readonly GivenHost[]): void {
  list = ok(givenFleet(hosts, groups), [warned]);
}
function setNames(given: Readonly<Record<string, string | null>>): void {
  names = ok(new Map(Object.entries(given).map(([id, name]) => [hostId(id), name])));
}
const shown = (fleet: Observed | undefined) =>
  fleet && hostsOf(fleet).map(({ id, name, groupId: group }) => `${id} ${name} ${group}`);
const change = async () => {
  await observation.writer.rename(hostId(1), 'new');
  await observation.writer.move(groupId(10), [hostId(1), hostId(2)]);
  await observation.writer.remove([hostId(3)]);
};
const changed = ['1 new 10', '2 h2 10'];
/** The response does not show whether the service carried it out. */
const lose = () => {
  reply = { ok: false, failure: { problem: cause, outcome: 'unknown', hostIds: [] } };
};

describe('the latest observation', () => {
  it('has nothing before the first read', async () => {
    expect(observation.fleet).toBeUndefined();
    expect(observation.atFirst).toBeUndefined();
    expect(observation.asWeLeftIt()).toBeUndefined();
    expect(observation.readAt).toBe(Number.NEGATIVE_INFINITY);
    await change();
    expect(observation.asWeLeftIt()).toBeUndefined();
    expect(observation.hasRemoved(hostId(3))).toBe(true);
  });

  it('changes by our own successful calls, and keeps the first read', async () => {
    const first = await read();
    expect(first.problems).toEqual([warned]);
    expect(observation.asWeLeftIt()).toBe(observation.atFirst);
    await change();
    expect(shown(observation.fleet)).toEqual(changed);
    expect(shown(observation.asWeLeftIt())).toEqual(changed);
    expect(shown(observation.atFirst)).toEqual(['1 h1 -1', '2 h2 -1', '3 h3 -1']);
    setList([{ id: 1, name: 'other' }]);
    await read();
    expect(shown(observation.fleet)).toEqual(['1 other -1']);
    expect(shown(observation.atFirst)).toHaveLength(3);
    expect(shown(observation.asWeLeftIt())).toEqual(changed);
  });

  it('does not change by calls that failed, or for hosts that are not listed', async () => {
    await read();
    reply = { ok: false, failure: { problem: cause, outcome: 'refused', hostIds: [] } };
    await change();
    expect(shown(observation.fleet)).toEqual(shown(observation.atFirst));
    expect(observation.isInDoubt).toBe(false);
    expect(observation.hasRemoved(hostId(3))).toBe(false);
    reply = { ok: true, value: null as never };
    await observation.writer.rename(hostId(9), 'nine');
    await observation.writer.move(groupId(10), [hostId(9)]);
    expect(shown(observation.fleet)).toEqual(shown(observation.atFirst));
  });

  it('knows what our calls gave a host, and forgets it with the host', async () => {
    await change();
    expect(observation.ours(hostId(1))).toEqual({ name: 'new', groupId: '10' });
    expect(observation.ours(hostId(2))).toEqual({ groupId: '10' });
    await observation.writer.rename(hostId(1), 'newer');
    expect(observation.ours(hostId(1))).toEqual({ name: 'newer', groupId: '10' });
    await observation.writer.remove([hostId(1)]);
    expect(observation.ours(hostId(1))).toBeUndefined();
    expect(observation.ours(hostId(3))).toBeUndefined();
  });

  it('adds what was done during a read, which the list may not show', async () => {
    const open = holdReads();
    const reading = read();
    await change();
    open();
    const result = await reading;
    expect(result.ok && shown(result.value)).toEqual(changed);
    expect(shown(observation.fleet)).toEqual(changed);
    setList(three);
    await read();
    expect(shown(observation.fleet)).toHaveLength(3);
  });

  it('adds what was done during a read of names', async () => {
    await read();
    setNames({ 1: 'h1', 2: 'by hand', 3: 'h3' });
    const open = holdReads();
    const reading = readNames();
    await change();
    await observation.writer.rename(hostId(9), 'nine');
    open();
    const result = await reading;
    expect(result.ok && [...result.value]).toEqual([
      ['1', 'new'],
      ['2', 'by hand'],
    ]);
    expect(shown(observation.fleet)).toEqual(['1 new 10', '2 by hand 10']);
    expect(observation.isInDoubt).toBe(false);
  });

  it('keeps the later of two reads, whichever ends first', async () => {
    const open = holdReads();
    const early = read();
    gate = Promise.resolve();
    setList([{ id: 1, name: 'later' }]);
    await clock.advance(1);
    await read();
    const { readAt } = observation;
    expect(readAt).toBe(clock.now());
    open();
    await early;
    expect(shown(observation.fleet)).toEqual(['1 later -1']);
    expect(observation.readAt).toBe(readAt);
  });

  it('keeps the second of two reads at the same moment', async () => {
    await read();
    setList([{ id: 1, name: 'second' }]);
    await read();
    expect(shown(observation.fleet)).toEqual(['1 second -1']);
  });

  it('is unchanged after a read that failed', async () => {
    await read();
    list = failed(cause);
    names = failed(cause);
    expect((await read()).problems).toEqual([cause]);
    expect((await readNames()).problems).toEqual([cause]);
    expect(shown(observation.fleet)).toHaveLength(3);
  });

  it('is reported to watchers, until they stop', async () => {
    const stop = observation.watch({
      sawFleet: (fleet) => seen.push(`fleet ${fleet.count}`),
      sawNames: (all) => seen.push(`names ${all.size}`),
    });
    await read();
    setNames({ 1: 'h1' });
    await readNames();
    expect(seen).toEqual(['fleet 3', 'names 1']);
    stop();
    await read();
    await readNames();
    expect(seen).toHaveLength(2);
  });

  it('drops hosts that are missing from a list of names, and is in doubt if that has more', async () => {
    await readNames();
    await read();
    setNames({ 1: 'h1', 2: 'x', 4: 'h4' });
    await readNames();
    expect(shown(observation.fleet)).toEqual(['1 h1 -1', '2 x -1']);
    expect(observation.isInDoubt).toBe(true);
    setNames({ 1: 'h1', 2: 'x' });
    await readNames();
    expect(observation.isInDoubt).toBe(true);
    await read();
    expect(observation.isInDoubt).toBe(false);
  });

  it.each([
    ['rename', () => observation.writer.rename(hostId(1), 'x'), 'names'],
    ['move', () => observation.writer.move(groupId(10), [hostId(1)]), 'fleet'],
    ['remove', () => observation.writer.remove([hostId(1)]), 'names'],
  ] as const)('is in doubt after a %s without a response, until a read settles it', async (_, go, by) => {
    await read();
    setNames({ 1: 'h1', 2: 'h2', 3: 'h3' });
    lose();
    await go();
    expect(observation.isInDoubt).toBe(true);
    await readNames();
    expect(observation.isInDoubt).toBe(by === 'fleet');
    await read();
    expect(observation.isInDoubt).toBe(false);
  });

  it('is still in doubt about a call that was lost during the read', async () => {
    const open = holdReads();
    const reading = read();
    lose();
    await observation.writer.rename(hostId(1), 'x');
    open();
    await reading;
    expect(observation.isInDoubt).toBe(true);
  });

  it('passes calls and reads on unchanged', async () => {
    const options = { priority: 3 };
    await observation.writer.rename(hostId(1), 'x', options);
    await observation.writer.move(groupId(10), [hostId(1)], options);
    await observation.writer.remove([hostId(1)], options);
    expect(await observation.writer.installAntivirus([hostId(1)], options)).toBe(reply);
    expect(await observation.writer.refreshAntivirus([hostId(1)], options)).toBe(reply);
    const reading = { antivirus: true };
    await observation.reader.read(reading);
    await observation.reader.readNames({});
    expect(sent).toEqual([
      ['rename', '1', 'x', options],
      ['move', '10', ['1'], options],
      ['remove', ['1'], options],
      ['install', ['1'], options],
      ['refresh', ['1'], options],
      ['read', reading],
      ['readNames', {}],
    ]);
  });
});
