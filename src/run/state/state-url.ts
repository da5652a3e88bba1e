import { checkPostgresUrl } from '../../core/lib/postgres-url.ts';
import { type Environment, valueOf } from '../../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { readKeyFile } from '../../service/client/account-key.ts';

/** The environment variables for the shared state. The address contains a password, so there is no flag. */
const variables = { url: 'RAMPART_STATE_URL', file: 'RAMPART_STATE_URL_FILE' };

export interface StateUrlOptions {
  readonly env: Environment;
  /** Makes a path absolute. */
  readonly path: (given: string) => string;
  /** The names of the two settings; if absent, the environment variables. */
  readonly names?: typeof variables;
}

/** Is a shared state configured? */
export function isStateUrlGiven(env: Environment, names: typeof variables = variables): boolean {
  return [names.url, names.file].some((name) => valueOf(env, name) !== undefined);
}

/** The address of a PostgreSQL database; undefined if the state is a folder. No message contains any part of it. */
export function stateUrlOf({ env, path, names = variables }: StateUrlOptions): Result<string | undefined> {
  const given = valueOf(env, names.url);
  const file = valueOf(env, names.file);
  if (given !== undefined && file !== undefined) {
    return failed(
      problem('configuration', `${names.url} and ${names.file} are both set`, { hint: 'remove one of them' }),
    );
  }
  if (file === undefined) return given === undefined ? ok(undefined) : checkPostgresUrl(given, names.url);
  const read = readKeyFile(path(file), file, 'file');
  return read.ok ? checkPostgresUrl(read.value.key.trim(), `the content of ${names.file}`) : read;
}
