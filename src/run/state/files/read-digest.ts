import { type FileHandle, open } from 'node:fs/promises';
import type { Result } from '../../../core/problem/result.ts';
import { ok } from '../../../core/problem/result.ts';
import { parseRun } from '../journal/parse-run.ts';
import { digestFrom, digestOf, type RunDigest } from '../journal/run-digest.ts';
import { chunk, journalHead, parseLine, readPart } from './read-head.ts';

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
  const last = await lastLine(file, size);
  if (last?.type !== 'end' || last.digest === undefined) return undefined;
  const { digest } = last;
  return digestFrom(head, last, () => digest);
}

/** The last line if it is whole. Larger chunks are read until one has the line break before it, which the head has. */
async function lastLine(file: FileHandle, size: number) {
  for (let length = chunk; ; length *= 8) {
    const text = await readPart(file, Math.max(0, size - length), Math.min(size, length));
    if (!text.endsWith('\n')) return undefined;
    const start = text.lastIndexOf('\n', text.length - 2);
    if (start !== -1) return parseLine(text.slice(start + 1, -1));
  }
}
