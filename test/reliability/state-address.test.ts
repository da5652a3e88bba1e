import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pgbouncerProgram, startPooler } from '../given/pgbouncer.ts';
import { hasPostgres, postgresPassword, sharedPostgres } from '../given/postgres.ts';
import { findBreaches, type RealService, realService, someThirtyCalls } from './real-service.ts';
import { apply, begunIn, migratedDatabase, unrecorded, writesOf } from './shared-state.ts';

const timeout = 120_000;
const hasPooler = hasPostgres && pgbouncerProgram() !== undefined;
if (!hasPooler) process.stdout.write('pgbouncer is not installed: its test is skipped\n');

const server = sharedPostgres;

/** Runs the program, and returns all of its output. */
async function run(service: RealService, url: string, argv: readonly string[]) {
  const { code, out, err } = await service.start(['--log-file', 'run.log', ...argv], {
    RAMPART_STATE_URL: url,
  }).ended;
  const log = await readFile(join(service.folder, 'run.log'), 'utf8').catch(() => '');
  return { code, out, err, all: `${out}${err}${log}` };
}

function addressFor(
  url: string,
  changes: Partial<Pick<URL, 'username' | 'password' | 'port' | 'search' | 'pathname'>>,
) {
  return Object.assign(new URL(url), changes).href;
}

/** A user who may do this in the tables of a database, and nothing else. */
function userWho(url: string, rights: string, name: string): string {
  server().run(url, `create role ${name} login password '${postgresPassword}'`);
  server().run(url, `grant usage on schema rampart to ${name}`);
  server().run(url, `grant ${rights} on all tables in schema rampart to ${name}`);
  return addressFor(url, { username: name });
}

describe.skipIf(!hasPostgres)('the address of a shared state', { timeout }, () => {
  it.skipIf(!hasPooler)('works through a pooler in transaction mode', async () => {
    const direct = server().createDatabase();
    const pooler = await startPooler(server().port);
    onTestFinished(() => pooler.stop());
    const url = addressFor(direct, { port: String(pooler.port) });
    const service = await realService(someThirtyCalls);
    expect(await run(service, url, ['state', 'migrate'])).toMatchObject({ code: 0 });
    expect(await run(service, url, apply)).toMatchObject({ code: 0 });
    expect(await run(service, url, ['runs'])).toMatchObject({ code: 0 });
    expect(findBreaches(service)).toEqual([]);
    expect(unrecorded(service, begunIn(server(), direct))).toEqual([]);
  });

  it("may be that of a user who can't create tables", async () => {
    const url = userWho(await migratedDatabase(server()), 'select, insert, update, delete', 'writer');
    const service = await realService(someThirtyCalls);
    const { code, all } = await run(service, url, apply);
    expect(code === 0 ? '' : all).toBe('');
    expect(findBreaches(service)).toEqual([]);
  });

  it.each([
    {
      title: 'a user who may only read',
      code: 4,
      says: 'no right to write',
      url: async () => userWho(await migratedDatabase(server()), 'select', 'reader'),
    },
    {
      title: 'a wrong password',
      code: 4,
      says: 'refuses the user or the password',
      url: async () => addressFor(await migratedDatabase(server()), { password: `not-${postgresPassword}` }),
    },
    {
      title: 'a server that is not there',
      code: 1,
      says: "can't be reached",
      url: async () => addressFor(await migratedDatabase(server()), { port: '1' }),
    },
    {
      title: 'a server without TLS',
      code: 1,
      says: 'over TLS',
      url: async () => addressFor(await migratedDatabase(server()), { search: '?sslmode=require' }),
    },
    {
      title: 'a database that does not exist',
      code: 1,
      says: 'does not exist',
      url: async () => addressFor(server().createDatabase(), { pathname: '/nowhere' }),
    },
    {
      title: 'a database of a newer Rampart',
      code: 1,
      says: 'newer Rampart',
      url: async () => {
        const url = await migratedDatabase(server());
        server().run(url, `insert into rampart.migration (name, timestamp) values ('9999', 'later')`);
        return url;
      },
    },
  ])('$title: exit $code, nothing is sent, and the password is not shown', async ({ url, code, says }) => {
    const service = await realService(someThirtyCalls);
    const address = await url();
    const ended = await run(service, address, apply);
    expect(ended.all).toContain(says);
    expect(ended.code).toBe(code);
    expect(ended.all).not.toContain(postgresPassword);
    expect(ended.all).not.toContain(address);
    expect(writesOf(service)).toBe(0);
  });
});
