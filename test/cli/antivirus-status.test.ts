import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { connected } from '../given/command-line.ts';

const fleet = {
  groups: [
    { id: '17', name: 'Berlin' },
    { id: '18', name: 'Twin' },
    { id: '19', name: 'Twin' },
  ],
  hosts: [
    {
      id: '1',
      name: 'FULL',
      groupId: '17',
      antivirus: {
        installed: true,
        status: 0,
        product: '=Guard\u001b[31m',
        realTimeProtection: true,
        definitionsUpToDate: false,
        definitionVersion: '1.2',
        lastFullScan: '2026-01-01T00:00:00Z',
        threats: 3,
        severalProducts: true,
      },
    },
    { id: '2', name: 'BARE', groupId: '17', antivirus: { status: null } },
    { id: '3', name: 'MAC', antivirus: { supported: false, isMac: true, buildNumber: null } },
  ],
};

describe('antivirus status', () => {
  it('is a table and a line that sums it up', async () => {
    const { rampart } = await connected(fleet);
    const { out, err } = await rampart('hosts antivirus status');
    expect(out.replaceAll(/ {2,}/g, ' | ').split('\n')).toEqual([
      'ID | NAME | GROUP | ANTIVIRUS | STATUS | PRODUCT | THREATS',
      '1 | FULL | Berlin | installed | action-required | =Guard␛[31m | 3',
      '2 | BARE | Berlin | missing | - | - | 0',
      '3 | MAC | - | unsupported | unknown | - | 0',
      '',
    ]);
    expect(err).toBe('3 hosts, 1 installed, 1 missing, 1 unsupported; 1 with threats.\n');
  });

  it('is JSON with all values of the list, null if there is none', async () => {
    const { rampart } = await connected(fleet);
    const { out, err } = await rampart('hosts antivirus status --json');
    const [first, second] = JSON.parse(out) as readonly object[];
    expect(first).toEqual({
      id: '1',
      name: 'FULL',
      group_id: '17',
      group: 'Berlin',
      online: true,
      antivirus: 'installed',
      antivirus_status: 'action-required',
      antivirus_product: '=Guard\u001b[31m',
      antivirus_threats: 3,
      antivirus_real_time_protection: true,
      antivirus_definitions_up_to_date: false,
      antivirus_definition_version: '1.2',
      antivirus_last_full_scan: '2026-01-01T00:00:00Z',
      antivirus_several: true,
      antivirus_build: 17763,
      antivirus_mac: false,
    });
    expect(second).toMatchObject({ antivirus: 'missing', antivirus_status: null, antivirus_product: null });
    expect(err).toBe('');
  });

  it('is CSV without formulas', async () => {
    const { rampart } = await connected(fleet);
    const { out } = await rampart('hosts antivirus status --format csv');
    const [first] = parse(out, { columns: true });
    expect(first).toMatchObject({
      antivirus_product: "'=Guard␛[31m",
      antivirus_threats: '3',
      online: 'true',
    });
  });

  const filters: readonly [readonly string[], readonly string[]][] = [
    [['--missing'], ['2']],
    [['--threats'], ['1']],
    [
      ['--group', 'Berlin'],
      ['1', '2'],
    ],
    [['--group', '-1'], ['3']],
    [['--group', '17', '--missing'], ['2']],
    [['--missing', '--threats'], []],
    [['--where', 'host.antivirus.status == "action-required"'], ['1']],
    [['--where', 'host.name != "FULL"', '--group', 'Berlin'], ['2']],
  ];
  it.each(filters)('%j keeps %j', async (flags, ids) => {
    const { rampart } = await connected(fleet);
    const { out } = await rampart(['hosts', 'antivirus', 'status', '--json', ...flags]);
    expect((JSON.parse(out) as { readonly id: string }[]).map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['a group that there is not', 'Berlni', 'did you mean "Berlin"?'],
    ['a name that two groups have', 'Twin', 'use an id: 18, 19'],
  ])('%s is refused', async (_, group, words) => {
    const { rampart } = await connected(fleet);
    const { code, out, err } = await rampart(['hosts', 'antivirus', 'status', '--group', group]);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain(words);
  });

  it('calls a host that is missing from the list unknown, not missing', async () => {
    const { rampart } = await connected(fleet, {
      faults: [{ action: 'listAntivirusDetails', effect: { kind: 'short-list', share: 0.5 } }],
    });
    const { out } = await rampart('hosts antivirus status --json');
    const states = (JSON.parse(out) as { readonly antivirus: string }[]).map(({ antivirus }) => antivirus);
    expect(states).toEqual(['installed', 'unknown', 'unknown']);
  });
});
