import type { z } from 'zod';
import { parseJson } from '../../core/lib/parse-json.ts';
import { printable } from '../../core/lib/printable.ts';
import { type Account, accountOfRecord, equalAccounts } from '../../core/model/account.ts';
import {
  failed,
  ok,
  type Problem,
  type ProblemDetails,
  problem,
  type Result,
} from '../../core/problem/problem.ts';
import type { AllowedSigner } from './allowed-signers.ts';
import { type PlanStatement, planStatement, signatureFile } from './plan-statement.ts';
import type { SignedSubject } from './sign-plan.ts';
import { signerOf } from './ssh-signature.ts';

/** Who signed a statement with a certificate of Sigstore: `IDENTITY ISSUER`. Undefined: the bundle is not valid for it. */
export type IdentityOf = (statement: string, bundle: unknown) => string | undefined;

export interface SignatureRules {
  readonly allowed: readonly AllowedSigner[];
  /** Absent: no trusted root is known, so no bundle is valid. */
  readonly identityOf?: IdentityOf;
  /** The names that a signature must have; one of each list. */
  readonly required: readonly (readonly string[])[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A signature that is valid for a plan. */
export interface CheckedSignature {
  readonly statement: PlanStatement;
  /** The names of the key. */
  readonly signers: readonly string[];
}

/** The clocks of two machines may differ this much. */
export const mostSkewMs = 5 * 60_000;

/** Is this the signature of exactly this plan, by someone who may sign it, and still valid? `file` is shown. */
export function checkSignature(
  text: string,
  file: string,
  subject: SignedSubject,
  rules: SignatureRules,
): Result<CheckedSignature> {
  const place = { file, line: 1, col: 1 };
  const refuse = (message: string, hint: string) => failed(problem('not-approved', message, { place, hint }));
  const signed = signatureFile.safeParse(parseJson(text));
  if (!signed.success) return refuse('this is not the signature of a plan', signAgain);
  if ('bundle' in signed.data && rules.identityOf === undefined)
    return refuse('the plan is signed with Sigstore, and RAMPART_SIGSTORE_ROOT is not set', trustSigstore);
  const signers = signersOf(signed.data, rules);
  if (signers === undefined)
    return refuse('the signature does not match its statement, or was edited', signAgain);
  if (signers.length === 0)
    return refuse('the plan is signed with a key that is not among the allowed signers', otherSigner);
  const missing = rules.required.find((names) => !names.some((name) => signers.includes(name)));
  if (missing !== undefined)
    return refuse(
      `the plan is signed by ${signers.map(whole).join(', ')}, and must be signed by ${missing.map(whole).join(' or ')}`,
      otherSigner,
    );
  const statement = planStatement.safeParse(parseJson(signed.data.statement));
  if (!statement.success) return refuse('the signed statement has another form', signAgain);
  const fault = faultOf(statement.data, subject, rules.now, { place });
  return fault === undefined ? ok({ statement: statement.data, signers }) : failed(fault);
}

/** The names of the signers; none if the key is not allowed. Undefined: the signature is not valid. */
function signersOf(
  signed: z.infer<typeof signatureFile>,
  { allowed, identityOf }: SignatureRules,
): readonly string[] | undefined {
  if ('bundle' in signed) {
    const identity = identityOf?.(signed.statement, signed.bundle);
    return identity === undefined ? undefined : [identity];
  }
  const blob = signerOf(signed.statement, signed.signature);
  if (blob === undefined) return undefined;
  return allowed.filter(({ publicBlob }) => publicBlob.equals(blob)).flatMap(({ names }) => names);
}

/** Identities differ at their ends, so they are not shortened. */
const whole = (name: string) => `"${printable(name)}"`;

const trustSigstore = 'set it to the file trusted_root.json of the Sigstore instance';
const signAgain = 'review the plan, and sign it again with: rampart plan --sign --out FILE';
const otherSigner = 'have someone sign it who may, or add the key to the file of RAMPART_ALLOWED_SIGNERS';

function faultOf(
  { checksum, sha256, account, signed_at: signedAt, expires_at: expiresAt }: PlanStatement,
  subject: SignedSubject,
  now: number,
  at: ProblemDetails,
): Problem | undefined {
  if (!isForAccount(account, subject.account))
    return problem('other-account', 'the signature is for a plan of another account', {
      ...at,
      hint: 'use the signature that was made with this plan',
    });
  if (checksum !== subject.checksum || sha256 !== subject.sha256)
    return problem('not-approved', 'the signature is for another plan, or the plan was edited after it', {
      ...at,
      hint: signAgain,
    });
  if (now >= Date.parse(expiresAt))
    return problem('stale-plan', `the signature expired at ${expiresAt}`, {
      ...at,
      hint: 'plan and sign again',
    });
  if (Date.parse(signedAt) - now > mostSkewMs)
    return problem('stale-plan', `the plan was signed in the future, at ${signedAt}`, {
      ...at,
      hint: 'check the clocks of both machines',
    });
  return undefined;
}

function isForAccount(signed: PlanStatement['account'], account: Account | null): boolean {
  if (signed === null || account === null) return signed === account;
  return equalAccounts(accountOfRecord(signed), account);
}
