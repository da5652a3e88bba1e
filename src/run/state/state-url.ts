import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { readKeyFile } from '../../service/client/account-key.ts';

/** The environment variables for the shared state. The address contains a password, so there is no flag. */
const variables = { url: 'RAMPART_STATE_URL', file: 'RAMPART_STATE_URL_FILE' };

export interface StateUrlOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Makes a path absolute. */
  readonly path: (given: string) => string;
  /** The names of the two settings; if absent, the environment variables. */
  readonly names?: typeof variables;
}

/** Is a shared state configured? */
export function isStateUrlGiven(env: StateUrlOptions['env'], names: typeof variables = variables): boolean {
  return [names.url, names.file].some((name) => (env[name]?.trim() ?? '') !== '');
}

/** The address of a PostgreSQL database; undefined if the state is a folder. No message contains any part of it. */
export function stateUrlOf({ env, path, names = variables }: StateUrlOptions): Result<string | undefined> {
  const given = env[names.url]?.trim() ?? '';
  const file = env[names.file]?.trim() ?? '';
  if (given !== '' && file !== '') {
    return failed(
      problem('configuration', `${names.url} and ${names.file} are both set`, { hint: 'remove one of them' }),
    );
  }
  if (file === '') return given === '' ? ok(undefined) : checked(given, names.url);
  const read = readKeyFile(path(file), file, 'file');
  return read.ok ? checked(read.value.key.trim(), `the content of ${names.file}`) : read;
}

function checked(url: string, source: string): Result<string> {
  if (/^postgres(?:ql)?:\/\/\S+$/.test(url) && URL.canParse(url)) return ok(url);
  return failed(
    problem('configuration', `${source} is not the address of a PostgreSQL database`, {
      hint: 'it has the form postgresql://user:password@host:port/database',
    }),
  );
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
