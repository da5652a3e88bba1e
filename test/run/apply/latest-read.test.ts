import { describe, expect, it } from 'vitest';
import { type Observed, observe } from '../../../src/core/model/observed.ts';
import { temporaryName } from '../../../src/core/model/temporary-name.ts';
import type { Step, StepKind } from '../../../src/core/plan/types/step.ts';
import { createLatestRead } from '../../../src/run/apply/latest-read.ts';
import { at, type GivenHost, givenFleet, groupId, hostId } from '../../given/fleet.ts';
import { deleteStep, moveStep, renameStep, temporaryRenameStep } from '../../given/steps.ts';

const kinds: readonly StepKind[] = ['rename', 'temporary-rename', 'move', 'antivirus', 'refresh', 'delete'];
const steps: readonly Step[] = [
  temporaryRenameStep('s1', { id: 1, name: 'A', group: 10 }, 'B'),
  renameStep('s2', { id: 1, name: 'A', group: 10 }, 'B'),
  moveStep('s3', [{ id: 1, name: 'A', group: 10 }], 11),
  deleteStep('s4', [{ id: 2, name: 'D', group: 10 }]),
];

/** Words for the change that each kind of step is stopped by; undefined for the kinds that go on. */
function changes(host: number, ...seen: readonly ((read: ReturnType<typeof createLatestRead>) => void)[]) {
  const read = createLatestRead(steps, 0);
  for (const each of seen) each(read);
  const of = (kind: StepKind) => read.changes([hostId(host)], kind).get(hostId(host))?.message;
  return Object.fromEntries(kinds.map((kind) => [kind, of(kind)]).filter(([, found]) => found !== undefined));
}

type See = (read: ReturnType<typeof createLatestRead>) => void;
const fleet =
  (hosts: readonly GivenHost[], parts: Partial<Observed> = {}): See =>
  (read) =>
    read.sawFleet({ ...givenFleet(hosts, { 10: 'Berlin', 11: 'Hamburg', 12: 'Bonn' }), ...parts });
const names =
  (...hosts: readonly (readonly [number, string | null])[]): See =>
  (read) =>
    read.sawNames(new Map(hosts.map(([id, name]) => [hostId(id), name])));
const unreadable = (id?: number) => ({
  unreadable: [{ position: 0, why: 'given', ...(id === undefined ? {} : { id: hostId(id) }) }],
});
const all = (words: string, but: readonly StepKind[] = []) =>
  Object.fromEntries(kinds.filter((kind) => !but.includes(kind)).map((kind) => [kind, words]));

describe('a host that the latest read shows', () => {
  it('has not changed before there is any read', () => {
    expect(changes(1)).toEqual({});
  });
  it('has not changed if its values are the expected ones or those of its transition', () => {
    expect(changes(1, fleet([{ id: 1, name: 'A', group: 10 }]))).toEqual({});
    expect(changes(1, fleet([{ id: 1, name: 'B', group: 11 }]))).toEqual({});
    const temporary = temporaryName('rename', hostId(1), 'B', { taken: new Set() });
    expect(changes(1, fleet([{ id: 1, name: temporary, group: 10 }]))).toEqual({});
  });
  it('stops what renames or deletes it if it was renamed', () => {
    const words = 'host 1 was renamed by someone else, to "X"';
    expect(changes(1, fleet([{ id: 1, name: 'X', group: 10 }]))).toEqual({
      rename: words,
      'temporary-rename': words,
      delete: words,
    });
  });
  it('stops what moves or deletes it if it was moved', () => {
    const words = 'host 1 was moved by someone else, to group 12';
    expect(changes(1, fleet([{ id: 1, name: 'A', group: 12 }]))).toEqual({ move: words, delete: words });
  });
  it('keeps its group if only names are read', () => {
    expect(changes(1, fleet([{ id: 1, name: 'A', group: 12 }]), names([1, 'A']))).toMatchObject({
      move: expect.any(String),
    });
    expect(changes(1, names([1, 'A']))).toEqual({});
    expect(changes(1, names([1, 'X']))).toMatchObject({ rename: expect.any(String) });
  });
  it('in no step has changed in no relevant way', () => {
    expect(changes(3, fleet([{ id: 3, name: 'X' }]))).toEqual({});
    expect(changes(3, fleet([]))).toEqual({});
  });
});

describe('a host that the latest read does not show', () => {
  it('stops everything but a deletion', () => {
    expect(changes(1, fleet([]))).toEqual(all('host 1 was deleted by someone else', ['delete']));
    expect(changes(1, names())).toEqual(all('host 1 was deleted by someone else', ['delete']));
  });
  it("stops everything if it may be one that can't be read", () => {
    const lost = all("host 1 was missing from the list, which has hosts that can't be read");
    expect(changes(1, fleet([], unreadable(1)))).toEqual(lost);
    expect(changes(1, fleet([], unreadable()))).toEqual(lost);
    expect(changes(1, fleet([], unreadable(2)))).toEqual(
      all('host 1 was deleted by someone else', ['delete']),
    );
  });
  it("is deleted, unless it may be one that can't be read", () => {
    const isDeleted = (...seen: readonly See[]) => {
      const read = createLatestRead(steps, 0);
      for (const each of seen) each(read);
      return read.isDeleted(hostId(2));
    };
    expect([isDeleted(), isDeleted(fleet([])), isDeleted(names())]).toEqual([false, true, true]);
    expect(isDeleted(fleet([{ id: 2, name: 'D' }]))).toBe(false);
    expect([isDeleted(fleet([], unreadable(2))), isDeleted(fleet([], unreadable(1)))]).toEqual([false, true]);
    // A later list, which is readable as a whole, settles it.
    expect([
      isDeleted(fleet([], unreadable(2)), fleet([])),
      isDeleted(fleet([], unreadable(2)), names()),
    ]).toEqual([true, true]);
  });
  it("has its listed values, whatever else can't be read", () => {
    expect(changes(1, fleet([{ id: 1, name: 'A', group: 10 }], unreadable()))).toEqual({});
  });
});

describe('the time of the latest read', () => {
  it('is that of the latest list of hosts and groups, and never goes back', () => {
    const read = createLatestRead(steps, Date.parse(at) - 5);
    const listed = (ms: number) =>
      read.sawFleet(
        observe({
          takenAt: at,
          lists: [{ list: 'hosts-with-groups', at: new Date(Date.parse(at) + ms).toISOString() }],
          groups: [{ id: groupId(-1), name: null }],
          hosts: [],
        }),
      );
    const times = [read.readAt];
    for (const ms of [10, 5]) {
      listed(ms);
      times.push(read.readAt);
    }
    expect(times.map((time) => time - Date.parse(at))).toEqual([-5, 10, 10]);
  });
});
