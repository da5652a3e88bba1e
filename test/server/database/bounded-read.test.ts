import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { boundedRead } from '../../../src/server/database/bounded-read.ts';
import type { StoreDb } from '../../../src/server/database/query.ts';
import { scriptedDatabase } from '../../given/scripted-database.ts';

const read = async (db: StoreDb) => (await sql`select 1`.execute(db)).rows;

it.each([
  ['sets a limit for the transaction of a read on a server', undefined, false, 2],
  ['sets none on the embedded database', true, false, 1],
  ['sets none for the rest of a transaction that others began', undefined, true, 1],
])('%s', async (_what, isEmbedded, isInside, count) => {
  const { db, statements } = scriptedDatabase();
  const run = (on: StoreDb) => boundedRead(on, isEmbedded)(read);
  expect(await (isInside ? db.transaction().execute(run) : run(db))).toEqual([]);
  expect(statements.map(({ sql: text }) => text.trim().slice(0, 17))).toEqual(
    ['select set_config', 'select 1'].slice(-count),
  );
  if (count === 2) expect(statements[0]?.parameters).toEqual(['5000']);
});

it('reads nothing if the limit is refused', async () => {
  const { db, statements } = scriptedDatabase(() => {
    throw new Error('refused');
  });
  await expect(boundedRead(db, undefined)(read)).rejects.toThrow('refused');
  expect(statements).toHaveLength(1);
});
