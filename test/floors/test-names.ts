import { parseSync } from 'oxc-parser';

/** A node of the syntax tree. */
interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/**
 * The full names of the tests in a file, those of the groups around a test first. Names with placeholders or computed
 * parts are left out: one call of `each` makes several tests.
 */
export function fullTestNames(file: string, text: string): readonly string[] {
  const found: string[] = [];
  collect(parseSync(file, text).program, [], found);
  return found;
}

function collect(value: unknown, groups: readonly (string | undefined)[], found: string[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, groups, found);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const node = value as Node;
  const kind = node.type === 'CallExpression' ? calleeOf(node['callee'] as Node) : undefined;
  const path = kind === undefined ? groups : [...groups, nameOf((node['arguments'] as readonly Node[])[0])];
  if ((kind === 'it' || kind === 'test') && path.every((name) => name !== undefined))
    found.push(path.join(' > '));
  for (const child of Object.values(node)) collect(child, path, found);
}

/** The function that a call such as `describe.each(rows)('name', …)` or `test.skipIf(…)('name', …)` reaches. */
function calleeOf(callee: Node): string | undefined {
  if (callee.type === 'Identifier') {
    const name = callee['name'] as string;
    return ['describe', 'it', 'test'].includes(name) ? name : undefined;
  }
  if (callee.type === 'MemberExpression') return calleeOf(callee['object'] as Node);
  return callee.type === 'CallExpression' ? calleeOf(callee['callee'] as Node) : undefined;
}

function nameOf(argument: Node | undefined): string | undefined {
  const value = argument?.type === 'Literal' ? argument['value'] : undefined;
  return typeof value === 'string' && !/[%$]/.test(value) ? value : undefined;
}
