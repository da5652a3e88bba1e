import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '../../core/lib/words.ts';
import { asWarning, failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { databaseProblem } from '../../run/state/postgres/database-problem.ts';
import { type WindowNow, windowsNow } from '../accounts/decisions/windows-now.ts';
import { openPostgresDatabase } from '../database/postgres-database.ts';
import { signingRefusal } from '../plans/rules/signed-plan.ts';
import type { PipelineSettings, ServerSettings } from '../settings/server-settings.ts';
import { missingFolder } from '../sources/rules/copy-folder.ts';
import { gitVersionProblem } from '../sources/rules/git-version.ts';
import { missingKeys, missingSecrets } from './missing-secrets.ts';
import { settingWarnings } from './setting-warnings.ts';
import type { ServerOptions } from './start-server.ts';

/** The settings and parts that a server would run with. */
export interface CheckedServer {
  readonly accounts: number;
  readonly sources: readonly string[];
  readonly database: string;
  readonly listen: string;
  readonly windows: readonly string[];
  readonly freezes: readonly string[];
  /** The issuers of the tokens of pipelines. */
  readonly pipelines: readonly string[];
  /** For people. */
  readonly lines: readonly string[];
}

/** Reads every secret, looks for Git and folders, and connects to the database, without changing anything. */
export async function checkServer(options: ServerOptions): Promise<Result<CheckedServer>> {
  const { settings, databaseUrl } = options;
  const unsigned = await signingRefusal(options);
  const problems: Problem[] = [
    ...missingSecrets(options),
    ...missingKeys(options),
    ...missingGit(options),
    ...missingFolders(options),
    ...settingWarnings(settings),
    // The server works without it, but applies nothing.
    ...(unsigned === undefined ? [] : [asWarning(unsigned)]),
  ];
  const database = await checkDatabase(databaseUrl, settings);
  if (!database.ok) problems.push(...database.problems);
  if (!database.ok || problems.some(({ severity }) => severity === 'error')) return failed(...problems);
  const { listen, accounts, sources, login, notifications, cadenceMs, windows, freezes, pipelines } =
    settings;
  const { has, clock } = options;
  const now = new Date(clock.now()).toISOString();
  const at = `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`;
  const lines = [
    `Accounts: ${accounts.length}, each checked every ${durationOf(cadenceMs)}.`,
    `Sources: ${sources.map(({ name, kind }) => `${name} (${kind})`).join(', ')}.`,
    `Database: ${database.value}.`,
    has.http
      ? `Listens on ${at}; ${login === undefined ? 'people sign in with a link on this machine' : `people sign in at ${login.issuer}`}.`
      : 'Without HTTP: no API and no console.',
    ...(has.worker ? [] : ['Without worker: another process must execute checks and runs.']),
    `Notifications: ${notifications.map(({ name }) => name).join(', ') || 'none'}.`,
    `Change windows: ${windowsNow({ windows, freezes: [] }, now).map(windowWords).join(', ') || 'none'}.`,
    `Freezes: ${windowsNow({ windows: [], freezes }, now).map(freezeWords).join(', ') || 'none'}.`,
    `Pipelines: ${pipelines.map(pipelineWords).join(', ') || 'none'}.`,
  ];
  return ok(
    {
      accounts: accounts.length,
      sources: sources.map(({ name }) => name),
      database: database.value,
      listen: at,
      windows: windows.map(({ name }) => name),
      freezes: freezes.map(({ name }) => name),
      pipelines: pipelines.map(({ issuer }) => issuer),
      lines,
    },
    problems,
  );
}

function windowWords({ name, is_open, changes_at: changesAt }: WindowNow): string {
  return `${name} (${is_open ? 'open' : 'closed'}${changesAt === undefined ? '' : ` until ${changesAt}`})`;
}

function freezeWords({ name, is_open, changes_at: changesAt }: WindowNow): string {
  if (!is_open) return `${name} (active${changesAt === undefined ? '' : ` until ${changesAt}`})`;
  return `${name} (${changesAt === undefined ? 'over' : `from ${changesAt}`})`;
}

function pipelineWords({ issuer, role, claims }: PipelineSettings): string {
  const needed = Object.entries(claims).map(([claim, values]) => `${claim} ${values.join(' or ')}`);
  return `${issuer} (${role} with ${needed.join(' and ')})`;
}

function missingGit({ settings: { sources }, env }: ServerOptions): readonly Problem[] {
  const first = sources.find(({ kind }) => kind === 'git');
  const missing = first && gitVersionProblem(env);
  return missing === undefined ? [] : [first === undefined ? missing : { ...missing, place: first.place }];
}

function missingFolders({ settings: { sources } }: ServerOptions): readonly Problem[] {
  return sources.flatMap((source) =>
    source.kind === 'git' || isFolder(source.folder)
      ? []
      : [{ ...missingFolder(source), place: source.place }],
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

async function checkDatabase(url: string | undefined, { data }: ServerSettings): Promise<Result<string>> {
  if (url === undefined) return isWritable(data) ? ok(`embedded, in ${data}`) : failed(unwritable(data));
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

/** Whether this process may create the folder, or files in it. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && isWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return isFolder(folder);
  } catch {
    return false;
  }
}

function unwritable(folder: string): Problem {
  return problem(
    'file-not-written',
    `the folder of the embedded database can't be written: ${quoted(folder)}`,
    {
      hint: 'set "data" of "server" or RAMPART_SERVER_DATA to a folder that this user can write',
    },
  );
}

function durationOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}
