import { resolve } from 'node:path';
import { parseDuration } from '../../core/lib/parse-duration.ts';
import { checkPostgresUrl, secretsOfUrl } from '../../core/lib/postgres-url.ts';
import { isSet, type SecretReader } from '../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { keyOf, readKeyFile } from '../client/account-key.ts';
import { parseRegisterUrl } from '../client/base-url.ts';
import { unreadableSource } from './unreadable-source.ts';

/** The address of a source's requests, and their headers and credentials. */
export interface RegisterSettings {
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if the headers alone are the credentials. */
  readonly login?: RegisterLogin;
}

/** Client credentials of OAuth 2.0. */
export interface RegisterLogin {
  readonly url: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
}

/** The variables of a source begin with this, and its name in capitals. */
function registerVariable(source: string, ending: string): string {
  return `RAMPART_SOURCE_${source.toUpperCase().replaceAll('-', '_')}_${ending}`;
}

/** Reads the settings of a source from the environment, which the operator controls. No problem quotes a secret. */
export function readRegisterSettings(source: string, place: SecretReader): Result<RegisterSettings> {
  const variable = (ending: string) => registerVariable(source, ending);
  const valueOf = (ending: string) => place.env[variable(ending)] ?? '';
  const url = addressIn(valueOf('URL'), variable('URL'));
  if (!url.ok) return url;
  const header = secretIn(variable('HEADER'), place);
  const extra = secretIn(variable('HEADER_2'), place);
  const secret = secretIn(variable('CLIENT_SECRET'), place);
  if (!header.ok) return header;
  if (!extra.ok) return extra;
  if (!secret.ok) return secret;
  const headers: Record<string, string> = {};
  for (const [name, text] of [
    ['HEADER', header.value],
    ['HEADER_2', extra.value],
  ] as const) {
    if (text === undefined) continue;
    const parts = /^([A-Za-z0-9-]+): *([\x20-\x7e]+)$/.exec(text);
    if (parts === null) {
      return failed(
        problem('configuration', `${variable(name)} is not a header`, {
          hint: 'write a name and a value, such as: Authorization: Bearer TOKEN',
        }),
      );
    }
    headers[(parts[1] as string).toLowerCase()] = parts[2] as string;
  }
  place.hide(Object.values(headers).flatMap((value) => [value, value.replace(/^\S+ +/, '')]));
  if (valueOf('TOKEN_URL') === '') return ok({ url: url.value, headers });
  const tokenUrl = addressIn(valueOf('TOKEN_URL'), variable('TOKEN_URL'));
  if (!tokenUrl.ok) return tokenUrl;
  if (valueOf('CLIENT_ID') === '' || secret.value === undefined) {
    return failed(
      problem('missing-credentials', `${variable('CLIENT_ID')} or ${variable('CLIENT_SECRET')} is not set`),
    );
  }
  place.hide([secret.value]);
  const scope = valueOf('SCOPE');
  const login = { url: tokenUrl.value, clientId: valueOf('CLIENT_ID'), clientSecret: secret.value };
  return ok({ url: url.value, headers, login: scope === '' ? login : { ...login, scope } });
}

/** When a read of a source ends, whether or not it is complete, and the problem that it then has. */
export interface Deadline {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly problem: Problem;
}

const defaultLimit = '15m';

/** Each page has a limit of its own, so that only this one ends the read of a register that sends pages for ever. */
export function deadlineOf(
  source: string,
  now: number,
  { env }: Pick<SecretReader, 'env'>,
): Result<Deadline> {
  const variable = registerVariable(source, 'TIMEOUT');
  const text = env[variable] || defaultLimit;
  const ms = parseDuration(text) ?? 0;
  if (ms === 0) {
    return failed(
      problem('configuration', `${variable} is not a duration`, {
        hint: `write, for example, ${defaultLimit}`,
      }),
    );
  }
  const why = `not all of its rows arrived within ${text}`;
  return ok({
    at: now + ms,
    problem: unreadableSource(source, why, `${variable} sets another limit, such as 1h`),
  });
}

/** The address of the database of a source, with its credentials, which are hidden. */
export function readRegisterDatabase(source: string, place: SecretReader): Result<string> {
  const variable = registerVariable(source, databaseEnding);
  const given = secretIn(variable, place);
  if (!given.ok) return given;
  if (given.value === undefined)
    return failed(notSet(variable, 'postgresql://user:password@host:5432/assets'));
  place.hide(secretsOfUrl(given.value));
  return checkPostgresUrl(given.value, variable);
}

const databaseEnding = 'DATABASE_URL';

/** What is wrong with the settings of a source, over HTTP or in a database. */
export function registerProblems(source: string, place: SecretReader): readonly Problem[] {
  const variable = registerVariable(source, databaseEnding);
  const isDatabase = [variable, `${variable}_FILE`].some((name) => isSet(place.env, name));
  const settings = isDatabase ? readRegisterDatabase(source, place) : readRegisterSettings(source, place);
  return [...settings.problems, ...deadlineOf(source, 0, place).problems];
}

function addressIn(text: string, variable: string): Result<URL> {
  if (text === '') return failed(notSet(variable, 'https://register.example.com'));
  return parseRegisterUrl(text, variable);
}

function notSet(variable: string, example: string): Problem {
  return problem(
    'configuration',
    `${variable} is not set: the address of a source is the operator's to choose`,
    {
      hint: `set it to an address such as ${example}`,
    },
  );
}

/** The secret in a variable, or in the file that the variable with the ending `_FILE` names. */
function secretIn(variable: string, { env, folder }: SecretReader): Result<string | undefined> {
  const file = env[`${variable}_FILE`] ?? '';
  if (file !== '') {
    const read = readKeyFile(resolve(folder, file), file);
    return read.ok ? ok(read.value.key) : read;
  }
  const text = env[variable] ?? '';
  return text === '' ? ok(undefined) : keyOf(text, `the variable ${variable}`);
}
