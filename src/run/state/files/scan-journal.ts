import type { FileHandle } from 'node:fs/promises';
import { doneOutcomes, rememberedKinds, startDigest } from '../journal/journal-digest.ts';
import type { JournalRecord, RunRecord } from '../journal/record.ts';
import { digestFrom, type RunDigest } from '../journal/run-digest.ts';
import { parseLine } from './read-head.ts';

/** How much is read at once, in bytes. */
const portion = 256 * 1024;

const letterOf = { begin: 'b'.charCodeAt(0), outcome: 'o'.charCodeAt(0) };
/** Where this letter is in a line. */
const typeAt = '{"type":"'.length;
const remembered = rememberedKinds.map((kind) => `${kind}"`);
const done = doneOutcomes.map((outcome) => `${outcome}"`);

/**
 * The digest of a run that recorded none, in one pass over its file. It parses only the lines that the digest needs;
 * undefined if one of them can't be parsed.
 */
export async function scanJournal(file: FileHandle, head: RunRecord): Promise<RunDigest | undefined> {
  const digest = startDigest(head);
  const steps = new Set<string>();
  let last: JournalRecord = head;
  let otherDone = 0;
  let isDamaged = false;
  const add = (line: string): void => {
    const record = parseLine(line);
    if (record === undefined) isDamaged = true;
    else digest.add(record);
    if (record?.type === 'begin') steps.add(record.step);
  };
  for await (const text of wholeLines(file)) {
    let lastLine = 0;
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start);
      const type = text.charCodeAt(start + typeAt);
      if (type === letterOf.outcome) {
        if (steps.size > 0 && steps.has(stepAt(text, start))) add(text.slice(start, end));
        else if (hasMember(text, start, '"outcome":"', done)) otherDone += 1;
      } else if (type !== letterOf.begin || hasMember(text, start, '"kind":"', remembered))
        add(text.slice(start, end));
      lastLine = start;
      start = end + 1;
    }
    const record = parseLine(text.slice(lastLine, -1));
    if (record === undefined || isDamaged) return undefined;
    last = record;
  }
  return digestFrom(head, last, () => {
    const sums = digest.end();
    return { ...sums, done: sums.done + otherDone };
  });
}

/**
 * Large texts of whole lines, one character a byte: the digest needs nothing outside ASCII. The part of a line at the
 * end of the file is left out.
 */
async function* wholeLines(file: FileHandle): AsyncGenerator<string> {
  let buffer = Buffer.alloc(portion);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    const end = buffer.lastIndexOf('\n', bytesRead - 1) + 1;
    if (end > 0) yield buffer.toString('latin1', 0, end);
    else if (bytesRead < buffer.length) return;
    else buffer = Buffer.alloc(buffer.length * 8);
    position += end;
  }
}

/** Members have a fixed order, and a quote inside a value is escaped, so the first match is the record's own member. */
function hasMember(text: string, start: number, name: string, wanted: readonly string[]): boolean {
  const at = text.indexOf(name, start) + name.length;
  for (const value of wanted) if (text.startsWith(value, at)) return true;
  return false;
}

function stepAt(text: string, start: number): string {
  const name = '"step":"';
  const at = text.indexOf(name, start) + name.length;
  return text.slice(at, text.indexOf('"', at));
}
