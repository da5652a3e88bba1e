import { parseSync, Visitor } from 'oxc-parser';

/**
 * Takes a CommonJS module as esbuild writes it, and makes it export its values when it has run. esbuild writes two getters
 * for each export, and each use in another module calls both. A name that is assigned again keeps one.
 */
export function exportValues(code: string): string {
  const found = exportBlock.exec(code);
  if (found === null) return code;
  const [block, list = ''] = found;
  const [helpers, body] = [code.slice(0, found.index), code.slice(found.index + block.length)];
  const changing = assignedAgain(body);
  const getters: string[] = [];
  const values: string[] = [];
  for (const [, name = '', local = ''] of list.matchAll(exportLine)) {
    if (changing.has(local)) getters.push(`${name}: () => ${local}`);
    else values.push(`exports.${name} = ${local};\n`);
  }
  return [
    getters.length === 0 && !body.includes('__toESM(') ? '' : helpers,
    'Object.defineProperty(exports, "__esModule", { value: true });\n',
    getters.length === 0 ? '' : `__export(exports, { ${getters.join(', ')} });\n`,
    body,
    ...values,
  ].join('');
}

const exportBlock =
  /^var stdin_exports = \{\};\n__export\(stdin_exports, \{\n((?: {2}[\w$]+: \(\) => [\w$]+,?\n)+)\}\);\nmodule\.exports = __toCommonJS\(stdin_exports\);\n/m;
const exportLine = /^ {2}([\w$]+): \(\) => ([\w$]+),?$/gm;

/** Every name in the target of an assignment. */
function assignedAgain(code: string): ReadonlySet<string> {
  const names = new Set<string>();
  const add = ({ start, end }: { readonly start: number; readonly end: number }) => {
    for (const [name] of code.slice(start, end).matchAll(/[\w$]+/g)) names.add(name);
  };
  new Visitor({
    AssignmentExpression: ({ left }) => add(left),
    UpdateExpression: ({ argument }) => add(argument),
    ForInStatement: ({ left }) => add(left),
    ForOfStatement: ({ left }) => add(left),
  }).visit(parseSync('part.cjs', code, { sourceType: 'commonjs' }).program);
  return names;
}
