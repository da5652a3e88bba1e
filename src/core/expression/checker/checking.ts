import type { TableTypes } from '../../model/asset-table.ts';
import type { ColumnUse } from '../../model/expression.ts';
import type { FactMembers } from '../facts/fact-shape.ts';
import type { SourceFault } from '../syntax/source-fault.ts';
import type { ExpressionSpan, Spans } from '../syntax/spans.ts';
import type { Expr } from '../syntax/syntax-tree.ts';
import { type CelType, unknownType } from './cel-type.ts';

/** A checked part of an expression, in the form that is evaluated. */
export interface Checked {
  readonly type: CelType;
  readonly expr: Expr;
  /** The path if this part is a declared fact: `host.customFields`. */
  readonly path?: string;
  /** A list of the host's facts: an item past its end is unknown rather than an error. */
  readonly ofFacts?: boolean;
}

export type Variables = ReadonlyMap<string, CelType>;

/** State that all parts of the checker share for one expression. */
export interface Checking {
  readonly roots: FactMembers;
  readonly spans: Spans;
  /** Paths of all facts that the expression reads. */
  readonly reads: Set<string>;
  readonly tables: TableTypes;
  /** Is the expression a part of a name? */
  readonly isName: boolean;
  /** The columns of tables that the expression reads. */
  readonly columns: ColumnUse[];
  /** The arguments of `twins`, by their source. */
  readonly twins: Map<string, Expr>;
  readonly faults: SourceFault[];
  /** Checks any part, including one that is not a value by itself, such as `host.inventory`. */
  check(expr: Expr, variables: Variables): Checked;
  /** Checks a part that must be a value. */
  value(expr: Expr, variables: Variables): Checked;
}

/** Records a fault. The part then fits every type, so that one mistake is reported only once. */
export function fault(checking: Checking, expr: Expr, { message, hint, span }: FaultParts): Checked {
  const { start, end } = span ?? checking.spans.of(expr);
  checking.faults.push({ message, start, end, ...(hint === undefined ? {} : { hint }) });
  return { type: unknownType, expr };
}

export interface FaultParts {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly span?: ExpressionSpan;
}
