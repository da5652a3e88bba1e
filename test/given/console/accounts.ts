import {
  type AccountDetail,
  type AccountRow,
  type Cause,
  type DriftRow,
  healths,
  type TimelineRow,
} from '../../../src/api/accounts.ts';
import type { Ignore } from '../../../src/api/ignores.ts';
import { ada, after, before } from './plans.ts';

export function givenAccount(change: Partial<AccountRow> = {}): AccountRow {
  return {
    name: 'contoso',
    company_id: '4711',
    service: 'https://eu.example.com',
    labels: { region: 'eu', tier: 'gold' },
    mode: 'propose',
    health: 'converged',
    waiting_for: null,
    since: before(3 * 60),
    hosts: 812,
    drifted: 0,
    plan: null,
    run: null,
    commit: '906c382f1be04a7c9d35e1f0b2a6c4d8e7f9a0b1',
    last_check_at: before(4),
    next_check_at: after(11),
    failure: null,
    hold: null,
    pause: null,
    ...change,
  };
}

const companies = 'contoso fabrikam northwind tailspin wingtip adatum litware proseware'.split(' ');
const regions = ['eu', 'us', 'apac'];
const tiers = ['gold', 'silver'];

/** How many accounts of a thousand have each health but the last, worst first. */
const shares = [3, 1, 41, 3, 2, 1, 4];

/** Accounts of every health, worst first: one of each if there are as many, else most of them converged. */
export function givenAccounts(count: number): readonly AccountRow[] {
  const few = count <= healths.length ? healths.map(() => 1) : shares;
  const found = healths.flatMap((health, index) => Array.from({ length: few[index] ?? 0 }, () => health));
  return Array.from({ length: count }, (_, index) => givenAccountOf(found[index] ?? 'converged', index));
}

function givenAccountOf(health: AccountRow['health'], index: number): AccountRow {
  const name = `${companies[index % companies.length]}-${String(index).padStart(4, '0')}`;
  return givenAccount({
    name,
    company_id: String(4000 + index),
    labels: { region: regions[index % 3] ?? 'eu', tier: tiers[index % 2] ?? 'gold' },
    health,
    since: before(17 + 13 * index),
    hosts: 40 + ((index * 97) % 1900),
    drifted: health === 'drifted' ? 3 + (index % 60) : 0,
    last_check_at: before(1 + (index % 14)),
    next_check_at: after(1 + (index % 14)),
    plan:
      health === 'waiting'
        ? { id: `pl_${name}`, checksum: '9f2c41d07ab35e66', changes: 12 + index, irreversible: 2 }
        : null,
    run: health === 'running' ? `ru_${name}` : null,
    failure:
      health === 'failing'
        ? {
            since: before(108),
            attempts: 7,
            code: 'service-unavailable',
            message: 'The service returned 503 to GET /devices seven times',
            hint: 'the next attempt follows automatically',
            retry_at: after(4),
          }
        : null,
    pause:
      health === 'paused'
        ? {
            id: `pa_${name}`,
            scope: `account:${name}`,
            by: ada,
            reason: 'The site moves to another building.',
            at: before(60 * 26),
            until: after(60 * 30),
          }
        : null,
  });
}

const noDetails = { rule: null, place: null, assets: null, by: null } as const;

export const causes: readonly Cause[] = [
  {
    ...noDetails,
    id: 'ca_503',
    kind: 'failure',
    title: 'The service at https://eu.example.com returns 503',
    hosts: 0,
    accounts: 3,
    since: before(108),
  },
  {
    ...noDetails,
    id: 'ca_kiosks',
    kind: 'fleet',
    title: 'Renamed by hand, against the rule "kiosk names"',
    rule: 'kiosk names',
    place: { file: 'policies/kiosks.yaml', line: 12 },
    hosts: 212,
    accounts: 31,
    since: before(20),
  },
  {
    ...noDetails,
    id: 'ca_unmanaged',
    kind: 'fleet',
    title: 'New hosts that no entry manages',
    hosts: 18,
    accounts: 7,
    since: before(60 * 17),
  },
  {
    ...noDetails,
    id: 'ca_spring',
    kind: 'file',
    title: 'The file gives these hosts other names',
    rule: 'spring names',
    place: { file: 'names/spring.csv', line: 2 },
    hosts: 9,
    accounts: 3,
    since: before(60 * 50),
    by: {
      kind: 'commit',
      id: '906c382f1be04a7c9d35e1f0b2a6c4d8e7f9a0b1',
      name: 'Ada Lovelace <ada@contoso.example>',
      others: true,
    },
  },
];

/** Differences that people ignore. */
export function givenIgnores(): readonly Ignore[] {
  return [
    {
      id: 'ig_1',
      account: 'contoso',
      host_id: '10040',
      name: 'BER-LOAN-001',
      attribute: 'group',
      live: 'Berlin/Storage',
      reason: 'On loan until the fair is over.',
      by: { kind: 'person', id: 'ada', name: 'Ada Lovelace' },
      at: before(60 * 30),
      until: '2026-12-04T08:00:00.000Z',
    },
  ];
}

