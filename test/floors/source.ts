import { parseSync } from 'oxc-parser';

/** One source file as the floors see it. */
export interface Source {
  /** Path below `src/`, such as `plan/order.ts`. */
  readonly path: string;
  readonly lines: number;
  /** What it imports, re-exports, or loads with `import()`. */
  readonly imports: readonly string[];
  /** What it uses of the world: the clock, randomness, timers, the process. */
  readonly worldly: readonly string[];
}

const worldlyGlobals: ReadonlySet<string> = new Set([
  'process',
  'globalThis',
  'console',
  'performance',
  'crypto',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
]);

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

export function readSource(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse`);
  const imports: string[] = [];
  const worldly: string[] = [];
  visit(program, (node, parent) => {
    const from = importedBy(node);
    if (from !== null) imports.push(from);
    const use = worldlyUse(node, parent);
    if (use !== null) worldly.push(use);
  });
  // Nobody reads a generated file from top to bottom.
  if (text.startsWith('// Written by `npm run ')) return { path, lines: 0, imports, worldly };
  return { path, lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0), imports, worldly };
}

function visit(
  value: unknown,
  see: (node: Node, parent: Node | null) => void,
  parent: Node | null = null,
): void {
  if (Array.isArray(value)) {
    for (const each of value) visit(each, see, parent);
    return;
  }
  if (value === null || typeof value !== 'object') return;
  const isNode = typeof (value as Partial<Node>).type === 'string';
  if (isNode) see(value as Node, parent);
  for (const member of Object.values(value)) visit(member, see, isNode ? (value as Node) : parent);
}

function importedBy(node: Node): string | null {
  const kinds = [
    'ImportDeclaration',
    'ExportNamedDeclaration',
    'ExportAllDeclaration',
    'ImportExpression',
    'TSImportType',
  ];
  if (!kinds.includes(node.type)) return null;
  const source = (node['source'] ?? node['argument']) as { readonly value?: unknown } | null | undefined;
  if (source === null || source === undefined) return null;
  return typeof source.value === 'string' ? source.value : 'an import that is computed';
}

function worldlyUse(node: Node, parent: Node | null): string | null {
  if (node.type === 'NewExpression' && nameOf(node['callee']) === 'Date' && isEmpty(node['arguments']))
    return 'new Date()';
  if (node.type === 'CallExpression' && nameOf(node['callee']) === 'Date') return 'Date()';
  if (node.type === 'MemberExpression') {
    const use = `${nameOf(node['object'])}.${nameOf(node['property'])}`;
    return use === 'Date.now' || use === 'Math.random' ? use : null;
  }
  const name = nameOf(node);
  return name !== null && worldlyGlobals.has(name) && !isOnlyAName(node, parent) ? name : null;
}

/** The name of a property is not a use of the global with that name. */
function isOnlyAName(node: Node, parent: Node | null): boolean {
  if (parent === null || parent['computed'] === true) return false;
  return parent['property'] === node || parent['key'] === node;
}

function nameOf(value: unknown): string | null {
  const node = value as Node | null | undefined;
  return node?.type === 'Identifier' ? (node['name'] as string) : null;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
