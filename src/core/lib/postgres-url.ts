import { failed, ok, problem, type Result } from '../problem/problem.ts';

/** The address of a PostgreSQL database, as `source` gives it. No problem contains any part of it. */
export function checkPostgresUrl(url: string, source: string): Result<string> {
  if (/^postgres(?:ql)?:\/\/\S+$/.test(url) && URL.canParse(url)) return ok(url);
  return failed(
    problem('configuration', `${source} is not the address of a PostgreSQL database`, {
      hint: 'it has the form postgresql://user:password@host:port/database',
    }),
  );
}

/** The same address; the driver checks the certificate in all of these modes, and warns that it does. */
export function checkedAddress(given: string): string {
  const url = new URL(given);
  if (/^(?:prefer|require|verify-ca)$/.test(url.searchParams.get('sslmode') ?? ''))
    url.searchParams.set('sslmode', 'verify-full');
  return url.href;
}

/** A shorter text may be a part of ordinary words, and is hidden only together with what surrounds it. */
const shortest = 6;

/**
 * The password of an address in both spellings, and its query, which may contain one. The host stays readable, because
 * messages name the database that does not answer.
 */
export function secretsOfUrl(url: string): readonly string[] {
  if (!URL.canParse(url)) return [url];
  const { username, password, search } = new URL(url);
  const login = password === '' || password.length >= shortest ? '' : `//${username}:${password}@`;
  return [password, decoded(password), login, search].filter((each) => each !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
