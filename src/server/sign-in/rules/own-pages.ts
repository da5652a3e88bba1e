import { type Problem, problem } from '../../../core/problem/problem.ts';
import { derivedSecret, isSameText } from './secret-text.ts';

const csrfHeader = 'x-rampart-csrf';

/** The text that a session sends with each write. It follows from the session, so it needs no place in the database. */
export function csrfOf(session: string): string {
  return derivedSecret(session, 'rampart csrf');
}

export function isWrite(method: string): boolean {
  return !/^(?:GET|HEAD|OPTIONS)$/i.test(method);
}

/**
 * Why a write of a session is refused: another site can make a browser send it with its cookie, but can neither read
 * the text of the session nor hide the origin of the request. Null if it comes from our own pages.
 */
export function foreignWrite(
  request: Pick<Request, 'headers'>,
  session: string,
  ownUrl: string,
): Problem | null {
  const { headers } = request;
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return foreign;
  const origin = headers.get('origin');
  if (origin !== null && !isOwnOrigin(origin, ownUrl)) return foreign;
  const text = headers.get(csrfHeader);
  return text !== null && isSameText(text, csrfOf(session)) ? null : unproven;
}

/** Of this machine. Other addresses of it may belong to a server of another user. */
const usualNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Without TLS the server has several names, all of them of this machine and with the same port. */
function isOwnOrigin(text: string, ownUrl: string): boolean {
  const own = new URL(ownUrl);
  if (text === own.origin) return true;
  const origin = URL.parse(text);
  return (
    origin !== null &&
    own.protocol === 'http:' &&
    origin.protocol === 'http:' &&
    origin.port === own.port &&
    usualNames.has(origin.hostname) &&
    usualNames.has(own.hostname)
  );
}

const foreign = problem('forbidden', 'The request comes from another site', {
  hint: 'open the console at the address of this server',
});
const unproven = problem('forbidden', `The header ${csrfHeader} is missing or wrong`, {
  hint: 'GET /api/v1/me returns its value for this session as "csrf"; reload the page if you signed in again',
});
