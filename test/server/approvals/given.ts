import type { Requirements } from '../../../src/accounts/approvals/requirements.ts';
import type { ApprovablePlan, Approval, Approver } from '../../../src/server/approvals/decisions/approval.ts';

export const checksum = 'a1'.repeat(32);
export const now = '2026-11-23T10:00:00.000Z';

export const requirements: Requirements = {
  approvals: 1,
  notAuthor: false,
  numbers: [],
  expiresAt: '2026-11-24T10:00:00.000Z',
  blocked: null,
};

export function waitingPlan(
  parts: Partial<ApprovablePlan> = {},
  required: Partial<Requirements> = {},
): ApprovablePlan {
  return {
    checksum,
    state: 'waiting',
    reason: null,
    replacedBy: null,
    author: null,
    changes: 1,
    approvals: [],
    ...parts,
    requirements: { ...requirements, ...required },
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

export function approvalOf(id: string, parts: Partial<Approval> = {}): Approval {
  return {
    by: { kind: 'person', id, name: id },
    at: '2026-11-23T09:00:00.000Z',
    checksum,
    decision: 'approved',
    numbers: {},
    via: 'console',
    ...parts,
  };
}
