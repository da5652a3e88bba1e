import type { Expr, Parsed } from './syntax-tree.ts';
import type { Token } from './tokens.ts';

export interface ExpressionSpan {
  readonly start: number;
  readonly end: number;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The spans of the parts of an expression. The library knows where each begins, the tokens where it ends. */
export interface Spans {
  of(expr: Expr): ExpressionSpan;
  /** The name after the point of a selection or a call, or the name of a global function. */
  nameOf(expr: Expr): ExpressionSpan;
  source(expr: Expr): string;
}

export function createExpressionSpans(source: string, tokens: readonly Token[], parsed: Parsed): Spans {
  const indexes = new Map(tokens.map((token, index) => [token.start, index]));
  const partners = bracketPartners(tokens);
  const known = new Map<bigint, ExpressionSpan>();

  const indexOf = (expr: Expr) => {
    const offset = parsed.sourceInfo?.positions[expr.id.toString()] ?? 0;
    return indexes.get(offset) ?? 0;
  };
  const token = (index: number) => tokens[index] ?? { kind: 'sign', text: '', start: 0, end: source.length };

  function own(expr: Expr): ExpressionSpan {
    const first = indexOf(expr);
    let last = first;
    const { case: kind } = expr.exprKind;
    if (kind === 'constExpr' && token(first).text === '-') last = first + 1;
    else if (kind === 'identExpr' && token(first).text === '.') last = first + 1;
    else if (kind === 'callExpr' && !isOperator(expr)) last = endOfCall(first);
    else if (kind === 'comprehensionExpr') last = endOfCall(first);
    else if (kind === 'selectExpr') last = token(first).text === '.' ? first + 1 : endOfCall(first);
    else if (closing[token(first).text] !== undefined) last = partners.get(first) ?? first;
    return { start: token(first).start, end: token(last).end };
  }

  /** From the point or the name of a call to the bracket that closes it. */
  function endOfCall(first: number): number {
    const bracket = token(first).text === '.' ? first + 2 : first + 1;
    return partners.get(bracket) ?? first;
  }

  function of(expr: Expr): ExpressionSpan {
    const cached = known.get(expr.id);
    if (cached !== undefined) return cached;
    const spans = [...childrenOf(expr).map(of), ...(isInfix(expr) ? [] : [own(expr)])];
    const span = {
      start: Math.min(...spans.map(({ start }) => start)),
      end: Math.max(...spans.map(({ end }) => end)),
    };
    known.set(expr.id, span);
    return span;
  }

  return {
    of,
    source: (expr) => source.slice(of(expr).start, of(expr).end),
    nameOf: (expr) => {
      const first = indexOf(expr);
      if (expr.exprKind.case === 'selectExpr' && expr.exprKind.value.testOnly) {
        const { field } = expr.exprKind.value;
        let last = partners.get(first + 1) ?? first;
        while (last > first && token(last).text !== field) last -= 1;
        return token(last);
      }
      return token(token(first).text === '.' ? first + 1 : first);
    },
  };
}

function isOperator(expr: Expr): boolean {
  return expr.exprKind.case === 'callExpr' && /^(?:_|@|[-!]_)/.test(expr.exprKind.value.function);
}

function isInfix(expr: Expr): boolean {
  return (
    expr.exprKind.case === 'callExpr' &&
    isOperator(expr) &&
    !/^(?:_\[_\]|[-!]_)$/.test(expr.exprKind.value.function)
  );
}

/** The parts that are in the source. Parts that macros add have no span. */
function childrenOf(expr: Expr): readonly Expr[] {
  const { exprKind } = expr;
  switch (exprKind.case) {
    case 'selectExpr':
      return exprKind.value.operand === undefined || exprKind.value.testOnly ? [] : [exprKind.value.operand];
    case 'callExpr':
      return [
        ...(exprKind.value.target === undefined ? [] : [exprKind.value.target]),
        ...exprKind.value.args,
      ];
    case 'comprehensionExpr':
      return exprKind.value.iterRange === undefined ? [] : [exprKind.value.iterRange];
    case 'listExpr':
    case 'structExpr':
    case 'constExpr':
    case 'identExpr':
    case undefined:
      return [];
  }
}

function bracketPartners(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    if (closing[text] !== undefined) open.push(index);
    else if (/^[)\]}]$/.test(text)) {
      const opened = open.pop();
      if (opened !== undefined) partners.set(opened, index);
    }
  }
  return partners;
}
