import { exactInteger } from '../../core/lib/exact-json.ts';
import { isInt64 } from '../../core/lib/int64.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** The caller's credentials: a company with its pre-shared key in either form, or a login session (spec section 5). */
export type Credentials =
  | { readonly kind: 'basic'; readonly companyId: string; readonly psk: string }
  | { readonly kind: 'json'; readonly companyId: string; readonly psk: string }
  | { readonly kind: 'session'; readonly sessionId: string; readonly profileId: string };

/** Refuses ids that are not integers and secrets that are empty. No problem quotes a value. */
export function checkCredentials(credentials: Credentials): Result<Credentials> {
  const [idName, id] =
    credentials.kind === 'session'
      ? (['profile id', credentials.profileId] as const)
      : (['company ID', credentials.companyId] as const);
  if (!isInt64(id)) {
    return failed(
      problem('configuration', `the ${idName} is not an integer`, {
        hint: "copy it from the API tab of the account's configuration: digits only",
      }),
    );
  }
  if (secretOf(credentials) === '') {
    return failed(
      problem(
        'missing-credentials',
        `the ${credentials.kind === 'session' ? 'login session id' : 'PSK'} is empty`,
      ),
    );
  }
  return ok(credentials);
}

/** The value of the Authorization header, in ASCII. */
export function authorizationOf(credentials: Credentials): string {
  switch (credentials.kind) {
    case 'basic':
      return `Basic ${basicToken(credentials.companyId, credentials.psk)}`;
    case 'json':
      return asciiJson({ companyId: exactInteger(credentials.companyId), psk: credentials.psk });
    case 'session':
      return asciiJson({
        loginSessionId: credentials.sessionId,
        profileId: exactInteger(credentials.profileId),
      });
  }
}

/** Every text that must never be shown. */
export function secretsOf(credentials: Credentials): readonly string[] {
  const secret = secretOf(credentials);
  return credentials.kind === 'session' ? [secret] : [secret, basicToken(credentials.companyId, secret)];
}

/** The secret itself. Redaction also hides every form of it, such as base64 together with a company ID. */
export function secretOf(credentials: Credentials): string {
  return credentials.kind === 'session' ? credentials.sessionId : credentials.psk;
}

function basicToken(companyId: string, psk: string): string {
  return Buffer.from(`${companyId}:${psk}`, 'utf8').toString('base64');
}

/** A header carries bytes, so non-ASCII characters are written as `\uXXXX`. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
