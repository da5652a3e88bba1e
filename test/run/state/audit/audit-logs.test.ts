import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PGliteDialect } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditLog } from '../../../../src/run/state/audit/audit-log.ts';
import type { AuditEntry } from '../../../../src/run/state/audit/audit-record.ts';
import {
  chainRecords,
  emptyChain,
  parseRecord,
  type StoredRecord,
} from '../../../../src/run/state/audit/chain.ts';
import { type Verification, verifyChain } from '../../../../src/run/state/audit/verify-chain.ts';
import { openFilesState } from '../../../../src/run/state/files/files-state.ts';
import type { State } from '../../../../src/run/state/interface/state.ts';
import { connectDatabase, open } from '../../../../src/run/state/postgres/connect.ts';
import { migrate } from '../../../../src/run/state/postgres/migrations.ts';
import { openPostgresState, postgresStateOn } from '../../../../src/run/state/postgres/postgres-state.ts';
import { openPglite } from '../../../../src/server/database/open-pglite.ts';
import { systemClock } from '../../../../src/service/client/system-clock.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { hasPostgres, sharedPostgres } from '../../../given/postgres.ts';

const appender = fileURLToPath(new URL('appender.ts', import.meta.url));
const clock = { ...systemClock, sleep: () => systemClock.sleep(1) };

const server = hasPostgres ? sharedPostgres() : undefined;

function entry(reason: string): AuditEntry {
  return { kind: 'unlock', origin: { actor: 'alice', host: 'vm', reason }, what: { holder: null } };
}

async function all(audit: AuditLog): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  for (let cursor: number | null = 0; cursor !== null; ) {
    const page: Awaited<ReturnType<AuditLog['page']>> = await audit.page(cursor);
    if (!page.ok) throw new Error(page.problems[0]?.message);
    records.push(...page.value.records);
    cursor = page.value.next;
  }
  return records;
}

async function verify(audit: AuditLog, kept?: string): Promise<Verification> {
  const verifier = verifyChain(kept);
  (await all(audit)).forEach((record) => verifier.add(record));
  return verifier.end();
}

async function append(audit: AuditLog, ...reasons: readonly string[]): Promise<string> {
  const appended = await audit.append(clock, reasons.map(entry));
  if (!appended.ok) throw new Error(appended.problems[0]?.message);
  return appended.value.hash;
}

async function folder(): Promise<string> {
  const made = givenFolder();
  return made;
}

async function migrated(): Promise<string> {
  const url = server?.createDatabase() ?? '';
  const database = connectDatabase(url);
  await migrate(database.db);
  await database.close();
  return url;
}

/** The statements are the same on each database. */
const ofDatabase: readonly [string, () => Promise<State>] = hasPostgres
  ? ['PostgreSQL', async () => openPostgresState(await migrated())]
  : [
      'PGlite',
      async () => {
        const database = open(new PGliteDialect({ pglite: await openPglite(undefined) }), 'PGlite');
        await migrate(database.db);
        return postgresStateOn(database);
      },
    ];

describe.each([['a folder', async () => openFilesState(await folder())], ofDatabase] as const)(
  'the audit log in %s',
  (_name, openBackend) => {
    const given = async () => {
      const state = await openBackend();
      onTestFinished(() => state.close());
      return state.audit;
    };

    it('is empty at first', async () => {
      const audit = await given();
      expect(await all(audit)).toEqual([]);
      expect(await audit.latest(5)).toMatchObject({ ok: true, value: [] });
    });

    it('keeps every record, over appends of any size', { timeout: 60_000 }, async () => {
      const audit = await given();
      await append(audit, 'first');
      await append(
        audit,
        ...Array.from({ length: 2_500 }, (_, index) => `${index} ${'x'.repeat(100)} \u0000 é`),
      );
      const head = await append(audit, 'last');
      const verification = await verify(audit, head);
      expect(verification).toEqual({
        records: 2_502,
        head: { seq: 2_502, hash: head },
        faults: [],
        faultCount: 0,
      });
      const latest = await audit.latest(2);
      expect(latest.ok && latest.value.map(({ text }) => parseRecord(text)?.seq)).toEqual([2_501, 2_502]);
      expect(latest.ok && parseRecord(latest.value.at(-1)?.text ?? '')?.origin.reason).toBe('last');
    });

    it('moves unchanged to an empty log, and to no other log', async () => {
      const audit = await given();
      await append(audit, 'a', 'b', 'c');
      const records = await all(audit);
      const other = await given();
      expect((await other.restore(records)).ok).toBe(true);
      expect(await all(other)).toEqual(records);
      expect((await other.restore(records)).problems[0]?.message).toContain('is not empty');
      await append(other, 'd');
      expect(await verify(other)).toMatchObject({ records: 4, faults: [] });
    });

    it('accepts only one of several logs that are imported at the same time', async () => {
      const audit = await given();
      const { records } = chainRecords(emptyChain, ['a', 'b'].map(entry), '2026-11-21T09:00:00.000Z');
      const restored = await Promise.all(Array.from({ length: 4 }, () => audit.restore(records)));
      expect(restored.filter(({ ok }) => ok)).toHaveLength(1);
      expect(
        restored.flatMap(({ problems }) => problems.map(({ message }) => message.replace(/.* is/, 'it is'))),
      ).toEqual(['it is not empty', 'it is not empty', 'it is not empty']);
      expect(await verify(audit)).toMatchObject({ records: 2, faultCount: 0 });
    });

    it('does not fork when many writers append at the same time', { timeout: 60_000 }, async () => {
      const audit = await given();
      await Promise.all(Array.from({ length: 8 }, (_, index) => append(audit, `writer ${index}`)));
      expect(await verify(audit)).toMatchObject({ records: 8, faultCount: 0 });
    });
  },
);

async function race(count: number, ...place: readonly string[]): Promise<void> {
  const [stateDir = '', ...url] = place;
  const children = ['a', 'b', 'c'].map((name) =>
    spawn(process.execPath, [appender, stateDir, String(count), name, ...url], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  for (const { stdin } of children) stdin.end();
  const ends = await Promise.all(children.map((child) => once(child, 'close')));
  expect(ends.map(([code]) => code)).toEqual([0, 0, 0]);
}

describe('three processes that append', () => {
  it('make one chain in a folder', { timeout: 120_000 }, async () => {
    const stateDir = await folder();
    await race(20, stateDir);
    expect(await verify(openFilesState(stateDir).audit)).toMatchObject({ records: 60, faultCount: 0 });
  });

  it.skipIf(!hasPostgres)('make one chain in PostgreSQL', { timeout: 120_000 }, async () => {
    const url = await migrated();
    await race(20, await folder(), url);
    const state = openPostgresState(url);
    expect(await verify(state.audit)).toMatchObject({ records: 60, faultCount: 0 });
    await state.close();
  });
});
