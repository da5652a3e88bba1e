import { randomUUID } from 'node:crypto';
import { requirementsOf } from '../../../accounts/approvals/requirements.ts';
import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { countChanges, countIrreversible } from '../../../core/model/policy.ts';
import { planChecksum, printPlan } from '../../../core/plan/document/plan-document.ts';
import { planShape } from '../../../core/plan/plan-shape.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { countsByAction } from '../../../output/review/planned-hosts.ts';
import { approvalPolicyOf } from '../../approvals/rules/approval-policy.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { withoutTime } from '../../runs/rules/run-windows.ts';
import { termsOf } from '../decisions/kept-units.ts';
import type { StoredPlan } from '../decisions/stored-plan.ts';
import type { NewPlan } from '../records/plan-record.ts';
import { digestsOf } from './plan-digests.ts';
import { signatureOf } from './signed-plan.ts';

/** Where a plan comes from. */
export type PlanOrigin = Pick<NewPlan, 'source' | 'commit' | 'author'>;

type NotDecided = 'state' | 'reason' | 'replacedBy' | 'later' | 'approvals';

/** A plan that is not stored yet. */
export interface FreshPlan {
  /** In the form that decisions read. */
  readonly plan: Omit<StoredPlan, NotDecided>;
  /** As the store takes it, with its document and its signature. */
  details(): Promise<Omit<NewPlan, 'state' | 'reason'>>;
}

/** A plan with an id, its requirements, its digests and its units. */
export function freshPlan(
  given: Plan,
  account: AccountConfig,
  origin: PlanOrigin,
  parts: Pick<JobParts, 'settings' | 'env' | 'clock'>,
): FreshPlan {
  const plan = withoutTime(given);
  const id = randomUUID();
  const checksum = planChecksum(plan);
  const digests = digestsOf(plan);
  const { expiresAt: until, ...required } = requirementsOf(plan, approvalPolicyOf(account, parts.settings));
  const expiresAt = new Date(until);
  const changes = countChanges(plan.summary);
  const calls = plan.calls.planned;
  const { source, commit, author } = origin;
  return {
    plan: {
      id,
      checksum,
      changeDigest: digests.changes,
      contentDigest: digests.content,
      source,
      author,
      createdAt: new Date(plan.createdAt),
      expiresAt,
      changes,
      calls,
      required,
      terms: termsOf(plan),
    },
    async details() {
      const counts = countsByAction(plan);
      const document = printPlan(plan);
      return {
        id,
        account: account.name,
        checksum,
        digests,
        document,
        signature: await signatureOf({ document, commit, author, expiresAt }, plan, parts),
        shape: planShape(plan),
        source,
        commit,
        author,
        expiresAt,
        counts,
        changes,
        irreversible: countIrreversible(plan.summary),
        calls,
        required: { ...required, expiresAt: until },
      };
    },
  };
}
