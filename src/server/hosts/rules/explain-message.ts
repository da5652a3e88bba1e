import type { AccountFacts } from '../../../core/model/facts.ts';
import type { RegisterContent, RegisterRequest } from '../../../core/model/register-request.ts';
import type { Result } from '../../../core/problem/problem.ts';
import type { AccountRecord } from '../../accounts/records/account-record.ts';
import type { DesiredFiles } from '../../sources/rules/desired-states.ts';
import type { HostWithFacts } from '../records/hosts.ts';
import type { HostClaims } from './explain-stored-host.ts';

/** What the thread that explains hosts gets. */
export type ExplainRequest =
  | {
      readonly kind: 'explain';
      readonly id: number;
      readonly host: HostWithFacts;
      readonly account: AccountRecord;
      readonly facts: AccountFacts;
      readonly files: DesiredFiles;
      /** An RFC 3339 time. */
      readonly now: string;
    }
  /** The response to `ask-register`. */
  | { readonly kind: 'register'; readonly id: number; readonly content: Result<RegisterContent> }
  /** The response to `ask-named`; null if the database failed. */
  | { readonly kind: 'named'; readonly id: number; readonly hosts: readonly HostWithFacts[] | null };

/** Its messages. The id is that of the request to explain. */
export type ExplainReply =
  | { readonly kind: 'ask-named'; readonly id: number; readonly names: readonly string[] }
  | { readonly kind: 'ask-register'; readonly id: number; readonly request: RegisterRequest }
  | { readonly kind: 'done'; readonly id: number; readonly claims: Result<HostClaims> };
