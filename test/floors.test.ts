import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Floor, faultsOf, faultsOfName } from './floors/judge.ts';
import { readSource } from './floors/source.ts';

/** Which folder of `src/` stands on which: a folder imports only what its row lists. */
const floors: Readonly<Record<string, Floor>> = {
  problem: { pure: true, folders: [], packages: [] },
  lib: {
    pure: true,
    folders: ['problem'],
    packages: ['@noble/hashes'],
    exceptions: { 'lib/virtual-clock.ts': ['setImmediate'] },
  },
  model: { pure: true, folders: ['problem', 'lib'], packages: ['zod', 'temporal-polyfill'] },
  expression: {
    pure: true,
    folders: ['model', 'problem', 'lib'],
    packages: ['@bufbuild/cel', '@bufbuild/re2'],
  },
  contract: { folders: ['problem', 'lib'], packages: ['zod'] },
  desired: {
    folders: ['expression', 'model', 'problem', 'lib'],
    packages: ['yaml', 'zod', 'csv-parse', 'csv-stringify'],
    exceptions: { 'desired/typescript/script-child.ts': ['an import that is computed'] },
  },
  plan: { pure: true, folders: ['expression', 'model', 'problem', 'lib'], packages: ['zod'] },
  client: { folders: ['contract', 'problem', 'lib'], packages: ['undici'] },
  emulator: { folders: ['contract', 'problem', 'lib'], packages: ['yaml', 'zod'] },
  wire: { folders: ['contract', 'client', 'model', 'plan', 'problem', 'lib'], packages: [] },
  inventory: { folders: ['wire', 'client', 'contract', 'model', 'problem', 'lib'], packages: [] },
  journal: { folders: ['model', 'plan', 'problem', 'lib'], packages: ['zod'] },
  review: { pure: true, folders: ['model', 'plan', 'problem', 'lib'], packages: ['csv-stringify', 'zod'] },
  apply: {
    folders: ['model', 'plan', 'wire', 'journal', 'client', 'contract', 'emulator', 'problem', 'lib'],
    packages: [],
  },
  telemetry: {
    folders: ['model', 'problem', 'lib'],
    packages: [
      'pino',
      '@opentelemetry/api',
      '@opentelemetry/exporter-metrics-otlp-http',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace',
    ],
  },
  cli: {
    folders: [
      'apply',
      'client',
      'contract',
      'desired',
      'emulator',
      'expression',
      'inventory',
      'journal',
      'lib',
      'model',
      'plan',
      'problem',
      'review',
      'telemetry',
      'wire',
    ],
    packages: ['commander', 'yaml', 'zod'],
  },
  terraform: {
    folders: [
      'apply',
      'client',
      'contract',
      'desired',
      'emulator',
      'expression',
      'inventory',
      'journal',
      'lib',
      'model',
      'plan',
      'problem',
      'review',
      'telemetry',
      'wire',
    ],
    packages: ['@grpc/grpc-js'],
  },
  action: {
    folders: ['cli', 'desired', 'lib', 'plan', 'problem', 'review'],
    packages: ['@actions/core', '@octokit/rest'],
  },
  cdktf: {
    folders: ['desired', 'model', 'problem', 'lib'],
    packages: ['cdktf', 'constructs', '@cdktf/provider-null'],
  },
};

const root = join(import.meta.dirname, '..');
const notOurs = new Set([
  'node_modules',
  '.git',
  'dist',
  'coverage',
  '.cache',
  '.rampart',
  'reports',
  'cdktf.out',
]);

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((path) => path.split(sep).join('/'));
}

const topFolders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !notOurs.has(entry.name))
  .map((entry) => entry.name);

describe('src/', () => {
  const sources = filesBelow('src')
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readSource(path.slice('src/'.length), readFileSync(join(root, path), 'utf8')));

  test('every file keeps to its floor', () => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap((source) => faultsOf(source, floors))).toEqual([]);
  });

  test('the plugin protocol of Terraform knows nothing of fleets, and one file of it knows gRPC', () => {
    const protocol = sources.filter(({ path }) => path.startsWith('terraform/protocol/'));
    const outside = protocol.flatMap(({ path, imports }) =>
      imports
        .filter((from) => !from.startsWith('node:'))
        .map((from) => (from.startsWith('.') ? posix.join(posix.dirname(path), from) : from))
        .filter((from) => !/^(terraform\/protocol|lib|problem)\//.test(from))
        .map((from) => `${path}: ${from}`),
    );
    expect(outside).toEqual(['terraform/protocol/plugin/transport.ts: @grpc/grpc-js']);
  });

  test('no folder stands on one that stands on it', () => {
    const below = (folder: string): readonly string[] =>
      (floors[folder] as Floor).folders.flatMap((each) => [each, ...below(each)]);
    expect(Object.keys(floors).filter((folder) => below(folder).includes(folder))).toEqual([]);
  });
});

