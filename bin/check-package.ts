import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * Checks the library in `dist/lib` after a build: its modules and types import each other, Node, and exactly the
 * packages in the manifest.
 */
const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/lib');
const { dependencies, peerDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Readonly<Record<'dependencies' | 'peerDependencies', Readonly<Record<string, string>>>>;
const listed = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);

/** What a module or its types import. */
function importsOf(name: string): readonly string[] {
  const text = readFileSync(join(folder, name), 'utf8');
  const { module } = parseSync(name, text);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value])),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const asked = text.slice(start, end);
      return /^["']/.test(asked) ? [asked.slice(1, -1)] : [];
    }),
  ];
}

const files = readdirSync(folder).filter((name) => /\.(js|d\.ts)$/.test(name));
const imported = new Set(
  files
    .flatMap(importsOf)
    .filter((from) => !from.startsWith('.') && !isBuiltin(from))
    .map((from) => from.split('/', from.startsWith('@') ? 2 : 1).join('/')),
);
const faults = [
  ...[...imported]
    .filter((name) => !listed.has(name))
    .map((name) => `${name} is imported, and not in the manifest`),
  // Programs that use the constructs on cdktn load it under the name of cdktf.
  ...[...listed]
    .filter((name) => !imported.has(name) && name !== 'cdktn')
    .map((name) => `${name} is in the manifest, and nothing imports it`),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${files.length} files, packages: ${[...imported].join(', ')}`);
