import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quoted } from '../../core/lib/quoted.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { runsFolder } from './create-journal.ts';
import { codeOf } from './lock-file.ts';
import { type JournalRecord, journalFormatVersion, type RunRecord } from './record.ts';
import { headVersionSchema, recordSchema } from './record-schema.ts';

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
  const hint = 'rampart runs lists them';
  if (!/^[\w.-]+$/.test(runId))
    return failed(problem('usage', `${quoted(runId)} is not the id of a run`, { hint }));
  const path = join(runsFolder(stateDir), `${runId}.ndjson`);
  try {
    return parseRun(await readFile(path, 'utf8'), path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return failed(problem('usage', `there is no run ${runId}`, { hint }));
    return failed(problem('journal', `the journal ${path} can't be read (${code})`));
  }
}

/** Only the last line may be cut off: that is how a crash leaves it. Any other damage is a problem with its line. */
export function parseRun(text: string, file: string): Result<Run> {
  const lines = text.split('\n');
  const unended = lines.pop();
  const records: JournalRecord[] = [];
  let torn = unended !== '';
  for (const [index, line] of lines.entries()) {
    const document = parseJson(line);
    if (document === undefined && !torn && index === lines.length - 1) {
      torn = true;
      break;
    }
    const version = index === 0 ? headVersionSchema.safeParse(document).data?.format_version : undefined;
    if (version !== undefined && !version.startsWith(`${major}.`)) {
      return failed(
        damage(file, index, `the journal has format ${version}; this Rampart reads ${journalFormatVersion}`),
      );
    }
    const record = recordSchema.safeParse(document);
    if (!record.success) return failed(damage(file, index, 'this line of the journal is damaged'));
    records.push(record.data);
  }
  const [head] = records;
  if (head?.type !== 'run') return failed(damage(file, 0, 'the journal has no head'));
  return ok({ head, records, torn });
}

const major = journalFormatVersion.split('.')[0];

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function damage(file: string, index: number, message: string): Problem {
  return problem('journal', message, { place: { file, line: index + 1, col: 1 } });
}
