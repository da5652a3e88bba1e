import { parseSync } from 'oxc-parser';

/** A node of the syntax tree. */
interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Attributes and fields whose value nobody reads, whatever it looks like. */
const unread = new Set([
  'class',
  'd',
  'href',
  'key',
  'keys',
  'method',
  'name',
  'onKeyDown',
  'style',
  'viewBox',
]);
/** Attributes and fields whose value people read, also if it is one word. */
const read = new Set(
  'title label aria-label placeholder tried hint word text noun verb heading announcement'.split(' '),
);
/** Functions whose text arguments people do not read. */
const unreadBy = new Set([
  'querySelector',
  'addEventListener',
  'removeEventListener',
  'matchMedia',
  'digest',
  'Error',
]);

/**
 * The texts of one source file that people may read, in its order, one a line. `{}` stands for a value. The text around
 * links and other elements of a line is one text, as a reader sees it.
 */
export function textsOf(path: string, source: string): readonly string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} does not parse`);
  const found: string[] = [];
  collect(program, '', found);
  return found;
}

function collect(value: unknown, name: string, found: string[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, name, found);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const node = value as Node;
  if (/^(?:Import|Export(?:All)|TS(?!As|NonNull|Satisfies))/.test(node.type)) return;
  const own = nameOf(node) ?? name;
  if (unread.has(own)) return;
  if (node.type === 'CallExpression' && unreadBy.has(calleeOf(node))) return;
  const text = textOf(node);
  if (text !== null && (isSentence(text) || (read.has(own) && /\p{L}/u.test(text)))) found.push(text);
  const isLine = hasText(node);
  if (isLine)
    found.push(
      flow(node)
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ (?=[.,:;])/g, '')
        .trim(),
    );
  for (const child of Object.values(node))
    if (!(isLine && child === node['children'])) collect(child, own, found);
  if (isLine) collectBeside(node, own, found);
}

/** What a line of text contains besides text: its elements' attributes, and the values in it. */
function collectBeside(node: Node, name: string, found: string[]): void {
  for (const child of node['children'] as readonly Node[]) {
    if (child.type === 'JSXText') continue;
    if (!hasText(child) && !isInline(child)) collect(child, name, found);
    else {
      collect(child['openingElement'], name, found);
      collectBeside(child, name, found);
    }
  }
}

/** Does text stand directly in the element? */
function hasText(node: Node): boolean {
  return (
    /^JSX(?:Element|Fragment)$/.test(node.type) &&
    (node['children'] as readonly Node[]).some(
      (child) => child.type === 'JSXText' && /\p{L}/u.test(child['value'] as string),
    )
  );
}

/** Is the node an element around text, such as a link? */
function isInline(node: Node): boolean {
  return node.type === 'JSXElement' && hasText(node);
}

function flow(node: Node): string {
  return (node['children'] as readonly Node[])
    .map((child) => {
      if (child.type === 'JSXText') return (child['value'] as string).replaceAll(/\n\s*/g, '\n');
      if (isInline(child)) return flow(child);
      const literal = child.type === 'JSXExpressionContainer' ? (child['expression'] as Node)['value'] : null;
      return typeof literal === 'string' ? literal : '{}';
    })
    .join('');
}

/** The text of a literal or a template. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value: { cooked } }) => cooked).join('{}');
}

/** Two words or a capital letter, but not the path of an address, a selector, a key or a method. */
function isSentence(text: string): boolean {
  if (/^[#./(:]|^[A-Z]{2,}$|^(?:Enter|Escape|Arrow\w+|Home|End)$|\w\[/.test(text)) return false;
  return /\p{L}[^\s\p{L}]* +[^\s\p{L}]*\p{L}|^\p{Lu}\p{Ll}|\{\} \p{L}|\p{L} \{\}/u.test(text);
}

/** The name of the attribute or field that a node is. */
function nameOf(node: Node): string | null {
  const named = node.type === 'JSXAttribute' ? node['name'] : node.type === 'Property' ? node['key'] : null;
  return (named as { readonly name?: string } | null)?.name ?? null;
}

function calleeOf(node: Node): string {
  const callee = node['callee'] as Node;
  const last = (callee['property'] ?? callee) as { readonly name?: string };
  return last.name ?? '';
}
