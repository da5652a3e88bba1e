import { selects } from '../../core/expression/compile-selector.ts';
import { isAllowed, type Role, type ServerAction } from './action.ts';

/** Who did something: a person, a token, a pipeline, the server itself, or the operator with the one-time login link. */
export interface Subject {
  readonly kind: 'person' | 'token' | 'pipeline' | 'server' | 'operator';
  /** Stable and unique among subjects of its kind. */
  readonly id: string;
  readonly name: string;
}

/** Who sends a request, and what they may do. */
export interface CallerIdentity {
  readonly subject: Subject;
  readonly email: string | null;
  readonly grants: readonly Grant[];
  /** The text that a session must send in `X-Rampart-Csrf` with each write; null for tokens, which no browser sends by itself. */
  readonly csrf: string | null;
  /** RFC 3339; null if it does not end. */
  readonly expiresAt: string | null;
}

/** A role for the accounts that `where` selects; for everything without it. */
export interface Grant {
  readonly role: Role;
  /** A CEL expression over labels, and `name`. */
  readonly where?: string;
}

/** The grant of a rule or a request, without what else it has. */
export function toGrant({
  role,
  where,
}: {
  readonly role: Role;
  readonly where?: string | undefined;
}): Grant {
  return where === undefined ? { role } : { role, where };
}

/** What access depends on. An `AccountConfig` is one. */
export interface LabeledAccount {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Every label that any account has: a label that the account lacks reads as "". */
  readonly configuredLabels: ReadonlySet<string>;
}

/** The names of the accounts that someone may see. */
export type Visible = 'all' | readonly string[];

/**
 * Does a grant allow the action on the account? `null` stands for something that belongs to no account, such as a token
 * or the settings: only a grant without `where` allows it. A selector that is faulty or fails grants nothing.
 */
export function mayDo(
  grants: readonly Grant[],
  action: ServerAction,
  account: LabeledAccount | null,
): boolean {
  return grants.some(
    ({ role, where }) =>
      isAllowed(role, action) &&
      (where === undefined || (account !== null && selects(where, account) === true)),
  );
}

/** The accounts on which the grants allow the action, in their order. */
export function visibleAccounts(
  grants: readonly Grant[],
  accounts: readonly LabeledAccount[],
  action: ServerAction = 'read',
): Visible {
  if (mayDo(grants, action, null)) return 'all';
  return accounts.filter((account) => mayDo(grants, action, account)).map(({ name }) => name);
}

export function isVisible(visible: Visible, account: string): boolean {
  return visible === 'all' || visible.includes(account);
}
