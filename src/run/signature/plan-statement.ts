import { z } from 'zod';
import { sha256Id } from '../../core/lib/hex-ids.ts';

const time = z.iso.datetime();
const hex = z.string().regex(sha256Id);

/** The content of a plan's signature. */
export const planStatement = z.strictObject({
  type: z.literal('rampart-plan-signature/1'),
  /** The checksum that reviews show. */
  checksum: hex,
  /** The SHA-256 of the whole file, so that nothing in it can be edited. */
  sha256: hex,
  /** Null for the index of the plans of several accounts, which lists them all. */
  account: z.strictObject({ company_id: z.string().nullable(), service: z.string() }).nullable(),
  /** The Git commit of the desired state; null outside a repository. */
  commit: z.string().nullable(),
  /** Who planned, and on which machine or job. */
  planned_by: z.strictObject({ actor: z.string(), from: z.string() }),
  signed_at: time,
  expires_at: time,
});
export type PlanStatement = z.infer<typeof planStatement>;

/**
 * The content of the file next to the plan: the exact text that is signed, and a signature of SSH or a bundle of
 * Sigstore.
 */
export const signatureFile = z.union([
  z.strictObject({ statement: z.string(), signature: z.string() }),
  z.strictObject({ statement: z.string(), bundle: z.looseObject({}) }),
]);

/** The file with the signature of a plan file. */
export function signatureFileOf(planFile: string): string {
  return `${planFile}.sig`;
}
