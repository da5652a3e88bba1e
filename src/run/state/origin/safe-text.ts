import { printable } from '../../../core/lib/printable.ts';

const longestWord = 200;
const longestText = 1000;

/** One line of limited length, without control characters: variables of a job may contain anything. */
export function safeWord(text: string | undefined, longest: number = longestWord): string | undefined {
  const line = printable(
    (text ?? '')
      .slice(0, 4 * longest)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  if (line === '') return undefined;
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line;
}

export function safeReason(text: string | undefined): string | undefined {
  return safeWord(text, longestText);
}

/** An address without user, password and query, all of which may contain a secret. */
export function safeAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > longestText || !URL.canParse(text)) return undefined;
  const { protocol, origin, pathname } = new URL(text);
  return protocol === 'https:' || protocol === 'http:'
    ? safeWord(`${origin}${pathname}`, longestText)
    : undefined;
}

/** The name of a branch, without `refs/heads/`. */
export function branchName(ref: string | undefined): string | undefined {
  return ref?.replace(/^(?:refs\/heads\/|origin\/)/, '');
}
