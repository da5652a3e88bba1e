import { type Account, recordOfAccount } from '../../core/model/account.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { Origin } from '../state/journal/record.ts';
import type { PlanStatement } from './plan-statement.ts';
import type { SigningKey } from './ssh-key.ts';
import { signText } from './ssh-signature.ts';

/** A plan file, or the index of several. */
export interface SignedSubject {
  /** The SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  readonly checksum: string;
  /** Null for an index. */
  readonly account: Account | null;
}

export interface SigningOptions {
  readonly origin: Pick<Origin, 'actor' | 'host' | 'job' | 'commit'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long the signature is valid, in milliseconds. */
  readonly lifeMs: number;
}

/** The content of the file with the signature of a key. */
export function signPlan(subject: SignedSubject, key: SigningKey, options: SigningOptions): string {
  const statement = statementOf(subject, options);
  return printSignature({ statement, signature: signText(statement, key) });
}

/** The content of the file with a bundle for the identity of the pipeline. `token` is its ID token, if it has one. */
export async function signPlanKeyless(
  subject: SignedSubject,
  token: string | undefined,
  options: SigningOptions,
): Promise<Result<string>> {
  const { signKeyless } = await import('./sigstore-sign.ts');
  const statement = statementOf(subject, options);
  const bundle = await signKeyless(statement, token);
  return bundle.ok ? ok(printSignature({ statement, bundle: bundle.value })) : bundle;
}

function printSignature(file: object): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function statementOf(
  { sha256, checksum, account }: SignedSubject,
  { origin, now, lifeMs }: SigningOptions,
): string {
  const statement: PlanStatement = {
    type: 'rampart-plan-signature/1',
    checksum,
    sha256,
    account: account && recordOfAccount(account),
    commit: origin.commit ?? null,
    planned_by: { actor: origin.actor, from: origin.job ?? origin.host },
    signed_at: new Date(now).toISOString(),
    expires_at: new Date(now + lifeMs).toISOString(),
  };
  return `${JSON.stringify(statement)}\n`;
}
