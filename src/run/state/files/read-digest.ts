import { type FileHandle, open } from 'node:fs/promises';
import { parseJson } from '../../../core/lib/parse-json.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import { parseRun } from '../journal/parse-run.ts';
import type { JournalRecord, RunRecord } from '../journal/record.ts';
import { recordSchema } from '../journal/record-schema.ts';
import { digestFrom, digestOf, type RunDigest } from '../journal/run-digest.ts';
import { readLastLines, readPart } from './read-bytes.ts';

/** How much of the start of a journal is read first, in bytes. A shorter journal is read as a whole. */
const chunk = 64 * 1024;

/**
 * Reads only the first and the last line of a long journal if the last one has a digest, which is missing only after a
 * crash. Null if the run never began: its process died, or its disk was full, before the first line was written.
 */
export async function readDigest(path: string): Promise<Result<RunDigest | null>> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const digest = size > chunk ? await digestInParts(file, size) : undefined;
    if (digest !== undefined) return ok(digest);
    const text = await file.readFile('utf8');
    if (size <= chunk && !text.includes('\n')) return ok(null);
    const run = parseRun(text, path);
    return run.ok ? ok(digestOf(run.value)) : run;
  } finally {
    await file.close();
  }
}

async function digestInParts(file: FileHandle, size: number): Promise<RunDigest | undefined> {
  const head = await journalHead(file);
  if (head === undefined) return undefined;
  const tail = await readLastLines(file, 1);
  const last = tail.end < size ? undefined : parseLine(tail.lines[0] ?? '');
  if (last?.type !== 'end' || last.digest === undefined) return undefined;
  const { digest } = last;
  return digestFrom(head, last, () => digest);
}

/** The first line of a journal; undefined if it is longer than a chunk or is not the head of a run. */
async function journalHead(file: FileHandle): Promise<RunRecord | undefined> {
  const text = (await readPart(file, 0, chunk)).toString('utf8');
  const end = text.indexOf('\n');
  const record = end === -1 ? undefined : parseLine(text.slice(0, end));
  return record?.type === 'run' ? record : undefined;
}

function parseLine(line: string): JournalRecord | undefined {
  return recordSchema.safeParse(parseJson(line)).data;
}