export function givenDrift(count: number, account = 'contoso'): readonly DriftRow[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    const isKiosk = index % 4 !== 3;
    return {
      account,
      host_id: String(10_000 + index),
      name: isKiosk ? `till ${number} (Ada)` : `BER-NEW-${number}`,
      attribute: isKiosk ? (index % 5 === 4 ? 'group' : 'name') : 'presence',
      desired: isKiosk ? (index % 5 === 4 ? 'Berlin/Shops' : `BER-KIOSK-${number}`) : null,
      last: isKiosk ? (index % 5 === 4 ? 'Berlin/Shops' : `BER-KIOSK-${number}`) : null,
      live: isKiosk ? (index % 5 === 4 ? 'Berlin/Storage' : `till ${number} (Ada)`) : `BER-NEW-${number}`,
      changed: 'fleet',
      since: before(20 + index),
      cause: isKiosk ? 'ca_kiosks' : 'ca_unmanaged',
      ignored: false,
    };
  });
}

export function givenAccountDetail(change: Partial<AccountDetail> = {}): AccountDetail {
  return {
    ...givenAccount({ health: 'drifted', drifted: 24, since: before(20) }),
    windows: [
      {
        name: 'nights in Berlin',
        is_open: false,
        changes_at: after(60 * 13),
        place: { file: 'rampart.config.yaml', line: 31 },
      },
    ],
    causes: causes
      .filter(({ kind }) => kind === 'fleet')
      .map((each) => ({
        ...each,
        accounts: 1,
        hosts: givenDrift(24).filter(({ cause }) => cause === each.id).length,
      })),
    rejection: null,
    coverage: {
      inventory: [
        { label: 'inventory known', hosts: 800 },
        { label: 'unknown', hosts: 12 },
      ],
      antivirus: [
        { label: 'installed', hosts: 779 },
        { label: 'not installed', hosts: 21 },
        { label: 'not supported', hosts: 12 },
      ],
      tables: [
        {
          table: 'asset',
          origin: 'assets.csv',
          assets: 803,
          assets_with_host: 800,
          groups: [
            { column: 'Site', value: 'Berlin', assets: 401, assets_with_host: 400 },
            { column: 'Site', value: null, assets: 402, assets_with_host: 400 },
          ],
          gaps: [
            {
              gap: 'asset-without-host',
              title: '3 assets without a host',
              count: 3,
              findings: [{ key: '5CG0012F7K', place: { file: 'assets.csv', line: 12, column: 1 } }],
            },
            {
              gap: 'host-without-asset',
              title: '1 host without an asset',
              count: 1,
              findings: [{ key: null, host: { id: '9007199254740993', name: 'KIOSK-1' } }],
            },
          ],
        },
      ],
    },
    policies: [
      {
        kind: 'limit',
        title: 'At most 2 deletions in one plan',
        place: { file: 'fleet.yaml', line: 8 },
        acted: 4,
      },
      {
        kind: 'protect',
        title: 'Never delete hosts of the group "Servers"',
        place: { file: 'fleet.yaml', line: 14 },
        acted: 1,
      },
      { kind: 'rule', title: 'kiosk names', place: { file: 'policies/kiosks.yaml', line: 12 }, acted: 212 },
      {
        kind: 'rule',
        title: 'one group for each site',
        place: { file: 'policies/sites.yaml', line: 3 },
        acted: 0,
      },
    ],
    ...change,
  };
}

/** What happened to an account, the newest first. */
export function givenTimeline(): readonly TimelineRow[] {
  const row = { plan: null, by: null, text: null, counts: null, state: null, steps: null, hosts: null };
  const plan = 'pl_contoso_4';
  return [
    { ...row, key: 'cause 1', at: before(20), kind: 'drifted', text: 'changed in the fleet', hosts: 24 },
    {
      ...row,
      key: 'approval 2',
      at: before(45),
      kind: 'rejected',
      plan: 'pl_contoso_5',
      by: 'Grace Hopper',
      text: 'The kiosks are still in use.',
    },
    {
      ...row,
      key: 'end 1',
      at: before(60),
      kind: 'run-ended',
      plan,
      state: 'in_doubt',
      steps: { done: 199, total: 212 },
    },
    { ...row, key: 'start 1', at: before(64), kind: 'run-started', plan },
    { ...row, key: 'approval 1', at: before(65), kind: 'approved', plan, by: 'Ada Lovelace', text: 'Go.' },
    {
      ...row,
      key: 'plan 1',
      at: before(70),
      kind: 'proposed',
      plan,
      by: 'Ada Lovelace <ada@contoso.example>',
      text: '906c382f1be04a7c9d35e1f0b2a6c4d8e7f9a0b1',
      counts: { rename: 160, move: 24, delete: 18, install: 10, refresh: 0 },
    },
    { ...row, key: 'pause 1', at: before(300), kind: 'paused', by: 'Ada Lovelace', text: 'The shop moves.' },
  ];
}
