import type { PlansComparison } from '../../../src/api/compared-plans.ts';
import type {
  GivenApproval,
  PlanDetail,
  PlanRow,
  RehearsalDetail,
  ReviewHost,
} from '../../../src/api/plans.ts';

type ChainRename = PlanDetail['chains'][number]['renames'][number];
type Subject = PlanRow['approvals'][number]['by'];

/** The time at which the pages of the tests are read. */
export const readAt = '2026-11-23T08:00:00.000Z';

export const ada: Subject = { kind: 'person', id: 'ada', name: 'Ada Lovelace' };
export const grace: Subject = { kind: 'person', id: 'grace', name: 'Grace Hopper' };
const pipeline: Subject = { kind: 'pipeline', id: 'repo:contoso/fleet', name: 'contoso/fleet' };

export function before(minutes: number): string {
  return new Date(Date.parse(readAt) - minutes * 60_000).toISOString();
}
export const after = (minutes: number): string => before(-minutes);

export function givenApproval(change: Partial<GivenApproval> = {}): GivenApproval {
  return {
    by: grace,
    at: before(3),
    decision: 'approved',
    numbers: { delete: 3 },
    comment: 'Checked with the shop: these three kiosks are gone.',
    via: 'console',
    ...change,
  };
}

/** A plan. Its totals follow from the counts of its changes. */
export function givenPlanRow(change: Partial<PlanRow> = {}): PlanRow {
  const { counts = { rename: 12, move: 7, delete: 3, install: 2, refresh: 0 } } = change;
  const irreversible = counts.delete + counts.install;
  const numbers = counts.delete > 2 ? [{ limit: 'delete', value: counts.delete, allowed: 2 }] : [];
  return {
    id: 'pl_contoso_1',
    account: 'contoso',
    checksum: '9f2c41d07ab35e6688c1f0e2d4b7a91350c6e8f7723b4d1a6f5e0c9b8a7d6e5f',
    state: 'waiting',
    reason: null,
    replaced_by: null,
    source: 'fleet',
    commit: '906c382f1be04a7c9d35e1f0b2a6c4d8e7f9a0b1',
    author: 'Ada Lovelace <ada@contoso.example>',
    pull_request: 'https://git.example.com/contoso/fleet/pull/128',
    created_at: before(38),
    expires_at: after(22 * 60),
    counts,
    changes: counts.rename + counts.move + counts.refresh + irreversible,
    irreversible,
    calls: 19,
    required: {
      approvals: 2,
      not_author: true,
      approvers: [
        { kind: 'group', name: 'fleet-approvers' },
        { kind: 'person', name: 'Grace Hopper' },
      ],
      numbers,
    },
    approvals: [],
    may_approve: { allowed: true },
    ...change,
  };
}

/** What the server says about several plans: those of `usual` have the same changes. */
export function givenComparison(
  plans: readonly PlanRow[],
  change: Partial<PlansComparison> = {},
): PlansComparison {
  return {
    plans: [...plans],
    usual: { accounts: plans.map(({ account }) => account), text: '12 renames each (rule "kiosk names")' },
    unusual: [],
    without_plan: [],
    more: { unusual: 0, without_plan: 0 },
    ...change,
  };
}

const reasons = ['entry "kiosk at the entrance"', 'rule "kiosk names"', 'rule "one group for each site"'];

export function givenReviewHost(index: number, change: Partial<ReviewHost> = {}): ReviewHost {
  return {
    host_id: String(812_340_000 + index),
    name: `BER-KSK-${String(index).padStart(3, '0')}`,
    new_name: `KIOSK-${812_340_000 + index}`,
    group: 'Berlin kiosks',
    new_group: null,
    action: ['rename'],
    online: index % 4 === 0 ? 'online' : 'offline',
    last_seen: before(60 * (index + 1)),
    reason: reasons[index % 3] ?? '',
    place: { file: index % 3 === 0 ? 'fleet.yaml' : 'policies/kiosks.yaml', line: 12 + index },
    remarks: [],
    cells: [],
    problems: [],
    ...change,
  };
}

/** The hosts of a plan: deletions and installs first in number order, then renames and moves. */
export function givenReviewHosts(count: number): readonly ReviewHost[] {
  return Array.from({ length: count }, (_, index) => {
    if (index < 3) return givenReviewHost(index, { action: ['delete'], new_name: null });
    if (index < 5) return givenReviewHost(index, { action: ['install', 'rename'] });
    return index < 15
      ? givenReviewHost(index)
      : givenReviewHost(index, { action: ['move'], new_name: null, new_group: 'Lisbon showroom' });
  });
}

