import type { AuditRow, SettingsDetail, TokenRow } from '../../../src/api/settings.ts';
import { ada, after, before } from './plans.ts';

export function givenSettings(change: Partial<SettingsDetail> = {}): SettingsDetail {
  return {
    sources: [
      {
        name: 'fleet',
        kind: 'git',
        location: 'https://git.example.com/contoso/fleet.git',
        ref: 'main',
        commit: '906c382f1be04a7c9d35e1f0b2a6c4d8e7f9a0b1',
        fetched_at: before(2),
        allows_scripts: false,
        has_webhook: true,
        problem: null,
      },
      {
        name: 'shops',
        kind: 'git',
        location: 'https://git.example.com/contoso/shops.git',
        ref: 'production',
        commit: '1be04a7c9d35e1f0b2a6c4d8e7f9a0b1906c382f',
        fetched_at: before(190),
        allows_scripts: false,
        has_webhook: false,
        problem: {
          code: 'source-unreachable',
          message: 'git fetch ended after 30 s: could not resolve host git.example.com',
          since: before(180),
        },
      },
      {
        name: 'lab',
        kind: 'folder',
        location: './lab',
        ref: null,
        commit: 'sha256:37d9a9437c65f43f73e2dfe92621394320532c5838d9f31c16adfe3e873ebfa2',
        fetched_at: before(1),
        allows_scripts: true,
        has_webhook: false,
        problem: null,
      },
    ],
    notifications: [
      {
        name: 'operations',
        kind: 'slack',
        where: 'region == "eu"',
        kinds: ['drifted', 'failing', 'waiting'],
        digest_seconds: 600,
        last_sent_at: before(14),
        dead: 0,
        problem: null,
      },
      {
        name: 'on-call',
        kind: 'webhook',
        where: null,
        kinds: ['failing', 'in_doubt'],
        digest_seconds: null,
        last_sent_at: before(400),
        dead: 7,
        problem: 'https://pager.example.com answered 410',
      },
      {
        name: 'auditors',
        kind: 'email',
        where: null,
        kinds: ['approved'],
        digest_seconds: 86_400,
        last_sent_at: null,
        dead: 0,
        problem: null,
      },
    ],
    roles: [
      { group: 'fleet-admins', grants: [{ role: 'admin' }] },
      {
        group: 'fleet-eu',
        grants: [
          { role: 'operator', where: 'region == "eu"' },
          { role: 'approver', where: 'region == "eu"' },
        ],
      },
      { group: 'everyone', grants: [{ role: 'viewer' }] },
    ],
    cadence_seconds: 600,
    retention_days: 400,
    file: 'rampart.config.yaml',
    ...change,
  };
}

export function givenToken(change: Partial<TokenRow> = {}): TokenRow {
  return {
    id: 'tok_1',
    name: 'nightly report',
    grants: [{ role: 'viewer' }],
    created_by: ada,
    created_at: before(60 * 24 * 20),
    expires_at: after(60 * 24 * 70),
    revoked_at: null,
    last_used_at: before(480),
    ...change,
  };
}

const acts = [
  ['run-started', 'Started run run_contoso_4 of plan pl_contoso_1 on contoso'],
  ['approval', 'Approved plan pl_contoso_1 of contoso: delete=3'],
  ['run-ended', 'Ended run run_contoso_4 on contoso: 199 done, 2 failed, 1 in doubt'],
  ['rollout-started', 'Started rollout "spring names" on 78 accounts'],
  ['prune', 'Deleted 1,204 journals older than 400 days'],
] as const;

/** Audit records, newest first. */
export function givenAudit(count: number, newest = 5_000): readonly AuditRow[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = newest - index;
    const [kind, text] = acts[seq % acts.length] ?? acts[0];
    return {
      seq,
      at: before(index * 7),
      kind,
      account: kind === 'prune' ? null : 'contoso',
      by: index % 2 === 0 ? 'Ada Lovelace' : 'Grace Hopper',
      text,
      what: { run: 'run_contoso_4', account: 'contoso' },
      hash: seq.toString(16).padStart(64, '0'),
    };
  });
}
