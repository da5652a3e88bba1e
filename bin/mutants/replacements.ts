export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** Possible replacements of an expression; `path` leads from the program to its parent. */
export function replacementsFor(node: Node, path: readonly Node[], text: string): readonly string[] {
  const parent = path.at(-1);
  const at = (part: unknown) => text.slice((part as Node).start, (part as Node).end);
  const isTested = isTest(node, parent);
  const whole = isTested ? ofTest(node, path) : isRemovable(node, path) ? ['undefined'] : [];
  return [...whole, ...ofExpression(node, path, at, isTested)];
}

type TextOf = (part: unknown) => string;

function ofExpression(node: Node, path: readonly Node[], at: TextOf, isTested: boolean): readonly string[] {
  switch (node.type) {
    case 'BinaryExpression':
      return ofBinary(node, at, isTested);
    case 'LogicalExpression':
      return ofLogical(node, at);
    case 'UnaryExpression':
      if (node['operator'] === '!') return isTested ? [] : [at(node['argument'])];
      return node['operator'] === '-' ? [at(node['argument'])] : [];
    case 'UpdateExpression':
      return [at(node).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++'))];
    case 'AssignmentExpression':
      return ofAssignment(node, at);
    case 'AwaitExpression':
      return path.at(-1)?.type === 'ReturnStatement' ? [] : [at(node['argument'])];
    case 'Literal':
      return ofLiteral(node, path);
    case 'ArrayExpression':
      return ofArray(node, path, at);
    case 'CallExpression':
      return ofCall(node, at);
    default:
      return [];
  }
}

const tested: ReadonlySet<string> = new Set([
  'IfStatement',
  'ConditionalExpression',
  'WhileStatement',
  'DoWhileStatement',
  'ForStatement',
]);

function isTest(node: Node, parent: Node | undefined): boolean {
  return parent !== undefined && tested.has(parent.type) && parent['test'] === node;
}

/** A loop that never ends shows nothing but itself. */
function ofTest(node: Node, path: readonly Node[]): readonly string[] {
  const parent = path.at(-1) as Node;
  if (node.type === 'Literal') return [];
  if (parent.type !== 'IfStatement' && parent.type !== 'ConditionalExpression') return ['false'];
  return spreadsNothing(parent, path.at(-2)) ? ['true'] : ['true', 'false'];
}

/** `...(x === undefined ? {} : { x })` is equivalent to `{ x: undefined }` for this purpose. */
function spreadsNothing(choice: Node, parent: Node | undefined): boolean {
  const container = parent?.type === 'ParenthesizedExpression' ? parent : choice;
  const { consequent } = choice as unknown as { readonly consequent: Node };
  const isEmpty =
    consequent.type === 'ObjectExpression' && (consequent['properties'] as readonly unknown[]).length === 0;
  return isEmpty && container !== choice;
}

const comparisons: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
};
const equalities: Readonly<Record<string, string>> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
const arithmetic: Readonly<Record<string, string>> = {
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '+': '-',
};

/** Where the whole condition becomes true and false, its opposite shows nothing more. */
function ofBinary(node: Node, at: TextOf, isTested: boolean): readonly string[] {
  const operator = node['operator'] as string;
  const left = at(node['left']);
  const right = at(node['right']);
  const compared = comparisons[operator] ?? [];
  const others = isTested ? compared.slice(0, 1) : compared;
  const equality = isTested ? undefined : equalities[operator];
  const isText = operator === '+' && /['"`]/.test(left + right);
  const sum = isText ? undefined : arithmetic[operator];
  return [...others, equality, sum]
    .filter((each) => each !== undefined)
    .map((each) => `${left} ${each} ${right}`);
}

/** The type checker requires a fallback of `list[index]`, needed or not. */
function ofLogical(node: Node, at: TextOf): readonly string[] {
  const left = node['left'] as Node;
  const isChecked =
    node['operator'] === '??' && left.type === 'MemberExpression' && left['computed'] === true;
  return isChecked ? [at(node['right'])] : [at(left), at(node['right'])];
}

function ofAssignment(node: Node, at: TextOf): readonly string[] {
  const other = node['operator'] === '+=' ? '-=' : node['operator'] === '-=' ? '+=' : null;
  return other === null ? [] : [`${at(node['left'])} ${other} ${at(node['right'])}`];
}

/** Codes are strings for programs: texts for people are not mutated. */
const code = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

function ofLiteral(node: Node, path: readonly Node[]): readonly string[] {
  const parent = path.at(-1) as Node;
  const { value } = node;
  if (typeof value === 'boolean') return [String(!value)];
  const isValue = parent.type === 'Property' && parent['value'] === node;
  if (typeof value === 'number') return isValue ? [String(value + 1)] : [];
  if (typeof value !== 'string' || !code.test(value)) return [];
  return isValue || givesValue.has(parent.type) ? ['"mutated"'] : [];
}

const givesValue: ReadonlySet<string> = new Set([
  'ReturnStatement',
  'ArrowFunctionExpression',
  'ConditionalExpression',
  'ArrayExpression',
  'CallExpression',
  'TSAsExpression',
]);

/** Neighbors change places. The order of what becomes a set, is only looked through, or is joined means nothing. */
function ofArray(node: Node, path: readonly Node[], at: TextOf): readonly string[] {
  const elements = node['elements'] as readonly (Node | null)[];
  const container = path.findLast(({ type }) => !type.startsWith('TS') && type !== 'ParenthesizedExpression');
  if (elements.some((each) => each === null) || container?.type === 'NewExpression') return [];
  if (container?.type === 'MemberExpression' && ordersNothing.has(at(container['property']))) return [];
  return elements.slice(1).flatMap((second, index) => {
    const first = elements[index];
    if (first?.type === 'SpreadElement' || second?.type === 'SpreadElement') return [];
    if (at(first) === at(second)) return [];
    return [
      `[${elements
        .with(index, second)
        .with(index + 1, first as Node)
        .map(at)
        .join(', ')}]`,
    ];
  });
}

const ordersNothing: ReadonlySet<string> = new Set(['includes', 'some', 'every']);
const leavesOut: ReadonlySet<string> = new Set([
  'filter',
  'slice',
  'toSorted',
  'sort',
  'toReversed',
  'reverse',
  'trim',
]);
/** A map, because an object would also respond to `toString`. */
const opposites: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);

function ofCall(node: Node, at: TextOf): readonly string[] {
  const callee = node['callee'] as Node;
  if (callee.type !== 'MemberExpression' || callee['computed'] === true || callee['optional'] === true)
    return [];
  const method = at(callee['property']);
  const object = at(callee['object']);
  if (leavesOut.has(method)) return [object];
  const opposite = opposites.get(method);
  if (opposite === undefined) return [];
  return [`${object}.${opposite}${at(node).slice(callee.end - node.start)}`];
}

/** The expression of a statement; if it is the whole body of an `if`, the condition is mutated instead. */
function isRemovable(node: Node, path: readonly Node[]): boolean {
  const statement = path.at(-1);
  if (statement?.type !== 'ExpressionStatement' || node.type === 'Literal') return false;
  const [outer, around] = [path.at(-2), path.at(-3)];
  const block =
    outer?.type === 'BlockStatement' && (outer['body'] as readonly unknown[]).length === 1 ? around : outer;
  return block?.type !== 'IfStatement' || block['alternate'] !== null;
}
