import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresStateOn } from '../../../src/run/state/postgres/postgres-state.ts';
import {
  type EmbeddedDatabase,
  openEmbeddedDatabase,
} from '../../../src/server/database/embedded-database.ts';
import { openPglite } from '../../../src/server/database/open-pglite.ts';
import { openStore } from '../../../src/server/store/open-store.ts';
import { ada } from '../../given/store-records.ts';

const root = mkdtempSync(join(tmpdir(), 'rampart-embedded-'));
afterAll(() => rmSync(root, { recursive: true, force: true }), 120_000);

/** All 50 only on request: each takes seconds. */
const kills = Number(process.env['RAMPART_TEST_KILLS'] ?? 1);

async function opened(folder: string | null, failures: unknown[] = []): Promise<EmbeddedDatabase> {
  const database = await openEmbeddedDatabase({
    folder,
    version: '0.1.0',
    onFailure: (error) => failures.push(error),
  });
  if (!database.ok) throw new Error(database.problems[0]?.message);
  return database.value;
}

/** Starts the writer, and kills it without a warning after some acknowledged records. */
async function killedWriter(folder: string, acknowledged: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [join(import.meta.dirname, '../store/embedded-writer.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(writer, 'close');
  let printed = '';
  writer.stdout.on('data', (chunk) => {
    printed += String(chunk);
    if (printed.split('\n').length > acknowledged) writer.kill('SIGKILL');
  });
  await closed;
  return printed.split('\n').slice(0, -1);
}

describe('the embedded database', () => {
  it(
    'loses no acknowledged record when its process is killed',
    async () => {
      const folder = join(root, 'killed');
      const ids: string[] = [];
      for (let round = 0; round < kills; round += 1) {
        const written = await killedWriter(folder, 5 + ((round * 7) % 23));
        expect(written.length).toBeGreaterThan(0);
        ids.push(...written);
      }
      const database = await opened(folder);
      const store = openStore(database);
      const found = new Set((await store.pauses.list()).map(({ id }) => id));
      expect(ids.filter((id) => !found.has(id))).toEqual([]);
      const { rows } = await sql<{ resource: string }>`select resource from rampart_server.event`.execute(
        database.db,
      );
      expect(new Set(rows.map(({ resource }) => resource))).toEqual(found);
      await database.close();
    },
    60_000 + kills * 30_000,
  );

  it('is open in one process at a time, even after a copy is restored', async () => {
    const folder = join(root, 'one', 'deeper');
    const database = await opened(folder);
    const writer = spawn(
      process.execPath,
      [join(import.meta.dirname, '../store/embedded-writer.ts'), folder],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [printed] = (await once(writer.stdout, 'data')) as [Buffer];
    expect(String(printed)).toContain('refused: lock-held');
    const store = openStore(database);
    await store.migrate();
    const { id } = await store.pauses.add({ scope: 'all', by: ada, reason: 'kept', until: null });
    await database.close();
    const restored = join(root, 'restored');
    cpSync(folder, restored, { recursive: true });
    rmSync(folder, { recursive: true });
    const again = await opened(restored);
    const copy = openStore(again);
    expect(await copy.migrate()).toEqual([]);
    expect(await copy.pauses.list()).toMatchObject([{ id, reason: 'kept' }]);
    await again.close();
  }, 120_000);

  it('is created again if the process that created it was killed with some of its files', async () => {
    const folder = join(root, 'half');
    mkdirSync(join(folder, 'data/base'), { recursive: true });
    writeFileSync(join(folder, 'data/PG_VERSION'), '');
    writeFileSync(join(folder, 'creating'), '');
    const database = await opened(folder);
    expect(await database.pglite.query('select 1 as one')).toMatchObject({ rows: [{ one: 1 }] });
    await database.close();
  }, 120_000);

  it('is created without the archive of an empty database if that is damaged', async () => {
    const archive = join(root, 'archive.tar.br');
    writeFileSync(archive, brotliCompressSync('damaged'));
    const data = join(root, 'data');
    const pglite = await openPglite(data, pathToFileURL(archive));
    await pglite.exec('create extension if not exists pg_trgm');
    await pglite.query('create table kept as select 9007199254740993::bigint as number');
    expect(existsSync(join(data, 'PG_VERSION'))).toBe(true);
    await pglite.close();
    // The next one opens these files, and reads big integers as text.
    const again = await openPglite(data);
    expect(await again.query('select number from kept')).toMatchObject({
      rows: [{ number: '9007199254740993' }],
    });
    await again.close();
  }, 120_000);

  it('reports damaged files', async () => {
    const damaged = join(root, 'damaged');
    mkdirSync(join(damaged, 'data'), { recursive: true });
    writeFileSync(join(damaged, 'data/PG_VERSION'), '9\n');
    expect(await openEmbeddedDatabase({ folder: damaged, version: '0.1.0' })).toMatchObject({
      problems: [{ code: 'state', hint: expect.stringContaining('backup') }],
    });
  }, 120_000);
});

describe('an embedded database in memory', () => {
  const failures: unknown[] = [];
  let database: EmbeddedDatabase;
  beforeAll(async () => {
    database = await opened(null, failures);
  }, 120_000);
  afterAll(() => database.close());

  it('runs in its own thread, so that a slow statement stops nothing else in the process', async () => {
    await expect(sql`select 1 / 0`.execute(database.db)).rejects.toThrow();
    const inside = database.db.transaction().execute((own) => sql`select 1 / 0`.execute(own));
    await expect(inside).rejects.toThrow();
    expect(failures).toMatchObject([{ code: '22012' }, { code: '22012' }]);
    let beats = 0;
    let ended = false;
    const slow = database.pglite
      .query(`select count(*) from generate_series(1, 3000000) as a where a % 7 = 3`)
      .then(() => {
        ended = true;
      });
    while (!ended && beats < 1_000) {
      beats += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await slow;
    expect(beats).toBe(1_000);
  }, 120_000);

  it('keeps other statements out of a transaction, and rolls back failures', async () => {
    const { pglite, db } = database;
    await pglite.exec('create table t (x integer)');
    const inside = pglite.transaction(async (transaction) => {
      await transaction.query('insert into t values ($1)', [1]);
      await new Promise((resolve) => setImmediate(resolve));
      await transaction.query('insert into t values (2)');
      await transaction.rollback();
      await expect(transaction.query('select 1')).rejects.toThrow('has ended');
    });
    const beside = pglite.query('insert into t values (3)');
    await Promise.all([inside, beside]);
    // A block that fails after its BEGIN, like those of the queue.
    await expect(pglite.exec('begin; insert into t values (4); select 1 / 0; commit')).rejects.toMatchObject({
      code: '22012',
    });
    await pglite.query('insert into t values (5)');
    const swallowed = db.transaction().execute(async (transaction) => {
      await sql`insert into t values (6)`.execute(transaction);
      await sql`select 1 / 0`.execute(transaction).catch(() => {});
    });
    await expect(swallowed).rejects.toThrow();
    const { rows } = await pglite.query<{ x: number }>('select x from t order by x', [], {
      rowMode: 'object',
    });
    expect(rows).toEqual([{ x: 3 }, { x: 5 }]);
  }, 120_000);

  it('also holds the shared state, and delivers notifications until a listener stops', async () => {
    expect(database).toMatchObject({ isEmbedded: true, place: 'the database in memory' });
    const state = postgresStateOn(database);
    expect(await state.migrate()).toMatchObject({ ok: true });
    expect(await state.check()).toMatchObject({ ok: true, value: { runs: 0 } });
    let woken = 0;
    const stopWaking = database.notifier('Some_channel', () => {
      woken += 1;
    });
    await database.pglite.query('select 1');
    const wake = () => database.pglite.query(`select pg_notify('Some_channel', '')`);
    await wake();
    await database.pglite.query('select 1');
    expect(woken).toBe(1);
    await stopWaking();
    await wake();
    await database.pglite.query('select 1');
    expect(woken).toBe(1);
  }, 120_000);
});
