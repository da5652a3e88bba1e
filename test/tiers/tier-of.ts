import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * A test in the `system` tier uses one of `systems`. The files of a tier that a worker runs share its process, where modules
 * load once. Those of `isolated` belong to the `system` tier too, but each has its own process.
 */
export type Tier = 'unit' | 'system' | 'isolated';

/** Packages that start a process, a thread, a browser or a database. */
const systems = new Set([
  'node:child_process',
  'node:cluster',
  'node:worker_threads',
  '@electric-sql/pglite',
  'pg',
  'pg-boss',
  'playwright-core',
]);

/** Tests that change what a process has once, or that take so much longer than their imports that sharing gains little. */
const isolated: readonly string[] = [
  'test/action/init-pipeline',
  'test/browser/',
  'test/cdktf/acceptance/mirror',
  'test/cli/process',
  'test/cli/published',
  'test/cli/rollouts',
  'test/cli/signed-plans',
  'test/docs/how-to-add',
  'test/docs/pages',
  'test/docs/site',
  'test/input/typescript/hostile-scripts',
  'test/input/writing/',
  'test/reliability/dripping',
  'test/reliability/rollout-kills',
  'test/reliability/server-kills',
  'test/reliability/state-faults',
  'test/run/signature/sigstore',
  'test/run/state/audit/',
  'test/server/database/embedded',
  'test/server/jobs/account-jobs',
  'test/server/queue/open-queue-jobs',
  'test/server/server-command',
  'test/server/two-servers',
  'test/setup/',
  'test/terraform/acceptance/fleet-host',
  'test/terraform/acceptance/fleet-installed',
  'test/terraform/release/release',
];

const root = join(import.meta.dirname, '../..');

/** The files of this checkout that contain tests, by tier. */
export function testFiles(): Readonly<Record<Tier, readonly string[]>> {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file.split(sep).join('/')}`)
    .sort();
  const { unit = [], system = [], isolated = [] } = Object.groupBy(files, createTierOf(readSource));
  return { unit, system, isolated };
}

const texts = new Map<string, string | undefined>();

function readSource(file: string): string | undefined {
  if (texts.has(file)) return texts.get(file);
  const path = join(root, file);
  const text = /\.[cm]?tsx?$/.test(file) && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  texts.set(file, text);
  return text;
}

/**
 * A test belongs to the `system` tier if it, or a file of `test/` that it imports, imports a system, or a file outside
 * `test/` that imports one. If the product starts a system further away, the test imports `uses-a-system.ts`. `read`
 * returns the text of a source file by its path in the checkout.
 */
export function createTierOf(read: (file: string) => string | undefined): (file: string) => Tier {
  const known = new Map<string, readonly string[]>();
  const importsOf = (file: string) => {
    const names = known.get(file) ?? parseImports(file, read(file) ?? '');
    known.set(file, names);
    return names;
  };
  // Parsing takes most of the time, and few files of the product contain the name of a system.
  const usesSystemItself = (file: string) =>
    [...systems].some((name) => read(file)?.includes(name)) &&
    importsOf(file).some((name) => systems.has(name));
  const usesSystem = (file: string, seen: Set<string>): boolean => {
    if (seen.has(file)) return false;
    seen.add(file);
    return importsOf(file).some((name) => {
      if (!name.startsWith('.')) return systems.has(name);
      const imported = posix.join(posix.dirname(file), name);
      if (imported.startsWith('test/')) return usesSystem(imported, seen);
      return usesSystemItself(imported);
    });
  };
  return (file) => {
    if (!usesSystem(file, new Set())) return 'unit';
    return isolated.some((path) => file.startsWith(path)) ? 'isolated' : 'system';
  };
}

/** What a file loads. Imports of types load nothing. */
function parseImports(file: string, text: string): readonly string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest, isType }) =>
        moduleRequest === null || isType ? [] : [moduleRequest.value],
      ),
    ...dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ];
}
