import type { Account } from '../../core/model/account.ts';
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

/** The content of the file with the signature. */
export function signPlan(
  { sha256, checksum, account }: SignedSubject,
  key: SigningKey,
  { origin, now, lifeMs }: SigningOptions,
): string {
  const statement: PlanStatement = {
    type: 'rampart-plan-signature/1',
    checksum,
    sha256,
    account: account === null ? null : { company_id: account.companyId, service: account.service },
    commit: origin.commit ?? null,
    planned_by: { actor: origin.actor, from: origin.job ?? origin.host },
    signed_at: new Date(now).toISOString(),
    expires_at: new Date(now + lifeMs).toISOString(),
  };
  const text = `${JSON.stringify(statement)}\n`;
  return `${JSON.stringify({ statement: text, signature: signText(text, key) }, null, 2)}\n`;
}
