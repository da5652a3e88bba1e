import type { Approver } from './approval.ts';

/** Whether a person wrote the commit; `unknown` if the sign-in has no address to compare. */
export type Authorship = 'author' | 'other' | 'unknown';

/** Compares addresses first, without regard to case. A name is compared only if the commit has no address. */
export function authorship(author: string, { subject, email }: Approver): Authorship {
  const written = splitAuthor(author);
  const own = [subject.id, subject.name, ...(email === null ? [] : [email])].map(fold);
  if (written.address === null) return own.includes(fold(written.name)) ? 'author' : 'other';
  if (own.includes(fold(written.address))) return 'author';
  if (own.some((each) => each.includes('@'))) return 'other';
  return 'unknown';
}

function splitAuthor(author: string): { readonly name: string; readonly address: string | null } {
  const open = author.lastIndexOf('<');
  if (open >= 0 && author.trimEnd().endsWith('>')) {
    return { name: author.slice(0, open), address: author.trimEnd().slice(open + 1, -1) };
  }
  return { name: author, address: author.includes('@') ? author : null };
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
