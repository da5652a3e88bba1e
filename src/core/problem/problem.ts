import type { Place } from './place.ts';
import type { ProblemCode } from './problem-code.ts';

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

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((each) => each.severity === 'error');
}
