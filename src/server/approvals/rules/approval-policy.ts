import type { ApprovalPolicy } from '../../../accounts/approvals/requirements.ts';
import type { LabeledAccount } from '../../../api/access/grants.ts';
import { selects } from '../../../core/expression/compile-selector.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';

const dayMs = 24 * 3600 * 1000;

/**
 * The operator's requirements for approvals of an account. All rules that select it apply together. A rule whose
 * expression can't be evaluated applies to every account.
 */
export function approvalPolicyOf(
  account: LabeledAccount,
  settings: Pick<ServerSettings, 'approvals'>,
): ApprovalPolicy {
  const rules = settings.approvals.filter(
    ({ where }) => where === undefined || selects(where, account) !== false,
  );
  return {
    approvals: Math.max(1, ...rules.map(({ required }) => required)),
    notAuthor: rules.some(({ notAuthor }) => notAuthor),
    expiresAfterMs: rules.length === 0 ? dayMs : Math.min(...rules.map(({ expireAfterMs }) => expireAfterMs)),
  };
}
