import type { ApprovalPolicy } from '../../../accounts/approvals/requirements.ts';
import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { compileSelector } from '../../../core/expression/compile-selector.ts';
import { memo } from '../../../core/lib/memo.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';

const dayMs = 24 * 3600 * 1000;

type Selectors = (where: string) => ReturnType<typeof compileSelector>;

/** Each check of an account with changes needs all rules, and these only change with the configuration. */
const selectors = new WeakMap<object, Selectors>();

function selectorsFor(settings: Pick<ServerSettings, 'labels'>): Selectors {
  const known =
    selectors.get(settings) ?? memo((where) => compileSelector(where, new Set([...settings.labels, 'name'])));
  selectors.set(settings, known);
  return known;
}

/**
 * The operator's requirements for approvals of an account. All rules that select it apply together. A rule whose
 * expression can't be evaluated applies to every account.
 */
export function approvalPolicyOf(
  { name, labels }: Pick<AccountConfig, 'name' | 'labels'>,
  settings: Pick<ServerSettings, 'approvals' | 'labels'>,
): ApprovalPolicy {
  const rules = settings.approvals.filter(({ where }) => {
    if (where === undefined) return true;
    const selector = selectorsFor(settings)(where);
    const holds = selector.ok ? selector.value({ ...labels, name }) : undefined;
    return holds?.ok !== true || holds.value;
  });
  return {
    approvals: Math.max(1, ...rules.map(({ required }) => required)),
    notAuthor: rules.some(({ notAuthor }) => notAuthor),
    expiresAfterMs: rules.length === 0 ? dayMs : Math.min(...rules.map(({ expireAfterMs }) => expireAfterMs)),
  };
}
