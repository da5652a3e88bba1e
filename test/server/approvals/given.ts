import type { ApprovablePlan, Approver } from '../../../src/server/approvals/decisions/approval.ts';
import type { StoredApproval, StoredRequirements } from '../../../src/server/plans/decisions/stored-plan.ts';

export const checksum = 'a1'.repeat(32);
export const now = Date.parse('2026-11-23T10:00:00.000Z');

export const requirements: StoredRequirements = {
  approvals: 1,
  notAuthor: false,
  numbers: [],
  blocked: null,
};

export function waitingPlan(
  parts: Partial<ApprovablePlan> = {},
  required: Partial<StoredRequirements> = {},
): ApprovablePlan {
  return {
    checksum,
    state: 'waiting',
    reason: null,
    replacedBy: null,
    author: null,
    changes: 1,
    approvals: [],
    expiresAt: new Date('2026-11-24T10:00:00.000Z'),
    ...parts,
    required: { ...requirements, ...required },
  };
}

export function person(id: string, parts: Partial<Approver> = {}): Approver {
  return {
    subject: { kind: 'person', id, name: id },
    email: `${id}@example.com`,
    isApprover: true,
    ...parts,
  };
}

export function approvalOf(id: string, parts: Partial<StoredApproval> = {}): StoredApproval {
  return {
    by: { kind: 'person', id, name: id },
    at: new Date('2026-11-23T09:00:00.000Z'),
    decision: 'approved',
    numbers: {},
    comment: null,
    via: 'console',
    ...parts,
  };
}
