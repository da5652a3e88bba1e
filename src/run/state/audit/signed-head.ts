import { sign, verify } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../../core/lib/canonical-json.ts';
import { sha256Id } from '../../../core/lib/hex-ids.ts';
import { parseJson } from '../../../core/lib/parse-json.ts';
import type { AuditKeys } from './audit-keys.ts';
import type { ChainHead } from './chain.ts';

const digits = z.string().regex(sha256Id);

/** The last record of a log at some time, with a signature that the log and its database can't forge. */
export const signedHeadSchema = z.object({
  format_version: z.string().startsWith('1.'),
  /** 0 for an empty log. */
  seq: z.int().min(0),
  hash: digits,
  /** RFC 3339. */
  at: z.iso.datetime({ offset: true }),
  /** The last record that was there when the log was signed for the first time. */
  first_seq: z.int().min(0),
  /** The SHA-256 of the public key. */
  key: digits,
  /** In base64. */
  signature: z.string(),
});
export type SignedHead = z.infer<typeof signedHeadSchema>;

/** Undefined if the text is not a signed head. */
export function parseSignedHead(text: string): SignedHead | undefined {
  return signedHeadSchema.safeParse(parseJson(text)).data;
}

export function signHead(
  { seq, hash }: ChainHead,
  { at, firstSeq }: { readonly at: string; readonly firstSeq: number },
  { id, key }: NonNullable<AuditKeys['signing']>,
): SignedHead {
  const head = { format_version: '1.0', seq, hash, at, first_seq: firstSeq, key: id };
  return { ...head, signature: sign(null, signedText(head), key).toString('base64') };
}

export function isSignedBy({ signature, ...head }: SignedHead, { known }: AuditKeys): boolean {
  const key = known.get(head.key);
  return key !== undefined && verify(null, signedText(head), key, Buffer.from(signature, 'base64'));
}

/** The head as a line of text, for logs and messages that keep a copy of it. */
export function headWords({ seq, hash }: ChainHead): string {
  return `Audit head: record ${seq}, ${hash}`;
}

/** The first line keeps the signature from being one of another kind of document. */
function signedText(head: Omit<SignedHead, 'signature'>): Buffer {
  return Buffer.from(`rampart audit head\n${canonicalJson(head)}`);
}
