import { describe, expect, it } from 'vitest';
import { noFacts } from '../../../../src/core/model/facts.ts';
import { parseChangeWindow } from '../../../../src/core/model/parse-change-window.ts';
import { noPolicy } from '../../../../src/core/model/policy.ts';
import { coverageOfTables } from '../../../../src/core/plan/coverage.ts';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import { warning } from '../../../../src/core/problem/problem.ts';
import { detailOf } from '../../../../src/server/accounts/rules/account-detail.ts';
import { checkRecord } from '../../../../src/server/accounts/rules/check-result.ts';
import { givenDesired, noLimits } from '../../../given/desired.ts';
import { givenFleet } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';
import { inputsFor } from '../../../given/register.ts';

const hosts = [
  { id: 1, name: 'A', antivirus: 'installed' },
  { id: 2, name: 'B', antivirus: 'missing' },
  { id: 3, name: 'C' },
] as const;
const place = { file: 'policies.yaml', line: 3, col: 5 };
const operator = { windows: [], limits: {}, place };
/** What a check read: these hosts, and no change. */
const read = (parts: object = {}) => ({
  observed: givenFleet(hosts),
  plan: givenPlan({ entries: [], hosts }),
  coverage: [],
  facts: noFacts,
  ...parts,
});
const nothingMore = { account: operator, server: { windows: [], freezes: [] } };
const now = '2026-11-23T09:00:00Z';

