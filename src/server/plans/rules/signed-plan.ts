import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { quoted } from '../../../core/lib/words.ts';
import { planChecksum } from '../../../core/plan/document/plan-document.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { checkSignature } from '../../../run/signature/check-signature.ts';
import { requiredSigners } from '../../../run/signature/required-signers.ts';
import { signPlan } from '../../../run/signature/sign-plan.ts';
import {
  openSigningKey,
  readSigners,
  type SignatureSettings,
} from '../../../run/signature/signature-settings.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import type { NewPlan } from '../records/plan-record.ts';
import type { ApprovedPlan } from './approved-plan.ts';

type SigningParts = Pick<JobParts, 'env' | 'settings' | 'clock'>;

/**
 * The signature with which a plan is stored, so that its run can prove that nobody has edited it in the database. Null
 * if no signature is required, or this server has no key: `signingRefusal` reports that before anyone approves the
 * plan.
 */
export async function signatureOf(
  { document, commit, author, expiresAt }: Pick<NewPlan, 'document' | 'commit' | 'author' | 'expiresAt'>,
  plan: Plan,
  parts: SigningParts,
): Promise<string | null> {
  const key = requiredSigners(parts.env) === undefined ? undefined : await openSigningKey(placeOf(parts));
  if (key?.ok !== true) return null;
  const now = parts.clock.now();
  const origin = { actor: author ?? 'rampart', host: hostname(), ...(commit === null ? {} : { commit }) };
  const lifeMs = expiresAt.getTime() - now;
  return signPlan(subjectOf(document, plan), key.value, { origin, now, lifeMs });
}

/** Why a stored plan may not be applied; undefined if it may. A run in progress may end after the plan has expired. */
export async function planSignatureRefusal(
  { record, document, plan }: Pick<ApprovedPlan, 'record' | 'document' | 'plan'>,
  parts: SigningParts,
): Promise<Problem | undefined> {
  const required = requiredSigners(parts.env);
  if (required === undefined) return undefined;
  const { id, state, signature, createdAt } = record;
  const signers = await readSigners(placeOf(parts));
  if (!signers.ok) return signers.problems[0];
  if (signature === null) return (await signingRefusal(parts)) ?? unsigned;
  const now = state === 'running' ? createdAt.getTime() : parts.clock.now();
  const rules = { ...signers.value, required: [required], now };
  const checked = checkSignature(signature, `plan ${id}`, subjectOf(document, plan), rules);
  return checked.ok ? undefined : checked.problems[0];
}

const unsigned = problem('not-approved', 'the plan was stored before signatures were required', {
  hint: 'check the account again, and approve its new plan',
});

/** Why this server can't sign plans as its environment requires; undefined if it can, or need not. */
export async function signingRefusal(
  parts: Pick<SigningParts, 'env' | 'settings'>,
): Promise<Problem | undefined> {
  const required = requiredSigners(parts.env);
  if (required === undefined) return undefined;
  const [key, signers] = [await openSigningKey(placeOf(parts)), await readSigners(placeOf(parts))];
  const failure = [...key.problems, ...signers.problems][0];
  if (!key.ok || !signers.ok)
    return failure && { ...failure, message: `only signed plans may be applied: ${failure.message}` };
  const isAllowed = signers.value.allowed.some(
    ({ names, publicBlob }) =>
      publicBlob.equals(key.value.publicBlob) && names.some((name) => required.includes(name)),
  );
  if (isAllowed) return undefined;
  const who = required.map(quoted).join(' or ') || 'nobody';
  return problem(
    'not-approved',
    `plans must be signed by ${who}, and the key of the server has another name`,
    {
      hint: 'add the key of the server to the file of RAMPART_ALLOWED_SIGNERS, under a name in RAMPART_REQUIRE_SIGNATURE',
    },
  );
}

function placeOf({ env, settings: { folder } }: Pick<SigningParts, 'env' | 'settings'>): SignatureSettings {
  return { env, path: (shown) => resolve(folder, shown) };
}

function subjectOf(document: string, plan: Plan) {
  return { sha256: sha256Hex(document), checksum: planChecksum(plan), account: plan.account };
}
