import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * Checks what `npm pack` publishes, after a build: every module of dist/ is reached from an export, and the dependencies
 * are the packages that these modules import. The bundles in dist/cli, dist/console and dist/action, and those of the sandbox, bring no dependencies.
 */
const root = join(import.meta.dirname, '..');
const { exports, dependencies, peerDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};

/** What a module imports, and what its types do. */
function importsOf(path: string): readonly string[] {
  return [path, path.replace(/\.js$/, '.d.ts')].flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const { module } = parseSync(file, text);
    return [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value])),
      ),
      ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
    ];
  });
}

const reached = new Set<string>();
const packages = new Set<string>();
const entries = Object.values(exports).flatMap((each) =>
  typeof each === 'string' ? [] : [posix.normalize(each.default)],
);
for (const waiting = [...entries]; waiting.length > 0; ) {
  const path = waiting.pop() as string;
  if (reached.has(path)) continue;
  reached.add(path);
  for (const from of importsOf(path)) {
    // Declarations keep the ending of the source.
    if (from.startsWith('.')) waiting.push(posix.join(posix.dirname(path), from.replace(/\.ts$/, '.js')));
    else if (/^[@a-z]/.test(from) && !from.startsWith('node:'))
      packages.add(
        from
          .split('/')
          .slice(0, from.startsWith('@') ? 2 : 1)
          .join('/'),
      );
  }
}

const built = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js') && !/^(cli|console|action|provider|site)\//.test(name))
  // Bundles, which the process of a script loads by their address.
  .filter((name) => !/\bsandbox\/(?:realm|script-child)\.js$/.test(name))
  .map((name) => posix.join('dist', name));
/** Of a dependency's own peers: npm installs them only if somebody lists them. */
const peers = new Set(
  Object.keys(dependencies).flatMap((name) => {
    const manifest = join(root, 'node_modules', name, 'package.json');
    if (!existsSync(manifest)) return [];
    const { peerDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      readonly peerDependencies?: Readonly<Record<string, string>>;
    };
    return Object.keys(peerDependencies);
  }),
);
const faults = [
  ...built
    .filter((path) => !reached.has(path))
    .map((path) => `${path} is published, and no export reaches it`),
  ...[...packages]
    .filter((name) => !(name in dependencies) && !(name in peerDependencies))
    .map((name) => `${name} is imported, and is not in "dependencies"`),
  ...Object.keys(dependencies)
    .filter((name) => !packages.has(name) && !peers.has(name))
    .map((name) => `${name} is in "dependencies", and no published module imports it`),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${reached.size} modules, ${Object.keys(dependencies).length} dependencies`);
