import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditEntry } from '../../../../src/run/state/audit/audit-record.ts';
import {
  type ChainHead,
  chainRecords,
  emptyChain,
  parseRecord,
  type StoredRecord,
} from '../../../../src/run/state/audit/chain.ts';
import { filesAudit } from '../../../../src/run/state/files/files-audit.ts';
import { acquireFolder } from '../../../../src/run/state/files/lock.ts';
import { describeProcess } from '../../../../src/run/state/lease/this-process.ts';
import { at } from '../../../given/fleet.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { type Before, fileError, traced } from '../../../given/traced-files.ts';

const chunk = 256 * 1024;
/** How much of the end of the log is read first, in bytes. */
const lastPart = 64 * 1024;

let folder: string;
let stateDir: string;
let path: string;
beforeEach(async () => {
  folder = givenFolder();
  stateDir = join(folder, 'state');
  path = join(stateDir, 'audit.log');
});
afterEach(() => void vi.restoreAllMocks());

/** A clock that only its sleeps move. */
function clockAt(start = Date.parse(at)) {
  let now = start;
  return {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
}
const entry = (reason: string): AuditEntry => ({
  kind: 'unlock',
  origin: { actor: 'alice', host: 'vm', reason },
  what: {},
});
const append = (...reasons: readonly string[]) => filesAudit(stateDir).append(clockAt(), reasons.map(entry));
const lineOf = ({ hash, text }: StoredRecord) => `${hash} ${text}\n`;

/** A log with records that have reasons of these lengths. */
async function written(...lengths: readonly number[]): Promise<readonly StoredRecord[]> {
  const { records } = chainRecords(
    emptyChain,
    lengths.map((length) => entry('x'.repeat(length))),
    at,
  );
  await append('only for the folder');
  await writeFile(path, records.map(lineOf).join(''));
  return records;
}

/** How many bytes each read of the log requested. */
async function readsOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  const handle = await open(path, 'r');
  const spied = vi.spyOn(Object.getPrototypeOf(handle), 'read');
  await handle.close();
  await work();
  const lengths = spied.mock.calls.map(([, , length]) => length as number);
  spied.mockRestore();
  return lengths;
}