test('files of tests, examples and benchmarks have names like those of src/', () => {
  const names = ['test', 'examples', 'bench', 'bin']
    .flatMap(filesBelow)
    .filter((path) => path.endsWith('.ts'));
  expect(names.flatMap((path) => faultsOfName(path).map((fault) => `${path}: ${fault}`))).toEqual([]);
});

test('nothing names a path of the machine it was written on', () => {
  const paths = [root, homedir()].filter((path) => path.length > 1).map((path) => path + sep);
  const files = [
    ...topFolders.flatMap(filesBelow),
    ...readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name),
  ];
  const naming = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return paths.some((path) => text.includes(path));
  });
  expect(naming).toEqual([]);
});

test('the lock file records no download addresses', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"|https?:\/\/registry/);
});

describe('a file that breaks a rule is found', () => {
  const faults = (path: string, text: string) => faultsOf(readSource(path, text), floors);

  test.each([
    ['imports the floor above', 'plan/a.ts', "import { x } from '../wire/x.ts';"],
    ['imports only a type from above', 'plan/a.ts', "import type { X } from '../wire/x.ts';"],
    ['names a type of above in place', 'plan/a.ts', "type X = import('../wire/x.ts').X;"],
    ['re-exports from above', 'plan/a.ts', "export * from '../wire/x.ts';"],
    ['re-exports one thing from above', 'plan/a.ts', "export { x } from '../wire/x.ts';"],
    ['loads from above when it runs', 'plan/a.ts', "const x = await import('../wire/x.ts');"],
    ['loads what it computes', 'plan/a.ts', 'const x = await import(name);'],
    ['imports a package that is not its own', 'plan/a.ts', "import { request } from 'undici';"],
    ['imports a part of such a package', 'plan/a.ts', "import { x } from '@cdktf/provider-null/lib/x.js';"],
    ['imports a built-in module, though pure', 'plan/a.ts', "import { readFileSync } from 'node:fs';"],
    ['reads the clock, though pure', 'plan/a.ts', 'const x = Date.now();'],
    ['reads the clock in another way', 'plan/a.ts', 'const x = new Date();'],
    ['asks for randomness, though pure', 'plan/a.ts', 'const x = Math.random();'],
    ['asks the process, though pure', 'review/a.ts', 'const x = process.env;'],
    ['waits, though pure', 'model/a.ts', 'setTimeout(() => {}, 1);'],
    ['reaches around', 'lib/a.ts', 'const x = globalThis.process;'],
    ['uses the exception of another file', 'lib/a.ts', 'setImmediate(() => {});'],
    ['imports the face of the package', 'plan/a.ts', "import { x } from '../index.ts';"],
    ['imports from outside', 'plan/a.ts', "import { x } from '../../test/x.ts';"],
    ['imports with another ending', 'plan/a.ts', "import { x } from './x.js';"],
    ['stands in a folder without a floor', 'attic/a.ts', ''],
    ['has a name that is not kebab-case', 'plan/makePlan.ts', ''],
    ['has a name that says nothing', 'plan/utils.ts', ''],
    ['is too long', 'plan/a.ts', 'x;\n'.repeat(301)],
  ])('%s', (_case, path, text) => {
    expect(faults(path, text)).toHaveLength(1);
  });

  test.each([
    [
      'imports what its row lists',
      'plan/a.ts',
      "import type { X } from '../model/x.ts'; import { y } from './y.ts';",
    ],
    ['uses members of that name', 'plan/a.ts', 'const x = { process: 1 }; x.process; y.crypto;'],
    ['makes a date of a text', 'plan/a.ts', "const x = new Date('2027-01-31T00:00:00Z');"],
    ['may use the world', 'cli/a.ts', "import { readFileSync } from 'node:fs'; process.exit(Date.now());"],
    ['is as long as allowed', 'plan/a.ts', 'x;\n'.repeat(300)],
    ['is a face of the package', 'index.ts', "export { x } from './plan/x.ts';"],
  ])('a file that keeps the rules passes: it %s', (_case, path, text) => {
    expect(faults(path, text)).toEqual([]);
  });
});
