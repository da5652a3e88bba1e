import type { FileHandle } from 'node:fs/promises';
import { parseJson } from '../../../core/lib/parse-json.ts';
import type { JournalRecord, RunRecord } from '../journal/record.ts';
import { recordSchema } from '../journal/record-schema.ts';

/** How much of each end of a journal is read first, in bytes. */
export const chunk = 64 * 1024;

/** The first line of a journal; undefined if it is longer than a chunk or is not the head of a run. */
export async function journalHead(file: FileHandle): Promise<RunRecord | undefined> {
  const text = await readPart(file, 0, chunk);
  const end = text.indexOf('\n');
  const record = end === -1 ? undefined : parseLine(text.slice(0, end));
  return record?.type === 'run' ? record : undefined;
}

export async function readPart(file: FileHandle, position: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.toString('utf8', 0, bytesRead);
}

export function parseLine(line: string): JournalRecord | undefined {
  return recordSchema.safeParse(parseJson(line)).data;
}
