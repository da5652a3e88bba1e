import { parseSync } from 'oxc-parser';
import type { Mutant } from './mutant.ts';
import { type Node, replacementsFor } from './replacements.ts';

/** Every mutant of a source file, outer ones before those inside them. */
export function findMutants(file: string, text: string): readonly Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];

  function visit(node: Node, path: readonly Node[], isStatic: boolean): void {
    if (isOfTypesOnly(node)) return;
    if (!isWithinChain(node, path.at(-1))) {
      for (const replacement of new Set(replacementsFor(node, path, text))) {
        const line = lineStarts.findLastIndex((start) => start <= node.start);
        mutants.push({
          file,
          line: line + 1,
          column: node.start - (lineStarts[line] ?? 0) + 1,
          start: node.start,
          end: node.end,
          original: text.slice(node.start, node.end),
          replacement,
          isStatic,
        });
      }
    }
    const inside = [...path, node];
    for (const [key, member] of Object.entries(node)) {
      if (typeKeys.has(key)) continue;
      for (const child of Array.isArray(member) ? member : [member]) {
        if (isNode(child)) visit(child, inside, isStatic && !isFunction(node));
      }
    }
  }

  visit(program as unknown as Node, [], true);
  return mutants;
}

const typeKeys: ReadonlySet<string> = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
  'implements',
]);

const typeWrappers: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
]);

function isNode(value: unknown): value is Node {
  return typeof (value as Partial<Node> | null)?.type === 'string';
}

function isOfTypesOnly({ type }: Node): boolean {
  if (type === 'ImportDeclaration' || type === 'ExportAllDeclaration') return true;
  return type.startsWith('TS') && !typeWrappers.has(type);
}

function isFunction({ type }: Node): boolean {
  return (
    type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
  );
}

/** A part of `a?.b.c()` that can't stand in brackets: the rest would no longer be left out with it. */
function isWithinChain(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === 'ChainExpression') return true;
  if (parent?.type === 'MemberExpression') return parent['object'] === node && isCallOrMember(node);
  return parent?.type === 'CallExpression' && parent['callee'] === node && isCallOrMember(node);
}

function isCallOrMember({ type }: Node): boolean {
  return type === 'MemberExpression' || type === 'CallExpression';
}
