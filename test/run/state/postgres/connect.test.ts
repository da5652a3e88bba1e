import { EventEmitter } from 'node:events';
import {
  type Dialect,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectDatabase, open } from '../../../../src/run/state/postgres/connect.ts';
import { leaseHolder, listLeases } from '../../../../src/run/state/postgres/postgres-lease.ts';

afterEach(() => vi.restoreAllMocks());

async function placeOf(url: string): Promise<string> {
  const { place, close } = connectDatabase(url);
  await close();
  return place;
}

describe('the location of a database', () => {
  it.each([
    ['postgresql://ada:s3cret@db.example:6543/state', 'the database state on db.example:6543'],
    ['postgresql://db.example/state', 'the database state on db.example:5432'],
    ['postgresql:///state', 'the database state on localhost:5432'],
    ['postgresql:///state?host=/run/postgresql', 'the database state on /run/postgresql:5432'],
    ['postgresql://db.example/state?password=s3cret', 'the database state on db.example:5432'],
  ])('of %s is %s', async (url, place) => {
    expect(await placeOf(url)).toBe(place);
  });
});

/** A pool with one connection, whose statements fail with a given error. */
function stubbed(failures: readonly Error[] = []) {
  const released: unknown[] = [];
  const asked: unknown[] = [];
  const ended = vi.spyOn(pg.Pool.prototype, 'end').mockImplementation(() => {});
  const client = {
    async query(statement: unknown) {
      asked.push(statement);
      const failure = failures[asked.length - 1];
      if (failure !== undefined) throw failure;
      return { command: 'SELECT', rowCount: 1, rows: [{ one: 1 }] };
    },
    release: (broken: unknown) => released.push(broken),
  };
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation((async () => client) as never);
  const optionsOf: pg.PoolConfig[] = [];
  const on = vi.spyOn(pg.Pool.prototype, 'on');
  on.mockImplementation(function (this: pg.Pool) {
    optionsOf.push(this.options);
    return this;
  });
  return { released, asked, ended, optionsOf };
}

const select = async (url = 'postgresql://db/state') => {
  const database = connectDatabase(url);
  try {
    return (await sql`select ${7} as one`.execute(database.db)).rows;
  } finally {
    await database.close();
    await database.close();
  }
};

describe('a connection', () => {
  it.each([
    ['prefer', 'verify-full'],
    ['require', 'verify-full'],
    ['verify-ca', 'verify-full'],
    ['verify-full', 'verify-full'],
    ['disable', 'disable'],
  ])('in the mode %s checks the certificate as %s', (mode, expected) => {
    const { optionsOf } = stubbed();
    connectDatabase(`postgresql://db/state?sslmode=${mode}`);
    expect(new URL(optionsOf[0]?.connectionString ?? '').searchParams.get('sslmode')).toBe(expected);
  });

  it('leaves an address without a mode unchanged', () => {
    const { optionsOf } = stubbed();
    connectDatabase('postgresql://ada:s%20t@db/state');
    expect(optionsOf[0]?.connectionString).toBe('postgresql://ada:s%20t@db/state');
  });

  it('is tried again within a lease, and keeps no process alive', () => {
    const { optionsOf } = stubbed();
    connectDatabase('postgresql://db/state');
    expect(optionsOf[0]).toMatchObject({
      application_name: 'rampart',
      max: 4,
      connectionTimeoutMillis: 3_000,
      query_timeout: 60_000,
      idleTimeoutMillis: 10_000,
      keepAlive: true,
      allowExitOnIdle: true,
    });
  });

  it('is used again after a statement, and ended once', async () => {
    const { released, asked, ended } = stubbed();
    expect(await select()).toEqual([{ one: 1 }]);
    expect(asked).toEqual([{ text: 'select $1 as one', values: [7], query_timeout: 60_000 }]);
    expect(released).toEqual([false]);
    expect(ended).toHaveBeenCalledOnce();
  });

  it('waits less long if a lease depends on the response', async () => {
    const { asked } = stubbed();
    const database = connectDatabase('postgresql://db/state');
    await sql`select from rampart.lease`.execute(database.db);
    await database.close();
    expect(asked).toMatchObject([{ query_timeout: 3_000 }]);
  });

  it('waits no longer for the answer to any question about a lease', async () => {
    const { asked } = stubbed();
    const database = connectDatabase('postgresql://db/state');
    const account = { companyId: '42', service: 'https://service.example' };
    await leaseHolder(database, account);
    await listLeases(database);
    await database.close();
    expect(asked).toMatchObject([{ query_timeout: 3_000 }, { query_timeout: 3_000 }]);
  });

  it.each([
    ['had no reply', new Error('Query read timeout'), true],
    ['was wrong', Object.assign(new Error('syntax'), { code: '42601' }), false],
  ])('after a statement that %s', async (_what, error, isBroken) => {
    const { released } = stubbed([error]);
    await expect(select()).rejects.toBe(error);
    expect(released).toEqual([isBroken]);
  });

  it('that breaks while it is idle breaks nothing else', async () => {
    const { db } = connectDatabase('postgresql://db/state');
    expect(db).toBeDefined();
    const pool = vi.spyOn(pg.Pool.prototype, 'on');
    const database = connectDatabase('postgresql://db/state');
    const self: unknown = pool.mock.contexts[0];
    if (!(self instanceof EventEmitter)) throw new Error('no pool');
    expect(() => self.emit('error', new Error('gone'), {})).not.toThrow();
    const client = { on: vi.fn() };
    self.emit('connect', client);
    expect(client.on).toHaveBeenCalledWith('error', expect.any(Function));
    await database.close();
  });
});

it('a database on another driver has the location that it is given', () => {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  expect(open(dialect, 'here').place).toBe('here');
});
