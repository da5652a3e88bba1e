import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { listRunIds } from '../../src/run/state/files/read-runs.ts';
import { type Workplace, workplace } from '../given/command-line.ts';
import { hasPostgres, type PostgresDatabases, sharedPostgres } from '../given/postgres.ts';
import { type Command, exported, readCommand } from './read-command.ts';
import { type Fence, fileNameOf, readFences } from './read-page.ts';

const root = join(import.meta.dirname, '..', '..');

/** The replacement for the id of the latest run on a page: the end of an id is random. */
const shownRun = '20261121T090000Z-3f9a1c';
const runId = /\d{8}T\d{9}Z-[0-9a-f]{6}/g;
const moment = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/**
 * Follows a page from top to bottom in a separate folder, as a reader would; returns the number of commands. An example
 * includes the files of its folder.
 */
export async function runPage(markdown: string, example?: string): Promise<number> {
  const place = await workplace();
  const job = 'examples/main-job';
  if (example === undefined) await cp(join(root, job), join(place.folder, job), { recursive: true });
  else await cp(join(root, 'examples', example), place.folder, { recursive: true });
  const database = shownDatabase.test(markdown) ? await startDatabase() : undefined;
  try {
    return await follow(markdown, place, database);
  } finally {
    place.interrupt();
  }
}

/** A page that shows the address of a database is followed with one of its own. */
const shownDatabase = /postgresql:\/\/rampart:PASSWORD@db\.example\.com[^\s']*/;

/** The address of an emulator that a page starts. */
const shownEmulator = 'http://127.0.0.1:8080';

/** Starts the emulator on a free port; its address. It ends with the page. */
async function serveEmulator({ argv }: Command, place: Workplace): Promise<string> {
  const serving = place.rampart(argv.map((word) => (word === '8080' ? '0' : word)));
  const config = join(place.folder, argv[argv.indexOf('--write-config') + 1] ?? '');
  const early = serving.then(({ err }) => Promise.reject(new Error(err)));
  const text = await Promise.race([early, vi.waitFor(() => readFile(config, 'utf8'), { timeout: 30_000 })]);
  early.catch(() => undefined);
  return /baseUrl: (\S+)/.exec(text)?.[1] ?? '';
}

interface PageDatabase {
  readonly server: PostgresDatabases;
  readonly url: string;
}

async function startDatabase(): Promise<PageDatabase | undefined> {
  if (!hasPostgres) return undefined;
  const server = sharedPostgres();
  const url = server.createDatabase();
  // Roles belong to the server, which other pages share.
  server.run(url, 'drop role if exists fleet_runner; create role fleet_runner');
  return { server, url };
}

async function follow(
  markdown: string,
  place: Workplace,
  database: PageDatabase | undefined,
): Promise<number> {
  const variables: Record<string, string> = {};
  let emulator = shownEmulator;
  const real = (value: string) =>
    value.replace(shownDatabase, database?.url ?? '').replace(shownEmulator, emulator);
  let ran = 0;
  let output = '';
  for (const fence of readFences(markdown)) {
    const where = `line ${fence.line}`;
    if (fence.notRun !== undefined) continue;
    if (['yaml', 'ts', 'csv'].includes(fence.language)) await writeShown(fence, place, where);
    else if (fence.language === 'sql') database?.server.run(database.url, fence.text);
    else if (fence.language === 'json') JSON.parse(fence.text);
    else if (fence.language === 'text') expect(stable(fence.text), where).toBe(stable(output));
    else if (fence.language === 'sh') {
      for (const line of fence.text.split('\n')) {
        const variable = exported(line);
        if (variable !== undefined) variables[variable.name] = real(variable.value);
        const command = readCommand(line);
        if (command === undefined) continue;
        const own = Object.entries(command.env).map(([name, value]) => [name, real(value)]);
        const env = { ...variables, ...Object.fromEntries(own) };
        if (command.inBackground) emulator = await serveEmulator(command, place);
        else output = await runCommand({ ...command, env }, place, `${where}: ${line}`);
        ran += 1;
      }
    } else if (fence.language !== '') throw new Error(`${where}: nobody checks ${fence.language}`);
  }
  return ran;
}

/** Writes a file that the page shows. What it shows of a desired state is valid, if that does not depend on the account. */
async function writeShown(fence: Fence, place: Workplace, where: string): Promise<void> {
  const name = fileNameOf(fence);
  if (name === undefined) throw new Error(`${where}: nothing says which file it is`);
  await mkdir(dirname(join(place.folder, name)), { recursive: true });
  await place.write(name, fence.text);
  const readsAccount = /\baccount\.(?:name|labels)\b/.test(fence.text);
  if (readsAccount || !/^version:|defineFleet\(/m.test(fence.text)) return;
  const { code, err } = await place.rampart(['validate', '-f', name]);
  expect({ code, err }, where).toMatchObject({ code: 0 });
}

/** What it printed on stdout. */
async function runCommand(command: Command, place: Workplace, what: string): Promise<string> {
  const latest = await latestRun(place.folder);
  const argv = command.argv.map((word) => (word === shownRun ? latest : word));
  const { answer, env, into } = command;
  const ran = await place.rampart(argv, { env, ...(answer === undefined ? {} : { answer }) });
  expect({ code: ran.code, err: ran.err }, what).toMatchObject({ code: command.exitCode });
  if (into !== undefined) await writeFile(join(place.folder, into), ran.out);
  return ran.out;
}

async function latestRun(folder: string): Promise<string> {
  const [latest = shownRun] = await listRunIds(join(folder, '.rampart'));
  return latest;
}

/** Without what differs from run to run. */
export function stable(text: string): string {
  return text
    .replaceAll(runId, shownRun)
    .replaceAll(moment, '2026-11-21T09:00:00.000Z')
    .replaceAll(/ +$/gm, '')
    .replaceAll(/\n+$/g, '\n');
}
