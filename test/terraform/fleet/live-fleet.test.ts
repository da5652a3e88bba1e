import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostsOf, type ObservedHost, observe } from '../../../src/core/model/observed.ts';
import { LiveFleet } from '../../../src/terraform/fleet/live-fleet.ts';
import { whyNotDeleted } from '../../../src/terraform/fleet/why-not-deleted.ts';
import { at, givenFleet, groupId, hostId } from '../../given/fleet.ts';

const names = ['a', 'A', 'b', 'longer', null] as const;
const anyEdit = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    id: fc.integer({ min: 1, max: 8 }),
    name: fc.constantFrom(...names),
    group: fc.constantFrom(-1, 10),
  }),
  fc.record({ kind: fc.constant('drop' as const), id: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant('read' as const) }),
);

/** All queries of a planner about a fleet. */
function everythingOf(fleet: ReturnType<typeof observe>) {
  const indexes = Array.from({ length: fleet.count }, (_, index) => index);
  return {
    takenAt: fleet.takenAt,
    lists: fleet.lists,
    unreadable: fleet.unreadable,
    hosts: hostsOf(fleet),
    columns: indexes.map((index) => [fleet.idAt(index), fleet.nameAt(index), fleet.groupIdAt(index)]),
    called: indexes.map((index) => names.map((name) => name !== null && fleet.hasNameAt(index, name))),
    byId: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => [fleet.indexOf(hostId(id)), fleet.byId(hostId(id))]),
    byName: names.map((name) => name !== null && new Set(fleet.byName(name))),
    folded: ['a', 'b', 'longer'].map((name) => new Set(fleet.byFoldedName(name))),
    alike: fleet.hasNamesAlike(),
    repeated: fleet.repeatedIds(),
    groups: [fleet.groupById(groupId(10)), fleet.groupById(groupId(11))],
  };
}

describe('a live fleet', () => {
  it('responds like a list of the same hosts, after any changes and questions', () => {
    fc.assert(
      fc.property(fc.array(anyEdit, { maxLength: 20 }), (edits) => {
        const listed = observe({
          takenAt: at,
          lists: [{ list: 'hosts-with-groups', at }],
          groups: [{ id: groupId(10), name: 'Berlin' }],
          hosts: hostsOf(givenFleet([1, 2, 3, 4, 5].map((id) => ({ id, name: `h${id}` })))),
          unreadable: [{ position: 5, why: 'it is null' }],
        });
        const live = new LiveFleet(listed);
        let hosts: readonly ObservedHost[] = hostsOf(listed);
        const same = () =>
          observe({
            takenAt: listed.takenAt,
            lists: listed.lists,
            groups: listed.groups,
            hosts,
            unreadable: [{ position: 5, why: 'it is null' }],
          });
        for (const edit of edits) {
          if (edit.kind === 'read') expect(everythingOf(live)).toEqual(everythingOf(same()));
          else if (edit.kind === 'drop') {
            live.drop(hostId(edit.id));
            hosts = hosts.filter(({ id }) => id !== hostId(edit.id));
          } else {
            const host = { id: hostId(edit.id), name: edit.name, groupId: groupId(edit.group), online: true };
            live.put(host);
            hosts = hosts.map((each) => (each.id === host.id ? host : each));
          }
        }
        expect(everythingOf(live)).toEqual(everythingOf(same()));
        expect(everythingOf(live.frozen())).toEqual(everythingOf(same()));
        expect(live.groupsCalled('Berlin')).toHaveLength(1);
        expect(live.groupsCalled('Munich')).toEqual([]);
      }),
    );
  });
});

describe('a host that the list does not show', () => {
  const fleet = (parts: Partial<Parameters<typeof observe>[0]>) =>
    new LiveFleet(observe({ takenAt: at, lists: [], groups: [], hosts: [], ...parts }));
  const shown = hostsOf(givenFleet([{ id: 1, name: 'a' }]));

  it('is deleted if the list shows others', () => {
    expect(whyNotDeleted(fleet({ hosts: shown }), hostId(2))).toBeUndefined();
  });

  it('may not be if the list shows no hosts', () => {
    expect(whyNotDeleted(fleet({}), hostId(2))).toMatchObject({ code: 'hosts-missing', hostIds: ['2'] });
  });

  it.each([[{ id: hostId(2) }], [{}]])("may not be if the list has one that can't be read: %j", (known) => {
    const unreadable = [{ position: 0, why: 'it is null', ...known }];
    const found = fleet({ hosts: shown, unreadable });
    expect(whyNotDeleted(found, hostId(2))).toMatchObject({ code: 'unreadable-host', hostIds: ['2'] });
    expect(whyNotDeleted(found, hostId(1))).toBeUndefined();
  });
});
