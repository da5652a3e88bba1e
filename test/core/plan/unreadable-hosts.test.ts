import { describe, expect, it } from 'vitest';
import { hostsOf, observe, type UnreadableHost } from '../../../src/core/model/observed.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { givenDesired } from '../../given/desired.ts';
import { at, givenFleet, hostId, named } from '../../given/fleet.ts';

type Entries = Parameters<typeof givenDesired>[0];

/** What a plan reports about hosts that can't be read. By default, hosts 1 and 2 can be read. */
function problemsFor(
  entries: Entries,
  unreadable: Omit<UnreadableHost, 'why'>,
  of: 'hosts' | 'antivirus' = 'hosts',
  readable: Parameters<typeof givenFleet>[0] = named('A', 'B'),
) {
  const fleet = givenFleet(readable);
  const broken = [{ ...unreadable, why: 'it is null' }];
  const plan = makePlan({
    desired: { ...givenDesired(entries), placeOf: (line, file) => ({ file: file ?? '', line, col: 1 }) },
    observed: observe({
      takenAt: at,
      lists: fleet.lists,
      groups: fleet.groups,
      hosts: hostsOf(fleet),
      ...(of === 'hosts' ? { unreadable: broken } : { unreadableAntivirus: broken }),
    }),
    account: { companyId: '1', service: 'emulator' },
    now: at,
  });
  const own = plan.problems.filter(({ code }) => code === 'unreadable-host');
  expect(own[0]?.severity).toBe('warning');
  expect(plan.applicable).toBe(
    own.length === 1 && plan.problems.every(({ severity }) => severity !== 'error'),
  );
  return own.slice(1);
}

function said(...given: Parameters<typeof problemsFor>): readonly string[] {
  return problemsFor(...given).map(({ severity, message }) => `${severity}: ${message}`);
}

describe("a host that can't be read", () => {
  it('is needed by an entry with its id', () => {
    expect(said([{ id: 7, name: 'G' }], { position: 4, id: hostId(7) })).toEqual([
      "error: the entry needs host 7, which can't be read",
    ]);
    expect(said([{ id: 7, name: 'G' }], { position: 4 })).toEqual([
      "error: the entry needs host 7, which may be the host at position 5 of the list, which can't be read",
    ]);
  });

  it('is needed by an entry with its id, whatever names both have', () => {
    expect(said([{ id: 7, name: 'G' }], { position: 4, id: hostId(7), name: 'Z' })).toHaveLength(1);
    expect(said([{ id: 7, name: 'G' }], { position: 4, id: hostId(8), name: 'G' })).toEqual([]);
  });

  it('is reported at the entry that refers to it', () => {
    expect(problemsFor([{ id: 1 }, { id: 7, name: 'G' }], { position: 4, id: hostId(7) })).toMatchObject([
      { place: { file: 'id', line: 1 }, hostIds: ['7'] },
    ]);
    const [byName] = problemsFor([{ name: 'G' }], { position: 4, name: 'G' });
    expect(byName).toMatchObject({ place: { file: 'name', line: 0 } });
    expect(byName).not.toHaveProperty('hostIds');
  });

  it('is not needed by a second entry for a host that can be read', () => {
    expect(said([{ id: 1 }, { id: 1 }], { position: 4 })).toEqual([]);
  });

  it('is not needed by an entry whose name two other hosts have, which is ambiguous', () => {
    const twins = named('A', 'A');
    expect(said([{ name: 'A' }], { position: 4, id: hostId(7), name: 'A' }, 'hosts', twins)).toEqual([]);
  });

  it('is not needed by an entry of another host', () => {
    expect(said([{ id: 1, name: 'A' }, { name: 'B' }], { position: 4 })).toEqual([]);
    expect(said([{ name: 'X' }], { position: 4, id: hostId(7), name: 'G' })).toEqual([]);
    expect(said([{ name: 'X' }], { position: 4, id: hostId(7), name: null })).toEqual([]);
  });

  it('is needed by an entry with its name, or one that it may have', () => {
    expect(said([{ name: 'G' }], { position: 4, id: hostId(7), name: 'G' })).toHaveLength(1);
    expect(said([{ name: 'X', previously: ['G'] }], { position: 4, name: 'G' })).toHaveLength(1);
    expect(said([{ name: 'G' }], { position: 4, id: hostId(7) })).toEqual([
      'error: the entry needs "G", which is host 7, which can\'t be read',
    ]);
    expect(said([{ name: 'G' }], { position: 4 })).toEqual([
      'error: the entry needs "G", which may be the host at position 5 of the list, which can\'t be read',
    ]);
  });

  it('keeps its name, in any letter case, and no other host can get it', () => {
    expect(said([{ id: 1, name: 'g' }], { position: 4, id: hostId(7), name: 'G' })).toEqual([
      'error: the name "g", requested for 1, belongs to host 7, which can\'t be read',
    ]);
    expect(said([{ id: 1, name: 'free' }], { position: 4, id: hostId(7), name: 'G' })).toEqual([]);
  });

  it('keeps its name only from other hosts: a host that is listed twice can get it', () => {
    expect(said([{ id: 1, name: 'g' }], { position: 4, id: hostId(1), name: 'G' })).toEqual([]);
  });

  it('blocks no change that leaves names unchanged', () => {
    const unreadable = { position: 4, id: hostId(7), name: 'G' };
    expect(said([{ id: 1, ensure: 'absent' }], unreadable)).toEqual([]);
  });
});

describe("an anti-virus entry that can't be read", () => {
  const install: Entries = [{ id: 1, name: 'A', antivirus: true }];
  it('is needed by a plan that requests an install there', () => {
    const why = (who: string) =>
      `error: the plan needs to know whether ${who} has the anti-virus, and the anti-virus list has an entry that can't be read`;
    expect(said(install, { position: 0, id: hostId(1) }, 'antivirus')).toEqual([why('"A" (1)')]);
    expect(said(install, { position: 0 }, 'antivirus')).toEqual([why('"A" (1)')]);
  });

  it('is not needed by other plans', () => {
    expect(said(install, { position: 1, id: hostId(2) }, 'antivirus')).toEqual([]);
    expect(said([{ id: 1, name: 'new' }], { position: 0, id: hostId(1) }, 'antivirus')).toEqual([]);
  });
});
