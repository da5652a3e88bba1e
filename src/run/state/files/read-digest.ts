import { type FileHandle, open } from 'node:fs/promises';
import type { Result } from '../../../core/problem/result.ts';
import { ok } from '../../../core/problem/result.ts';
import { parseRun } from '../journal/parse-run.ts';
import type { RunRecord } from '../journal/record.ts';
import { recordSchema } from '../journal/record-schema.ts';
import { digestFrom, digestOf, type RunDigest } from '../journal/run-digest.ts';

/** How much of each end of a journal is read first, in bytes. */
const chunk = 64 * 1024;

/**
 * Reads the first and the last line of a journal. The whole journal is read only if the last line is not the end of a
 * run with a digest.
 */
export async function readDigest(path: string): Promise<Result<RunDigest>> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const digest = size > chunk ? await digestOfEnds(file, size) : undefined;
    if (digest !== undefined) return ok(digest);
    const run = parseRun(await file.readFile('utf8'), path);
    return run.ok ? ok(digestOf(run.value)) : run;
  } finally {
    await file.close();
  }
}

async function digestOfEnds(file: FileHandle, size: number): Promise<RunDigest | undefined> {
  const head = await headOf(file);
  if (head === undefined) return undefined;
  const last = await lastLine(file, size);
  if (last?.type !== 'end' || last.digest === undefined) return undefined;
  const { digest } = last;
  return digestFrom(head, last, () => digest);
}

async function headOf(file: FileHandle): Promise<RunRecord | undefined> {
  const text = await read(file, 0, chunk);
  const end = text.indexOf('\n');
  const record = end === -1 ? undefined : parse(text.slice(0, end));
  return record?.type === 'run' ? record : undefined;
}

/** The last line if it is whole. Larger chunks are read until one has the line break before it, which the head has. */
async function lastLine(file: FileHandle, size: number) {
  for (let length = chunk; ; length *= 8) {
    const text = await read(file, Math.max(0, size - length), Math.min(size, length));
    if (!text.endsWith('\n')) return undefined;
    const start = text.lastIndexOf('\n', text.length - 2);
    if (start !== -1) return parse(text.slice(start + 1, -1));
  }
}

async function read(file: FileHandle, position: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.toString('utf8', 0, bytesRead);
}

function parse(line: string) {
  try {
    return recordSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
