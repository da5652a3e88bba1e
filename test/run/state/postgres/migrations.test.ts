import type { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { open } from '../../../../src/run/state/postgres/connect.ts';
import { migrate, newestVersion } from '../../../../src/run/state/postgres/migrations.ts';
import { openPglite } from '../../../../src/server/database/open-pglite.ts';

let pglite: PGlite;
beforeAll(async () => {
  pglite = await openPglite(undefined);
}, 120_000);
afterAll(() => pglite.close());

it('a migration that fails changes nothing, and names the first statement that failed', async () => {
  const { db } = open(new PGliteDialect({ pglite }), 'PGlite');
  await pglite.exec('drop schema if exists rampart cascade; create schema rampart');
  await pglite.exec('create table rampart.run (unexpected text)');
  await expect(migrate(db)).rejects.toMatchObject({ code: '42P07' });
  const { rows } = await pglite.query(`select tablename from pg_tables where schemaname = 'rampart'
    and tablename not like 'migration%'`);
  expect(rows).toEqual([{ tablename: 'run' }]);
  await pglite.exec('drop table rampart.run');
  expect(await migrate(db)).toEqual(['0001', '0002', '0003', '0004', '0005', newestVersion]);
  expect(await migrate(db)).toEqual([]);
});

it('a database of the previous version gets the table of inventories, and keeps its records', async () => {
  const { db } = open(new PGliteDialect({ pglite }), 'PGlite');
  await migrate(db);
  await pglite.exec(`drop table rampart.inventory, rampart.audit_head; delete from rampart.migration where name >= '0005';
    insert into rampart.fleet (account, snapshot) values ('a', '')`);
  expect(await migrate(db)).toContain('0005');
  const { rows } = await pglite.query(
    'select (select count(*)::integer from rampart.inventory) as inventories, (select count(*)::integer from rampart.fleet) as fleets',
  );
  expect(rows).toEqual([{ inventories: 0, fleets: 1 }]);
});
