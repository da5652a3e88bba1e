import { messageAndHint, type Problem, problem } from '../../../core/problem/problem.ts';
import type { ApprovablePlan, Approver } from './approval.ts';
import { authorship } from './is-author.ts';

/** Whether someone may approve a plan now, and in plain words why not. */
export type Permission =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly problem: Problem };

/**
 * Checks everything that does not depend on what the person enters. A plan expires at `expiresAt` even if no job has
 * noted it yet. `now` is in milliseconds.
 */
export function mayApprove(plan: ApprovablePlan, approver: Approver, now: number): Permission {
  return permissionUnless(replacedRefusal(plan, now) ?? planRefusal(plan) ?? personRefusal(plan, approver));
}

/** An approver may reject a waiting plan, also their own. */
export function mayReject(plan: ApprovablePlan, approver: Approver, now: number): Permission {
  return permissionUnless(stateRefusal(plan, now) ?? roleRefusal(approver));
}

function permissionUnless(refusal: Problem | undefined): Permission {
  return refusal === undefined
    ? { allowed: true }
    : { allowed: false, reason: messageAndHint(refusal), problem: refusal };
}

/** A plan that a later check replaced can be approved: the approval is for the changes that the later plan has too. */
function replacedRefusal(plan: ApprovablePlan, now: number): Problem | undefined {
  const isReplaced = plan.state === 'stale' && plan.replacedBy !== null;
  return stateRefusal(isReplaced ? { ...plan, state: 'waiting' } : plan, now);
}

function stateRefusal({ state, reason, replacedBy, expiresAt }: ApprovablePlan, now: number) {
  const why = reason === null ? '' : `: ${reason}`;
  const replaced = replacedBy === null ? 'wait for the next check' : `review the newer plan ${replacedBy}`;
  const expired = `the plan expired at ${expiresAt.toISOString()}`;
  switch (state) {
    case 'waiting':
      if (now < expiresAt.getTime()) return undefined;
      return problem('stale-plan', expired, { hint: replaced });
    case 'approved':
      return problem('not-approved', 'the plan is already approved');
    case 'running':
      return problem('not-approved', 'a run is already applying the plan');
    case 'done':
      return problem('not-approved', 'the plan was already applied');
    case 'rejected':
      return problem('not-approved', `the plan was rejected${why}`, { hint: replaced });
    case 'stale':
      return problem('stale-plan', `the plan is stale${why}`, { hint: replaced });
    case 'expired':
      return problem('stale-plan', expired, { hint: replaced });
  }
}

/** A closed change window is not a refusal: the run of the approved plan waits for it. */
function planRefusal({ changes, required: { blocked = null } }: ApprovablePlan): Problem | undefined {
  if (changes === 0) return problem('not-approved', 'the plan changes nothing, so it needs no approval');
  if (blocked === null) return undefined;
  return problem('not-approved', `the plan has an error that no approval overrides: ${blocked}`, {
    hint: 'fix the error, then review the next plan',
  });
}

function personRefusal(plan: ApprovablePlan, approver: Approver): Problem | undefined {
  return roleRefusal(approver) ?? repetition(plan, approver) ?? authorRefusal(plan, approver);
}

function roleRefusal({ isApprover }: Approver): Problem | undefined {
  if (isApprover) return undefined;
  return problem('forbidden', 'you need the role approver for this account', {
    hint: 'ask an administrator of this server for the role',
  });
}

function repetition({ approvals }: ApprovablePlan, { subject }: Approver): Problem | undefined {
  const own = approvals.find(({ by }) => by.kind === subject.kind && by.id === subject.id);
  if (own === undefined) return undefined;
  return problem('not-approved', `you have ${own.decision} this plan`, {
    hint: 'each person approves a plan once',
  });
}

function authorRefusal({ author, required }: ApprovablePlan, approver: Approver): Problem | undefined {
  const { notAuthor, approvals, earlierAuthors = [] } = required;
  const { kind } = approver.subject;
  if ((notAuthor || approvals > 1) && (kind === 'token' || kind === 'pipeline' || kind === 'server')) {
    return problem(
      'not-approved',
      `a ${kind} can't approve this plan, because its policy requires approvals of people`,
      { hint: 'sign in to the console and approve it there' },
    );
  }
  if (!notAuthor) return undefined;
  const authors = [...(author === null ? [] : [author]), ...earlierAuthors];
  const found = new Set(authors.map((each) => authorship(each, approver)));
  if (found.has('author'))
    return problem(
      'not-approved',
      'you wrote this change or a part of it, and its author may not approve it',
      {
        hint: 'ask another approver',
      },
    );
  if (found.has('unknown'))
    return problem(
      'not-approved',
      "Rampart can't check that you are not the author, because your sign-in has no email address",
      { hint: 'let the identity provider send the claim "email"' },
    );
  return undefined;
}
