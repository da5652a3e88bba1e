import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '../problem/problem.ts';
import { failed, ok, type Result } from '../problem/result.ts';
import { runsFolder } from './create-journal.ts';
import { type JournalRecord, type RunRecord, recordSchema } from './record.ts';

/** A run as its file tells it. */
export interface Run {
  readonly head: RunRecord;
  readonly records: readonly JournalRecord[];
  /** The last line was cut off while it was written: its step was not begun, or its outcome is unknown. */
  readonly torn: boolean;
}

/** Ids of all runs, latest first; none where the folder is not there. */
export async function listRunIds(stateDir: string): Promise<readonly string[]> {
  const names = await readdir(runsFolder(stateDir)).catch(() => []);
  return names
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => name.slice(0, -'.ndjson'.length))
    .sort()
    .reverse();
}

export async function readRun(stateDir: string, runId: string): Promise<Result<Run>> {
  if (!/^[\w.-]+$/.test(runId))
    return failed(problem('usage', `"${runId}" is not the id of a run`, { hint: 'rampart runs lists them' }));
  const path = join(runsFolder(stateDir), `${runId}.ndjson`);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return failed(problem('usage', `there is no run ${runId}`, { hint: 'rampart runs lists them' }));
  }
  return parseRun(text, path);
}

/** Only the last line may be damaged: that is how a crash leaves it. */
export function parseRun(text: string, file: string): Result<Run> {
  const lines = text.split('\n');
  const last = lines.pop();
  let torn = last !== '';
  const records: JournalRecord[] = [];
  for (const [index, line] of lines.entries()) {
    const record = parseRecord(line);
    if (record === undefined && index === lines.length - 1) torn = true;
    else if (record === undefined) {
      return failed(
        problem('journal', 'this line of the journal is damaged', {
          place: { file, line: index + 1, col: 1 },
        }),
      );
    } else records.push(record);
  }
  const [head] = records;
  if (head?.type !== 'run') {
    return failed(problem('journal', 'the journal has no head', { place: { file, line: 1, col: 1 } }));
  }
  return ok({ head, records, torn });
}

function parseRecord(line: string): JournalRecord | undefined {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
