import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, reasonOf } from '../../../core/lib/error-code.ts';
import type { Clock } from '../../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { systemClock } from '../../../service/client/system-clock.ts';
import { type AuditLog, type AuditPage, notEmpty } from '../audit/audit-log.ts';
import { type ChainHead, chainHeadOf, chainRecords, emptyChain, type StoredRecord } from '../audit/chain.ts';
import { parseSignedHead } from '../audit/signed-head.ts';
import { describeProcess, isProcessAlive } from '../lease/this-process.ts';
import { syncFolder } from './append-log.ts';
import { acquireFolder } from './lock.ts';
import { readIfThere } from './lock-file.ts';
import { readLastLines, readPart } from './read-bytes.ts';
import { makeFolder, replaceFile } from './replace-file.ts';
import { unwritable } from './unwritable.ts';

const fileName = 'audit.log';
const headName = 'audit-head.json';
/** How long another process may take to append, in milliseconds. */
const patienceMs = 30_000;
/** How much of the file is read at once, in bytes. */
const chunk = 256 * 1024;

/**
 * One record per line, with its hash first. Appending requires a lock, because the next record depends on the last one.
 */
export function filesAudit(stateDir: string): AuditLog {
  const path = join(stateDir, fileName);
  const append = async (
    clock: Clock,
    entriesAfter: (head: ChainHead) => Result<Appended>,
  ): Promise<Result<ChainHead>> => {
    try {
      return await underLock(stateDir, clock, async (mayWrite) => {
        const file = await open(path, 'a+', 0o600);
        try {
          const tail = await readLastLines(file, 1);
          const [last] = tail.lines;
          const head = last === undefined ? emptyChain : chainHeadOf(storedRecord(last));
          if (head === undefined) return failed(damaged(path));
          const added = entriesAfter(head);
          if (!added.ok) return added;
          const { records, head: next } = added.value;
          if (!(await mayWrite())) return failed(busy(path));
          // A writer that crashed leaves part of a line, which was never acknowledged.
          if (tail.end < tail.size) await file.truncate(tail.end);
          await file.appendFile(records.map(({ hash, text }) => `${hash} ${text}\n`).join(''));
          await file.datasync();
          if (tail.end === 0) await syncFolder(stateDir);
          return ok(next);
        } finally {
          await file.close();
        }
      });
    } catch (error) {
      return failed(unwritable(`the audit log ${path}`, error));
    }
  };
  const read = async <T>(work: (file: FileHandle) => Promise<T>, none: T): Promise<Result<T>> => {
    try {
      const file = await open(path, 'r');
      try {
        return ok(await work(file));
      } finally {
        await file.close();
      }
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? ok(none) : failed(unreadable(path, error));
    }
  };
  const headPath = join(stateDir, headName);
  const readHead = async (): Promise<Result<string | null>> => {
    try {
      return ok((await readIfThere(headPath)) ?? null);
    } catch (error) {
      return failed(unreadable(headPath, error));
    }
  };
  return {
    append: (clock, entries) =>
      append(clock, (head) => ok(chainRecords(head, entries, new Date(clock.now()).toISOString()))),
    latest: (count) => read(async (file) => (await readLastLines(file, count)).lines.map(storedRecord), []),
    page: (cursor) => read((file) => readPage(file, cursor), { records: [], next: null }),
    async restore(records) {
      const appended = await append(systemClock, (head) =>
        head.seq > 0 ? failed(notEmpty(`the folder ${stateDir}`)) : ok({ records, head }),
      );
      return appended.ok ? ok(null) : appended;
    },
    readHead,
    async saveHead(head, isFirst = false) {
      try {
        return await underLock(stateDir, systemClock, async (mayWrite) => {
          const stored = await readHead();
          if (!stored.ok) return stored;
          if (isFirst && stored.value !== null) return ok(false);
          if ((parseSignedHead(stored.value ?? '')?.seq ?? 0) > head.seq) return ok(true);
          if (!(await mayWrite())) return failed(busy(headPath));
          await replaceFile(headPath, `${JSON.stringify(head)}\n`, { mode: 0o600 });
          return ok(true);
        });
      } catch (error) {
        return failed(unwritable(`the signed head ${headPath}`, error));
      }
    },
  };
}

interface Appended {
  readonly records: readonly StoredRecord[];
  readonly head: ChainHead;
}

/** `mayWrite` is called immediately before the write: a process that was frozen may have lost the lock. */
async function underLock<T>(
  stateDir: string,
  clock: Clock,
  work: (mayWrite: () => Promise<boolean>) => Promise<Result<T>>,
): Promise<Result<T>> {
  makeFolder(stateDir, 0o700);
  const lock = await acquireFolder(join(stateDir, 'audit.lock'), {
    clock,
    timeoutMs: patienceMs,
    holder: describeProcess(new Date(clock.now()).toISOString()),
    isAlive: isProcessAlive,
  });
  if (!lock.ok) return failed(busy(join(stateDir, fileName)));
  const { refusal, confirm, release } = lock.value;
  try {
    return await work(async () => refusal() === undefined && confirm());
  } finally {
    await release();
  }
}

const newline = 10;

/** The cursor is a byte offset in the file. A last line without a line break is still a record. */
async function readPage(file: FileHandle, cursor: number): Promise<AuditPage> {
  const { size } = await file.stat();
  for (let length = chunk; ; length *= 8) {
    const bytes = await readPart(file, cursor, Math.min(length, size - cursor));
    const isLast = cursor + bytes.length >= size;
    const end = isLast ? bytes.length : bytes.lastIndexOf(newline) + 1;
    if (end === 0 && !isLast) continue;
    const lines = bytes.toString('utf8', 0, end).split('\n');
    if (lines.at(-1) === '') lines.pop();
    return { records: lines.map(storedRecord), next: isLast ? null : cursor + end };
  }
}

/** A malformed line has no hash, so verification reports a mismatch. */
function storedRecord(line: string): StoredRecord {
  const [, hash = '', text = line] = /^([0-9a-f]{64}) (.*)$/s.exec(line) ?? [];
  return { hash, text };
}

function busy(path: string): Problem {
  return problem('journal', `the audit log ${path} is locked by another process`, { hint: 'try again' });
}

function damaged(path: string): Problem {
  return problem(
    'journal',
    `the last record of the audit log ${path} is damaged, so nothing is added to it`,
    {
      hint: 'list the faults with: rampart state audit verify',
    },
  );
}

function unreadable(path: string, error: unknown): Problem {
  return problem('journal', `the audit log ${path} can't be read (${reasonOf(error)})`);
}
