import { describe, expect, it } from 'vitest';
import { fetchSqlRegister } from '../../../src/service/registers/fetch-sql-register.ts';
import { hasPostgres, sharedPostgres } from '../../given/postgres.ts';

const setUp = `
create table machine (serial text, name text, bought timestamptz, retired boolean, price numeric, site jsonb);
insert into machine values
  ('S1', 'MÜC-1', '2026-01-31 11:00+01', false, 10.50, '{"name": "München", "id": 9007199254740993}'),
  ('S2', null, null, true, null, null);
create table secret (serial text);
insert into secret values ('TOP');
create role reader login password 'reader-secret';
grant select on machine to reader;
create sequence numbers;
grant usage on sequence numbers to reader;`;

let database = '';

function given(): string {
  if (database !== '') return database;
  const postgres = sharedPostgres();
  const url = postgres.createDatabase();
  postgres.run(url, setUp.replaceAll('reader', `reader_${new URL(url).pathname.slice(1)}`));
  return (database = url);
}

/** The address of the role that may read one table. */
function asReader(url: string): string {
  const address = new URL(url);
  address.username = `reader_${address.pathname.slice(1)}`;
  address.password = `${address.username}-secret`;
  return address.href;
}

async function read(query: string, env: Readonly<Record<string, string>>, now = () => 0) {
  const hidden: string[] = [];
  const clock = { now, sleep: async () => {} };
  const hide = (secrets: readonly string[]) => void hidden.push(...secrets);
  const content = await fetchSqlRegister({ source: 'cmdb', query }, { env, folder: '.', clock, hide });
  return { content, hidden, message: content.problems.map(({ message }) => message).join('; ') };
}

const variable = 'RAMPART_SOURCE_CMDB_DATABASE_URL';

describe.skipIf(!hasPostgres)('a register in PostgreSQL', () => {
  it('has the rows of its query, with the text that cells of each type need', async () => {
    const url = asReader(given());
    const { content, hidden } = await read('select * from machine order by serial', { [variable]: url });
    expect(content).toMatchObject({
      value: {
        rows: [
          {
            serial: 'S1',
            name: 'MÜC-1',
            bought: '2026-01-31 10:00:00+00:00',
            retired: false,
            price: '10.50',
            site: { name: 'München' },
          },
          { serial: 'S2', name: null, bought: null, retired: true, price: null, site: null },
        ],
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        changedAt: '1970-01-01T00:00:00.000Z',
      },
    });
    const { password, host, pathname } = new URL(url);
    expect(content.ok && content.value.origin).toBe(`postgresql://${host}${pathname}`);
    expect(hidden).toContain(password);
  });

  it('is read in parts, and completely', async () => {
    const query = 'with n as (select generate_series(1, 20000) as id) select id from n;';
    const { content } = await read(query, { [variable]: asReader(given()) });
    expect(content.ok && content.value.rows.length).toBe(20_000);
  });

  it.each([
    ['two statements', 'select 1; drop table machine', /is not one SELECT statement/],
    ['a statement that writes', 'delete from machine', /is not one SELECT statement/],
    ['a write', 'with d as (delete from machine returning *) select * from d', /reports the error|writes/],
    ['a writing transaction', "select set_config('transaction_read_only', 'off', true)", /reports the error/],
    ['a query that takes a number', "select nextval('numbers')", /its query writes$/],
    ['a table that is not there', 'select * from nothing', /a table that does not exist/],
    ['a column that is not there', 'select TOP from machine', /a column that does not exist/],
    ['a table that the role may not read', 'select * from secret', /may not read what the query names/],
    ['a column with the name of another', 'select serial, serial from machine', /the column "serial" twice/],
    ['a cell of another type', 'select name::int from machine', /^[^M]*reports the error 22P02$/],
    ['nothing at all', '', /is not one SELECT statement/],
  ])('refuses %s', async (_, query, expected) => {
    const { message } = await read(query, { [variable]: asReader(given()) });
    expect(message).toMatch(expected);
    expect(message).toMatch(/^the source "cmdb" can't be read: /);
  });

  it('is read as of one moment, in a session with limits, whose texts no setting of the database changes', async () => {
    const names = ['statement_timeout', 'lock_timeout', 'datestyle', 'timezone', 'intervalstyle'];
    const settings = [...names, 'transaction_isolation', 'transaction_read_only', 'application_name'];
    const query = `select ${settings.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`;
    const { content } = await read(query, { [variable]: asReader(given()) });
    expect(content.ok && content.value.rows).toEqual([
      {
        statement_timeout: '1min',
        lock_timeout: '10s',
        datestyle: 'ISO, MDY',
        timezone: 'UTC',
        intervalstyle: 'iso_8601',
        transaction_isolation: 'repeatable read',
        transaction_read_only: 'on',
        application_name: 'rampart',
      },
    ]);
  });

  it('leaves no connection open', async () => {
    const url = given();
    await read('select 1', { [variable]: asReader(url) });
    await expect
      .poll(() =>
        sharedPostgres().run(
          url,
          "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'rampart'",
        ),
      )
      .toBe('0');
  });

  it('has another hash if a cell differs', async () => {
    const hashOf = async (query: string) => {
      const { content } = await read(query, { [variable]: asReader(given()) });
      return content.ok ? content.value.hash : content.problems[0]?.message;
    };
    const hash = await hashOf("select 'a' as x");
    expect(await hashOf("select 'a' as x")).toBe(hash);
    expect(await hashOf("select 'b' as x")).not.toBe(hash);
  });

  it.each([
    ['the first row', 2],
    ['the last rows', 3],
  ])('is given up if its time ends before %s', async (_, looks) => {
    const times = Array.from({ length: looks - 1 }, () => 0);
    const { message } = await read(
      'select generate_series(1, 10000) as id',
      { [variable]: asReader(given()), RAMPART_SOURCE_CMDB_TIMEOUT: '1m' },
      () => times.shift() ?? 60_000,
    );
    expect(message).toBe('the source "cmdb" can\'t be read: not all of its rows arrived within 1m');
  });

  it.each<[string, (url: string) => Readonly<Record<string, string>>, RegExp]>([
    ['no address', () => ({}), /RAMPART_SOURCE_CMDB_DATABASE_URL is not set: the address of a source/],
    [
      'a limit that is no duration',
      (url) => ({ [variable]: url, RAMPART_SOURCE_CMDB_TIMEOUT: 'soon' }),
      /^RAMPART_SOURCE_CMDB_TIMEOUT is not a duration$/,
    ],
    ['the address of a web page', () => ({ [variable]: 'https://x' }), /is not the address of a PostgreSQL/],
    [
      'a wrong password',
      (url) => ({ [variable]: url.replace(/:[^:@]*@/, ':wrong-secret@') }),
      /refuses the credentials$/,
    ],
    ['the name of no database', (url) => ({ [variable]: `${url}_gone` }), /the database does not exist$/],
    [
      'a closed port',
      () => ({ [variable]: 'postgresql://a:b@127.0.0.1:1/x' }),
      /can't be reached \(ECONNREFUSED\)$/,
    ],
  ])('is not read with %s', async (_, env, expected) =>
    expect((await read('select 1', env(asReader(given())))).message).toMatch(expected),
  );
});
