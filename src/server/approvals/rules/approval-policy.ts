import type { ApprovalPolicy } from '../../../accounts/approvals/requirements.ts';
import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { compileSelector } from '../../../core/expression/compile-selector.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';

const dayMs = 24 * 3600 * 1000;

/**
 * What the operator requires of approvals for an account. All rules that select it hold together. A rule whose
 * expression can't be evaluated holds for every account.
 */
export function approvalPolicyOf(
  { name, labels }: Pick<AccountConfig, 'name' | 'labels'>,
  settings: Pick<ServerSettings, 'approvals' | 'labels'>,
): ApprovalPolicy {
  const rules = settings.approvals.filter(({ where }) => {
    if (where === undefined) return true;
    const selector = compileSelector(where, new Set([...settings.labels, 'name']));
    const holds = selector.ok ? selector.value({ ...labels, name }) : undefined;
    return holds?.ok !== true || holds.value;
  });
  return {
    approvals: Math.max(1, ...rules.map(({ required }) => required)),
    notAuthor: rules.some(({ notAuthor }) => notAuthor),
    expiresAfterMs: rules.length === 0 ? dayMs : Math.min(...rules.map(({ expireAfterMs }) => expireAfterMs)),
  };
}
