import { type LabeledAccount, mayDo, toGrant } from '../../../api/access/grants.ts';
import type { PlanRow } from '../../../api/plans.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';

/**
 * Who can approve plans of an account, according to the settings: groups of the login provider, and people who decide
 * in pull requests. Empty without a login, when anyone who opens the login link can.
 */
export function approversOf(
  { login, reviewers = [] }: Pick<ServerSettings, 'login' | 'reviewers'>,
  account: LabeledAccount,
): PlanRow['required']['approvers'] {
  const groups = (login?.roles ?? []).filter((rule) => mayDo([rule], 'approve', account));
  const people = reviewers.filter(({ where }) =>
    mayDo([toGrant({ role: 'approver', where })], 'approve', account),
  );
  return [
    ...[...new Set(groups.map(({ group }) => group))].map((name) => ({ kind: 'group' as const, name })),
    ...people.map(({ name }) => ({ kind: 'person' as const, name })),
  ];
}