describe('appending to the audit log in a folder', () => {
  it('writes the records to disk before it ends, under a lock, and also syncs the folder of a new file', async () => {
    const first = await traced(() => append('a'));
    expect(first.result).toMatchObject({ value: { ok: true, value: { seq: 1 } } });
    const ofLog = (operations: readonly string[]) =>
      operations.slice(operations.indexOf('open audit.log'), operations.indexOf('close audit.log') + 1);
    expect(ofLog(first.operations)).toEqual([
      'open audit.log',
      'appendFile audit.log',
      'datasync audit.log',
      'open state',
      'sync state',
      'close state',
      'close audit.log',
    ]);
    expect(first.operations.at(-1)).toBe('close 1.free');
    const second = await traced(() => append('b'));
    expect(ofLog(second.operations)).toEqual([
      'open audit.log',
      'appendFile audit.log',
      'datasync audit.log',
      'close audit.log',
    ]);
  });

  it('removes part of a line that a crash left, and waits for that', async () => {
    const [record] = await written(1);
    await writeFile(path, `${lineOf(record as StoredRecord)}half of a li`);
    const { operations, result } = await traced(() => append('b'));
    expect(operations.filter((each) => each.startsWith('truncate'))).toEqual(['truncate audit.log']);
    expect(result).toMatchObject({ value: { ok: true, value: { seq: 2 } } });
    expect(await readFile(path, 'utf8')).not.toContain('half');
  });

  it('creates a folder and a file for their owner only', async () => {
    await append('a');
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('writes nothing while another process has the lock', async () => {
    await append('a');
    const lock = await acquireFolder(join(stateDir, 'audit.lock'), {
      clock: clockAt(),
      timeoutMs: 0,
      holder: describeProcess(at),
      isAlive: () => true,
    });
    const clock = clockAt();
    const refused = await filesAudit(stateDir).append(clock, [entry('b')]);
    if (lock.ok) await lock.value.release();
    expect(refused.problems).toMatchObject([
      {
        code: 'journal',
        message: `the audit log ${path} is locked by another process`,
        hint: 'try again',
      },
    ]);
    expect(clock.now() - Date.parse(at)).toBe(30_000);
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(2);
  });

  it.each([
    ['was taken from it', async () => rm(join(stateDir, 'audit.lock', '2.json'))],
    [
      'may have been taken from it while it was frozen',
      async () => {
        const now = performance.now.bind(performance);
        vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000);
      },
    ],
  ])('writes nothing if the lock %s before the write', async (_what, change) => {
    await append('a');
    const before: Before = async (operation, file) => {
      if (operation === 'open' && file === 'audit.log') await change();
    };
    const { result } = await traced(() => append('b'), before);
    expect(result).toMatchObject({
      value: { ok: false, problems: [{ message: `the audit log ${path} is locked by another process` }] },
    });
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(2);
  });

  it("says what is wrong if the last record is damaged, or the file can't be written", async () => {
    await append('a');
    await writeFile(path, 'not a record\n');
    expect((await append('b')).problems).toMatchObject([
      { code: 'journal', message: expect.stringContaining('is damaged'), hint: expect.any(String) },
    ]);
    const { result } = await traced(
      () => append('b'),
      (operation, file) => {
        if (operation === 'open' && file === 'audit.log') throw fileError('ENOSPC');
      },
    );
    expect(result).toMatchObject({
      value: {
        problems: [
          { code: 'journal', message: `the audit log ${path} can't be written (ENOSPC: the disk is full)` },
        ],
      },
    });
  });

  it('takes the time from the clock of its caller', async () => {
    const { value } = (await append('a')) as { readonly value: ChainHead };
    const latest = await filesAudit(stateDir).latest(1);
    expect(latest).toMatchObject({ value: [{ hash: value.hash }] });
    expect(latest.ok && parseRecord(latest.value[0]?.text ?? '')?.at).toBe(new Date(at).toISOString());
  });
});

describe('importing into the audit log in a folder', () => {
  it('returns nothing, and refuses a log with records', async () => {
    const { records } = chainRecords(emptyChain, [entry('a')], at);
    expect(await filesAudit(stateDir).restore(records)).toEqual({ ok: true, value: null, problems: [] });
    expect((await filesAudit(stateDir).restore(records)).problems).toMatchObject([
      { code: 'state', message: `the audit log of the folder ${stateDir} is not empty` },
    ]);
  });
});

describe('reading the audit log in a folder', () => {
  it('returns nothing without a file, or for an empty one', async () => {
    const audit = filesAudit(stateDir);
    const none = { ok: true, value: { records: [], next: null } };
    expect(await audit.page(0)).toMatchObject(none);
    await written();
    expect(await audit.page(0)).toMatchObject(none);
    expect(await audit.latest(3)).toMatchObject({ ok: true, value: [] });
  });

  it("closes the file, and says why it can't be read", async () => {
    await written(1);
    const { operations } = await traced(() => filesAudit(stateDir).latest(1));
    expect(operations).toEqual(['open audit.log', 'close audit.log']);
    const { result } = await traced(
      () => filesAudit(stateDir).page(0),
      () => {
        throw fileError('EIO');
      },
    );
    expect(result).toMatchObject({
      value: {
        problems: [
          { code: 'journal', message: `the audit log ${path} can't be read (EIO: the disk failed)` },
        ],
      },
    });
  });

  it('reads no more than it needs for the latest records', async () => {
    const records = await written(...Array.from({ length: 600 }, () => 1000));
    expect((await stat(path)).size).toBeGreaterThan(8 * lastPart);
    const perPart = Math.floor(lastPart / lineOf(records[300] as StoredRecord).length);
    const latest = (count: number) => filesAudit(stateDir).latest(count);
    expect(await latest(perPart)).toMatchObject({ value: records.slice(-perPart) });
    expect(await latest(perPart + 1)).toMatchObject({ value: records.slice(-perPart - 1) });
    expect(await readsOf(() => latest(perPart))).toEqual([lastPart]);
    expect(await readsOf(() => latest(perPart + 1))).toEqual([lastPart, 8 * lastPart]);
  });

  it('reads records that are longer than a chunk', async () => {
    const records = await written(1, chunk, 1);
    const audit = filesAudit(stateDir);
    expect(await audit.latest(2)).toMatchObject({ value: records.slice(1) });
    expect(await audit.latest(9)).toMatchObject({ value: records });
  });

  it('has pages of whole records, which are larger than a chunk only if a record is', async () => {
    const records = await written(...Array.from({ length: 400 }, () => 1000), chunk, 1);
    const audit = filesAudit(stateDir);
    const pages: (readonly StoredRecord[])[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof audit.page>> = await audit.page(cursor);
      if (!page.ok) throw new Error(page.problems[0]?.message);
      pages.push(page.value.records);
      cursor = page.value.next;
    }
    expect(pages.flat()).toEqual(records);
    const sizes = pages.map((each) => each.map(lineOf).join('').length);
    expect(sizes).toHaveLength(3);
    expect(sizes[0]).toBeLessThanOrEqual(chunk);
    expect(await readsOf(() => audit.page(0))).toEqual([chunk]);
  });
});
