import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { reasonOf } from '../../core/lib/error-code.ts';
import { type Problem, problem, warning } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';

/** Appends lines to a file. Each is on disk when `write` returns, so that a crash loses none. */
export interface LineWriter {
  write(line: string): void;
  close(): void;
}

export interface LineWriterOptions {
  /** The file's name as the user typed it. */
  readonly shown: string;
  /** Called once, if a line could not be written; the following lines are dropped. */
  readonly onFailure: (problem: Problem) => void;
}

/** Only the owner may read it. A pipe without a reader fails rather than waiting forever. */
const mode = 0o600;
const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NONBLOCK ?? 0);

export function openLineWriter(path: string, { shown, onFailure }: LineWriterOptions): Result<LineWriter> {
  let file: number | undefined;
  try {
    file = openSync(path, flags, mode);
  } catch (error) {
    return failed(
      problem('file-not-written', `the log file ${shown} can't be written (${reasonOf(error)})`, {
        hint: 'choose a file in an existing folder: --log-file rampart.log',
      }),
    );
  }
  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return ok({
    write(line) {
      if (file === undefined) return;
      try {
        writeWhole(file, line);
      } catch (error) {
        close();
        onFailure(
          warning('file-not-written', `the log file ${shown} ends early (${reasonOf(error)})`, {
            hint: 'the command continues without the log',
          }),
        );
      }
    },
    close,
  });
}

function writeWhole(file: number, line: string): void {
  const bytes = Buffer.from(line, 'utf8');
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