describe('the page of an account', () => {
  it('counts hosts by anti-virus, and leaves out inventory that nobody read', () => {
    const observed = { ...givenFleet(hosts), lists: [{ list: 'antivirus-details', at: now }] };
    const { coverage } = detailOf(read({ observed }), givenDesired([]), nothingMore, now);
    expect(coverage.inventory).toEqual([]);
    expect(new Map(coverage.antivirus.map(({ label, hosts: count }) => [label, count]))).toEqual(
      new Map([
        ['installed', 1],
        ['not installed', 1],
        ['unknown', 1],
      ]),
    );
  });

  it('shows how a table matches the fleet, with the same causes in each account, and nothing for a table that refuses plans', () => {
    const yaml = `
tables: [{ name: asset, file: a.csv, key: Serial, join: host.inventory.hardware.serviceTag, limits: { rows: 2 } }]
rules: []
`;
    const machines = [
      { id: 1, name: 'A', serial: 'S1' },
      { id: 2, name: '<b>', serial: 'S9' },
    ];
    const inputs = (rows: string) => inputsFor(yaml, { 'a.csv': `Serial,Site,Owner\n${rows}` }, machines);
    const given = inputs('S1,Berlin,x\nS2,Berlin,x\nS3,,x\n');
    const coverage = coverageOfTables(given);
    const checked = { observed: given.observed, plan: makePlan(given), facts: noFacts, coverage };
    const { tables } = detailOf(checked, given.desired, nothingMore, now).coverage;
    expect(tables).toEqual([
      {
        table: 'asset',
        origin: 'a.csv',
        assets: 3,
        assets_with_host: 1,
        groups: [
          { column: 'Site', value: null, assets: 1, assets_with_host: 0 },
          { column: 'Site', value: 'Berlin', assets: 2, assets_with_host: 1 },
        ],
        gaps: [
          {
            gap: 'asset-without-host',
            title: '2 assets without a host',
            count: 2,
            findings: [
              { key: 'S2', place: { file: 'a.csv', line: 3, column: 1 } },
              { key: 'S3', place: { file: 'a.csv', line: 4, column: 1 } },
            ],
          },
          {
            gap: 'host-without-asset',
            title: '1 host without an asset',
            count: 1,
            findings: [{ key: 'S9', host: { id: '2', name: '<b>' } }],
          },
        ],
      },
    ]);
    expect(checkRecord({ ...checked, drift: [] }, () => false).causes).toMatchObject([
      { kind: 'assets', title: 'table "asset": assets without a host', count: 2 },
      { kind: 'register', title: 'table "asset": hosts without an asset', count: 1 },
    ]);
    expect(coverageOfTables(inputs('S1,Berlin,x\n'))).toEqual([]);
  });

  it('lists policies with the hosts that they concern now, and windows with their current state', () => {
    const plan = {
      ...givenPlan({ entries: [], hosts }),
      problems: [warning('policy-warning', 'look', { policy: 'names', hostIds: [] })],
    };
    const bare = givenDesired([], noLimits);
    const when = bare.policy.protect[0]?.when as never;
    const desired = {
      ...bare,
      policy: {
        ...bare.policy,
        protect: [{ name: 'servers', when, from: ['delete'] as const, place }],
        changes: [{ name: 'names', effect: 'warn' as const, when, message: 'look', place }],
        freezes: [{ name: 'holidays', from: '2026-11-01T00:00:00Z', until: '2026-12-01T00:00:00Z', place }],
      },
    };
    const detail = detailOf(read({ plan }), desired, nothingMore, now);
    const shown = { file: 'policies.yaml', line: 3, column: 5 };
    expect(detail.policies).toEqual([
      { kind: 'protect', title: 'servers', place: shown, acted: 0 },
      { kind: 'warn', title: 'names', place: shown, acted: 1 },
      { kind: 'freeze', title: 'holidays', place: shown, acted: 0 },
    ]);
    expect(detail.windows).toMatchObject([
      { name: 'holidays', is_open: false, changes_at: '2026-12-01T00:00:00Z' },
    ]);
  });

  it('lists the windows of the operator as policies, and leaves how they are now to the answer', () => {
    const parsed = parseChangeWindow('Sat 22:00-23:00 UTC');
    if (!parsed.ok) throw new Error('no window');
    const ofAccount = { name: 'nights', only: [parsed.window], place: { ...place, line: 7 } };
    const ofServer = { name: 'audit', until: '2026-11-24T00:00:00Z', place: { ...place, line: 9 } };
    const detail = detailOf(
      read(),
      givenDesired([]),
      { account: { ...operator, windows: [ofAccount] }, server: { windows: [], freezes: [ofServer] } },
      now,
    );
    expect(detail.windows).toEqual([]);
    expect(
      detail.policies.filter(({ kind }) => kind !== 'limit').map(({ kind, title }) => `${kind} ${title}`),
    ).toEqual(['window nights', 'freeze audit']);
  });

  it('lists the policies of groups with the hosts that they move out', () => {
    const group = { kind: 'named', name: 'Berlin' } as const;
    const to = { group: { kind: 'ungrouped' } as const, place: { ...place, line: 5 } };
    const desired = {
      ...givenDesired([], noLimits),
      policy: { ...noPolicy, groups: [{ group, othersTo: to, exclusive: true, limits: {}, place }] },
    };
    const observed = givenFleet([{ id: 1, name: 'A', group: 10 }], { 10: 'Berlin' });
    const account = { companyId: '1', service: 'emulator' };
    const plan = makePlan({ desired, observed, account, now });
    expect(detailOf(read({ observed, plan }), desired, nothingMore, now).policies).toEqual([
      { kind: 'group', title: 'Berlin', place: { file: 'policies.yaml', line: 3, column: 5 }, acted: 1 },
    ]);
  });

  it('lists the stricter limit of the file and of the operator, and how many changes exceed it', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ id: at + 1, name: `H${at}` }));
    const berlin = { kind: 'named', name: 'Berlin' } as const;
    const bare = givenDesired([]);
    const desired = {
      ...bare,
      limits: {
        ...bare.limits,
        rename: { kind: 'count', count: 5 },
        move: { kind: 'count', count: 9 },
      } as const,
      limitPlaces: { rename: place, move: place },
      policy: {
        ...noPolicy,
        groups: [
          {
            group: berlin,
            exclusive: false,
            limits: { delete: { kind: 'share', percent: 20 } as const },
            place,
          },
        ],
      },
    };
    const account = {
      ...operator,
      limits: { move: { kind: 'count', count: 2 } as const },
      places: { 'limits.move': { file: 'rampart.config.yaml', line: 8, col: 3 } },
    };
    const plan = {
      ...givenPlan({ entries: [], hosts: many }),
      breaches: [
        { limit: 'rename', count: 7, allowed: 5, acknowledged: false } as const,
        { limit: 'delete', group: 'Berlin', count: 4, allowed: 1, acknowledged: false } as const,
      ],
    };
    const rules = { ...nothingMore, account };
    const { policies } = detailOf(read({ observed: givenFleet(many), plan }), desired, rules, now);
    const shown = { file: 'policies.yaml', line: 3, column: 5 };
    expect(policies.filter(({ kind }) => kind === 'limit')).toEqual([
      { kind: 'limit', title: 'at most 10% (3) deletions', acted: 0 },
      { kind: 'limit', title: 'at most 5 renames', place: shown, acted: 7 },
      {
        kind: 'limit',
        title: 'at most 2 moves',
        place: { file: 'rampart.config.yaml', line: 8, column: 3 },
        acted: 0,
      },
      { kind: 'limit', title: 'at most 20% (6) missing hosts', acted: 0 },
      { kind: 'limit', title: 'at most 20% deletions in Berlin', place: shown, acted: 4 },
    ]);
  });
});
