import { type Defaults, defaultsOf, list, record, section, text } from '../../accounts/config/setting.ts';
import { duration, integer, word, yesOrNo } from '../../accounts/config/setting-values.ts';
import { roles } from '../../api/access/action.ts';
import type { Place } from '../../core/problem/problem.ts';
import { address, mailAddress, secretKeys, secretSetting, selector } from './setting-values.ts';

const day = 86_400_000;
const role = { is: word(roles), meaning: 'viewer, planner, approver, operator or admin.' } as const;

function whereSetting(labels: ReadonlySet<string>) {
  return {
    is: selector(labels),
    meaning: 'The accounts this applies to: a CEL expression over labels and name. Default: all accounts.',
  } as const;
}

/** How people log in. */
export function loginSettings(labels: ReadonlySet<string>) {
  const rule = section(
    {
      group: { is: text, meaning: 'A value of the groups claim.', required: true },
      role: { ...role, required: true },
      where: whereSetting(labels),
    },
    (values, { place }) => ({ ...values, place }),
  );
  return section(
    {
      issuer: { is: address, meaning: 'The address of the OIDC provider.', required: true },
      clientId: { is: text, meaning: 'The client id of Rampart at the provider.', required: true },
      ...secretKeys('clientSecret', 'the client secret'),
      groupsClaim: { is: text, meaning: 'The claim with the groups of a person.', byDefault: 'groups' },
      scopes: {
        is: list(text),
        meaning: 'The scopes to request. Default: openid, profile, email and the name of the groups claim.',
      },
      roles: { is: list(rule), meaning: 'The roles that groups have.', required: true },
      sessionIdle: {
        is: duration(60_000, day, 'from 1m to 24h'),
        meaning: 'A session ends after this time without requests.',
        byDefault: '1h',
      },
      sessionLife: {
        is: duration(300_000, 30 * day, 'from 5m to 30d'),
        meaning: 'A session ends after this time at the latest.',
        byDefault: '12h',
      },
    },
    (values, at) => {
      const { issuer, clientId, groupsClaim, roles, sessionIdle: idleMs, sessionLife: lifeMs } = values;
      const clientSecret = secretSetting('clientSecret', values, at);
      if (clientSecret === undefined)
        return at.refuse(null, '"login" needs "clientSecretFile" or "clientSecretVariable"');
      const scopes = values.scopes ?? ['openid', 'profile', 'email', groupsClaim];
      if (at.members.sessionIdle !== undefined && idleMs > lifeMs) {
        const life = at.members.sessionLife === undefined ? ', which is 12h by default' : '';
        return at.refuse(
          'sessionIdle',
          `"sessionIdle" is longer than "sessionLife"${life}: sessions would end before it`,
          'make "sessionIdle" shorter or "sessionLife" longer',
        );
      }
      return { issuer, clientId, clientSecret, groupsClaim, scopes, roles, session: { idleMs, lifeMs } };
    },
  );
}

/** A pipeline that may exchange its OIDC token. */
export function pipelineSettings(labels: ReadonlySet<string>) {
  return section(
    {
      issuer: {
        is: address,
        meaning: 'The issuer of the tokens, such as https://token.actions.githubusercontent.com.',
        required: true,
      },
      audience: { is: text, meaning: 'The audience that the tokens must have.', required: true },
      claims: {
        is: record(list(text)),
        meaning:
          'Claims that a token must have, such as repository_id; a list means one of these values. At least one.',
        required: true,
      },
      role: { ...role, required: true },
      where: whereSetting(labels),
    },
    (values, at) => {
      if (Object.values(values.claims).every((each) => each.length === 0)) {
        return at.refuse(
          'claims',
          '"claims" must name at least one claim, because everyone can get tokens from a public issuer',
          'write, for example, claims: { repository_id: "123456789" }',
        );
      }
      return { ...values, place: at.place };
    },
  );
}

const approvalKeys = {
  required: { is: integer(1, 9), meaning: 'How many people must approve.', byDefault: '1' },
  notAuthor: { is: yesOrNo, meaning: 'The author of the change may not approve it.', byDefault: 'false' },
  expireAfter: {
    is: duration(60_000, 30 * day, 'from 1m to 30d'),
    meaning: 'A plan and its approvals expire after this time.',
    byDefault: '24h',
  },
} as const;

/** How many people approve a plan. */
export function approvalRule(labels: ReadonlySet<string>) {
  return section({ ...approvalKeys, where: whereSetting(labels) }, (values, { place }) =>
    toApprovalRule(values, place),
  );
}

/** What holds without `approvals`. */
export const defaultApproval = (place: Place) => toApprovalRule(defaultsOf(approvalKeys), place);

function toApprovalRule(
  { expireAfter: expireAfterMs, ...values }: Defaults<typeof approvalKeys> & { readonly where?: string },
  place: Place,
) {
  return { ...values, expireAfterMs, place };
}

/** A person who approves plans by comments on pull requests. */
export function reviewerSettings(labels: ReadonlySet<string>) {
  return section(
    {
      id: {
        is: text,
        meaning: 'The id of the person at the OIDC provider (the claim "sub"), as the console shows it.',
        required: true,
      },
      name: { is: text, meaning: 'The name of the person.', required: true },
      email: { is: mailAddress, meaning: 'The email address of their commits.', required: true },
      github: { is: text, meaning: 'Their user number or user name at GitHub.' },
      gitlab: { is: text, meaning: 'Their user number or user name at GitLab.' },
      where: whereSetting(labels),
    },
    (values, at) => {
      if (values.github === undefined && values.gitlab === undefined)
        return at.refuse(null, `the reviewer "${values.name}" needs "github" or "gitlab"`);
      return { ...values, place: at.place };
    },
  );
}
