import { parse } from '@bufbuild/cel';
import { type CheckedExpression, checkExpression, type Names } from '../checker/check.ts';
import type { ExpressionScope } from '../checker/scope.ts';
import { deepest, deepestTree, longestExpression } from '../expression-limits.ts';
import { type Compiled, faulty, type SourceFault } from './source-fault.ts';
import { createExpressionSpans } from './spans.ts';
import { bracketFault, orderFault } from './syntax-fault.ts';
import type { Expr, Parsed } from './syntax-tree.ts';
import { readTokens, type Token } from './tokens.ts';

/** Parses and checks the text of an expression, which may read these texts and tables by their names. */
export function readExpression(
  source: string,
  scope: ExpressionScope,
  names?: Names,
): Compiled<CheckedExpression> {
  if (source.length > longestExpression) {
    const message = `an expression can have at most ${longestExpression} characters; this one has ${source.length}`;
    return faulty({ message, start: 0, end: source.length });
  }
  const tokens = readTokens(source);
  if (!tokens.ok) return tokens;
  const brackets = bracketFault(tokens.value);
  if (brackets !== undefined) return faulty(brackets);
  const parsed = parseTokens(source, tokens.value);
  if (!parsed.ok) return parsed;
  const { expr } = parsed.value;
  if (expr === undefined) return faulty(whole(tokens.value, 'the expression is empty'));
  if (isDeep(expr))
    return faulty(whole(tokens.value, `the expression is nested more than ${deepest} levels deep`));
  const checked = checkExpression(
    expr,
    createExpressionSpans(source, tokens.value, parsed.value),
    scope,
    names,
  );
  return checked.faults.length > 0 ? faulty(...checked.faults) : { ok: true, value: checked };
}

function whole(tokens: readonly Token[], message: string): SourceFault {
  return { message, start: tokens[0]?.start ?? 0, end: tokens.at(-1)?.end ?? 0 };
}

function parseTokens(source: string, tokens: readonly Token[]): Compiled<Parsed> {
  try {
    return { ok: true, value: parse(source) };
  } catch (error) {
    if (error instanceof RangeError)
      return faulty(whole(tokens, `the expression is nested more than ${deepest} levels deep`));
    return faulty(orderFault(tokens, source) ?? placeOf(error, tokens, source));
  }
}

/** The position at which the library stopped, for faults that the token order does not show. */
function placeOf(error: unknown, tokens: readonly Token[], source: string): SourceFault {
  const { location } = error as { readonly location?: { readonly start?: { readonly offset?: number } } };
  const offset = location?.start?.offset ?? 0;
  const token = tokens.find(({ end }) => end > offset) ?? tokens.at(-1);
  const { start, end } = token ?? { start: 0, end: source.length };
  return { message: `unexpected text in the expression: ${source.slice(start, end)}`, start, end };
}

function isDeep(root: Expr): boolean {
  let level: readonly Expr[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestTree) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}

function partsOf({ exprKind }: Expr): readonly Expr[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return exprKind.value.operand === undefined ? [] : [exprKind.value.operand];
    case 'callExpr':
      return [
        ...(exprKind.value.target === undefined ? [] : [exprKind.value.target]),
        ...exprKind.value.args,
      ];
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) => [
        ...(keyKind.case === 'mapKey' ? [keyKind.value] : []),
        ...(value === undefined ? [] : [value]),
      ]);
    case 'comprehensionExpr': {
      const { iterRange, loopStep } = exprKind.value;
      return [iterRange, loopStep].filter((part) => part !== undefined);
    }
    case 'constExpr':
    case 'identExpr':
    case undefined:
      return [];
  }
}
