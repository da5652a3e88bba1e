import { readSecret } from '../../control/settings/read-secret.ts';
import type { SecretSource, ServerSettings } from '../../control/settings/server-settings.ts';
import { openPostgresDatabase } from '../../control/store/postgres-database.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { databaseProblem } from '../../run/state/postgres/database-problem.ts';
import type { ServerOptions } from './start-server.ts';

/** What a server would run with. */
export interface CheckedServer {
  readonly accounts: number;
  readonly sources: readonly string[];
  readonly database: string;
  readonly listen: string;
  /** For people. */
  readonly lines: readonly string[];
}

/** Reads every secret and connects to the database, without changing anything. */
export async function checkServer(options: ServerOptions): Promise<Result<CheckedServer>> {
  const { settings, databaseUrl } = options;
  const problems: Problem[] = secretsOf(settings).flatMap(({ what, source, place }) => {
    const read = readSecret(source, what, { ...options, folder: settings.folder });
    return read.problems.map((each) => ({ ...each, place }));
  });
  const database = await checkDatabase(databaseUrl, settings);
  if (!database.ok) problems.push(...database.problems);
  if (!database.ok || problems.some(({ severity }) => severity === 'error')) return failed(...problems);
  const { listen, accounts, sources, login, notifications, cadenceMs } = settings;
  const at = `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`;
  const lines = [
    `Accounts: ${accounts.length}, each checked every ${durationOf(cadenceMs)}.`,
    `Sources: ${sources.map(({ name, kind }) => `${name} (${kind})`).join(', ')}.`,
    `Database: ${database.value}.`,
    `Listens on ${at}; ${login === undefined ? 'people sign in with a link on this machine' : `people sign in at ${login.issuer}`}.`,
    `Notifications: ${notifications.map(({ name }) => name).join(', ') || 'none'}.`,
  ];
  return ok(
    {
      accounts: accounts.length,
      sources: sources.map(({ name }) => name),
      database: database.value,
      listen: at,
      lines,
    },
    problems,
  );
}

interface NamedSecret {
  readonly what: string;
  readonly source: SecretSource;
  readonly place: Problem['place'] & object;
}

function secretsOf({ login, sources, notifications }: ServerSettings): readonly NamedSecret[] {
  const found: NamedSecret[] = [];
  const add = (what: string, source: SecretSource | undefined, place: NamedSecret['place']) => {
    if (source !== undefined) found.push({ what, source, place });
  };
  if (login !== undefined) {
    const place = login.roles[0]?.place ?? { file: 'rampart.config.yaml', line: 1, col: 1 };
    add('the client secret of "login"', login.clientSecret, place);
  }
  for (const source of sources) {
    if (source.kind !== 'git') continue;
    add(`the token of the source "${source.name}"`, source.token, source.place);
    add(`the webhook secret of the source "${source.name}"`, source.webhookSecret, source.place);
    add(`the forge token of the source "${source.name}"`, source.forge?.token, source.place);
  }
  for (const each of notifications) {
    const what = `of the notification "${each.name}"`;
    if (each.kind === 'email') {
      add(`the password ${what}`, each.smtp.password, each.place);
    } else {
      add(`the address ${what}`, each.url, each.place);
      add(`the secret ${what}`, each.secret, each.place);
    }
  }
  return found;
}

async function checkDatabase(url: string | undefined, { data }: ServerSettings): Promise<Result<string>> {
  if (url === undefined) return ok(`embedded, in ${data}`);
  const database = openPostgresDatabase(url);
  try {
    await database.db.selectNoFrom((is) => is.lit(1).as('one')).execute();
    return ok(database.place);
  } catch (error) {
    return failed(databaseProblem(error, database.place));
  } finally {
    await database.close();
  }
}

function durationOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}
