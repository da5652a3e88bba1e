import { describe, expect, it } from 'vitest';
import { hostsOf, type Observed } from '../../../src/core/model/observed.ts';
import type { Result } from '../../../src/core/problem/problem.ts';
import { createFleetReader } from '../../../src/service/wire/create-fleet-reader.ts';
import { answer, scriptedService, type Turn } from '../../given/scripted-service.ts';

const groups = [
  { id: -1, name: null },
  { id: 17, name: 'Berlin' },
];
const host = (id: number, description: string | null, groupid = -1) => ({
  description,
  groupid,
  id,
  isHostOnline: true,
});
const details = (...hosts: readonly object[]) => answer(200, { hostGroups: [], hosts });
const fact = (hostId: number, installed: boolean, supported = true) => ({
  hostId,
  hostDescription: 'any',
  groupId: -1,
  isOnline: true,
  vendorInstallSupported: supported,
  hasVendorInstalled: installed,
});
const fleet = (...hosts: readonly object[]) => answer(200, { groups, hosts });

function given(...turns: readonly Turn[]) {
  const service = scriptedService(turns, { retries: 0 });
  return { ...service, reader: createFleetReader(service.client, { clock: service.clock }) };
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join());
  return result.value;
}

describe('reading the fleet', () => {
  it('uses hosts and groups as the service lists them', async () => {
    const { reader } = given(fleet(host(1, 'A', 17), { ...host(2, null), isHostOnline: false }));
    const observed: Observed = valueOf(await reader.read({ antivirus: false }));
    expect(hostsOf(observed)).toEqual([
      { id: '1', name: 'A', groupId: '17', online: true },
      { id: '2', name: null, groupId: '-1', online: false },
    ]);
    expect(observed.groups).toEqual([
      { id: '-1', name: null },
      { id: '17', name: 'Berlin' },
    ]);
    expect(observed).toMatchObject({
      takenAt: '2026-01-01T00:00:00.000Z',
      lists: [{ list: 'hosts-with-groups', at: '2026-01-01T00:00:00.000Z' }],
    });
  });
  it('keeps ids beyond 2^53 exact', async () => {
    const { reader } = given(
      answer(
        200,
        '{"groups":[],"hosts":[{"description":"A","groupid":-9223372036854775808,"id":9223372036854775807,"isHostOnline":true}]}',
      ),
    );
    expect(hostsOf(valueOf(await reader.read({ antivirus: false })))).toMatchObject([
      { id: '9223372036854775807', groupId: '-9223372036854775808' },
    ]);
  });
  it('sends one GET, and a second one only if anti-virus is needed', async () => {
    const plain = given(fleet());
    await plain.reader.read({ antivirus: false });
    expect(plain.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /public-api/v2/hostswithgroups',
    ]);
    const both = given(fleet(), details());
    await both.reader.read({ antivirus: true });
    expect(both.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /public-api/v2/hostswithgroups',
      'GET /public-api/v1/hosts/anti-virus/details',
    ]);
  });
  it('gives no fact to a host that the anti-virus list leaves out, and ignores hosts that only it names', async () => {
    const { reader } = given(
      fleet(host(1, 'A'), host(2, 'B'), host(3, 'C')),
      details(fact(1, true), fact(3, false, false), fact(99, true)),
    );
    const observed = valueOf(await reader.read({ antivirus: true }));
    expect(hostsOf(observed).map(({ id, antivirus }) => [id, antivirus])).toMatchObject([
      ['1', { installed: true, supported: true }],
      ['2', undefined],
      ['3', { installed: false, supported: false }],
    ]);
    expect(observed.lists.map(({ list }) => list)).toEqual(['hosts-with-groups', 'antivirus-details']);
  });
});

describe('an anti-virus list in which a host breaks the contract', () => {
  it.each([
    ['has no flag', { ...fact(2, true), hasVendorInstalled: undefined }, ['2']],
    ['has a text for a flag', { ...fact(2, true), vendorInstallSupported: 'yes' }, ['2']],
    ['has no id', { ...fact(2, true), hostId: null }, undefined],
    ['is null', null, undefined],
  ])('is read, and only that host is unknown: it %s', async (_, broken, hostIds) => {
    const { reader } = given(
      fleet(host(1, 'A'), host(2, 'B'), host(3, 'C')),
      details(fact(1, true), broken as object, fact(3, false)),
    );
    const read = await reader.read({ antivirus: true });
    expect(hostsOf(valueOf(read)).map(({ antivirus }) => antivirus?.installed)).toEqual([
      true,
      undefined,
      false,
    ]);
    expect(read.problems).toMatchObject([
      { severity: 'warning', code: 'unreadable-host', message: expect.stringContaining('anti-virus list') },
    ]);
    expect(read.problems[0]?.hostIds).toEqual(hostIds);
  });

  it.each([
    ['most hosts do', [null, null, fact(1, true)]],
    ['a host is there twice, once in a form that breaks it', [fact(1, true), { hostId: 1 }, fact(3, true)]],
  ])('is a failure if %s', async (_, hosts) => {
    const { reader } = given(fleet(host(1, 'A')), details(...(hosts as readonly object[])));
    expect((await reader.read({ antivirus: true })).ok).toBe(false);
  });
});

