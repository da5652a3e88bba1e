import type { Approver } from './approval.ts';

/** Whether a person wrote the commit; `unknown` if the sign-in has no address to compare. */
export type Authorship = 'author' | 'other' | 'unknown';

/** Compares addresses first, without regard to case. A name is compared only if the commit has no address. */
export function authorship(author: string, { subject, email }: Approver): Authorship {
  const address = addressOf(author);
  const own = [subject.id, subject.name, ...(email === null ? [] : [email])].map(fold);
  if (own.includes(fold(address ?? author))) return 'author';
  return address === null || own.some((each) => each.includes('@')) ? 'other' : 'unknown';
}

/** The address in `Jane Doe <jane@example.com>`, or an author that is an address. */
function addressOf(author: string): string | null {
  const [, address] = /<([^<]*)>\s*$/.exec(author) ?? [];
  return address ?? (author.includes('@') ? author : null);
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
