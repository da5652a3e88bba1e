import { type LabeledAccount, mayDo } from '../../../api/access/grants.ts';
import type { PlanRow } from '../../../api/plans.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';

/**
 * Who may approve plans of an account, as the settings name them: groups of the login provider, and people who decide in
 * pull requests. Empty without a login, when whoever opens the login link may.
 */
export function approversOf(
  { login, reviewers = [] }: Pick<ServerSettings, 'login' | 'reviewers'>,
  account: LabeledAccount,
): PlanRow['required']['approvers'] {
  const groups = (login?.roles ?? []).filter((rule) => mayDo([rule], 'approve', account));
  const people = reviewers.filter(({ where }) =>
    mayDo([{ role: 'approver', ...(where === undefined ? {} : { where }) }], 'approve', account),
  );
  return [
    ...[...new Set(groups.map(({ group }) => group))].map((name) => ({ kind: 'group' as const, name })),
    ...people.map(({ name }) => ({ kind: 'person' as const, name })),
  ];
}