describe('facts in the lists beyond names and groups', () => {
  it("are kept: the computer's own name, and when it came online or went offline", async () => {
    const extras = { hostName: 'WIN-1', hostStateChangeDate: '2026-01-01T00:00:00Z' };
    const { reader } = given(
      fleet({ ...host(1, 'A'), ...extras }, { ...host(2, 'B'), hostName: null, hostStateChangeDate: null }),
    );
    expect(hostsOf(valueOf(await reader.read({ antivirus: false })))).toEqual([
      {
        id: '1',
        name: 'A',
        groupId: '-1',
        online: true,
        hostName: 'WIN-1',
        stateChangedAt: '2026-01-01T00:00:00Z',
      },
      { id: '2', name: 'B', groupId: '-1', online: true },
    ]);
  });

  it('include all of the anti-virus list, null if it has no value', async () => {
    const { reader } = given(
      fleet(host(1, 'A'), host(2, 'B')),
      details(
        {
          ...fact(1, true),
          buildNumber: 17763,
          isMac: false,
          antiVirusStatus: 0,
          antiVirusName: 'Guard',
          isRealTimeProtectionOn: true,
          isVirusDefinitionUpToDate: false,
          virusDefinitionVersion: '1.2.3',
          lastFullScanTime: '2026-01-01T00:00:00Z',
          numberOfThreats: 2,
          isMultipleAntiVirusDetected: true,
        },
        fact(2, false),
      ),
    );
    const [first, second] = hostsOf(valueOf(await reader.read({ antivirus: true })));
    expect(first?.antivirus?.details).toEqual({
      product: 'Guard',
      status: 'action-required',
      realTimeProtection: true,
      definitionsUpToDate: false,
      definitionVersion: '1.2.3',
      lastFullScan: '2026-01-01T00:00:00Z',
      threats: 2,
      several: true,
      build: 17763,
      mac: false,
    });
    expect(new Set(Object.values(second?.antivirus?.details ?? {}))).toEqual(new Set([null]));
  });

  it.each([
    [0, 'action-required'],
    [1, 'warning'],
    [2, 'unknown'],
    [3, 'ok'],
    [4, 'free-ok'],
    [5, 'partial-ok'],
    [6, 'status 6'],
    [null, null],
  ])('the anti-virus status %s is %s', async (number, word) => {
    const { reader } = given(fleet(host(1, 'A')), details({ ...fact(1, true), antiVirusStatus: number }));
    const [only] = hostsOf(valueOf(await reader.read({ antivirus: true })));
    expect(only?.antivirus?.details?.status).toBe(word);
  });
});

describe('an untrustworthy list is a failure, never an absence', () => {
  const good = fleet(host(1, 'A'));
  const readings: readonly [string, readonly Turn[], string][] = [
    ['refused credentials', [answer(401, { message: 'Not authenticated.' })], 'not-authenticated'],
    ['a 403', [answer(403, { message: 'Forbidden' })], 'forbidden'],
    ['a server error', [answer(500)], 'server-error'],
    ['a body cut short', [answer(200, '{"groups":[],"hosts":[{"descr')], 'malformed-response'],
    ['a page of HTML', [answer(200, '<html></html>')], 'malformed-response'],
    ['no list of hosts', [answer(200, { groups })], 'malformed-response'],
    ['a host without an id', [fleet({ ...host(1, 'A'), id: undefined })], 'malformed-response'],
    ['an id that is no integer', [fleet({ ...host(1, 'A'), id: 1.5 })], 'malformed-response'],
    ['a host without a group', [fleet({ ...host(1, 'A'), groupid: undefined })], 'malformed-response'],
    ['a host twice', [fleet(host(1, 'A'), host(2, 'B'), host(1, 'C'))], 'list-inconsistent'],
    ['a group twice', [answer(200, { groups: [...groups, groups[1]], hosts: [] })], 'list-inconsistent'],
    ['an anti-virus list that fails', [good, answer(500)], 'server-error'],
    ['anti-virus with a host twice', [good, details(fact(1, true), fact(1, false))], 'list-inconsistent'],
  ];
  it.each(readings)('%s', async (_, turns, code) => {
    const { reader } = given(...turns);
    const read = await reader.read({ antivirus: turns.length > 1 });
    expect(read.ok).toBe(false);
    expect(read.problems.map((problem) => problem.code)).toEqual([code]);
  });
  it('names the hosts that are listed twice', async () => {
    const { reader } = given(fleet(host(1, 'A'), host(2, 'B'), host(1, 'C')));
    const read = await reader.read({ antivirus: false });
    expect(read.problems[0]).toMatchObject({ message: 'the list contains host 1 twice', hostIds: ['1'] });
  });
  it('does not blame the credentials for a 403 to the anti-virus list alone', async () => {
    const { reader } = given(good, answer(403, { message: 'Forbidden' }));
    expect((await reader.read({ antivirus: true })).problems[0]?.code).toBe('not-allowed');
  });
  it('a read that is stopped', async () => {
    const { reader, requests } = given(good);
    expect((await reader.read({ antivirus: false, signal: AbortSignal.abort() })).ok).toBe(false);
    expect(requests).toEqual([]);
  });
});

describe('reading names only', () => {
  const names = (...hosts: readonly object[]) => answer(200, { hosts });
  it('uses the list with a limit of its own', async () => {
    const { reader, requests } = given(names(host(1, 'A'), host(2, null)));
    expect(valueOf(await reader.readNames())).toEqual(
      new Map([
        ['1', 'A'],
        ['2', null],
      ]),
    );
    expect(requests.map(({ path }) => path)).toEqual(['/public-api/v2/hosts']);
  });
  it('fails if the list fails, or contains a host twice', async () => {
    expect((await given(answer(500)).reader.readNames()).ok).toBe(false);
    const twice = await given(names(host(1, 'A'), host(1, 'B'))).reader.readNames();
    expect(twice.problems[0]?.code).toBe('list-inconsistent');
  });
});
