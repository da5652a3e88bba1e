import { resolve } from 'node:path';
import { printableJson } from '../lib/printable-json.ts';
import { hasErrors, type Problem } from '../problem/problem.ts';
import { renderProblems } from '../review/problem-text.ts';
import { type ExitCode, exitCodeOf } from './exit-code.ts';
import type { Io } from './io.ts';
import type { Redaction } from './redaction.ts';
import type { Settings } from './settings.ts';

/** What a command has to work with. Data goes to stdout, everything else to stderr. */
export interface Context {
  readonly io: Io;
  readonly settings: Settings;
  readonly redaction: Redaction;
  /** Data. */
  readonly print: (text: string) => void;
  readonly printJson: (value: unknown) => void;
  /** A line for the user's eye; nothing with `--quiet`. */
  readonly tell: (line: string) => void;
  /** Problems; with `--quiet` only the errors. */
  readonly report: (problems: readonly Problem[]) => void;
  /** Reports what stopped the command, and says how to end. */
  readonly fail: (problems: readonly Problem[]) => ExitCode;
  /** A path from the command line, made absolute. */
  readonly path: (given: string) => string;
}

export function createContext(io: Io, settings: Settings, redaction: Redaction): Context {
  const report = (problems: readonly Problem[]) => {
    const shown = settings.quiet ? problems.filter((each) => each.severity === 'error') : problems;
    io.stderr.write(renderProblems(shown, { colour: settings.errColour }));
  };
  return {
    io,
    settings,
    redaction,
    print: (text) => io.stdout.write(text),
    printJson: (value) => io.stdout.write(`${printableJson(JSON.stringify(value, null, 2))}\n`),
    tell: (line) => {
      if (!settings.quiet) io.stderr.write(`${line}\n`);
    },
    report,
    fail: (problems) => {
      if (!hasErrors(problems)) throw new Error('a command failed without saying why');
      report(problems);
      return exitCodeOf(problems);
    },
    path: (given) => resolve(io.cwd, given),
  };
}
