import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { house } from './floors/house.ts';
import { circlesOf, faultsOf, faultsOfName, unusedPackages } from './floors/judge.ts';
import { readSource } from './floors/source.ts';
import { fullTestNames } from './floors/test-names.ts';

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
  'emulated-fleet.yaml',
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
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readSource(path.slice('src/'.length), readFileSync(join(root, path), 'utf8')));

  test('every file imports only what its floor allows', () => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap((source) => faultsOf(source, house))).toEqual([]);
  });

  test('every package that a floor allows is used there', () => {
    expect(unusedPackages(sources, house)).toEqual([]);
  });

  test('one file writes all decisions about accounts, plans, approvals and runs', () => {
    const writes =
      /\.(setHealth|setHold|requestStop)\(|accounts\.claim\(|plans\.(propose|move|keep|reopen|shorten|approve|endRejections)\(|runs\.(queue|change)\(/;
    const writers = filesBelow('src/server').filter(
      (path) => !path.includes('/records/') && writes.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(writers).toEqual(['src/server/accounts/rules/carry-out.ts']);
  });

  test('no exported name has two meanings', () => {
    const declared =
      /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
    const meanings = new Map<string, Set<string>>();
    for (const path of filesBelow('src')) {
      // The commands that the Action leaves out have the names of the commands that they replace.
      if (!/\.tsx?$/.test(path) || path.includes('/generated/') || path === 'src/action/left-out.ts')
        continue;
      for (const [, name = ''] of readFileSync(join(root, path), 'utf8').matchAll(declared))
        meanings.set(name, (meanings.get(name) ?? new Set()).add(path));
    }
    expect(meanings.size).toBeGreaterThan(1000);
    expect(
      [...meanings].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files]),
    ).toEqual([]);
  });

  test('no files import each other in a circle, not even for types', () => {
    expect(circlesOf(sources)).toEqual([]);
  });

  test('the plan verifier is short enough to be read in one sitting', () => {
    const lines = filesBelow('src/core/plan/verify').map(
      (path) => readFileSync(join(root, path), 'utf8').split('\n').length,
    );
    expect(lines.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(500);
  });

  test('the console has at most 12,500 lines, so every addition needs an equal removal', () => {
    const files = filesBelow('src/console').filter((path) => /\.(tsx?|css)$/.test(path));
    const lines = files.map((path) => readFileSync(join(root, path), 'utf8').split('\n').length - 1);
    expect(files.length).toBeGreaterThan(100);
    expect(lines.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(12_500);
  });

  test('no MCP tool can reach a command or a function that applies, decides or prints a key', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const reached = new Set<string>();
    const reach = (path: string) => {
      const source = byPath.get(path);
      if (source === undefined || reached.has(path)) return;
      reached.add(path);
      for (const from of source.imports)
        if (from.startsWith('.')) reach(posix.join(posix.dirname(path), from));
    };
    for (const { path } of sources)
      if (/^(?:mcp|cli\/asking|server\/mcp)\/|^cli\/commands\/mcp\.ts$/.test(path)) reach(path);
    expect([...reached].filter((path) => path.startsWith('cli/commands/')).sort()).toEqual([
      'cli/commands/coverage.ts',
      'cli/commands/explain.ts',
      'cli/commands/hosts.ts',
      'cli/commands/mcp.ts',
    ]);
    const applies =
      /^(?:accounts\/(?:rollouts\/(?!spread-acks)|engine\/apply)|cli\/(?:rollouts|pipelines)\/|cli\/running\/(?:carry-out|run-plan)|server\/(?!mcp\/)|action\/|forge\/put)/;
    expect([...reached].filter((path) => applies.test(path))).toEqual([]);
    // The rooms themselves import nothing that sends, except the readers of the command line.
    const sends =
      /\/(?:service|run)\/(?!apply\/(?:assess|exit-code|rehearse)\.ts$|client\/(?:cutoff|system-clock)\.ts$)/;
    expect(
      sources
        .filter(({ path }) => /^(?:mcp|cli\/asking)\//.test(path))
        .flatMap(({ path, imports }) =>
          imports.map((from) => `${path}: ${posix.join('/', posix.dirname(path), from)}`),
        )
        .filter((line) => sends.test(line.replace('/cli/service/', '/cli-service/'))),
    ).toEqual([]);
  });

  test('every folder with a position in the order exists', () => {
    const missing = house.flatMap(({ folder, rooms = [] }) =>
      rooms
        .map((room) => `${folder}/${room}/`)
        .filter((room) => !sources.some(({ path }) => path.startsWith(room))),
    );
    expect(missing).toEqual([]);
  });

  test("Terraform's plugin protocol does not depend on fleets, and one of its files imports each package", () => {
    const protocol = sources.filter(({ path }) => path.startsWith('terraform/protocol/'));
    const outside = protocol.flatMap(({ path, imports }) =>
      imports
        .filter((from) => !from.startsWith('node:'))
        .map((from) => (from.startsWith('.') ? posix.join(posix.dirname(path), from) : from))
        .filter((from) => !/^(terraform\/protocol|core\/lib|core\/problem)\//.test(from))
        .map((from) => `${path}: ${from}`),
    );
    expect([...new Set(outside)].sort()).toEqual([
      'terraform/protocol/messagepack/tree.ts: @msgpack/msgpack',
      'terraform/protocol/messages/messages.ts: @bufbuild/protobuf',
      'terraform/protocol/messages/messages.ts: @bufbuild/protobuf/codegenv2',
    ]);
  });

  test('a row of the house lists only rows before it', () => {
    const known = new Set<string>();
    for (const { folder, imports } of house) {
      expect(
        imports.filter((each) => !known.has(each)),
        folder,
      ).toEqual([]);
      known.add(folder);
    }
  });
});

test('files of tests, examples and benchmarks have names like those of src/', () => {
  const names = ['test', 'examples', 'bench', 'bin']
    .flatMap(filesBelow)
    .filter((path) => path.endsWith('.ts'));
  expect(names.flatMap((path) => faultsOfName(path).map((fault) => `${path}: ${fault}`))).toEqual([]);
});

test('every file and folder of src/ that the page of the architecture names exists', () => {
  const page = readFileSync(join(root, 'docs/contributing/architecture.md'), 'utf8');
  const groups = [...new Set(house.map(({ folder }) => folder.split('/')[0] ?? ''))];
  const named = [...page.matchAll(/`([a-z0-9-]+(?:\/[a-z0-9-]+)*(?:\/|\.tsx?))`/g)]
    .map(([, path = '']) => path)
    .filter((path) => groups.some((group) => path.startsWith(`${group}/`)));
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((path) => !existsSync(join(root, 'src', path)))).toEqual([]);
});

test('the top level has only the configuration that tools look for there; the rest is in config/', () => {
  const looked = new Set([
    // Editors and a plain `biome` look for it there, and else format by other rules.
    '.biome.json',
    // Its patterns match only files below its folder.
    '.oxlintrc.json',
    '.pre-commit-hooks.yaml',
    'action.yml',
    'cdktf.json',
    'package-lock.json',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ]);
  const configuration = readdirSync(root).filter((name) => /\.(json|ya?ml|toml|[cm]?[jt]s)$/.test(name));
  expect(configuration).toContain('package.json');
  expect(configuration.filter((name) => !looked.has(name) && !notOurs.has(name))).toEqual([]);
});

test('no files of benchmarks and scripts import each other in a circle', () => {
  const sources = ['bench', 'bin']
    .flatMap(filesBelow)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readSource(path, readFileSync(join(root, path), 'utf8')));
  expect(circlesOf(sources)).toEqual([]);
});

test('no file contains a path of the machine on which it was written', () => {
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

test('every word has its American spelling', () => {
  const british =
    /colour|behaviour|favour|neighbour|licences|(?:organ|recogn|synthes|normal|capital|general|synchron|optim|summar|initial|serial|minim|author)is(?:e[ds]?|ing|ation)\b|judgement|\blabelled(?!by)|\blearnt\b|enrolment|\benrols?\b|\bdefence|\bcentre\b/i;
  // The spelling of labels in a test, and of a file name from packages, is not ours.
  const others = ['test/floors.test.ts', 'test/core/plan/account-facts.test.ts'];
  const files = ['src', 'test', 'docs', 'bin', 'bench', 'examples', 'schema']
    .flatMap(filesBelow)
    .filter((file) => /\.(?:tsx?|md|css|json|ya?ml)$/.test(file) && !file.includes('/.vitepress/'))
    .concat('README.md', 'CONTRIBUTING.md');
  const found = files.filter((file) => british.test(readFileSync(join(root, file), 'utf8')));
  expect(found.filter((file) => !others.includes(file))).toEqual([]);
});

test('the lock file records no download addresses', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"|https?:\/\/registry/);
});

describe('a file that breaks a rule is found', () => {
  const faults = (path: string, text: string) => faultsOf(readSource(path, text), house);

  test.each([
    ['imports the floor above', 'core/plan/a.ts', "import { x } from '../../service/wire/x.ts';"],
    ['imports only a type from above', 'core/plan/a.ts', "import type { X } from '../../service/wire/x.ts';"],
    ['names a type of above in place', 'core/plan/a.ts', "type X = import('../../service/wire/x.ts').X;"],
    ['re-exports from above', 'core/plan/a.ts', "export * from '../../service/wire/x.ts';"],
    ['re-exports one thing from above', 'core/plan/a.ts', "export { x } from '../../service/wire/x.ts';"],
    ['loads from above when it runs', 'core/plan/a.ts', "const x = await import('../../service/wire/x.ts');"],
    ['loads what it computes', 'core/plan/a.ts', 'const x = await import(name);'],
    ['imports a package that is not its own', 'core/plan/a.ts', "import { request } from 'undici';"],
    [
      'imports a part of such a package',
      'core/plan/a.ts',
      "import { x } from '@cdktf/provider-null/lib/x.js';",
    ],
    ['imports a built-in module, though pure', 'core/plan/a.ts', "import { readFileSync } from 'node:fs';"],
    ['reads the clock, though pure', 'core/plan/a.ts', 'const x = Date.now();'],
    ['reads the clock in another way', 'core/plan/a.ts', 'const x = new Date();'],
    ['asks for randomness, though pure', 'core/plan/a.ts', 'const x = Math.random();'],
    ['asks the process, though pure', 'output/review/a.ts', 'const x = process.env;'],
    ['waits, though pure', 'core/model/a.ts', 'setTimeout(() => {}, 1);'],
    ['reaches around', 'core/lib/a.ts', 'const x = globalThis.process;'],
    ['uses the exception of another file', 'core/lib/a.ts', 'setImmediate(() => {});'],
    ['imports a later room', 'core/plan/intents/a.ts', "import { x } from '../ordering/x.ts';"],
    [
      'imports only a type of a later room',
      'core/plan/types/a.ts',
      "import type { X } from '../drift/x.ts';",
    ],
    [
      'imports a file beside the rooms from a room',
      'core/plan/guards/a.ts',
      "import { makePlan } from '../make-plan.ts';",
    ],
    ['stands in a room outside the order', 'core/plan/attic/a.ts', ''],
    ['imports the face of the package', 'core/plan/a.ts', "import { x } from '../../index.ts';"],
    ['imports from outside', 'core/plan/a.ts', "import { x } from '../../../test/x.ts';"],
    ['imports with another ending', 'core/plan/a.ts', "import { x } from './x.js';"],
    ['stands in a folder without a floor', 'attic/a.ts', ''],
    ['has a name that is not kebab-case', 'core/plan/makePlan.ts', ''],
    ['has a name that says nothing', 'core/plan/utils.ts', ''],
    [
      'imports a rule into the records of a noun of the server',
      'server/plans/records/a.ts',
      "import { x } from '../rules/x.ts';",
    ],
    [
      'imports a route into the rules of another noun',
      'server/plans/rules/a.ts',
      "import { x } from '../../runs/routes/x.ts';",
    ],
    ['reads the clock in a decision of the server', 'server/plans/decisions/a.ts', 'const x = Date.now();'],
    ['stands in a noun beside its layers', 'server/plans/a.ts', ''],
    ['imports another product', 'console/data/a.ts', "import { x } from '../../cli/x.ts';"],
    [
      'starts the server from a command that has no exception',
      'cli/commands/a.ts',
      "import { x } from '../../server/start/start-server.ts';",
    ],
    ['is too long', 'core/plan/a.ts', 'x;\n'.repeat(301)],
  ])('%s', (_case, path, text) => {
    expect(faults(path, text)).toHaveLength(1);
  });

  test.each([
    [
      'imports what its row lists',
      'core/plan/a.ts',
      "import type { X } from '../model/x.ts'; import { y } from './y.ts';",
    ],
    ['imports earlier rooms', 'core/plan/guards/a.ts', "import type { Step } from '../types/step.ts';"],
    ['stands beside the rooms', 'core/plan/a.ts', "import { x } from './guards/x.ts';"],
    ['uses members of that name', 'core/plan/a.ts', 'const x = { process: 1 }; x.process; y.crypto;'],
    ['makes a date of a text', 'core/plan/a.ts', "const x = new Date('2027-01-31T00:00:00Z');"],
    ['may use the world', 'cli/a.ts', "import { readFileSync } from 'node:fs'; process.exit(Date.now());"],
    [
      'asks a rule of another noun from a route',
      'server/plans/routes/a.ts',
      "import { x } from '../../runs/rules/x.ts';",
    ],
    ['is as long as allowed', 'core/plan/a.ts', 'x;\n'.repeat(300)],
    ['is a face of the package', 'index.ts', "export { x } from './plan/x.ts';"],
  ])('a file that keeps the rules passes: it %s', (_case, path, text) => {
    expect(faults(path, text)).toEqual([]);
  });
});

describe('a circle of imports is found', () => {
  const circles = (files: Readonly<Record<string, string>>) =>
    circlesOf(Object.entries(files).map(([path, text]) => readSource(path, text)));

  test('of types', () => {
    expect(
      circles({
        'core/plan/a.ts': "import type { B } from '../model/b.ts';",
        'core/model/b.ts': "export type { A } from '../plan/a.ts';",
        'core/model/c.ts': "import type { B } from './b.ts';",
      }),
    ).toEqual([['core/plan/a.ts', 'core/model/b.ts']]);
  });

  test('through other files, and through an import that runs later', () => {
    expect(
      circles({
        'input/a.ts': "import { b } from './b.ts';",
        'input/b.ts': "type C = import('./c.ts').C;",
        'input/c.ts': "const a = await import('./a.ts');",
      }),
    ).toEqual([['input/a.ts', 'input/b.ts', 'input/c.ts']]);
  });

  test('and none if files only share what they import', () => {
    expect(
      circles({
        'input/a.ts': "import { b } from './b.ts'; import { c } from './c.ts';",
        'input/b.ts': "import { c } from './c.ts'; import x from 'yaml';",
        'input/c.ts': '',
      }),
    ).toEqual([]);
  });
});

describe('full test names', () => {
  test('are unique, because the mutation runner identifies a test by its name', () => {
    const files = filesBelow('test').filter((path) => /\.test(?:-d)?\.ts$/.test(path));
    const places = new Map<string, string[]>();
    for (const file of files) {
      for (const name of fullTestNames(file, readFileSync(join(root, file), 'utf8'))) {
        places.set(name, [...(places.get(name) ?? []), file]);
      }
    }
    expect(places.size).toBeGreaterThan(2_000);
    expect([...places].filter(([, at]) => at.length > 1)).toEqual([]);
  });

  test('include the names of the groups, and leave out names with placeholders', () => {
    const text = `
      describe('a', () => { it('b', f); test.skipIf(x)('c', f); test.each(rows)('d %s', f); });
      describe.each(rows)('e %s', () => { test('f', g); });
      test(\`g \${h}\`, f);
    `;
    expect(fullTestNames('a.test.ts', text)).toEqual(['a > b', 'a > c']);
  });
});
