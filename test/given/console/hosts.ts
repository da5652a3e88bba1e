import type { Facets, HostDetail, HostListRow } from '../../../src/api/hosts.ts';
import { givenDrift } from './accounts.ts';
import { before } from './plans.ts';

const groups = ['Berlin/Shops', 'Berlin/Servers', 'Lisbon/Kiosks', 'Porto/Office', null];

export function givenHost(index: number, change: Partial<HostListRow> = {}): HostListRow {
  return {
    account: `contoso-${String(index % 40).padStart(4, '0')}`,
    host_id: String(10_000 + index),
    name: `BER-KIOSK-${String(index).padStart(6, '0')}`,
    group: groups[index % groups.length] ?? null,
    state: index % 7 === 0 ? 'offline' : 'online',
    drifted: index % 23 === 0,
    seen_at: before(1 + (index % 14)),
    ...change,
  };
}

/** All hosts of the server. */
export const allHosts = Array.from({ length: 1_663 }, (_, index) => givenHost(index));

const countedBy = (of: (host: HostListRow) => string | null) =>
  Object.entries(Object.groupBy(allHosts, (host) => of(host) ?? ''))
    .map(([value, hosts = []]) => ({ value, hosts: hosts.length }))
    .filter(({ value }) => value !== '');

export const facets: Facets = {
  accounts: countedBy(({ account }) => account),
  groups: countedBy(({ group }) => group),
  states: countedBy(({ state }) => state),
  drifted: allHosts.filter(({ drifted }) => drifted).length,
  total: allHosts.length,
  is_complete: true,
};

export function givenHostDetail(change: Partial<HostDetail> = {}): HostDetail {
  const [drift] = givenDrift(1);
  return {
    ...givenHost(1, { account: 'contoso', host_id: '10000', name: 'till 001 (Ada)', drifted: true }),
    facts: {
      antivirus: 'installed',
      serviceTag: 'PF-2A4B6C',
      'customFields.Site': 'BER-12',
      'customFields.Cost center': '4711',
    },
    drift: drift === undefined ? [] : [drift],
    explain: [
      {
        attribute: 'name',
        value: 'BER-KIOSK-001',
        decided_by: 'rule "kiosk names"',
        place: { file: 'policies/kiosks.yaml', line: 12 },
      },
      {
        attribute: 'group',
        value: 'Berlin/Shops',
        decided_by: 'entry "till at the entrance"',
        place: { file: 'fleet.yaml', line: 210 },
        overruled: [{ decided_by: 'rule "tills"', place: { file: 'policies/kiosks.yaml', line: 30 } }],
      },
      { attribute: 'antivirus', value: null, decided_by: 'nobody: no entry or rule sets it' },
    ],
    plan: null,
    searched: { runs: 20, is_complete: false },
    history: [
      {
        at: before(60 * 24 * 2),
        run: 'ru_contoso_9',
        text: 'Renamed from "DESKTOP-4F2A" to "BER-KIOSK-001"',
        outcome: 'done',
        by: 'Ada Lovelace',
      },
      {
        at: before(60 * 24 * 2 + 1),
        run: 'ru_contoso_9',
        text: 'Moved to the group "Berlin/Shops"',
        outcome: 'done',
        by: 'Ada Lovelace',
      },
      {
        at: before(60 * 24 * 31),
        run: 'ru_contoso_4',
        text: 'Anti-virus installation requested',
        outcome: 'failed',
        by: null,
      },
    ],
    ...change,
  };
}
