import type { ProblemCode } from './problem-code.ts';

/** The line and the column of a place that has none, such as the run that an undo reverses. */
export const noLine = 0;

/** A position in a source file. Line and column count from 1, columns in UTF-16 units. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  /** Only the line is known; `col` is its first column. */
  readonly wholeLine?: true;
  /** How many columns the caret line underlines; 1 when absent. */
  readonly width?: number;
  /**
   * The source line, kept only if a caret line will be drawn. Of a very long line, only the part around the position.
   */
  readonly text?: string;
  /** The column of `text`'s first character; 1 when absent. */
  readonly textCol?: number;
  /** The part of the file, if line and column are not enough: `row 7, column "id"`, `hosts[3].group`. */
  readonly part?: string;
}

/** A place without its source line. */
export type FilePosition = Pick<Place, 'file' | 'line' | 'col'>;

/** A place as lists and reports show it. */
export interface ShownPlace {
  readonly file: string;
  /** Absent: the place has no lines, such as the run that an undo reverses. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export function shownPlace({
  file,
  line,
  col,
  wholeLine,
}: FilePosition & Pick<Place, 'wholeLine'>): ShownPlace {
  if (line === noLine) return { file };
  return { file, line, ...(wholeLine === true ? {} : { column: col }) };
}

export function formatPlace(place: Place): string {
  const { line, col, wholeLine, part } = place;
  const where =
    wholeLine === true ? fileAndLine(place) : `${fileAndLine(place)}${line === noLine ? '' : `:${col}`}`;
  return `${where}${part === undefined ? '' : ` (${part})`}`;
}

/** `fleet.yaml:12`, or only the file if there is no line. */
export function fileAndLine({ file, line = noLine }: Omit<ShownPlace, 'column'>): string {
  return line === noLine ? file : `${file}:${line}`;
}

/**
 * `error` stops the command, `warning` needs the reviewer's judgment, `note` is a fact worth reporting (a host that
 * awaits enrollment, a deletion that is not due yet).
 */
export const severities = ['error', 'warning', 'note'] as const;
export type Severity = (typeof severities)[number];

/** A failure as a value: what is wrong, where, and what to do. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** One sentence without a final period. Host names in it are raw: the printer escapes them. */
  readonly message: string;
  readonly place?: Place;
  /** What to do about it: a suggestion, or the next command to run. */
  readonly hint?: string;
  /** Other places involved, such as the second claim on one host. */
  readonly related?: readonly Place[];
  /** The hosts it is about, as decimal ids. */
  readonly hostIds?: readonly string[];
  /** The name of the policy that reports it. */
  readonly policy?: string;
}

export type ProblemDetails = Omit<Problem, 'code' | 'severity' | 'message'>;

export function problem(code: ProblemCode, message: string, details: ProblemDetails = {}): Problem {
  return { code, severity: 'error', message, ...details };
}

export function warning(code: ProblemCode, message: string, details: ProblemDetails = {}): Problem {
  return { code, severity: 'warning', message, ...details };
}

export function note(code: ProblemCode, message: string, details: ProblemDetails = {}): Problem {
  return { code, severity: 'note', message, ...details };
}

/** What is wrong and what to do about it, as one text. */
export function messageAndHint({ message, hint }: Pick<Problem, 'message' | 'hint'>): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}

/** The same problem, which ends nothing. */
export function asWarning(each: Problem): Problem {
  return { ...each, severity: 'warning' };
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((each) => each.severity === 'error');
}

/** A value, possibly with warnings, or the problems that prevented it. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export function ok<T>(value: T, problems: readonly Problem[] = []): Result<T> {
  return { ok: true, value, problems };
}

export function failed(...problems: readonly Problem[]): {
  readonly ok: false;
  readonly problems: readonly Problem[];
} {
  return { ok: false, problems };
}

/** The values of all results, or the problems of all that failed. */
export function allOf<T>(results: readonly Result<T>[]): Result<readonly T[]> {
  const values = results.flatMap((each) => (each.ok ? [each.value] : []));
  const problems = results.flatMap((each) => (each.ok ? [] : each.problems));
  return values.length === results.length ? ok(values) : failed(...problems);
}
