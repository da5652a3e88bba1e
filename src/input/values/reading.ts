import type { TableTypes } from '../../core/model/asset-table.ts';
import { type ProblemDetails, problem, warning } from '../../core/problem/problem.ts';
import type { ProblemCode } from '../../core/problem/problem-code.ts';
import type { SourceText, Span } from '../sources/source-text.ts';
import type { ProblemList } from './problem-list.ts';

/** Shared by all readers: the source text, and the list that collects problems. */
export interface Reading {
  readonly source: SourceText;
  readonly problems: ProblemList;
  /** The tables that expressions can read; none if absent. */
  readonly tables?: TableTypes;
}

/** Records an error at a span. Returns undefined, so that a reader can return the result of this call. */
export function report(
  reading: Reading,
  span: Span,
  code: ProblemCode,
  message: string,
  details: ProblemDetails = {},
): undefined {
  reading.problems.add(problem(code, message, { place: reading.source.placeOf(span), ...details }));
}

export function warn(
  reading: Reading,
  span: Span,
  code: ProblemCode,
  message: string,
  details: ProblemDetails = {},
): undefined {
  reading.problems.add(warning(code, message, { place: reading.source.placeOf(span), ...details }));
}
