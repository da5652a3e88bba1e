import { describe, expect, it } from 'vitest';
import { hostsOf, observe } from '../../../src/core/model/observed.ts';
import type { UnreadableHost } from '../../../src/core/model/unreadable-host.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { givenDesired } from '../../given/desired.ts';
import { at, givenFleet, hostId } from '../../given/fleet.ts';

type Entries = Parameters<typeof givenDesired>[0];

/** What a plan says of hosts that can't be read: hosts 1 and 2 can. */
function said(
  entries: Entries,
  unreadable: Omit<UnreadableHost, 'why'>,
  of: 'hosts' | 'antivirus' = 'hosts',
) {
  const fleet = givenFleet([
    { id: 1, name: 'A' },
    { id: 2, name: 'B' },
  ]);
  const broken = [{ ...unreadable, why: 'it is null' }];
  const plan = makePlan({
    desired: givenDesired(entries),
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
  expect(plan.applicable).toBe(own.length === 1);
  return own.slice(1).map(({ severity, message }) => `${severity}: ${message}`);
}

describe('a host that can not be read', () => {
  it('is needed by an entry with its id', () => {
    expect(said([{ id: 7, name: 'G' }], { position: 4, id: hostId(7) })).toEqual([
      "error: the entry needs host 7, which can't be read",
    ]);
    expect(said([{ id: 7, name: 'G' }], { position: 4 })).toEqual([
      "error: the entry needs host 7, which may be the host at position 5 of the list, which can't be read",
    ]);
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
  });

  it('keeps its name, in any letters, which no other host can get', () => {
    expect(said([{ id: 1, name: 'g' }], { position: 4, id: hostId(7), name: 'G' })).toEqual([
      'error: the name "g", requested for 1, belongs to host 7, which can\'t be read',
    ]);
    expect(said([{ id: 1, name: 'free' }], { position: 4, id: hostId(7), name: 'G' })).toEqual([]);
  });
});

describe('an anti-virus entry that can not be read', () => {
  const install: Entries = [{ id: 1, name: 'A', antivirus: true }];
  it('is needed by a plan that wants an install there', () => {
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
