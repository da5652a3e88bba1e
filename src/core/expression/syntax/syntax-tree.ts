import type { parse } from '@bufbuild/cel';

export type Parsed = ReturnType<typeof parse>;
export type Expr = NonNullable<Parsed['expr']>;
export type ExprOf<K extends Expr['exprKind']['case']> = Extract<Expr['exprKind'], { case: K }>['value'];

/** A call of a function, made by Rampart, that replaces `like`. */
export function callNode(like: Expr, name: string, args: readonly Expr[]): Expr {
  return {
    $typeName: 'cel.expr.Expr',
    id: like.id,
    exprKind: {
      case: 'callExpr',
      value: { $typeName: 'cel.expr.Expr.Call', function: name, args: [...args] },
    },
  };
}

export function textNode(like: Expr, text: string): Expr {
  return {
    $typeName: 'cel.expr.Expr',
    id: like.id,
    exprKind: {
      case: 'constExpr',
      value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'stringValue', value: text } },
    },
  };
}

export function exprLike(like: Expr, exprKind: Expr['exprKind']): Expr {
  return { $typeName: 'cel.expr.Expr', id: like.id, exprKind };
}

export function constantText(expr: Expr): string | undefined {
  if (expr.exprKind.case !== 'constExpr') return undefined;
  const { constantKind } = expr.exprKind.value;
  return constantKind.case === 'stringValue' ? constantKind.value : undefined;
}
