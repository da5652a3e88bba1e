import { parseJson } from '../../../core/lib/parse-json.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { type JournalRecord, journalFormatVersion, type RunRecord } from './record.ts';
import { headVersionSchema, recordSchema } from './record-schema.ts';

export interface RunRecords {
  readonly head: RunRecord;
  readonly records: readonly JournalRecord[];
}

/** A run as recorded in its file. */
export interface Run extends RunRecords {
  /** The last line was cut off while it was being written: its step was not begun, or its outcome is unknown. */
  readonly torn: boolean;
}

/** Only the last line may be cut off, which is what a crash leaves. Any other damage is a problem with its line. */
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
        damage(
          file,
          index,
          `the journal has format ${version}; this version of Rampart reads ${journalFormatVersion}`,
        ),
      );
    }
    const record = recordSchema.safeParse(document);
    if (!record.success) return failed(damage(file, index, 'this line of the journal is damaged'));
    records.push(record.data);
  }
  const [head] = records;
  if (head?.type !== 'run') return failed(damage(file, 0, 'the journal has no header'));
  return ok({ head, records, torn });
}

const major = journalFormatVersion.split('.')[0];

function damage(file: string, index: number, message: string): Problem {
  return problem('journal', message, { place: { file, line: index + 1, col: 1 } });
}
