import type { ProblemBody } from '../../api/resource.ts';

type Given = Pick<ProblemBody, 'status' | 'hint'> & { readonly retryAfter?: number };

/** What a person can do about a problem: the server's hint, otherwise what its kind suggests. Null if nothing. */
export function problemAdvice({ status, hint, retryAfter }: Given): string | null {
  if (hint !== undefined) return hint;
  switch (status) {
    case 403:
      return 'Your roles do not allow this. The console has read them again. An administrator can change them.';
    case 404:
      return 'It does not exist, or your roles do not include it.';
    case 409:
    case 412:
      return 'It changed after this page read it. Read it again before you decide.';
    case 413:
      return 'What you entered is too long.';
    case 429:
      return `Too many requests were sent. ${waitText(retryAfter)}`;
    case 502:
    case 503:
    case 504:
      return `The server can't answer now. ${waitText(retryAfter)}`;
    default:
      return null;
  }
}

function waitText(seconds: number | undefined): string {
  return seconds === undefined ? 'Try again later.' : `Try again in ${seconds} s.`;
}