function renames(names: readonly string[]): ChainRename[] {
  return names.slice(1).map((to, index) => ({
    host_id: String(812_340_100 + index),
    from: names[index] ?? null,
    to,
    temporary: 'no',
  }));
}

export const chain: PlanDetail['chains'][number] = {
  is_ring: false,
  hosts: 3,
  renames: renames(['LIS-WEB-1', 'LIS-WEB-2', 'LIS-WEB-3', 'LIS-WEB-4']).reverse(),
};

export const ring: PlanDetail['chains'][number] = {
  is_ring: true,
  hosts: 3,
  renames: [
    { host_id: '812340201', from: 'RING-1', to: 'RING-2', temporary: 'first' },
    { host_id: '812340203', from: 'RING-3', to: 'RING-1', temporary: 'no' },
    { host_id: '812340202', from: 'RING-2', to: 'RING-3', temporary: 'no' },
  ],
};

export function givenRehearsal(change: Partial<RehearsalDetail> = {}): RehearsalDetail {
  const steps = { total: 19, done: 19, failed: 0, in_doubt: 0, skipped: 0 };
  const conflicts = { answers: 0, already: 0, repeated: 0, failed: 0 };
  return {
    state: 'done',
    by: ada,
    asked_at: before(20),
    ended_at: before(20),
    converged: true,
    runs: [
      { kind: 'without_faults', converged: true, steps, calls: 19, conflicts, refusals: 0, seconds: 52 },
      {
        kind: 'with_faults',
        converged: true,
        steps,
        calls: 23,
        conflicts: { answers: 3, already: 1, repeated: 1, failed: 0 },
        refusals: 1,
        seconds: 81,
      },
    ],
    findings: [],
    more_findings: 0,
    failure: null,
    ...change,
  };
}

/** What a plan does, in a sentence, for counts of at least two changes. */
function verdictOf({ counts, irreversible }: Pick<PlanRow, 'counts' | 'irreversible'>): string {
  const done = [
    [counts.rename, 'renames'],
    [counts.move, 'moves'],
    [counts.delete, 'deletes'],
    [counts.install, 'installs anti-virus on'],
  ] as const;
  const parts = done
    .filter(([count]) => count > 0)
    .map(([count, verb], index) => `${verb} ${count.toLocaleString('en')}${index === 0 ? ' hosts' : ''}`);
  const text = new Intl.ListFormat('en-GB').format(parts);
  const lost = irreversible === 0 ? '' : ` ${irreversible.toLocaleString('en')} changes can't be undone.`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.${lost} A second plan would find no changes.`;
}

export function givenPlanDetail(change: Partial<PlanDetail> = {}): PlanDetail {
  return {
    ...givenPlanRow(),
    verdict: verdictOf({ ...givenPlanRow(), ...change }),
    is_paused: false,
    irreversible_hosts: givenReviewHosts(5).map((host) => host),
    unusual_hosts: [],
    more: { irreversible_hosts: 0, unusual_hosts: 0, problems: 0, chains: 0 },
    problems: [
      {
        severity: 'warning',
        code: 'policy-warning',
        message: 'This plan deletes BER-KSK-000, which was online an hour ago.',
        hint: 'Ask its owner before you approve.',
        place: { file: 'policies/deletions.yaml', line: 8 },
      },
      { severity: 'note', code: 'slow-list', message: 'The service took 4.1 s to return the list of hosts.' },
    ],
    groups: [
      { name: 'Berlin kiosks', before: 48, after: 38, arrive: 0, leave: 10 },
      { name: 'Lisbon showroom', before: 12, after: 19, arrive: 7, leave: 0 },
    ],
    causes: [
      { title: 'rule "kiosk names"', place: { file: 'policies/kiosks.yaml', line: 12 }, hosts: 12 },
      { title: 'rule "one group for each site"', place: { file: 'policies/sites.yaml', line: 4 }, hosts: 7 },
      { title: 'entry "old kiosks"', place: { file: 'fleet.yaml', line: 88 }, hosts: 3 },
    ],
    chains: [chain, ring],
    calls_by_kind: [
      { kind: 'rename', calls: 13 },
      { kind: 'move', calls: 1 },
      { kind: 'delete', calls: 3 },
      { kind: 'install', calls: 2 },
    ],
    minimum_calls: 19,
    seconds: { low: 40, high: 95 },
    rehearsal: givenRehearsal(),
    run: null,
    undone_by: null,
    difference: { previous: 'pl_contoso_0', added: 9, removed: 2, same: 15 },
    comments: [
      { by: ada, at: before(30), text: 'The showroom opens on Monday, so this should run before.' },
      { by: pipeline, at: before(28), text: 'Posted by the pull request.' },
    ],
    ...change,
  };
}
