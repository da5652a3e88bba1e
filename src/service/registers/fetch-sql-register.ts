import { createHash } from 'node:crypto';
import pg from 'pg';
import { parseExactJsonText } from '../../core/lib/exact-json.ts';
import { checkedAddress } from '../../core/lib/postgres-url.ts';
import { quoted } from '../../core/lib/words.ts';
import type { RegisterContent, SqlRequest } from '../../core/model/register-request.ts';
import { failed, ok, type Problem, type Result } from '../../core/problem/problem.ts';
import type { RegisterParts } from './fetch-register.ts';
import { deadlineOf, readRegisterDatabase } from './register-settings.ts';
import { unreadableSource } from './unreadable-source.ts';

/** Milliseconds. */
const connectMs = 10_000;
const statementMs = 60_000;
const rowsAtOnce = 10_000;
const mostRows = 5_000_000;

/**
 * Reads all rows of one SELECT statement, in a transaction that can't write. The database itself refuses anything but one
 * statement, because the statement is that of a cursor. No problem contains the text of an error, which may quote a cell.
 */
export async function fetchSqlRegister(
  { source, query }: SqlRequest,
  parts: RegisterParts,
): Promise<Result<RegisterContent>> {
  const address = readRegisterDatabase(source, parts);
  if (!address.ok) return address;
  const deadline = deadlineOf(source, parts.clock.now(), parts);
  if (!deadline.ok) return deadline;
  const isLate = () => parts.clock.now() >= deadline.value.at;
  const client = new pg.Client({
    connectionString: checkedAddress(address.value),
    application_name: 'rampart',
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs + connectMs,
    types: { getTypeParser: (type: number) => readers[type] ?? ((text: string) => text) },
  });
  // A connection that breaks fails its statement, too.
  client.on('error', () => {});
  const { hostname, port, pathname } = new URL(address.value);
  try {
    await client.connect();
    const { rows, hash } = await readRows(client, query, isLate);
    return ok({
      rows,
      origin: `postgresql://${hostname}${port === '' ? '' : `:${port}`}${pathname}`,
      hash,
      changedAt: new Date(parts.clock.now()).toISOString(),
    });
  } catch (error) {
    if (error instanceof RefusedRows) return failed(unreadableSource(source, error.message));
    return failed(isLate() ? deadline.value.problem : refusal(source, error));
  } finally {
    await client.end().catch(() => {});
  }
}

/** Why the rows can't be a table. The message has no cell. */
class RefusedRows extends Error {}

async function readRows(
  client: pg.Client,
  query: string,
  isLate: () => boolean,
): Promise<Pick<RegisterContent, 'rows' | 'hash'>> {
  await client.query('begin transaction isolation level repeatable read read only');
  // Those of the transaction work with a pooler, too.
  await client.query(
    `set local statement_timeout = ${statementMs}; set local lock_timeout = ${connectMs};
     set local datestyle = 'ISO'; set local timezone = 'UTC'; set local intervalstyle = 'iso_8601'`,
  );
  // The extended protocol allows one statement only.
  const declaration = { text: `declare register no scroll cursor for ${query}`, queryMode: 'extended' };
  await client.query(declaration);
  const hash = createHash('sha256');
  const rows: unknown[] = [];
  for (;;) {
    if (isLate()) throw new Error('late');
    const found = await client.query<unknown[]>({
      text: `fetch ${rowsAtOnce} from register`,
      rowMode: 'array',
    });
    const names = found.fields.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new RefusedRows(`its query returns the column ${quoted(twice)} twice`);
    for (const cells of found.rows) {
      hash.update(JSON.stringify(cells));
      rows.push(Object.fromEntries(names.map((name, index) => [name, cells[index]])));
    }
    if (rows.length > mostRows) throw new RefusedRows(`its query returns more than ${mostRows} rows`);
    if (found.rows.length < rowsAtOnce) return { rows, hash: hash.digest('hex') };
  }
}

/** Types whose text differs from that of a cell: booleans, times with a zone, and JSON. All others remain text. */
const readers: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.BOOL]: (text) => text === 't',
  [pg.types.builtins.TIMESTAMPTZ]: (text) => text.replace(/([+-]\d\d)$/, '$1:00'),
  [pg.types.builtins.JSON]: parseExactJsonText,
  [pg.types.builtins.JSONB]: parseExactJsonText,
};

const reasons: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  '28P01': ['the database refuses the credentials', 'check the address of the source'],
  '28000': ['the database refuses the credentials', 'check the address of the source'],
  '3D000': ['the database does not exist', 'check the address of the source'],
  '42601': ['its query is not one SELECT statement', 'try the query with psql'],
  '42P01': ['its query names a table that does not exist', 'try the query with psql'],
  '42703': ['its query names a column that does not exist', 'try the query with psql'],
  '42501': ['the role of the source may not read what the query names', 'grant it SELECT on these tables'],
  '25006': ['its query writes', 'a register is only read'],
  '57014': ['its query takes longer than a minute', 'add an index, or read a materialized view'],
  '55P03': ['its query waits for a lock', 'plan again later'],
};

function refusal(source: string, error: unknown): Problem {
  const given = error instanceof Error && 'code' in error ? String(error.code) : '';
  const code = /^[A-Z0-9_]{1,40}$/.test(given) ? given : '';
  const known = reasons[code];
  if (known !== undefined) return unreadableSource(source, ...known);
  if (error instanceof pg.DatabaseError)
    return unreadableSource(source, `the database reports the error ${code}`, 'try the query with psql');
  return unreadableSource(source, `it can't be reached${code === '' ? ' in time' : ` (${code})`}`);
}
